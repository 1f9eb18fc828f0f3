/// The solver of the default assembly: every node gathers the forces of its elements.
///
/// Unless the state is output, nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "fracture/one_block_insertion.hpp"
#include "step/gather_state.hpp"
#include "step/resident_state.hpp"
#include "step/resume_step.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class GatherSolver final : public SolverBase<Backend, Element> {
 public:
  template <class... Args>
  explicit GatherSolver(const Model& model, Args&&... backend);

  void advance(Step n, Output output, const RowsOnTheWay& rows) override;
  double insert_cohesive(const std::vector<Index>& facets) override;
  void reserve(Index nodes, Index cohesive, Index at_once) override;
  HistoryRow history() override;
  PendingSnapshot capture(const SnapshotParts& wanted) override;
  PendingSnapshot capture_failed() override;
  Deformation largest_deformation() override;
  std::vector<FieldNorms> field_norms() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;

 private:
  using Base = SolverBase<Backend, Element>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  static constexpr int longest_segment = most_resident_steps;  ///< steps of a recording

  /// First launches when a run goes on: forces of the present step, or those after a row or a state of it.
  enum class Begin { forces, after_row, after_state };
  /// Steps that are recorded together: from..stop-1, then what is due at `stop`.
  struct Segment {
    Begin begin;
    Step from;  ///< whose forces come first
    Step stop;
    bool check;
    Output output;
    int first_sample;  ///< the first of its steps, counted from `from`, that probes are looked at in; a high one: none
    bool reports() const { return check || output != Output::none; }
    Begin leaves() const {
      return output == Output::none ? Begin::forces : output == Output::history ? Begin::after_row : Begin::after_state;
    }
  };

  // The run (below).
  Segment segment_from(Step step, Begin begin, Step last, Output output, const RowsOnTheWay& rows) const;
  void launch_segment(const Segment& segment);
  /// Flag that launches read first: not 0 where facets break, so that insertion comes before the next step.
  const Index* insertion_pending() { return &report_.data()->counters.fractured_facets; }

  // The step (gather_step.hpp).
  template <Output output>
  void launch_step(int step, bool start = false);
  template <Output output, bool has_nodal_forces>
  void launch_step_with(int step, bool start);
  template <bool reads_early>
  void launch_cohesive(int step);
  template <bool reads_early, class Faces>
  void launch_cohesive_of(const Faces& faces);
  void launch_pushes(int step);
  void launch_face_thickness();
  template <class Material>
  void launch_face_thickness_of(const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);
  void launch_friction();
  void launch_viscosity(bool start);
  template <Output output, bool has_nodal_forces>
  void launch_blocks(int step, bool start);
  template <Output output, bool has_nodal_forces>
  void launch_interface_nodes(int step, bool start);
  template <Output output, bool has_nodal_forces>
  NodeStep<output, has_nodal_forces> node_step(int step, bool start);
  void launch_output(Output output, bool sample, bool start = false);
  template <Output output>
  void launch_sampled_step(int step, bool sample, bool start = false);
  void launch_probes(int step, double dt);
  void fetch_probes();

  // Steps of an intact body in one launch (gather_resident.hpp).
  void list_resident_blocks(const Mesh& mesh);
  bool may_be_resident(int steps) const;
  void launch_resident_steps(int first, int steps, const BookSteps& book);
  void launch_resident_steps_of(const BlockMaterials<LinearElastic>& materials,
                                MaterialStates<Element, LinearElastic> states, int first, int steps);

  // The fracture check and insertion (gather_insertion.hpp).
  /// @param dt  from the step that the states of the materials belong to, s
  void launch_nodal_stress(double dt, DeviceGate gate = DeviceGate::always());
  NodalMeans<Element> nodal_means() override {
    const bool several = materials_.of_element() != nullptr;
    return {.sum = {fracture_.stress_sum.data()},
            .material = materials_.of_element(),
            .assembly = several ? gather_.assembly.data() : nullptr,
            .slot_mean = gather_.slot_stress.data()};
  }
  template <class Material>
  ElementStress<Element, Material> element_stress(MaterialStates<Element, Material> states, double dt);
  DeviceGate launch_stress_for_check();
  bool looks_for_near_strength() const;
  void launch_fracture_check();
  void insert_found(const Counters& found);
  void insert_many(Index facets);
  template <class Law>
  InsertionPass<Element, StartCohesive<Element, Law>> insertion_pass(const Law& law, const CohesiveTable<Law>& table,
                                                                     Index facets);
  void launch_short_insertion(DeviceGate gate);
  void launch_erosion();
  template <class Material>
  void launch_erosion_of(const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);
  void make_scratch(Index facets);
  void make_room_for(Index facets);
  void make_room(Index nodes, Index cohesive, Index slots);
  void reserve_copies(Index nodes);
  InsertionRoom room() const;
  void grow(Index nodes, Index cohesive, Index slots);

  // What ranks tell each other (gather_ranks.hpp).
  void start_sharing(const Model& model);
  const std::vector<BlockRange>& own_blocks() const;
  void mark_remote_nodes(bool marked);
  InterfaceNodes needed_interface_nodes();
  template <class Launch>
  void launch_and_share(const Launch& launch);
  void share_slot_stresses(DeviceGate gate);
  void share_erosion();
  void share_viscous_push();
  void share_corner_motion();
  void share_failed_cohesive();
  void share_fractured_facets(DeviceGate gate);
  CheckResult check_result();
  void share_many_facets(Index elements);
  void share_report();
  void start_owners();
  void own_new_copies(Index nodes);
  void own_new_cohesive(Index cohesive);
  using Owners = RowOwners<Backend>;
  Owners& owners();
  void add_sums(RowsHome<Backend>& rows, Owners& of);
  void bring_samples_home();
  void bring_motion_home();
  void bring_sums_home();
  void bring_state_home();
  void keep_own(On on);

  // Sums, reports and files (gather_output.hpp).
  /// Alone, or rank 0: has the state of all, adds up and writes.
  bool leads() const { return !shared_.active() || shared_.ranks().is_first(); }
  void launch_sums();
  void read_report();
  void collect_report();
  void take_report(const DeviceStatus& report);
  void need_state() const;
  FastestVibrations fastest_vibrations();
  template <class Material>
  FastestVibrations fastest_vibrations_of(const Material& material, MaterialStates<Element, Material> states,
                                          ElementRange range);
  PendingSnapshot copy_fields(Step step, const SnapshotParts& wanted);
  RowCounts row_counts() const override;
  void check_loaded_slots(Index slots, const std::vector<std::uint8_t>& flags, const std::vector<NodeAssembly>& before);
  void check_node_flags(const std::vector<NodeAssembly>& assembly, const std::vector<NodeAssembly>& before);

  void declare(const Model& model);
  void start();
  void launch_rest_states();
  template <class Material>
  void launch_rest_states_of(const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);
  void upload_loads(const Model& model);
  using Base::backend_;
  using Base::cohesive_;
  using Base::cohesive_case_;
  using Base::cohesive_sums_;
  using Base::cracks_;
  using Base::criterion_;
  using Base::dt_;
  using Base::elements_;
  using Base::end_input_;
  using Base::erosion_;
  using Base::fields_;
  using Base::fracture_;
  using Base::friction_;
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
  using Base::shared_;
  using Base::step_;
  using Base::thickness_;
  using Base::viscosity_;

  GatherState<Backend, Element> gather_;
  ResidentState<Backend, Element> resident_;
  Owners owners_;                        ///< empty on one rank
  std::vector<Index> held_nodes_;        ///< of the intact mesh, in all groups, by id; likewise
  Buffer<Index> new_rows_;               ///< see own_new_copies
  Buffer<FoundFacets> found_;            ///< see share_many_facets
  std::vector<bool> failed_everywhere_;  ///< [cohesive] see share_failed_cohesive
  Begin begin_ = Begin::after_state;
  Step launched_to_ = 0;  ///< when the last report was looked at
  std::map<std::tuple<Begin, int, bool, Output, bool, int>, typename Backend::Recording>
      recordings_;                                                          ///< see launch_segment
  std::map<std::pair<Output, bool>, typename Backend::Recording> outputs_;  ///< after insertion
};

/// n steps, cut into segments that end where a fracture check is due or output is due. While the host waits for what a
/// segment reports, the next one is launched already; it does nothing if the host has facets to cut first.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::advance(Step n, Output output, const RowsOnTheWay& rows) {
  if (n <= 0) return;
  this->rows_every_ = rows.every;
  const Step last = step_ + n;
  Segment next = segment_from(step_, begin_, last, output, rows);
  launch_segment(next);
  while (step_ < last) {
    const Segment now = next;
    bool launched = false;
    if (now.stop < last) next = segment_from(now.stop, now.leaves(), last, output, rows);
    if (now.reports()) {
      if (now.stop < last && next.stop < end_input_) {
        launch_segment(next);
        launched = true;
      }
      collect_report();
    }
    step_ = now.stop;
    begin_ = now.leaves();
    if (now.check && seen_.counters.fractured_facets != 0) {
      const Counters found = seen_.counters;
      if (launched && next.reports()) collect_report();  // of a segment that has done nothing
      launched = false;
      insert_found(found);
      if (now.output != Output::none) {
        const bool sample = probes_.due(now.stop);
        if (shared_.active())
          launch_output(now.output, sample);
        else
          backend_.replay(outputs_[{now.output, sample}], [&] { launch_output(now.output, sample); });
        read_report();
      }
    }
    if (now.reports()) {
      launched_to_ = launched ? next.stop : now.stop;
      if (seen_.fault.code != 0) fetch_probes();  // what led there
      this->throw_on_fault();
    }
    if (step_ < last && !launched) launch_segment(next);
    if (step_ < last && now.output != Output::none) rows.take(history());
    if (probes_.is_full(step_ + 2 * longest_segment)) fetch_probes();
  }
  fetch_probes();
}

/// The segment that begins at `step`; the last step is `last`, with its output.
template <class Backend, class Element>
auto GatherSolver<Backend, Element>::segment_from(Step step, Begin begin, Step last, Output output,
                                                  const RowsOnTheWay& rows) const -> Segment {
  const Step from = begin == Begin::forces ? step : step + 1;
  Step stop = step + 1;
  while (stop < last && !this->check_is_due(stop) && !rows.due(stop) && stop - from < longest_segment) ++stop;
  const Output here = stop == last ? output : rows.due(stop) ? Output::history : Output::none;
  const int steps = static_cast<int>(stop - from) + (here != Output::none ? 1 : 0);
  return {begin, from, stop, this->check_is_due(stop), here, probes_.steps_until_due(from, steps)};
}

/// Launches what follows the last output, the steps, a fracture check with a short insertion if it is due, and what is
/// wanted of the last step, which comes to nothing when there are facets left that break.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_segment(const Segment& segment) {
  const int steps = static_cast<int>(segment.stop - segment.from);
  const int first = segment.begin == Begin::forces ? 0 : 1;  // rows of the inputs
  if (segment.stop >= end_input_) this->provide_inputs(segment.from - 1, segment.from - first);
  const bool cohesive = cohesive_.count > 0;
  const auto sample = [&](int i) { return i >= segment.first_sample && probes_.due(segment.from + i); };
  auto& recording = recordings_[{segment.begin, steps, segment.check, segment.output, cohesive, segment.first_sample}];
  const auto launch_end = [&] {
    if (segment.output != Output::none) launch_output(segment.output, sample(steps));
    if (!segment.reports()) return;
    if (shared_.active() && (segment.output != Output::none || !cohesive_case_)) share_report();
    this->post_report();
  };
  backend_.replay(recording, [&] {
    if (segment.begin == Begin::after_state)
      backend_.launch(ResumeStep{.blocks_of = gather_.block_table(),
                                 .interface = gather_.interface_nodes(),
                                 .live = live(),
                                 .step = node_step<Output::state, true>(0, false),
                                 .ledger = gather_.block_ledger(),
                                 .copies = gather_.copy_ledger()});
    const BookSteps book{report_.data(), first + steps};
    if (may_be_resident(steps) && segment.first_sample >= steps) {
      launch_resident_steps(first, steps, book);
    } else {
      for (int i = 0; i < steps; ++i) launch_sampled_step<Output::none>(first + i, sample(i));
      backend_.launch(book);
    }
    if (segment.check) launch_fracture_check();
    if (segment.check && cohesive)
      launch_short_insertion(DeviceGate::closed_if(&report_.data()->counters.check_skipped));
    if (!shared_.active()) launch_end();
  });
  if (shared_.active()) launch_end();  // through the host, which cannot be recorded
}

}  // namespace cleave::inline CLEAVE_PRECISION
