/// The published pipeline (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.2): stored stiffness matrices, elements
/// add to their nodes colour by colour, or all at once with atomic adds. Runs of steps are recorded and replayed: what
/// changes from step to step is read from memory.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "published/coloured_state.hpp"
#include "published/internal_force.hpp"
#include "published/node_update.hpp"
#include "published/pressure.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ColouredSolver final : public SolverBase<Backend, Element> {
 public:
  template <class... Args>
  explicit ColouredSolver(const Model& model, Args&&... backend);

  void advance(Step n, Output output, const RowsOnTheWay& rows) override;
  double insert_cohesive(const std::vector<Index>& facets) override;
  void reserve(Index nodes, Index cohesive, Index at_once) override;
  HistoryRow history() override;
  PendingSnapshot capture(const SnapshotParts& wanted) override;
  PendingSnapshot capture_failed() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;

 private:
  using Base = SolverBase<Backend, Element>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  static constexpr int longest_segment = 20;  ///< steps of a recording

  /// Steps that are recorded together.
  struct Segment {
    bool ends_step;    ///< first what is left of the step `from`, after its check
    Step from;         ///< the present step
    Step stop;         ///< after it from+1 .. stop ...
    bool check;        ///< ... of which the last one ends with its check ...
    bool row;          ///< ... or with the sums of a row
    int first_sample;  ///< the first that probes are looked at in, counted from the first that ends; a high one: none
  };

  // The run, and the step in the order of the table (below).
  Segment segment_from(bool checked, Step last, const RowsOnTheWay& rows) const;
  void launch_segment(const Segment& segment);
  void take_row(const RowsOnTheWay& rows);
  bool end_step(int later, bool goes_on);
  void launch_probes(int later);
  void add_internal_forces();
  void add_cohesive_forces();
  void add_external_forces(int later);
  void add_forces_in_cracks(int later);
  void add_outside_forces(int later, double dt);
  void apply_conditions(int later, double dt);

  // The fracture check and insertion (coloured_insertion.hpp).
  void separate_materials(const Model& model);
  NodalStressRows stress_rows() {
    return {fracture_.stress_rows, {coloured_.stress_place.data(), materials_.of_element()}};
  }
  NodalMeans<Element> nodal_means() override {
    return {.sum = {fracture_.stress_sum.data()}, .material = materials_.of_element(), .rows = stress_rows()};
  }
  void sum_nodal_stress(Index* found = nullptr);
  void launch_fracture_check();
  void insert_if_any();
  void insert(Index elements, Index facets);
  void cut_by_colour(ElementList list, Index facets);
  void launch_mass();
  void refresh_cohesive();
  void make_scratch(Index facets);
  void make_room(Index nodes, Index cohesive);

  // Sums, reports and files (coloured_output.hpp).
  void launch_sums();
  RowCounts row_counts() const override {
    RowCounts rows = this->body_rows();
    rows[On::work_row] = node_blocks(nodes_.count);
    return rows;
  }
  void reserve_work(Index nodes);
  void read_report();
  void collect_report();
  PendingSnapshot copy_fields(Step step, const SnapshotParts& wanted);

  void start();
  /// Stored matrices are those of linear elasticity: there is no other law.
  ByMaterial<LinearElastic> by_material() { return materials_.template by_material<LinearElastic>(); }
  /// All nodes that there is room for: how many there are, launches read from memory.
  NodeTable table() {
    NodeTable nodes{nodes_.motion(),
                    nodes_.acceleration.data(),
                    coloured_.mass.data(),
                    nodes_.internal_force.data(),
                    coloured_.cohesive_force.data(),
                    coloured_.external_force.data(),
                    outside_.forces()};
    nodes.count = nodes_.capacity();
    if (cohesive_.count == 0) nodes.cohesive_force = nullptr;
    if (loads_.empty()) nodes.external_force = nullptr;
    return nodes;
  }
  WorkLedger ledger() { return {{coloured_.work.data()}}; }
  /// Runs `stage(list, scatter)` over all bulk elements: by colour with plain adds, or at once with atomic ones.
  template <class Stage>
  void for_each_colour(Sweep<Backend>& sweep, Stage stage) {
    if (atomic_) {
      stage(ElementList{coloured_.order.data(), elements_.count}, AtomicScatter{});
    } else {
      for (int p = 0; p < sweep.parts(); ++p) stage(sweep.part(p), ColouredScatter{});
    }
  }
  /// Elements of a colour that touch cohesive elements.
  ColourOfList cohesive_owners(int colour) {
    return coloured_.owners_of_colour(colour, std::min(coloured_.elements_of_colour(colour), 2 * cohesive_.capacity()));
  }

  using Base::backend_;
  using Base::cohesive_;
  using Base::cohesive_sums_;
  using Base::copies_per_facet;
  using Base::criterion_;
  using Base::dt_;
  using Base::elements_;
  using Base::end_input_;
  using Base::fields_;
  using Base::fracture_;
  using Base::held_groups_;
  using Base::live;
  using Base::loads_;
  using Base::materials_;
  using Base::motions_;
  using Base::nodes_;
  using Base::outside_;
  using Base::probes_;
  using Base::report_;
  using Base::scratch_;
  using Base::seen_;
  using Base::step_;
  using Base::thickness_;

  bool atomic_;  ///< all elements at once, with atomic adds
  ColouredState<Backend, Element> coloured_;
  std::map<std::tuple<bool, int, bool, bool, bool, int>, typename Backend::Recording>
      recordings_;  ///< see launch_segment
  typename Backend::Recording after_insertion_;
  Step launched_to_ = 0;
};

/// n steps, cut into segments that end where a fracture check or a row is due. While the host waits for a row, the next
/// segment is launched already.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::advance(Step n, Output, const RowsOnTheWay& rows) {
  if (n <= 0) return;
  this->rows_every_ = rows.every;
  const Step last = step_ + n;
  bool checked = false;  // the present step has been begun and checked, but not ended
  bool has_row = false;  // it has ended, and its row is on its way
  while (step_ < last || checked) {
    const Segment segment = segment_from(checked, last, rows);
    launch_segment(segment);
    launched_to_ = segment.stop;
    if (has_row) take_row(rows);
    step_ = segment.stop;
    checked = segment.check;
    has_row = segment.row;
    if (checked) {
      collect_report();
      insert_if_any();
    }
    if (probes_.is_full(step_ + 2 * longest_segment)) probes_.fetch(checked ? step_ - 1 : step_, dt_);
  }
  read_report();
  probes_.fetch(step_, dt_);
  this->throw_on_fault();
}

/// The row of the present step, whose sums are on their way.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::take_row(const RowsOnTheWay& rows) {
  collect_report();
  const HistoryRow row = this->row_of(seen_);
  this->throw_on_fault();
  rows.take(row);
}

/// @param checked  the present step is still to be ended
template <class Backend, class Element>
auto ColouredSolver<Backend, Element>::segment_from(bool checked, Step last, const RowsOnTheWay& rows) const
    -> Segment {
  const auto ends = [&](Step step) { return step == last || rows.due(step); };
  Segment segment{checked, step_, step_, false, false, 0};
  while (segment.stop - step_ < longest_segment && !(ends(segment.stop) && (checked || segment.stop > step_))) {
    ++segment.stop;
    segment.check = this->check_is_due(segment.stop);
    if (segment.check) break;
  }
  segment.row = !segment.check && segment.stop < last && rows.due(segment.stop);
  segment.first_sample = probes_.steps_until_due(step_ + (checked ? 0 : 1), longest_segment + 1);
  return segment;
}

/// Launches what is left of the step at which the segment begins, whole steps, and the first part of one with a check.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_segment(const Segment& segment) {
  const int steps = static_cast<int>(segment.stop - segment.from);
  if (segment.stop >= end_input_) this->provide_inputs(segment.from - 1, segment.from);
  const bool cohesive = cohesive_.count > 0;
  auto& recording = recordings_[{segment.ends_step, steps, segment.check, segment.row, cohesive, segment.first_sample}];
  backend_.replay(recording, [&] {
    bool begun = segment.ends_step && end_step(0, steps > 0);
    for (int i = 1; i <= steps; ++i) {
      if (!begun) backend_.launch(DisplacementUpdate{table(), &live()->nodes, ledger(), Real(dt_)});
      begun = (i < steps || !segment.check) && end_step(i, i < steps);
    }
    backend_.launch(BookSteps{report_.data(), steps});
    if (segment.check) launch_fracture_check();
    if (segment.row) launch_sums();
    if (segment.check || segment.row) this->post_report();
  });
}

/// Forces, velocities and what is prescribed, once displacements are there.
/// @param later  than the step at which the segment begins
/// @param goes_on  the segment has another step
/// @return whether that has been begun too, as nothing comes between
template <class Backend, class Element>
bool ColouredSolver<Backend, Element>::end_step(int later, bool goes_on) {
  // Each kind of force has an array of its own.
  backend_.side_by_side([&] { add_internal_forces(); }, [&] { add_cohesive_forces(); },
                        [&] { add_external_forces(later); });
  const bool looks = probes_.due(step_ + later);
  if (goes_on && motions_.empty() && !outside_.active() && !looks) {
    backend_.launch(NodeUpdate<true, true>{table(), &live()->nodes, ledger(), Real(dt_)});
    return true;
  }
  backend_.launch(VelocityUpdate{table(), &live()->nodes, ledger(), Real(dt_)});
  add_outside_forces(later, dt_);
  apply_conditions(later, dt_);
  if (looks) launch_probes(later);
  return false;
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_probes(int later) {
  backend_.launch(SampleProbes<Element, LinearElastic>{.elements = elements_.table(),
                                                       .probes = probes_.probes(),
                                                       .position = nodes_.position.data(),
                                                       .displacement = nodes_.displacement.data(),
                                                       .velocity = nodes_.velocity.data(),
                                                       .law = MaterialLaws::find(LinearElastic::name),
                                                       .materials = by_material(),
                                                       .states = {},
                                                       .dt = 0,
                                                       .ring = probes_.ring(live(), DeviceGate::always(), later)});
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_internal_forces() {
  for_each_colour(coloured_.force_sweep, [&](ElementList list, auto scatter) {
    backend_.launch(InternalForce<Element, decltype(scatter)>{.elements = elements_.table(),
                                                              .list = list,
                                                              .stiffness = {coloured_.stiffness.data()},
                                                              .displacement = nodes_.displacement.data(),
                                                              .force = nodes_.internal_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_cohesive_forces() {
  if (cohesive_.count == 0) return;
  const Index* present = &live()->cohesive;
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& cohesive) {
    backend_.launch(CohesiveTraction<Element, Law>{.elements = elements_.table(),
                                                   .capacity = cohesive_.capacity(),
                                                   .present = present,
                                                   .displacement = nodes_.displacement.data(),
                                                   .law = law,
                                                   .cohesive = cohesive});
    for (int c = 0; c < coloured_.colours(); ++c)
      backend_.launch(
          CohesiveForce<Element, Law, ColouredScatter, ColourOfList>{.elements = elements_.table(),
                                                                     .list = cohesive_owners(c),
                                                                     .cohesive = cohesive,
                                                                     .thickness = thickness_,
                                                                     .force = coloured_.cohesive_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_external_forces(int later) {
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    const auto& [facets, offsets] = coloured_.loads[l];
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g)
      backend_.launch(Pressure<Element>{.elements = elements_.table(),
                                        .facets = facets.data() + offsets[g],
                                        .count = offsets[g + 1] - offsets[g],
                                        .position = nodes_.position.data(),
                                        .input = this->input(later),
                                        .load = static_cast<Index>(l),
                                        .force = coloured_.external_force.data()});
  }
  if (cohesive_.count > 0) add_forces_in_cracks(later);
}

/// Pressure on the faces of cracks that loads reach.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_forces_in_cracks(int later) {
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& cohesive) {
    for (std::size_t l = 0; l < loads_.size(); ++l)
      for (int c = 0; c < coloured_.colours() && loads_[l].in_cracks; ++c)
        backend_.launch(PushCrackFaces<Element, Law, ColourOfList>{.elements = elements_.table(),
                                                                   .list = cohesive_owners(c),
                                                                   .cohesive = cohesive,
                                                                   .load_of = this->cracks_.load.data(),
                                                                   .load = static_cast<Index>(l),
                                                                   .input = this->input(later),
                                                                   .force = coloured_.external_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_outside_forces(int later, double dt) {
  if (outside_.active()) backend_.launch(OutsideUpdate{table(), &live()->nodes, this->input(later), Real(dt)});
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::apply_conditions(int later, double dt) {
  if (motions_.empty()) return;
  backend_.launch(BoundaryConditions{table(), &live()->nodes, ledger(), this->input(later), Real(dt)});
}

}  // namespace cleave::inline CLEAVE_PRECISION
