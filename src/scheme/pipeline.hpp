/// A simulation on a backend: the step as a short list of stages (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.2).
#pragma once

#include <istream>
#include <map>
#include <ostream>
#include <tuple>
#include <type_traits>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "kernels/energies.hpp"
#include "kernels/insert_here.hpp"
#include "kernels/internal_force.hpp"
#include "scheme/gather_state.hpp"
#include "scheme/loading.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
class Pipeline final : public Solver {
 public:
  template <class... Args>
  Pipeline(const Model& model, const Law& law, Args&&... backend);

  void advance(Step n, Look look, const RowsOnTheWay& rows) override;
  double insert_cohesive(const std::vector<Index>& facets) override;
  void reserve(Index nodes, Index cohesive, Index at_once) override;
  Step step() const override { return step_; }
  HistoryRow history() override;
  Snapshot snapshot() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;
  std::vector<StageTime> stage_times() const override { return backend_.clock().stages(); }
  std::size_t peak_memory() const override { return Backend::memory.peak(); }
  std::string device() const override { return backend_.device(); }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  static constexpr bool judged_by_nodes = Law::insertion_stress == FacetStress::nodes;
  static constexpr int longest_segment = 20;  ///< steps of a recording
  static constexpr Step inputs_ahead = 4096;  ///< steps whose loads and motions are uploaded together
  static constexpr int copies_per_facet = Element::facet_nodes;  ///< at most: both ends, and the mid-side node

  struct Load {
    double pressure;
    Curve curve;
    Buffer<Index> facets;
    std::vector<Index> offsets;
    Buffer<Index> stored_offsets;
  };

  // The step, in the order of the table.
  void take_step();
  bool check_is_due(Step n) const;
  void launch_fracture_check();
  void insert_if_any();
  void insert(Index elements, Index facets);
  template <class Facets>
  void list_facets(const Facets& facets);
  StartCohesive<Element, Law> start_cohesive(Index facets);
  void cut_by_colour(ElementList list, Index facets);
  void make_scratch(Index facets);
  bool make_room_for(Index facets);
  bool make_room(Index nodes, Index cohesive, Index slots);
  void add_internal_forces();
  void add_cohesive_forces();
  void add_external_forces();
  void apply_conditions(double dt);

  // The same in the gather assembly.
  /// What comes first when a gathered run goes on: forces of the present step, or what follows a row or a state of it.
  enum class Begin { forces, after_row, after_state };
  /// Steps that are recorded together: from..stop-1, then what is due at `stop`.
  struct Segment {
    Begin begin;
    Step from;  ///< whose forces come first
    Step stop;
    bool check;
    Look look;
    bool reports() const { return check || look != Look::none; }
    Begin leaves() const {
      return look == Look::none ? Begin::forces : look == Look::row ? Begin::after_row : Begin::after_state;
    }
  };
  void gather_steps(Step n, Look look, const RowsOnTheWay& rows);
  Segment segment_from(Step step, Begin begin, Step last, Look look, const RowsOnTheWay& rows) const;
  void launch_segment(const Segment& segment);
  NodeTable gather_nodes();
  void provide_inputs(Step first, Step now);
  template <Look look>
  NodeStep<look> node_step(int step, bool start);
  template <Look look>
  void launch_gather_step(int step, bool start = false);
  void launch_look(Look look, bool start = false);
  void need_state() const;
  void gather_nodal_stress();
  void gather_loads();
  SplitNodes<Element> split_nodes(Index facets);
  InsertHere<Element, Law> insert_here(const Index* held);
  void gather_insert_found(const Counters& found);
  void cut_node_by_node(Index facets);
  void after_insertion(bool grown);
  template <class F>
  void for_each_gather_array(F f);
  bool gathers() const { return assembly_ == Assembly::gather; }
  bool numbers_by_counter() const { return cohesive_case_->insertion.numbering == CopyNumbering::counter; }

  // Stages that are called from several places.
  void push(Load& load, Real line_pressure, Vec2* force);
  /// Calls f(facet codes, number) for facets of a load that share no node.
  template <class F>
  void for_each_group(Load& load, F f) {
    for (std::size_t g = 0; g + 1 < load.offsets.size(); ++g)
      f(load.facets.data() + load.offsets[g], load.offsets[g + 1] - load.offsets[g]);
  }
  void forget_recordings() {
    recordings_.clear();
    looks_.clear();
  }
  void upload_live_counts() {
    seen_.totals[Report::failed] = Report::unknown;
    seen_.live = {nodes_.count, cohesive_.count, gather_.slots_in_memory, 0, 0};
    report_.upload({seen_});
  }
  LiveCounts* live() { return &report_.data()->live; }
  NodeCopier node_copier() {
    NodeCopier copier{nodes_.position.data(), nodes_.displacement.data(), nodes_.velocity.data(),
                      nodes_.motion_x.data(), nodes_.motion_y.data(),     nodes_.dropped.data()};
    if (gathers()) return copier;
    copier.acceleration = nodes_.acceleration.data();
    copier.internal_force = nodes_.internal_force.data();
    copier.cohesive_force = nodes_.cohesive_force.data();
    copier.external_force = nodes_.external_force.data();
    return copier;
  }
  void sum_nodal_mass();
  void sum_nodal_stress();
  void list_cohesive_owners();
  FacetTraction<Element, Law> facet_traction() {
    return {{judged_by_nodes ? nodes_.stress_sum.data() : elements_.stress.data()}};
  }
  void read_report();
  void collect_report();
  void launch_sums();
  void launch_fragments();
  CohesiveEnergy<Law> cohesive_energy();
  void throw_on_fault();

  void upload(const Model& model);
  void start();

  /// Runs `stage(list, scatter)` over all bulk elements: by colour with plain adds, or at once with atomic ones.
  template <class Stage>
  void for_each_colour(Stage stage) {
    if (assembly_ == Assembly::atomic) {
      stage(ElementList{elements_.colour_order.data(), elements_.count}, AtomicScatter{});
    } else {
      for (int c = 0; c < elements_.colours(); ++c) stage(elements_.of_colour(c), ColouredScatter{});
    }
  }

  /// Calls stage(std::bool_constant), true when Gauss points keep energy accounts: a step without pays nothing.
  template <class Stage>
  void with_accounts(Stage stage) {
    if (cohesive_.keeps_accounts)
      stage(std::true_type{});
    else
      stage(std::false_type{});
  }

  template <class T>
  void fill(Buffer<T>& buffer, std::size_t count, T value) {
    backend_.launch(Fill<T>{buffer.data(), static_cast<Index>(count), value});
  }

  Backend backend_;
  Law law_;
  LinearElastic material_;
  Assembly assembly_;
  double dt_;
  Real thickness_;
  Real young_modulus_;
  std::optional<CohesiveCase> cohesive_case_;
  FractureCriterion criterion_;
  std::vector<PrescribedMotion> motions_;
  MotionState motion_before_, motion_now_;
  std::vector<Load> loads_;
  Buffer<LoadFacets> load_facets_;  ///< of all loads, for kernels

  Step step_ = 0;
  NodeState<Backend> nodes_;
  ElementState<Backend, Element> elements_;
  CohesiveState<Backend, Law> cohesive_;
  GatherState<Backend, Element> gather_;
  Begin begin_ = Begin::after_state;
  std::map<std::tuple<Begin, int, bool, Look, bool>, typename Backend::Recording> recordings_;  ///< see launch_segment
  std::map<Look, typename Backend::Recording> looks_;                                           ///< after insertion
  InsertionScratch<Backend> scratch_;
  Buffer<Report> report_;
  Report seen_{};  ///< the last one read
  Buffer<double> kinetic_sums_, strain_sums_, cohesive_sums_;
  double initial_kinetic_ = 0;  ///< corrected, of the energy identity
  double largest_energy_ = 0;
};

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::take_step() {
  backend_.launch(DisplacementUpdate{nodes_.table(), nodes_.ledger(), Real(dt_)});
  ++step_;
  if (check_is_due(step_)) {
    backend_.launch(ClearCounters{report_.data()});
    launch_fracture_check();
    read_report();
    insert_if_any();
  }
  add_internal_forces();
  add_cohesive_forces();
  add_external_forces();
  backend_.launch(VelocityUpdate{nodes_.table(), nodes_.ledger(), Real(dt_)});
  apply_conditions(dt_);
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::advance(Step n, Look look, const RowsOnTheWay& rows) {
  if (gathers()) return gather_steps(n, look, rows);
  for (Step i = 1; i <= n; ++i) {
    take_step();
    if (i == n || !rows.due(step_)) continue;
    rows.take(history());
    throw_on_fault();
  }
  read_report();
  throw_on_fault();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_internal_forces() {
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(InternalForce<Element, decltype(scatter)>{elements_.table(),
                                                              list,
                                                              {elements_.stiffness.data()},
                                                              nodes_.displacement.data(),
                                                              nodes_.internal_force.data()});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_cohesive_forces() {
  if (cohesive_.count == 0) return;
  with_accounts([&](auto kept) {
    backend_.launch(CohesiveSeparation<Element, Law, kept>{elements_.table(), cohesive_.count,
                                                           nodes_.displacement.data(), cohesive_.table()});
    backend_.launch(CohesiveTraction<Law, kept>{cohesive_.count, law_, cohesive_.table()});
  });
  for (int c = 0; c < elements_.colours(); ++c)
    backend_.launch(CohesiveForce<Element, Law, ColouredScatter>{
        elements_.table(), elements_.owners_of_colour(c), cohesive_.table(), thickness_, nodes_.cohesive_force.data()});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::add_external_forces() {
  for (Load& load : loads_)
    push(load, load.pressure * load.curve.value(step_ * dt_) * thickness_, nodes_.external_force.data());
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::push(Load& load, Real line_pressure, Vec2* force) {
  for_each_group(load, [&](const Index* facets, Index count) {
    backend_.launch(Pressure<Element>{elements_.table(), facets, count, nodes_.position.data(), line_pressure, force});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::apply_conditions(double dt) {
  if (motions_.empty()) return;
  motion_before_ = motion_now_;
  motion_now_ = motion_at(motions_, step_, dt_);
  backend_.launch(BoundaryConditions{nodes_.table(), nodes_.ledger(), motion_before_, motion_now_, Real(dt)});
}

}  // namespace cleave::inline CLEAVE_PRECISION
