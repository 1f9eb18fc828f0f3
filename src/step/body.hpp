/// The body of a run in solver memory, with its laws: what both assemblies have of it. Solvers add their own arrays,
/// and how a step is taken.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "body/body_state.hpp"
#include "body/by_material.hpp"
#include "body/cohesive_rows.hpp"
#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "fracture/fracture_state.hpp"
#include "fracture/fragment_state.hpp"
#include "parts/fragments_of_ranks.hpp"
#include "parts/halo.hpp"
#include "step/copied_state.hpp"
#include "step/device_status.hpp"
#include "step/energy_balance.hpp"
#include "step/step_inputs.hpp"
#include "terms/bulk/largest_deformation.hpp"
#include "terms/bulk/material_set.hpp"
#include "terms/cohesive/cohesive_state.hpp"
#include "terms/held_groups/held_group_state.hpp"
#include "terms/outside/outside_state.hpp"
#include "terms/probes/probe_state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class BackendType, class ElementOfBody>
struct Body {
  using Backend = BackendType;
  using Element = ElementOfBody;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  static constexpr bool is_host_memory = Buffer<Real>::is_host_memory;
  static constexpr int copies_per_facet = Element::facet_nodes;  ///< at most: both ends, and the mid-side node

  Backend backend;
  Fields<Backend> fields;
  MaterialSet<Backend, Element> materials;
  Buffer<Real> areal_densities, contact_moduli;  ///< [material] kg/m^2, Pa
  double dt;                                     ///< s
  Point centre;                                  ///< that positions in solver memory are counted from, m
  Real thickness;                                ///< m
  bool finite;                                   ///< kinematics: facets and their frames turn
  int obstacles;                                 ///< with columns in history.csv
  int process_columns;                           ///< likewise
  bool erodes = false;                           ///< elements of a material may erode
  bool others_broken = false;                    ///< some rank may have cohesive elements
  double stiffness_safety;                       ///< s of the stiffness cap
  std::optional<CohesiveCase> cohesive_case;     ///< none: nothing breaks
  StepInputs<Backend> inputs;

  Step step = 0;
  Step good_step = 0;  ///< of the last report without a fault
  NodeState<Backend> nodes;
  ElementState<Backend, Element> elements;
  CohesiveState<Backend> cohesive;
  FractureState<Backend> fracture;
  FragmentState<Backend, Element> fragments;
  FragmentsOfRanks<Backend, Element> fragments_of_ranks;
  InsertionScratch<Backend> scratch;
  OutsideState<Backend> outside;
  HeldGroupState<Backend, Element> held_groups;
  ProbeState<Backend, Element> probes;
  Halo<Backend> halo;
  Buffer<FixedSum> sums;  ///< of a row of history, see TakeTotals; zero between rows
  Buffer<DeviceStatus> report;
  DeviceStatus seen{};  ///< the last report that was read
  EnergyBalance balance;
  Buffer<DeformationRow> deformation;  ///< scratch

  // body_start.hpp
  template <class... Args>
  explicit Body(const Model& model, Args&&... made_with);
  Body(const Body&) = delete;  // arrays and the halo point to each other
  Body& operator=(const Body&) = delete;
  /// Declares the arrays that both assemblies have.
  void declare(const Model& model, bool stores_stress);
  void upload_nodes(const Model& model);
  /// @param number_slots  called with the host's element table before it is uploaded
  template <class NumberSlots>
  void upload_elements(const Model& model, NumberSlots number_slots);

  /// Whether cohesive elements are on this rank, or may be on any.
  bool has_broken() const { return cohesive.count > 0 || others_broken; }
  FixedSum* group_sums() { return sums.data() + TakeTotals::before_groups; }
  LiveCounts* live() { return &report.data()->live; }
  /// Flags of elements, of which some may have eroded; null: none can.
  const std::uint8_t* eroded_flags() { return erodes ? elements.flags.data() : nullptr; }
  /// See FacetJudge.
  const Vec2* moved_facets() { return finite ? nodes.displacement.data() : nullptr; }
  /// Rows in use.
  RowCounts row_counts() const {
    RowCounts rows;
    rows[On::node] = nodes.count;
    rows[On::element] = elements.count;
    rows[On::cohesive] = cohesive.count;
    return rows;
  }
  /// Sends the host what there is of the report.
  void post_report() {
    backend.post(report, offsetof(DeviceStatus, groups) + held_groups.groups() * sizeof(GroupSums));
  }
  void upload_live_counts(Index interface_slots = 0) {
    seen.totals[Quantity::failed_elements] = DeviceStatus::unknown;
    seen.live = {nodes.count, cohesive.count, interface_slots, 0, 0};
    report.upload({seen});
  }
  template <class Array, class T>
  void fill(Array& array, std::size_t count, T value) {
    launch_fill(backend, array.data(), count, value);
  }

 private:
  void upload_materials(const Model& model);
  template <class NumberSlots>
  void upload_rows(const Mesh& mesh, NumberSlots number_slots);
};

}  // namespace cleave::inline CLEAVE_PRECISION
