/// The published pipeline (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.2): stored stiffness matrices, elements
/// add to their nodes colour by colour, or all at once with atomic adds. Runs of steps are recorded and replayed: what
/// changes from step to step is read from memory.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "published/cohesive_stages.hpp"
#include "published/coloured_state.hpp"
#include "published/internal_force.hpp"
#include "published/node_update.hpp"
#include "published/pressure.hpp"
#include "step/body_solver.hpp"
#include "terms/cracks/crack_pressure_state.hpp"
#include "terms/cracks/crack_reach.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
struct ColouredBody : Body<Backend, Element> {
  using Body<Backend, Element>::Body;

  /// Rows in use.
  RowCounts row_counts() const {
    RowCounts rows = Body<Backend, Element>::row_counts();
    rows[On::work_row] = node_blocks(this->nodes.count);
    return rows;
  }
};

template <class Backend, class Element>
class ColouredSolver final : public BodySolver<ColouredBody<Backend, Element>> {
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
  using Body = ColouredBody<Backend, Element>;
  using BodySolver<Body>::body_;
  template <class T>
  using Buffer = typename Body::template Buffer<T>;

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

  bool check_is_due(Step n) const { return body_.cohesive_case && n % body_.cohesive_case->insertion.every == 0; }

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
    return {body_.fracture.stress_rows, {coloured_.stress_place.data(), body_.materials.of_element()}};
  }
  /// The stresses of nodes, once they have been added up.
  NodalMeans<Element> means() {
    return {.sum = {body_.fracture.stress_sum.data()}, .material = body_.materials.of_element(), .rows = stress_rows()};
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
  void reserve_work(Index nodes);
  void read_report();
  void collect_report();
  PendingSnapshot copy_fields(Step step, const SnapshotParts& wanted);

  void start();
  /// Stored matrices are those of linear elasticity: there is no other law.
  ByMaterial<LinearElastic> by_material() { return body_.materials.template by_material<LinearElastic>(); }
  /// All nodes that there is room for: how many there are, launches read from memory.
  NodeTable table() {
    NodeTable nodes{body_.nodes.motion(),
                    body_.nodes.acceleration.data(),
                    coloured_.mass.data(),
                    body_.nodes.internal_force.data(),
                    coloured_.cohesive_force.data(),
                    coloured_.external_force.data(),
                    body_.outside.forces()};
    nodes.count = body_.nodes.capacity();
    if (body_.cohesive.count == 0) nodes.cohesive_force = nullptr;
    if (body_.inputs.loads().empty()) nodes.external_force = nullptr;
    return nodes;
  }
  WorkLedger ledger() { return {{coloured_.work.data()}}; }
  /// Runs `stage(list, scatter)` over all bulk elements: by colour with plain adds, or at once with atomic ones.
  template <class Stage>
  void for_each_colour(Sweep<Backend>& sweep, Stage stage) {
    if (atomic_) {
      stage(ElementList{coloured_.order.data(), body_.elements.count}, AtomicScatter{});
    } else {
      for (int p = 0; p < sweep.parts(); ++p) stage(sweep.part(p), ColouredScatter{});
    }
  }
  /// Elements of a colour that touch cohesive elements.
  ColourOfList cohesive_owners(int colour) {
    return coloured_.owners_of_colour(colour,
                                      std::min(coloured_.elements_of_colour(colour), 2 * body_.cohesive.capacity()));
  }

  bool atomic_;  ///< all elements at once, with atomic adds
  ColouredState<Backend, Element> coloured_;
  CrackPressureState<Backend> cracks_;
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
  body_.balance.set_rows_due(rows.every);
  const Step last = body_.step + n;
  bool checked = false;  // the present step has been begun and checked, but not ended
  bool has_row = false;  // it has ended, and its row is on its way
  while (body_.step < last || checked) {
    const Segment segment = segment_from(checked, last, rows);
    launch_segment(segment);
    launched_to_ = segment.stop;
    if (has_row) take_row(rows);
    body_.step = segment.stop;
    checked = segment.check;
    has_row = segment.row;
    if (checked) {
      collect_report();
      insert_if_any();
    }
    if (body_.probes.is_full(body_.step + 2 * longest_segment))
      body_.probes.fetch(body_.halo, checked ? body_.step - 1 : body_.step, body_.dt);
  }
  read_report();
  body_.probes.fetch(body_.halo, body_.step, body_.dt);
  throw_on_fault(body_);
}

/// The row of the present step, whose sums are on their way.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::take_row(const RowsOnTheWay& rows) {
  collect_report();
  const HistoryRow row = present_row(body_);
  throw_on_fault(body_);
  rows.take(row);
}

/// @param checked  the present step is still to be ended
template <class Backend, class Element>
auto ColouredSolver<Backend, Element>::segment_from(bool checked, Step last, const RowsOnTheWay& rows) const
    -> Segment {
  const auto ends = [&](Step step) { return step == last || rows.due(step); };
  Segment segment{checked, body_.step, body_.step, false, false, 0};
  while (segment.stop - body_.step < longest_segment &&
         !(ends(segment.stop) && (checked || segment.stop > body_.step))) {
    ++segment.stop;
    segment.check = check_is_due(segment.stop);
    if (segment.check) break;
  }
  segment.row = !segment.check && segment.stop < last && rows.due(segment.stop);
  segment.first_sample = body_.probes.steps_until_due(body_.step + (checked ? 0 : 1), longest_segment + 1);
  return segment;
}

/// Launches what is left of the step at which the segment begins, whole steps, and the first part of one with a check.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_segment(const Segment& segment) {
  const int steps = static_cast<int>(segment.stop - segment.from);
  if (segment.stop >= body_.inputs.end())
    body_.inputs.provide(body_.backend, body_.live(), segment.from - 1, segment.from);
  const bool cohesive = body_.cohesive.count > 0;
  auto& recording = recordings_[{segment.ends_step, steps, segment.check, segment.row, cohesive, segment.first_sample}];
  body_.backend.replay(recording, [&] {
    bool begun = segment.ends_step && end_step(0, steps > 0);
    for (int i = 1; i <= steps; ++i) {
      if (!begun) body_.backend.launch(DisplacementUpdate{table(), &body_.live()->nodes, ledger(), Real(body_.dt)});
      begun = (i < steps || !segment.check) && end_step(i, i < steps);
    }
    body_.backend.launch(BookSteps{body_.report.data(), steps});
    if (segment.check) launch_fracture_check();
    if (segment.row) launch_sums();
    if (segment.check || segment.row) body_.post_report();
  });
}

/// Forces, velocities and what is prescribed, once displacements are there.
/// @param later  than the step at which the segment begins
/// @param goes_on  the segment has another step
/// @return whether that has been begun too, as nothing comes between
template <class Backend, class Element>
bool ColouredSolver<Backend, Element>::end_step(int later, bool goes_on) {
  // Each kind of force has an array of its own.
  body_.backend.side_by_side([&] { add_internal_forces(); }, [&] { add_cohesive_forces(); },
                             [&] { add_external_forces(later); });
  const bool looks = body_.probes.due(body_.step + later);
  if (goes_on && body_.inputs.motions().empty() && !body_.outside.pushes && !looks) {
    body_.backend.launch(NodeUpdate<true, true>{table(), &body_.live()->nodes, ledger(), Real(body_.dt)});
    return true;
  }
  body_.backend.launch(VelocityUpdate{table(), &body_.live()->nodes, ledger(), Real(body_.dt)});
  add_outside_forces(later, body_.dt);
  apply_conditions(later, body_.dt);
  if (looks) launch_probes(later);
  return false;
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_probes(int later) {
  body_.backend.launch(
      SampleProbes<Element, LinearElastic>{.elements = body_.elements.table(),
                                           .probes = body_.probes.probes(),
                                           .position = body_.nodes.position.data(),
                                           .displacement = body_.nodes.displacement.data(),
                                           .velocity = body_.nodes.velocity.data(),
                                           .law = MaterialLaws::find(LinearElastic::name),
                                           .materials = by_material(),
                                           .states = {},
                                           .dt = 0,
                                           .ring = body_.probes.ring(body_.live(), DeviceGate::always(), later)});
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_internal_forces() {
  for_each_colour(coloured_.force_sweep, [&](ElementList list, auto scatter) {
    body_.backend.launch(InternalForce<Element, decltype(scatter)>{.elements = body_.elements.table(),
                                                                   .list = list,
                                                                   .stiffness = {coloured_.stiffness.data()},
                                                                   .displacement = body_.nodes.displacement.data(),
                                                                   .force = body_.nodes.internal_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_cohesive_forces() {
  if (body_.cohesive.count == 0) return;
  const Index* present = &body_.live()->cohesive;
  body_.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& cohesive) {
    body_.backend.launch(CohesiveTraction<Element, Law>{.elements = body_.elements.table(),
                                                        .capacity = body_.cohesive.capacity(),
                                                        .present = present,
                                                        .displacement = body_.nodes.displacement.data(),
                                                        .law = law,
                                                        .cohesive = cohesive});
    for (int c = 0; c < coloured_.colours(); ++c)
      body_.backend.launch(
          CohesiveForce<Element, Law, ColouredScatter, ColourOfList>{.elements = body_.elements.table(),
                                                                     .list = cohesive_owners(c),
                                                                     .cohesive = cohesive,
                                                                     .thickness = body_.thickness,
                                                                     .force = coloured_.cohesive_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_external_forces(int later) {
  for (std::size_t l = 0; l < body_.inputs.loads().size(); ++l) {
    const auto& [facets, offsets] = coloured_.loads[l];
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g)
      body_.backend.launch(Pressure<Element>{.elements = body_.elements.table(),
                                             .facets = facets.data() + offsets[g],
                                             .count = offsets[g + 1] - offsets[g],
                                             .position = body_.nodes.position.data(),
                                             .input = body_.inputs.at(body_.live(), later),
                                             .load = static_cast<Index>(l),
                                             .force = coloured_.external_force.data()});
  }
  if (body_.cohesive.count > 0) add_forces_in_cracks(later);
}

/// Pressure on the faces of cracks that loads reach.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_forces_in_cracks(int later) {
  body_.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& cohesive) {
    for (std::size_t l = 0; l < body_.inputs.loads().size(); ++l)
      for (int c = 0; c < coloured_.colours() && body_.inputs.loads()[l].in_cracks; ++c)
        body_.backend.launch(PushCrackFaces<Element, Law, ColourOfList>{.elements = body_.elements.table(),
                                                                        .list = cohesive_owners(c),
                                                                        .cohesive = cohesive,
                                                                        .load_of = cracks_.load.data(),
                                                                        .load = static_cast<Index>(l),
                                                                        .input = body_.inputs.at(body_.live(), later),
                                                                        .force = coloured_.external_force.data()});
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::add_outside_forces(int later, double dt) {
  if (body_.outside.pushes)
    body_.backend.launch(OutsideUpdate{table(), &body_.live()->nodes, body_.inputs.at(body_.live(), later), Real(dt)});
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::apply_conditions(int later, double dt) {
  if (body_.inputs.motions().empty()) return;
  body_.backend.launch(
      BoundaryConditions{table(), &body_.live()->nodes, ledger(), body_.inputs.at(body_.live(), later), Real(dt)});
}

}  // namespace cleave::inline CLEAVE_PRECISION
