/// The solver of the default assembly: every node gathers the forces of its elements.
///
/// Unless the state is output, nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "kernels/one_block_insertion.hpp"
#include "scheme/gather_state.hpp"
#include "scheme/resident_state.hpp"
#include "scheme/solver_base.hpp"

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
  PendingSnapshot capture() override;
  PendingSnapshot capture_failed() override;
  std::vector<FieldNorms> field_norms() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;

 private:
  using Base = SolverBase<Backend, Element>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  static constexpr int longest_segment = most_resident_steps;  ///< steps of a recording

  /// What comes first when a run goes on: forces of the present step, or what follows a row or a state of it.
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

  // The run, the step and what it needs (below).
  Segment segment_from(Step step, Begin begin, Step last, Output output, const RowsOnTheWay& rows) const;
  void launch_segment(const Segment& segment);
  void list_resident_blocks(const Mesh& mesh);
  bool may_be_resident(int steps) const;
  void launch_resident_steps(int first, int steps, const BookSteps& book);
  void launch_resident_steps_of(const BlockMaterials<LinearElastic>& materials,
                                MaterialStates<Element, LinearElastic> states, int first, int steps);
  template <Output output>
  void launch_step(int step, bool start = false);
  template <Output output>
  void launch_sampled_step(int step, bool sample, bool start = false);
  void launch_probes(int step);
  template <bool reads_early>
  void launch_cohesive(int step);
  void launch_pushes(int step);
  void launch_friction();
  void launch_viscosity(bool start);
  void launch_erosion();
  template <class Material>
  void launch_erosion_of(const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);
  template <Output output, bool acts>
  void launch_step_with(int step, bool start);
  template <Output output, bool acts>
  NodeStep<output, acts> node_step(int step, bool start);
  void launch_output(Output output, bool sample, bool start = false);
  void fetch_probes();

  // The fracture check and insertion (gather_insertion.hpp).
  /// @param dt  from the step that the states of the materials belong to, s
  void launch_nodal_stress(double dt, const Index* wanted = nullptr);
  template <class Material>
  ElementStress<Element, Material> element_stress(MaterialStates<Element, Material> states, double dt);
  void launch_stress_for_check();
  bool looks_for_near_strength() const;
  void launch_fracture_check();
  void insert_found(const Counters& found);
  void insert_many(Index facets);
  template <class Law>
  InsertionPass<Element, StartCohesive<Element, Law>> insertion_pass(const Law& law, const CohesiveTable<Law>& table,
                                                                     Index facets);
  void launch_short_insertion(const Index* check_skipped);
  void make_scratch(Index facets);
  void make_room_for(Index facets);
  void make_room(Index nodes, Index cohesive, Index slots);
  void grow(Index nodes, Index cohesive, Index slots);

  // What ranks tell each other (gather_ranks.hpp).
  void start_sharing(const Model& model);
  const std::vector<BlockRange>& own_blocks() const;
  void mark_nodes_elsewhere(bool elsewhere);
  InterfaceNodes needed_interface_nodes();
  template <class Launch>
  void launch_and_share(const Launch& launch);
  void share_slot_stresses(const Index* wanted);
  void share_viscous_push();
  void share_corner_motion();
  void share_failed_elements();
  void share_fractured_facets();
  void share_many_facets();
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
  void keep_own_nodes();
  void keep_own_elements();

  // Sums, reports and files (gather_output.hpp).
  /// Alone, or rank 0: has the state of all, adds up and writes.
  bool leads() const { return !shared_.active() || shared_.ranks().is_first(); }
  void launch_sums();
  void read_report();
  void collect_report();
  void take_report(const DeviceStatus& report);
  void need_state() const;
  PendingSnapshot copy_fields(Step step);
  template <class F>
  void for_each_own_array(F f);

  void start();
  void upload_loads(const Model& model);
  NodeCopier node_copier() {
    return {nodes_.position.data(),
            nodes_.displacement.data(),
            nodes_.velocity.data(),
            nodes_.motion_x.data(),
            nodes_.motion_y.data(),
            nodes_.dropped.data(),
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            nodes_.outside.forces()};
  }

  using Base::backend_;
  using Base::cohesive_;
  using Base::cohesive_case_;
  using Base::cohesive_sums_;
  using Base::cracks_;
  using Base::copies_per_facet;
  using Base::criterion_;
  using Base::dt_;
  using Base::elements_;
  using Base::end_input_;
  using Base::erosion_;
  using Base::friction_;
  using Base::held_groups_;
  using Base::live;
  using Base::loads_;
  using Base::materials_;
  using Base::motions_;
  using Base::nodes_;
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
  Owners owners_;                                 ///< empty on one rank
  std::vector<Index> held_nodes_;                 ///< of the intact mesh, in all groups, by id; likewise
  Buffer<Index> new_rows_;                        ///< see own_new_copies
  std::vector<bool> failed_everywhere_;           ///< [cohesive] see share_failed_elements
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
      backend_.launch(ResumeStep{gather_.block_table(), gather_.interface_nodes(), live(),
                                 node_step<Output::state, true>(0, false), gather_.block_ledger(),
                                 gather_.copy_ledger()});
    const BookSteps book{report_.data(), first + steps};
    if (may_be_resident(steps) && segment.first_sample >= steps) {
      launch_resident_steps(first, steps, book);
    } else {
      for (int i = 0; i < steps; ++i) launch_sampled_step<Output::none>(first + i, sample(i));
      backend_.launch(book);
    }
    if (segment.check) launch_fracture_check();
    if (segment.check && cohesive) launch_short_insertion(&report_.data()->counters.check_skipped);
    if (!shared_.active()) launch_end();
  });
  if (shared_.active()) launch_end();  // through the host, which cannot be recorded
}

/// Prepares steps in one launch, if the device holds all blocks of elements at once and the body is one for it.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::list_resident_blocks(const Mesh& mesh) {
  if (shared_.active() || nodes_.outside.acts()) return;
  int launches = 0;
  bool elastic = true;
  materials_.for_each_launch(gather_.ranges, [&]<class Material>(const BlockMaterials<Material>&,
                                                                 MaterialStates<Element, Material>) {
    ++launches;
    elastic = elastic && std::is_same_v<Material, typename ResidentSteps<Element>::Material>;
  });
  if (elastic && launches == 1 && backend_.template holds<ResidentSteps<Element>>(gather_.blocks()))
    resident_.list(mesh, gather_.ranges, gather_.interface_slots);
}

/// Whether steps without output can be one launch: those of an intact body can, where that has been prepared.
template <class Backend, class Element>
bool GatherSolver<Backend, Element>::may_be_resident(int steps) const {
  return resident_.active() && cohesive_.count == 0 && steps > 1;
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_resident_steps(int first, int steps, const BookSteps& book) {
  materials_.for_each_launch(gather_.ranges, [&]<class Material>(const BlockMaterials<Material>& materials,
                                                                 MaterialStates<Element, Material> states) {
    if constexpr (std::is_same_v<Material, typename ResidentSteps<Element>::Material>)
      this->launch_resident_steps_of(materials, states, first, steps);
  });
  backend_.launch(BookBorderWorks<BookSteps>{gather_.first_copy - gather_.first_interface, resident_.table(nullptr).border_work,
                                             gather_.interface_ledger(), steps,
                                             &report_.data()->counters.fractured_facets, book});
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_resident_steps_of(const BlockMaterials<LinearElastic>& materials,
                                                              MaterialStates<Element, LinearElastic> states, int first,
                                                              int steps) {
  backend_.launch(ResidentSteps<Element>{.elements = elements_.table(),
                                         .blocks_of = gather_.block_table(),
                                         .first_interface = gather_.first_interface,
                                         .interface_nodes = gather_.first_copy - gather_.first_interface,
                                         .geometry = gather_.geometry_table(thickness_),
                                         .flags = elements_.flags.data(),
                                         .loads = gather_.facet_loads(),
                                         .materials = materials,
                                         .states = states,
                                         .step = node_step<Output::none, false>(first, false),
                                         .ledger = gather_.block_ledger(),
                                         .table = resident_.table(gather_.slot_force.data()),
                                         .steps = steps,
                                         .insertion_pending = &report_.data()->counters.fractured_facets});
}

/// The step whose quantities are output, and the sums.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_output(Output output, bool sample, bool start) {
  if (output == Output::history)
    launch_sampled_step<Output::history>(0, sample);
  else
    launch_sampled_step<Output::state>(0, sample, start);
  launch_sums();
  if (leads())
    held_groups_.launch_sums(backend_, elements_.table(), StoredHeldNodes{gather_.held.data()}, report_.data()->groups);
}

/// A step and, if they are wanted, what probes see in it. Nodes hold u(n) before it, and v(n-1/2) before and v(n+1/2)
/// after it, from which v(n) follows with the same bits whatever the step's output is.
template <class Backend, class Element>
template <Output output>
void GatherSolver<Backend, Element>::launch_sampled_step(int step, bool sample, bool start) {
  if (sample && !start) launch_probes(step);
  launch_step<output>(step, start);
  if (!sample) return;
  if (start) return launch_probes(step);  // v(0) is there
  const Vec2* half_velocity = output == Output::state ? gather_.half_velocity.data() : nodes_.velocity.data();
  const Index* insertion_pending = &report_.data()->counters.fractured_facets;
  backend_.launch(CentreProbeVelocity<Element>{elements_.table(), probes_.probes(), half_velocity,
                                               probes_.ring(live(), insertion_pending, step)});
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_probes(int step) {
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material> materials,
                                              MaterialStates<Element, Material> states) {
    backend_.launch(SampleProbes<Element, Material>{
        .elements = elements_.table(),
        .probes = probes_.probes(),
        .displacement = nodes_.displacement.data(),
        .velocity = nodes_.velocity.data(),
        .law = of.law,
        .materials = materials,
        .states = states,
        .ring = probes_.ring(live(), &report_.data()->counters.fractured_facets, step)});
  });
}

/// The rows of the steps whose launches are behind those so far.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::fetch_probes() {
  if (shared_.active() && probes_.any()) bring_samples_home();
  probes_.fetch(begin_ == Begin::forces ? step_ - 1 : step_, dt_);
}

/// @param step  of the recording: whose row of the inputs it is, counted from the present one
template <class Backend, class Element>
template <Output output, bool acts>
NodeStep<output, acts> GatherSolver<Backend, Element>::node_step(int step, bool start) {
  NodeStep<output, acts> made{};
  if constexpr (output == Output::state)
    static_cast<StateOutput&>(made) = {nodes_.acceleration.data(),
                                       nodes_.internal_force.data(),
                                       nodes_.cohesive_force.data(),
                                       nodes_.external_force.data(),
                                       gather_.half_velocity.data(),
                                       gather_.mean_increment.data(),
                                       start};
  if constexpr (output != Output::none) made.held = gather_.held.data();
  if constexpr (acts) made.outside = nodes_.outside.forces();
  made.nodes = nodes_.motion();
  made.nodes.count = gather_.capacity();  // how many are in use, launches read from memory
  made.assembly = gather_.assembly.data();
  made.input = this->input(step);
  made.dt = Real(dt_);
  return made;
}

/// Forces of a step of a recording, or at the start; then velocities and, unless the state is wanted, displacements.
template <class Backend, class Element>
template <Output output>
void GatherSolver<Backend, Element>::launch_step(int step, bool start) {
  nodes_.outside.acts() ? launch_step_with<output, true>(step, start) : launch_step_with<output, false>(step, start);
}

/// Forces of artificial viscosity, which the nodes' step takes from there, and their works.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_viscosity(bool start) {
  backend_.launch(ViscousPush<Element>{.elements = elements_.table(),
                                       .position = nodes_.position.data(),
                                       .displacement = this->moved_facets(),
                                       .velocity = nodes_.velocity.data(),
                                       .viscosity = {viscosity_.of_material.data(), materials_.of_element()},
                                       .flags = elements_.flags.data(),
                                       .thickness = thickness_,
                                       .push = {viscosity_.push.data()}});
  if (shared_.active()) share_viscous_push();
  const OutsideForces outside = nodes_.outside.forces();
  backend_.launch(ViscousForce<Element>{.incidence = gather_.incidence(),
                                        .assembly = gather_.assembly.data(),
                                        .capacity = gather_.capacity(),
                                        .present = &live()->nodes,
                                        .push = {viscosity_.push.data()},
                                        .velocity = nodes_.velocity.data(),
                                        .dt = Real(start ? 0 : dt_),
                                        .insertion_pending = &report_.data()->counters.fractured_facets,
                                        .force = outside.viscous,
                                        .works = outside.works});
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_friction() {
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    backend_.launch(FrictionStep<Law>{.capacity = cohesive_.capacity(),
                                      .live = live(),
                                      .law = law,
                                      .cohesive = table,
                                      .friction = friction_.view(),
                                      .thickness = thickness_,
                                      .gauss_force = gather_.cohesive_force.data(),
                                      .insertion_pending = &report_.data()->counters.fractured_facets});
  });
}

/// Tractions of cohesive elements.
template <class Backend, class Element>
template <bool reads_early>
void GatherSolver<Backend, Element>::launch_cohesive(int step) {
  const Index* insertion_pending = &report_.data()->counters.fractured_facets;
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    if (gather_.turns)
      backend_.launch(TurningCohesiveStep<Element, Law>{.rows = elements_.cohesive_rows.data(),
                                                        .capacity = cohesive_.capacity(),
                                                        .live = live(),
                                                        .displacement = nodes_.displacement.data(),
                                                        .law = law,
                                                        .cohesive = table,
                                                        .friction = friction_.view(),
                                                        .thickness = thickness_,
                                                        .forces = gather_.turning_forces(),
                                                        .work = gather_.cohesive_work.data(),
                                                        .insertion_pending = insertion_pending,
                                                        .own = this->own_elements()});
    else
      backend_.launch(CohesiveStep<Element, Law, reads_early>{.rows = elements_.cohesive_rows.data(),
                                                              .capacity = cohesive_.capacity(),
                                                              .live = live(),
                                                              .displacement = nodes_.displacement.data(),
                                                              .law = law,
                                                              .cohesive = table,
                                                              .cracks = cracks_.view(),
                                                              .input = this->input(step),
                                                              .thickness = thickness_,
                                                              .gauss_force = gather_.cohesive_force.data(),
                                                              .work = gather_.cohesive_work.data(),
                                                              .insertion_pending = insertion_pending,
                                                              .own = this->own_elements()});
  });
}

/// Pressure between faces that turn.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_pushes(int step) {
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    backend_.launch(PushTurningFaces<Element, Law>{.rows = elements_.cohesive_rows.data(),
                                                   .capacity = cohesive_.capacity(),
                                                   .live = live(),
                                                   .displacement = nodes_.displacement.data(),
                                                   .cohesive = table,
                                                   .cracks = cracks_.view(),
                                                   .input = this->input(step),
                                                   .faces = cracks_.faces.data(),
                                                   .insertion_pending = &report_.data()->counters.fractured_facets,
                                                   .own = this->own_elements()});
  });
}

/// @tparam acts  there are outside forces
template <class Backend, class Element>
template <Output output, bool acts>
void GatherSolver<Backend, Element>::launch_step_with(int step, bool start) {
  const Index* insertion_pending = &report_.data()->counters.fractured_facets;
  if (cohesive_.count > 0) launch_cohesive<output == Output::none>(step);
  if (cohesive_.count > 0 && cracks_.active() && gather_.turns) launch_pushes(step);
  if (cohesive_.count > 0 && friction_.active() && !gather_.turns) launch_friction();
  if (viscosity_.active()) launch_viscosity(start);
  const auto launch_blocks = [&]<class Material>(const BlockMaterials<Material>& materials,
                                                 MaterialStates<Element, Material> states) {
    // Only the law that is fastest is compiled without outside forces, too.
    constexpr bool may_act = acts || !std::is_same_v<Material, LinearElastic>;
    backend_.launch(BlockStep<Element, Material, output, may_act>{.elements = elements_.table(),
                                                                  .blocks_of = gather_.block_table(),
                                                                  .geometry = gather_.geometry_table(thickness_),
                                                                  .flags = elements_.flags.data(),
                                                                  .cohesive = gather_.template cohesive_forces<Material::finite>(cracks_.faces.data()),
                                                                  .loads = gather_.facet_loads(),
                                                                  .materials = materials,
                                                                  .states = states,
                                                                  .step = this->template node_step<output, may_act>(step, start),
                                                                  .slot_force = gather_.slot_force.data(),
                                                                  .ledger = gather_.block_ledger(),
                                                                  .report = gather_.block_report(),
                                                                  .insertion_pending = insertion_pending,
                                                                  .fault = &report_.data()->fault});
  };
  if (shared_.active())
    launch_and_share(launch_blocks);
  else
    materials_.for_each_launch(gather_.ranges, launch_blocks);
  backend_.launch(InterfaceNodeStep<output, acts>{
      needed_interface_nodes(), live(), gather_.slot_force.data(), node_step<output, acts>(step, start),
      gather_.interface_ledger(), gather_.interface_report(), gather_.copy_ledger(), insertion_pending});
}

}  // namespace cleave::inline CLEAVE_PRECISION
