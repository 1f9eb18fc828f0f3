/// A simulation on a backend: the step as a short list of stages (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <istream>
#include <ostream>

#include "cleave/core/error.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/material/ppr.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "kernels/energies.hpp"
#include "kernels/fragments.hpp"
#include "kernels/insertion.hpp"
#include "kernels/internal_force.hpp"
#include "kernels/mass.hpp"
#include "kernels/pressure.hpp"
#include "scheme/loading.hpp"
#include "scheme/state.hpp"

namespace cleave {

/// Predicates and values of compactions and scans (named types, as CUDA wants them at namespace scope).
struct HasFlag {
  const std::uint8_t* flag;
  CLEAVE_HD bool operator()(Index i) const { return flag[i] != 0; }
};
struct FacetCount {
  const Index* list;
  const std::uint8_t* fractured;
  CLEAVE_HD Index operator()(Index i) const {
    const int bits = fractured[list[i]];
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
  }
};
struct Entry {
  const Index* values;
  CLEAVE_HD Index operator()(Index i) const { return values[i]; }
};

template <class Backend, class Element, class Law>
class Pipeline final : public Solver {
 public:
  template <class... Args>
  Pipeline(const Model& model, const Law& law, Args&&... backend);

  void advance(Step n) override;
  Step step() const override { return step_; }
  HistoryRow history() override;
  Snapshot snapshot() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;
  std::vector<StageTime> stage_times() const override { return backend_.clock().stages(); }
  std::size_t peak_memory() const override { return peak_memory_; }
  std::string device() const override { return backend_.device(); }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  static constexpr int copies_per_facet = Element::facet_nodes;  ///< at most: both ends, and the mid-side node

  struct Load {
    double pressure;
    Curve curve;
    Buffer<Index> facets;
    std::vector<Index> offsets;
  };

  // The step, in the order of the table.
  void take_step();
  void check_fracture();
  void insert(Index elements_with_cuts, Index facets);
  void add_internal_forces();
  void add_cohesive_forces();
  void add_external_forces();
  void apply_conditions(double dt);

  // Stages that are called from several places.
  void sum_nodal_mass();
  void sum_nodal_stress();
  void list_cohesive_owners();
  Index count_fragments();
  Counters read_counters() { return counters_.download(1)[0]; }
  void throw_on_fault();

  void upload(const Model& model);
  void start();
  void note_memory();

  /// Runs `stage(list, scatter)` over all bulk elements: by colour with plain adds, or at once with atomic ones.
  template <class Stage>
  void for_each_colour(Stage stage) {
    if (assembly_ == Assembly::atomic) {
      stage(ElementList{elements_.colour_order.data(), elements_.count}, AtomicScatter{});
    } else {
      for (int c = 0; c < elements_.colours(); ++c) stage(elements_.of_colour(c), ColouredScatter{});
    }
  }

  template <class T>
  void fill(Buffer<T>& buffer, std::size_t count, T value) {
    backend_.launch(Fill<T>{buffer.data(), static_cast<Index>(count), value});
  }

  template <int Fields>
  void sum_blocks(const Buffer<Real>& sums, Index rows, Real* totals) {
    backend_.launch(SumBlocks<Fields>{{sums.data()}, rows, totals});
  }

  Backend backend_;
  Law law_;
  LinearElastic material_;
  Assembly assembly_;
  double dt_;
  double thickness_;
  double young_modulus_;
  std::optional<CohesiveCase> cohesive_case_;
  FractureCriterion criterion_;
  std::vector<PrescribedMotion> motions_;
  MotionState motion_before_, motion_now_;
  std::vector<Load> loads_;

  Step step_ = 0;
  NodeState<Backend> nodes_;
  ElementState<Backend, Element> elements_;
  CohesiveState<Backend, Law> cohesive_;
  InsertionScratch<Backend> scratch_;
  Buffer<Counters> counters_;
  Buffer<FaultRecord> fault_;
  Buffer<Real> kinetic_sums_, strain_sums_, cohesive_sums_, totals_;
  double initial_kinetic_ = 0;  ///< corrected, of the energy identity
  double largest_energy_ = 0;
  std::size_t peak_memory_ = 0;
};

// ---------------------------------------------------------------------------------------------------------- the step

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::take_step() {
  backend_.launch(DisplacementUpdate{nodes_.table(), nodes_.ledger(), dt_});
  ++step_;
  if (cohesive_case_ && step_ % cohesive_case_->insertion.every == 0) check_fracture();
  add_internal_forces();
  add_cohesive_forces();
  add_external_forces();
  backend_.launch(VelocityUpdate{nodes_.table(), nodes_.ledger(), dt_});
  apply_conditions(dt_);
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::advance(Step n) {
  for (Step i = 0; i < n; ++i) take_step();
  throw_on_fault();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_internal_forces() {
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(InternalForce<Element, decltype(scatter)>{elements_.table(), list, {elements_.stiffness.data()},
                                                              nodes_.displacement.data(),
                                                              nodes_.internal_force.data()});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_cohesive_forces() {
  if (cohesive_.count == 0) return;
  backend_.launch(CohesiveSeparation<Element, Law>{elements_.table(), cohesive_.count, nodes_.displacement.data(),
                                                   cohesive_.table()});
  backend_.launch(CohesiveTraction<Law>{cohesive_.count, law_, cohesive_.table()});
  for (int c = 0; c < elements_.colours(); ++c)
    backend_.launch(CohesiveForce<Element, Law, ColouredScatter>{elements_.table(), elements_.owners_of_colour(c),
                                                                 cohesive_.table(), thickness_,
                                                                 nodes_.cohesive_force.data()});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_external_forces() {
  for (Load& load : loads_) {
    const Real line_pressure = load.pressure * load.curve.value(step_ * dt_) * thickness_;
    for (std::size_t g = 0; g + 1 < load.offsets.size(); ++g)
      backend_.launch(Pressure<Element>{elements_.table(), load.facets.data() + load.offsets[g],
                                        load.offsets[g + 1] - load.offsets[g], nodes_.position.data(), line_pressure,
                                        nodes_.external_force.data()});
  }
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::apply_conditions(double dt) {
  if (motions_.empty()) return;
  motion_before_ = motion_now_;
  motion_now_ = motion_at(motions_, step_, dt_);
  backend_.launch(BoundaryConditions{nodes_.table(), nodes_.ledger(), motion_before_, motion_now_, dt});
}

// ------------------------------------------------------------------------------------------------ fracture, insertion

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_stress() {
  backend_.launch(GaussStress<Element>{elements_.table(), nodes_.position.data(), nodes_.displacement.data(), material_,
                                       {elements_.stress.data()}, fault_.data(), step_});
  fill(nodes_.stress_sum, NodalStressTable::extent(nodes_.count), Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(NodalStress<Element, decltype(scatter)>{elements_.table(), list, {elements_.stress.data()},
                                                            {nodes_.stress_sum.data()}});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::check_fracture() {
  sum_nodal_stress();
  fill(counters_, 1, Counters{});
  backend_.launch(NodeFilter{nodes_.count, {nodes_.stress_sum.data()}, criterion_, nodes_.flagged.data()});
  backend_.launch(FacetFilter<Element>{elements_.table(), nodes_.position.data(), {nodes_.stress_sum.data()},
                                       nodes_.flagged.data(), criterion_, elements_.fractured.data(),
                                       &counters_.data()->fractured_facets});
  backend_.select(elements_.colour_order.data(), elements_.count, scratch_.elements.data(),
                  &counters_.data()->selected, HasFlag{elements_.fractured.data()});
  const Counters found = read_counters();
  if (found.selected > 0) insert(found.selected, found.fractured_facets);
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::insert(Index elements_with_cuts, Index facets) {
  const Index slots = copies_per_facet * facets;
  const Index grow = std::max(nodes_.count + slots, nodes_.count + nodes_.count / 4);
  if (nodes_.count + slots > static_cast<Index>(nodes_.mass.size())) nodes_.reserve(backend_, grow);
  if (cohesive_.count + facets > static_cast<Index>(cohesive_.insertion_step.size())) {
    const Index room = std::max(cohesive_.count + facets, 2 * cohesive_.count);
    cohesive_.reserve(room);
    elements_.rows.resize(Table<Index, Element::row>::extent(elements_.count + room));
  }
  scratch_.reserve(elements_with_cuts, slots);
  note_memory();

  const ElementList list{scratch_.elements.data(), elements_with_cuts};
  const CopySlots copies{nodes_.count,
                         facets,
                         cohesive_case_->insertion.numbering == CopyNumbering::counter,
                         &counters_.data()->copies,
                         scratch_.origin.data(),
                         scratch_.used.data()};
  backend_.exclusive_scan(elements_with_cuts, FacetCount{list.ids, elements_.fractured.data()},
                          scratch_.first_facet.data());
  backend_.launch(StartCohesive<Element, Law>{
      elements_.table(), list, scratch_.first_facet.data(), elements_.fractured.data(), cohesive_.count,
      nodes_.position.data(), elements_.mass.data(), {nodes_.stress_sum.data()}, cohesive_.table(), thickness_,
      2 * cohesive_case_->stiffness_safety / (dt_ * dt_), cohesive_case_->contact_penalty * young_modulus_,
      cohesive_case_->tangential.strength, step_});

  fill(scratch_.used, slots, Index{0});
  for (int c = 0; c < elements_.colours(); ++c)
    backend_.launch(InsertCohesive<Element>{elements_.table(), list, scratch_.first_facet.data(),
                                            elements_.fractured.data(), elements_.colour.data(), c, cohesive_.count,
                                            copies, fault_.data(), step_});
  backend_.exclusive_scan(slots, Entry{scratch_.used.data()}, scratch_.rank.data());
  backend_.launch(RenumberCopies<Element>{elements_.table(), nodes_.count, scratch_.rank.data()});
  backend_.launch(CopyNodes{slots, nodes_.count, scratch_.used.data(), scratch_.rank.data(), scratch_.origin.data(),
                            nodes_.position.data(), nodes_.displacement.data(), nodes_.velocity.data(),
                            nodes_.acceleration.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                            nodes_.internal_force.data(), nodes_.cohesive_force.data(), nodes_.external_force.data()});
  cohesive_.count += facets;
  nodes_.count += read_counters().copies;
  sum_nodal_mass();
  list_cohesive_owners();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_mass() {
  fill(nodes_.mass, nodes_.count, Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(
        NodalMass<Element, decltype(scatter)>{elements_.table(), list, elements_.mass.data(), nodes_.mass.data()});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::list_cohesive_owners() {
  backend_.launch(
      RefreshCohesiveRows<Element>{elements_.table(), cohesive_.count, elements_.touches_cohesive.data()});
  backend_.select(elements_.colour_order.data(), elements_.count, elements_.cohesive_owners.data(),
                  &counters_.data()->selected, HasFlag{elements_.touches_cohesive.data()});
  const Index owners = read_counters().selected;
  backend_.launch(ColourOffsets{elements_.colours(), {elements_.cohesive_owners.data(), owners},
                                elements_.colour.data(), elements_.owner_offsets_.data()});
  elements_.owner_offsets = elements_.owner_offsets_.download(elements_.colours() + 1);
}

// --------------------------------------------------------------------------------------------------- what it reports

template <class Backend, class Element, class Law>
Index Pipeline<Backend, Element, Law>::count_fragments() {
  fill(counters_, 1, Counters{});
  backend_.launch(StartFragments{elements_.count, elements_.fragment.data()});
  backend_.launch(JoinFragments<Element>{elements_.table(), cohesive_.failed.data(), elements_.fragment.data()});
  backend_.launch(FinishFragments{elements_.count, elements_.fragment.data(), &counters_.data()->fragments});
  return read_counters().fragments;
}

template <class Backend, class Element, class Law>
HistoryRow Pipeline<Backend, Element, Law>::history() {
  constexpr int kinetic = 0, correction = 1, strain = 2, works = 3, recoverable = works + WorkLedger::kinds;
  constexpr int failed = recoverable + 1, length = recoverable + 2, quantities = recoverable + 3;
  using Strain = StrainEnergy<Element>;
  using Cohesive = CohesiveEnergy<Law>;
  const Index blocks = node_blocks(nodes_.count);
  const Strain strain_energy{elements_.table(), nodes_.position.data(), nodes_.displacement.data(), material_,
                             thickness_, strain_sums_.data()};
  totals_.resize(quantities);
  kinetic_sums_.resize(2 * blocks);

  backend_.launch(KineticEnergy{nodes_.table(), dt_, {kinetic_sums_.data()}});
  sum_blocks<2>(kinetic_sums_, blocks, totals_.data() + kinetic);
  backend_.launch(strain_energy);
  sum_blocks<1>(strain_sums_, strain_energy.blocks(), totals_.data() + strain);
  sum_blocks<WorkLedger::kinds>(nodes_.work, blocks, totals_.data() + works);
  Cohesive cohesive_energy{cohesive_.count, law_, cohesive_.table(), thickness_, cohesive_.failed.data(), {}};
  cohesive_sums_.resize(Cohesive::quantities * cohesive_energy.blocks());
  cohesive_energy.sums = {cohesive_sums_.data()};
  backend_.launch(cohesive_energy);
  sum_blocks<Cohesive::quantities>(cohesive_sums_, cohesive_energy.blocks(), totals_.data() + recoverable);
  const std::vector<Real> total = totals_.download(quantities);

  HistoryRow row;
  row.step = step_;
  row.time = step_ * dt_;
  row.kinetic_energy = total[kinetic];
  row.kinetic_correction = total[correction];
  row.strain_energy = total[strain];
  row.internal_work = total[works + WorkLedger::internal];
  row.cohesive_work = total[works + WorkLedger::cohesive];
  row.external_work = total[works + WorkLedger::external];
  row.reaction_work = total[works + WorkLedger::reaction];
  row.recoverable_energy = total[recoverable];
  row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
  row.nodes = nodes_.count;
  row.cohesive_elements = cohesive_.count;
  row.failed_elements = static_cast<Index>(std::lround(total[failed]));
  row.crack_length = total[length];
  row.fragments = count_fragments();

  const double corrected = row.kinetic_energy - row.kinetic_correction;
  if (step_ == 0) initial_kinetic_ = corrected;
  for (double energy : {row.kinetic_energy, row.strain_energy, row.internal_work, row.cohesive_work, row.external_work,
                        row.reaction_work})
    largest_energy_ = std::max(largest_energy_, std::fabs(energy));
  const double balance = corrected - initial_kinetic_ + row.internal_work + row.cohesive_work - row.external_work -
                         row.reaction_work;
  row.balance_error = largest_energy_ > 0 ? balance / largest_energy_ : 0;
  return row;
}

template <class Backend, class Element, class Law>
Snapshot Pipeline<Backend, Element, Law>::snapshot() {
  sum_nodal_stress();
  history();  // which elements have failed, and the fragments that follow
  constexpr int points = FacetGauss::points;
  const auto to_points = [](const std::vector<Vec2>& values) {
    std::vector<Point> out;
    out.reserve(values.size());
    for (const Vec2& v : values) out.push_back({v.x, v.y});
    return out;
  };

  Snapshot s;
  s.step = step_;
  s.time = step_ * dt_;
  s.type = Element::type;
  s.position = to_points(nodes_.position.download(nodes_.count));
  s.displacement = to_points(nodes_.displacement.download(nodes_.count));
  s.velocity = to_points(nodes_.velocity.download(nodes_.count));
  s.mass = nodes_.mass.download(nodes_.count);
  auto sums = nodes_.stress_sum.download(NodalStressTable::extent(nodes_.count));
  for (Index n = 0; n < nodes_.count; ++n) s.nodal_stress.push_back(mean_stress({sums.data()}, n));

  auto rows = elements_.rows.download(Table<Index, Element::row>::extent(elements_.count + cohesive_.count));
  const ElementTable<Element> table{{rows.data()}, elements_.count};
  const auto stress = elements_.stress.download(static_cast<std::size_t>(elements_.count) * 3 * Element::gauss_points);
  const Vec2* position = nullptr;
  const auto reference = nodes_.position.download(nodes_.count);
  const auto moved = nodes_.displacement.download(nodes_.count);
  position = reference.data();
  for (Index e = 0; e < elements_.count; ++e) {
    for (int i = 0; i < Element::nodes; ++i) s.elements.push_back(table.node(e, i));
    for (int k = 0; k < 3; ++k) s.neighbours.push_back(table.neighbour(e, k));
    Vec2 x[Element::nodes], u[Element::nodes];
    table.gather(e, position, x);
    table.gather(e, moved.data(), u);
    Sym2 mean;
    double energy = 0, area = 0;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const Real* at = &stress[(static_cast<std::size_t>(e) * Element::gauss_points + q) * 3];
      mean.xx += at[0] / Element::gauss_points;
      mean.yy += at[1] / Element::gauss_points;
      mean.xy += at[2] / Element::gauss_points;
      const auto g = Element::gradients(x, q);
      energy += g.area * energy_density(material_, displacement_gradient(g, u));
      area += g.area;
    }
    s.element_stress.push_back(mean);
    s.energy_density.push_back(energy / area);
  }
  s.fragment = elements_.fragment.download(elements_.count);

  const Index count = cohesive_.count;
  auto frame = cohesive_.frame.download(3 * points * static_cast<std::size_t>(count));
  auto opening = cohesive_.opening.download(2 * points * static_cast<std::size_t>(count));
  auto traction = cohesive_.traction.download(2 * points * static_cast<std::size_t>(count));
  auto history = cohesive_.history.download(Law::num_history * points * static_cast<std::size_t>(count));
  auto failed = cohesive_.failed.download(count);
  auto inserted = cohesive_.insertion_step.download(count);
  for (Index c = 0; c < count; ++c) {
    Snapshot::Cohesive row;
    row.facet_a = table.cohesive_facet(c, 0);
    row.facet_b = table.cohesive_facet(c, 1);
    for (int i = 0; i < 2 * Element::facet_nodes; ++i) row.nodes[i] = table.rows(elements_.count + c, i);
    row.failed = failed[c] != 0;
    row.insertion_step = inserted[c];
    for (int q = 0; q < points; ++q) {
      const std::size_t p = static_cast<std::size_t>(c) * points + q;
      row.opening_normal += opening[2 * p] / points;
      row.opening_tangential += opening[2 * p + 1] / points;
      row.traction_normal += traction[2 * p] / points;
      row.traction_tangential += traction[2 * p + 1] / points;
      row.damage += law_.damage(&history[p * Law::num_history]) / points;
      row.length += FacetGauss::weight(q) * frame[3 * p + 2];
    }
    s.cohesive.push_back(row);
  }
  return s;
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::throw_on_fault() {
  const FaultRecord fault = fault_.download(1)[0];
  if (fault.code == 0) return;
  const std::string where =
      " element " + std::to_string(fault.element) + " at step " + std::to_string(fault.step) + " (t = " +
      std::to_string(fault.step * dt_ * 1e6) + " us)";
  if (fault.code == static_cast<Index>(FaultCode::inverted_element))
    throw NumericalError("inverted:" + where + " has turned inside out. Use a smaller time step or a finer mesh there.");
  throw NumericalError("broken topology: the walk around a node of" + where + " does not end.");
}

// ---------------------------------------------------------------------------------------------- start, save and load

template <class Backend, class Element, class Law>
template <class... Args>
Pipeline<Backend, Element, Law>::Pipeline(const Model& model, const Law& law, Args&&... backend)
    : backend_(std::forward<Args>(backend)...),
      law_(law),
      material_(LinearElastic::make(model.material)),
      assembly_(model.assembly),
      dt_(model.step),
      thickness_(model.thickness),
      young_modulus_(model.material.young_modulus),
      cohesive_case_(model.cohesive),
      motions_(model.motions) {
  backend_.time_stages(model.time_stages);
  if (cohesive_case_) {
    const InsertionCase& insertion = cohesive_case_->insertion;
    criterion_.strength_n = cohesive_case_->normal.strength;
    criterion_.strength_t = cohesive_case_->tangential.strength;
    criterion_.aggregate = insertion.aggregate;
    if (insertion.box) {
      const auto& box = *insertion.box;
      criterion_.limited = true;
      criterion_.box_min = {box[0], box[1]};
      criterion_.box_max = {box[2], box[3]};
    }
  }
  upload(model);
  start();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::upload(const Model& model) {
  const Mesh& mesh = model.mesh;
  const auto to_vec2 = [](const std::vector<Point>& points) {
    std::vector<Vec2> out;
    out.reserve(points.size());
    for (const Point& p : points) out.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y)});
    return out;
  };
  nodes_.count = mesh.node_count();
  nodes_.reserve(backend_, nodes_.count);
  nodes_.position.upload(to_vec2(mesh.nodes));
  nodes_.displacement.upload(to_vec2(model.displacement));
  nodes_.velocity.upload(to_vec2(model.velocity));
  nodes_.motion_x.upload({model.motion_x.begin(), model.motion_x.end()});
  nodes_.motion_y.upload({model.motion_y.begin(), model.motion_y.end()});

  const Index count = elements_.count = mesh.element_count();
  std::vector<Index> rows(Table<Index, Element::row>::extent(count));
  const ElementTable<Element> table{{rows.data()}, count};
  for (Index e = 0; e < count; ++e) {
    for (int i = 0; i < Element::nodes; ++i) table.node(e, i) = mesh.node(e, i);
    for (int k = 0; k < 3; ++k) table.neighbour(e, k) = mesh.neighbour(e, k);
  }
  elements_.rows.upload(rows);
  elements_.mass.resize(count);
  elements_.stiffness.resize(StiffnessTable<Element>::extent(count));
  elements_.stress.resize(static_cast<std::size_t>(count) * 3 * Element::gauss_points);
  elements_.fractured.resize(count);
  elements_.touches_cohesive.upload(std::vector<std::uint8_t>(count, 0));
  elements_.fragment.resize(count);
  elements_.colour.upload(model.colouring.colour);
  elements_.colour_order.upload(model.colouring.order);
  elements_.offsets = model.colouring.offsets;
  elements_.cohesive_owners.resize(count);
  elements_.owner_offsets_.resize(model.colouring.count + 1);
  elements_.owner_offsets.assign(model.colouring.count + 1, 0);
  scratch_.elements.resize(count);
  strain_sums_.resize((count + StrainEnergy<Element>::workers - 1) / StrainEnergy<Element>::workers);
  counters_.upload({Counters{}});
  fault_.upload({FaultRecord{}});

  loads_.resize(model.loads.size());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    loads_[i].pressure = model.loads[i].pressure;
    loads_[i].curve = model.loads[i].curve;
    loads_[i].facets.upload(group_disjoint_facets(mesh, model.loads[i].facets, loads_[i].offsets));
  }
  note_memory();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::start() {
  backend_.launch(ElementMass<Element>{elements_.table(), nodes_.position.data(), material_.density * thickness_,
                                       elements_.mass.data()});
  backend_.launch(Stiffness<Element>{elements_.table(), nodes_.position.data(), material_, thickness_,
                                     {elements_.stiffness.data()}});
  sum_nodal_mass();
  for (auto* buffer : {&nodes_.acceleration, &nodes_.internal_force, &nodes_.cohesive_force, &nodes_.external_force})
    fill(*buffer, nodes_.count, Vec2{});
  add_internal_forces();
  add_external_forces();
  backend_.launch(VelocityUpdate{nodes_.table(), nodes_.ledger(), Real(0)});
  apply_conditions(0);
  history();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::save(std::ostream& out) {
  const auto put = [&](const void* data, std::size_t bytes) {
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  const auto put_buffer = [&](auto& buffer, std::size_t count) {
    const auto host = buffer.download(count);
    put(host.data(), host.size() * sizeof(host[0]));
  };
  for (const Index* count : {&nodes_.count, &elements_.count, &cohesive_.count}) put(count, sizeof *count);
  put(&step_, sizeof step_);
  put(&initial_kinetic_, sizeof initial_kinetic_);
  put(&largest_energy_, sizeof largest_energy_);
  nodes_.for_each_saved([&](auto& buffer) { put_buffer(buffer, nodes_.count); });
  put_buffer(nodes_.work, Table<Real, WorkLedger::kinds>::extent(node_blocks(nodes_.count)));
  put_buffer(elements_.rows, Table<Index, Element::row>::extent(elements_.count + cohesive_.count));
  cohesive_.for_each_saved(
      [&](auto& buffer, int fields) { put_buffer(buffer, static_cast<std::size_t>(cohesive_.count) * fields); });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::load(std::istream& in) {
  const auto get = [&](void* data, std::size_t bytes) {
    in.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
    if (!in) throw InputError("the checkpoint is truncated: remove it and resume from an older one");
  };
  const auto get_buffer = [&](auto& buffer, std::size_t count) {
    auto host = buffer.download(0);
    host.resize(count);
    get(host.data(), count * sizeof(host[0]));
    buffer.upload(host);
  };
  Index nodes = 0, elements = 0, cohesive = 0;
  for (Index* count : {&nodes, &elements, &cohesive}) get(count, sizeof *count);
  if (elements != elements_.count || nodes < nodes_.count)
    throw InputError("the checkpoint belongs to another mesh: it has " + std::to_string(elements) + " elements, not " +
                     std::to_string(elements_.count));
  get(&step_, sizeof step_);
  get(&initial_kinetic_, sizeof initial_kinetic_);
  get(&largest_energy_, sizeof largest_energy_);
  nodes_.reserve(backend_, nodes);
  nodes_.count = nodes;
  cohesive_.reserve(cohesive);
  cohesive_.count = cohesive;
  nodes_.for_each_saved([&](auto& buffer) { get_buffer(buffer, nodes); });
  get_buffer(nodes_.work, Table<Real, WorkLedger::kinds>::extent(node_blocks(nodes)));
  get_buffer(elements_.rows, Table<Index, Element::row>::extent(elements + cohesive));
  cohesive_.for_each_saved(
      [&](auto& buffer, int fields) { get_buffer(buffer, static_cast<std::size_t>(cohesive) * fields); });
  if (cohesive > 0) list_cohesive_owners();
  motion_now_ = motion_at(motions_, step_, dt_);
  note_memory();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::note_memory() {
  std::size_t bytes = 0;
  const auto count = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
  nodes_.for_each_saved(count);
  count(nodes_.stress_sum);
  count(nodes_.flagged);
  count(nodes_.work);
  cohesive_.for_each_saved([&](const auto& buffer, int) { count(buffer); });
  for (const auto* b : {&elements_.mass, &elements_.stiffness, &elements_.stress}) count(*b);
  for (const auto* b : {&elements_.rows, &elements_.fragment, &elements_.colour_order, &elements_.cohesive_owners,
                        &scratch_.elements, &scratch_.first_facet, &scratch_.origin, &scratch_.used, &scratch_.rank})
    count(*b);
  count(elements_.colour);
  count(elements_.fractured);
  count(elements_.touches_cohesive);
  peak_memory_ = std::max(peak_memory_, bytes);
}

/// The pipeline of a model's element type and cohesive law.
template <class Backend, class... Args>
std::unique_ptr<Solver> make_pipeline(const Model& model, Args&&... backend) {
  CohesiveCase none;  // never evaluated, but a law needs numbers
  none.normal = none.tangential = {1, 1, 2};
  const CohesiveCase& cohesive = model.cohesive ? *model.cohesive : none;
  const Ppr law = Ppr::make(cohesive.normal, cohesive.tangential);
  if (model.mesh.type == ElementType::t3)
    return std::make_unique<Pipeline<Backend, T3, Ppr>>(model, law, std::forward<Args>(backend)...);
  return std::make_unique<Pipeline<Backend, T6, Ppr>>(model, law, std::forward<Args>(backend)...);
}

}  // namespace cleave
