/// The common part of both solvers: the body in solver memory with its laws, and the launches that do not differ.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "body/body_state.hpp"
#include "body/by_material.hpp"
#include "body/cohesive_rows.hpp"
#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "fracture/fracture_filter.hpp"
#include "fracture/fracture_state.hpp"
#include "fracture/fragment_state.hpp"
#include "parts/shared_work.hpp"
#include "step/copied_state.hpp"
#include "step/device_status.hpp"
#include "terms/bulk/largest_deformation.hpp"
#include "terms/bulk/material_set.hpp"
#include "terms/bulk/present_step.hpp"
#include "terms/cohesive/cohesive_energy.hpp"
#include "terms/cohesive/cohesive_state.hpp"
#include "terms/cracks/crack_pressure_state.hpp"
#include "terms/erosion/erosion_state.hpp"
#include "terms/friction/friction_state.hpp"
#include "terms/held_groups/held_group_state.hpp"
#include "terms/loads/loading.hpp"
#include "terms/outside/outside_state.hpp"
#include "terms/probes/probe_state.hpp"
#include "terms/viscosity/viscosity_state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The body, its laws and their numbers. A solver adds its own arrays, and how a step is taken.
template <class Backend, class Element>
class SolverBase : public Solver {
 public:
  Step step() const override { return step_; }
  std::vector<StageTime> stage_times() override { return backend_.stages(); }
  Deformation largest_deformation() override;
  std::vector<FieldNorms> field_norms() override;
  MemoryUse memory() const override { return Backend::memory.use(); }
  std::string device() const override { return backend_.device(); }
  std::vector<ProbeRow> take_probe_rows() override { return probes_.take(); }

 protected:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Copied = CopiedState<Backend, Element>;
  static constexpr int copies_per_facet = Element::facet_nodes;  ///< at most: both ends, and the mid-side node

  template <class... Args>
  explicit SolverBase(const Model& model, Args&&... backend);

  // solver_start.hpp
  void upload_materials(const Model& model);
  void upload_strengths(const Model& model);
  void declare_body(const Model& model, bool stores_stress);
  void upload_nodes(const Model& model);
  /// @param number_slots  called with the host's element table before it is uploaded
  template <class NumberSlots>
  void upload_elements(const Model& model, NumberSlots number_slots);
  void provide_inputs(Step first, Step now);
  /// @param step  counted from the one at which the last recording ended
  StepInput input(int step) {
    return {inputs_.data(), &live()->row, step, static_cast<int>(motions_.size()) + 1, static_cast<int>(loads_.size())};
  }

  // solver_insertion.hpp
  bool check_is_due(Step n) const;
  template <class Law>
  FacetTraction<Element, Law> facet_traction() {
    if constexpr (Law::insertion_stress == FacetStress::nodes)
      return {nodal_means()};
    else
      return {{elements_.stress.data()}};
  }
  /// The stresses of nodes, once they have been added up.
  virtual NodalMeans<Element> nodal_means() = 0;
  StrengthRate strength_rate();
  ElementRange own_elements() const;
  void launch_facet_filter();
  template <class Traction>
  void launch_facet_filter_by(const Traction& traction, const std::uint8_t* flagged);
  void launch_crack_reach();
  Index mark_fractured(const std::vector<Index>& facets);
  template <class Law>
  StartCohesive<Element, Law> start_cohesive(const Law& law, const CohesiveTable<Law>& table, Index facets);
  Index facets_ahead(Index cohesive) const;
  Index most_nodes() const;
  Index most_nodes(Index facets, Index pinched) const;
  static Index room_for(Index size, std::int64_t ahead, std::int64_t most, Index room);
  Index room_for_nodes(Index nodes, Index facets) const;
  void make_room_for_cohesive(Index cohesive, Index facets);
  void need_room(bool fits, Index nodes, Index cohesive);

  // solver_output.hpp
  void launch_cohesive_sums(SumTables& sums, const double* gauss_work);
  void launch_fragments();
  template <class Law>
  CohesiveEnergy<Law> cohesive_energy(const Law& law, const CohesiveTable<Law>& table, const double* gauss_work);
  HistoryRow row_of(const DeviceStatus& status);
  double balance_error(const HistoryRow& row);
  std::shared_ptr<Copied> copy_state(Step step, const SnapshotParts& wanted);
  void throw_on_fault();

  // checkpoint.hpp
  /// The rows in use of all arrays that are part of the state.
  virtual RowCounts row_counts() const = 0;
  void save_body(StateWriter& to);
  /// @param make_room  called with the numbers of nodes and cohesive elements before they are read
  template <class MakeRoom>
  void load_body(StateReader& from, MakeRoom make_room);
  void check_loaded_body();

  /// Rows in use.
  RowCounts body_rows() const {
    RowCounts rows;
    rows[On::node] = nodes_.count;
    rows[On::element] = elements_.count;
    rows[On::cohesive] = cohesive_.count;
    return rows;
  }

  /// Pressure of a load at a step times thickness, N/m.
  Real line_pressure(std::size_t load, Step n) const {
    const double t = static_cast<double>(n) * dt_;
    return static_cast<Real>(loads_[load].pressure * loads_[load].curve.value(t) * thickness_);
  }
  /// Acceleration by the body force at a step, m/s^2.
  Vec2 body_force(Step n) const {
    const double now = body_curve_.value(static_cast<double>(n) * dt_);
    return {static_cast<Real>(body_acceleration_[0] * now), static_cast<Real>(body_acceleration_[1] * now)};
  }
  /// Rate of the damping of all nodes at a step, 1/s.
  Real drag_rate(Step n) const {
    const bool over = drag_.until && static_cast<double>(n) * dt_ > *drag_.until;
    return static_cast<Real>(over ? 0 : drag_.rate);
  }
  /// See FacetJudge.
  const Vec2* moved_facets() { return finite_ ? nodes_.displacement.data() : nullptr; }
  bool numbers_by_counter() const { return cohesive_case_->insertion.numbering == CopyNumbering::counter; }
  LiveCounts* live() { return &report_.data()->live; }
  /// Sends the host what there is of the report.
  void post_report() {
    backend_.post(report_, offsetof(DeviceStatus, groups) + held_groups_.groups() * sizeof(GroupSums));
  }
  void upload_live_counts(Index interface_slots = 0) {
    seen_.totals[Quantity::failed_elements] = DeviceStatus::unknown;
    seen_.live = {nodes_.count, cohesive_.count, interface_slots, 0, 0};
    report_.upload({seen_});
  }

  template <class Array, class T>
  void fill(Array& array, std::size_t count, T value) {
    launch_fill(backend_, array.data(), count, value);
  }

  Backend backend_;
  Fields<Backend> fields_;
  MaterialSet<Backend, Element> materials_;
  Buffer<Real> areal_densities_, contact_moduli_;  ///< [material] kg/m^2, Pa
  double dt_;
  Point centre_;  ///< that positions in solver memory are counted from, m
  Real thickness_;
  bool finite_;              ///< kinematics
  double carefree_strain_;   ///< of the step, in finite kinematics
  bool midstep_velocity_;    ///< nodes hold v(n+1/2) at a check; else v(n) and a(n), with u(n+1)
  double stiffness_safety_;  ///< s of the stiffness cap
  std::optional<CohesiveCase> cohesive_case_;
  FractureCriterion criterion_;
  Buffer<Real> strength_scale_;            ///< [facet code]; empty: 1 everywhere
  Buffer<Real> energy_scale_;              ///< likewise
  typename Copied::Scales element_scale_;  ///< [element] see Snapshot
  std::vector<PrescribedMotion> motions_;
  std::vector<PressureLoad> loads_;
  std::array<double, 2> body_acceleration_;  ///< m/s^2, times the curve
  Curve body_curve_;
  DampingCase drag_;

  static constexpr Step inputs_ahead = 4096;  ///< steps whose loads and motions are uploaded together
  Buffer<Real> inputs_;                       ///< [row][StepInput::width], see LiveCounts::row
  Step end_input_ = 0;                        ///< first step whose inputs are not there

  Step step_ = 0;
  Step good_step_ = 0;  ///< of the last report without a fault
  NodeState<Backend> nodes_;
  OutsideState<Backend> outside_;
  FractureState<Backend> fracture_;
  ElementState<Backend, Element> elements_;
  CohesiveState<Backend> cohesive_;
  FragmentState<Backend, Element> fragments_;
  CrackPressureState<Backend> cracks_;
  FrictionState<Backend> friction_;  ///< of the gather solver, as the next two
  ViscosityState<Backend> viscosity_;
  ErosionState<Backend> erosion_;
  SharedWork<Backend> shared_;  ///< of the gather solver
  HeldGroupState<Backend, Element> held_groups_;
  ProbeState<Backend, Element> probes_;
  InsertionScratch<Backend> scratch_;
  Buffer<DeviceStatus> report_;
  DeviceStatus seen_{};  ///< the last one read
  Buffer<double> cohesive_sums_;
  Buffer<DeformationRow> deformation_;
  double initial_kinetic_ = 0;  ///< corrected, of the energy identity
  double initial_strain_ = 0;   ///< energy
  double largest_energy_ = 0;   ///< J, of the rows that were due
  Step rows_every_ = 0;         ///< see RowsOnTheWay; 0: every row is due
};

}  // namespace cleave::inline CLEAVE_PRECISION
