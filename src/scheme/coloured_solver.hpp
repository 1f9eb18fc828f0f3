/// The published pipeline (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.2): stored stiffness matrices, elements
/// add to their nodes colour by colour, or all at once with atomic adds.
#pragma once

#include <utility>

#include "kernels/internal_force.hpp"
#include "kernels/pressure.hpp"
#include "scheme/coloured_state.hpp"
#include "scheme/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
class ColouredSolver final : public SolverBase<Backend, Element, Law, LinearElastic> {
 public:
  template <class... Args>
  ColouredSolver(const Model& model, const Law& law, Args&&... backend);

  void advance(Step n, Output output, const RowsOnTheWay& rows) override;
  double insert_cohesive(const std::vector<Index>& facets) override;
  void reserve(Index nodes, Index cohesive, Index at_once) override;
  HistoryRow history() override;
  PendingSnapshot capture() override;
  PendingSnapshot capture_failed() override;
  void save(std::ostream& out) override;
  void load(std::istream& in) override;

 private:
  using Base = SolverBase<Backend, Element, Law, LinearElastic>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

  // The step, in the order of the table (below).
  void take_step();
  void launch_probes_if_due();
  void add_internal_forces();
  void add_cohesive_forces();
  void add_external_forces();
  void add_forces_in_cracks();
  void apply_conditions(double dt);

  // The fracture check and insertion (coloured_insertion.hpp).
  void sum_nodal_stress();
  void launch_fracture_check();
  void insert_if_any();
  void insert(Index elements, Index facets);
  void cut_by_colour(ElementList list, Index facets);
  void sum_mass();
  void list_cohesive_owners();
  void make_scratch(Index facets);
  void make_room(Index nodes, Index cohesive);

  // Sums, reports and files (coloured_output.hpp).
  void launch_sums();
  void read_report();
  PendingSnapshot copy_fields();

  void start();
  NodeTable table() { return nodes_.table(coloured_.mass.data()); }
  WorkLedger ledger() { return {{coloured_.work.data()}}; }
  NodeCopier node_copier() {
    NodeCopier copier{nodes_.position.data(), nodes_.displacement.data(), nodes_.velocity.data(),
                      nodes_.motion_x.data(), nodes_.motion_y.data(),     nodes_.dropped.data()};
    copier.acceleration = nodes_.acceleration.data();
    copier.internal_force = nodes_.internal_force.data();
    copier.cohesive_force = nodes_.cohesive_force.data();
    copier.external_force = nodes_.external_force.data();
    return copier;
  }

  /// Runs `stage(list, scatter)` over all bulk elements: by colour with plain adds, or at once with atomic ones.
  template <class Stage>
  void for_each_colour(Stage stage) {
    if (atomic_) {
      stage(ElementList{elements_.colour_order.data(), elements_.count}, AtomicScatter{});
    } else {
      for (int c = 0; c < elements_.colours(); ++c) stage(elements_.of_colour(c), ColouredScatter{});
    }
  }

  using Base::backend_;
  using Base::by_material;
  using Base::cohesive_;
  using Base::cohesive_sums_;
  using Base::copies_per_facet;
  using Base::criterion_;
  using Base::dt_;
  using Base::elements_;
  using Base::held_groups_;
  using Base::law_;
  using Base::live;
  using Base::loads_;
  using Base::motions_;
  using Base::nodes_;
  using Base::probes_;
  using Base::report_;
  using Base::scratch_;
  using Base::seen_;
  using Base::step_;
  using Base::thickness_;

  bool atomic_;  ///< all elements at once, with atomic adds
  ColouredState<Backend, Element> coloured_;
  MotionState motion_before_, motion_now_;
};

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::take_step() {
  backend_.launch(DisplacementUpdate{table(), ledger(), Real(dt_)});
  ++step_;
  if (this->check_is_due(step_)) {
    backend_.launch(ClearCounters{report_.data()});
    launch_fracture_check();
    read_report();
    insert_if_any();
  }
  add_internal_forces();
  add_cohesive_forces();
  add_external_forces();
  backend_.launch(VelocityUpdate{table(), ledger(), Real(dt_)});
  apply_conditions(dt_);
  launch_probes_if_due();
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::launch_probes_if_due() {
  if (!probes_.due(step_)) return;
  backend_.launch(SampleProbes<Element, LinearElastic>{.elements = elements_.table(),
                                                       .probes = probes_.probes(),
                                                       .displacement = nodes_.displacement.data(),
                                                       .velocity = nodes_.velocity.data(),
                                                       .materials = by_material(),
                                                       .states = {},
                                                       .ring = probes_.ring(live(), nullptr, step_)});
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::advance(Step n, Output, const RowsOnTheWay& rows) {
  for (Step i = 1; i <= n; ++i) {
    take_step();
    if (probes_.is_full(step_)) probes_.fetch(step_, dt_);
    if (i == n || !rows.due(step_)) continue;
    rows.take(history());
    this->throw_on_fault();
  }
  read_report();
  probes_.fetch(step_, dt_);
  this->throw_on_fault();
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::add_internal_forces() {
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(InternalForce<Element, decltype(scatter)>{elements_.table(),
                                                              list,
                                                              {coloured_.stiffness.data()},
                                                              nodes_.displacement.data(),
                                                              nodes_.internal_force.data()});
  });
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::add_cohesive_forces() {
  if (cohesive_.count == 0) return;
  backend_.launch(CohesiveSeparation<Element, Law>{elements_.table(),
                                                   cohesive_.count,
                                                   nodes_.displacement.data(),
                                                   cohesive_.table(),
                                                   {coloured_.last_opening.data()}});
  backend_.launch(CohesiveTraction<Law>{cohesive_.count, law_, cohesive_.table(), {coloured_.last_opening.data()}});
  for (int c = 0; c < elements_.colours(); ++c)
    backend_.launch(CohesiveForce<Element, Law, ColouredScatter>{
        elements_.table(), coloured_.owners_of_colour(c), cohesive_.table(), thickness_, nodes_.cohesive_force.data()});
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::add_external_forces() {
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    const auto& [facets, offsets] = coloured_.loads[l];
    for (std::size_t g = 0; g + 1 < offsets.size(); ++g)
      backend_.launch(Pressure<Element>{elements_.table(), facets.data() + offsets[g], offsets[g + 1] - offsets[g],
                                        nodes_.position.data(), this->line_pressure(l, step_),
                                        nodes_.external_force.data()});
  }
  if (cohesive_.count > 0) add_forces_in_cracks();
}

/// Pressure on the faces of cracks that loads reach.
template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::add_forces_in_cracks() {
  for (std::size_t l = 0; l < loads_.size(); ++l)
    for (int c = 0; c < elements_.colours() && loads_[l].in_cracks; ++c)
      backend_.launch(PushCrackFaces<Element, Law>{elements_.table(), coloured_.owners_of_colour(c), cohesive_.table(),
                                                   this->cracks_.load.data(), static_cast<Index>(l),
                                                   this->line_pressure(l, step_), nodes_.external_force.data()});
}

template <class Backend, class Element, class Law>
void ColouredSolver<Backend, Element, Law>::apply_conditions(double dt) {
  if (motions_.empty()) return;
  motion_before_ = motion_now_;
  motion_now_ = motion_at(motions_, step_, dt_);
  backend_.launch(BoundaryConditions{table(), ledger(), motion_before_, motion_now_, Real(dt)});
}

}  // namespace cleave::inline CLEAVE_PRECISION
