/// What the solver tells the host: a row of energies and counts, and a copy of the fields for output.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cleave/core/quantities.hpp"
#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// One row of history.csv: a member for each quantity of the table (core/quantities.hpp), of its type.
struct HistoryRow {
#define CLEAVE_MEMBER(name, type, ...) type name = 0;
  CLEAVE_QUANTITIES(CLEAVE_MEMBER)
#undef CLEAVE_MEMBER
  std::vector<GroupValues> groups;  ///< [Model::held_groups]
};

/// What a probe sees.
struct ProbeValues {
  double ux = 0, uy = 0;             ///< displacement, m
  double vx = 0, vy = 0;             ///< velocity, m/s
  double sxx = 0, syy = 0, sxy = 0;  ///< stress, Pa
  double strength_scale = 1;         ///< the smallest among the facets of its element
};

/// What all probes see at one step.
struct ProbeRow {
  Step step = 0;
  double time = 0;                  ///< s
  std::vector<ProbeValues> probes;  ///< [Model::probes]
};

/// Calls f(Quantity, member) for each quantity of a row, in the order of the table.
template <class Row, class F>
void for_each_quantity(Row& row, F f) {
#define CLEAVE_CALL(name, ...) f(Quantity::name, row.name);
  CLEAVE_QUANTITIES(CLEAVE_CALL)
#undef CLEAVE_CALL
}

/// Stress in the plane and across it, Pa. xz and yz are zero.
struct StressTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
  double zz = 0;
};

/// What a snapshot has beside positions, motion, masses, elements, fragments and cohesive elements. What is not wanted
/// stays empty: it is neither copied nor made.
struct SnapshotParts {
  bool neighbours = true;
  bool nodal_stress = true;
  bool element_stress = true;
  bool energy_density = true;
  bool state_fields = true;

  /// Whether stresses at Gauss points are.
  bool any_stress() const { return nodal_stress || element_stress || energy_density; }
};

/// Fields at one instant, on the host, double precision. See SnapshotParts for what may be empty.
struct Snapshot {
  Step step = 0;
  double time = 0;  ///< s

  std::vector<Point> position;             ///< [node] reference position, m
  std::vector<Point> displacement;         ///< [node] m
  std::vector<Point> velocity;             ///< [node] m/s
  std::vector<double> mass;                ///< [node] kg
  std::vector<StressTensor> nodal_stress;  ///< [node] mean over the node's elements, Pa

  bool finite = false;  ///< kinematics: whether the body may turn and stretch
  ElementType type = ElementType::t6;
  std::vector<Index> elements;               ///< [bulk element][3 or 6] node ids
  std::vector<Index> neighbours;             ///< [bulk element][3] facet codes
  std::vector<StressTensor> element_stress;  ///< [bulk element] mean over the Gauss points, Pa
  std::vector<double> energy_density;        ///< [bulk element] strain energy per reference volume, J/m^3
  std::vector<double> strength_scale;        ///< [bulk element] the smallest of its facets; empty: 1 everywhere
  /// A number of the materials' states.
  struct StateField {
    std::string name;
    std::vector<double> mean;  ///< [bulk element] over the Gauss points; 0 where the material has none of this name
  };
  std::vector<StateField> state_fields;  ///< that a material of the body has
  std::vector<Index> fragment;           ///< [bulk element] smallest element id of its fragment

  /// Cohesive elements in order of insertion; opening and traction are means over the Gauss points (lengths m, Pa).
  struct Cohesive {
    Index facet_a = 0;  ///< facet code of the side with the smaller element id
    Index facet_b = 0;
    std::array<Index, 6> nodes{};  ///< T3: 4 used, T6: 6; side a in its ccw order, then side b's nodes facing them
    double opening_normal = 0, opening_tangential = 0;
    double traction_normal = 0, traction_tangential = 0;
    double damage = 0;    ///< 0 at insertion, 1 when failed: 1 - envelope traction / strength
    bool failed = false;  ///< dead at all Gauss points
    Step insertion_step = 0;
    double length = 0;          ///< reference length, m
    double strength_scale = 1;  ///< its strengths, per reference length, over those of the case
  };
  std::vector<Cohesive> cohesive;

  /// Gives back the memory of stresses, energies and states of materials.
  void drop_stress() {
    nodal_stress = {};
    element_stress = {};
    energy_density = {};
    state_fields = {};
  }
};

/// A copy of the state that becomes a Snapshot when it is called, on that many threads; wherever and whenever, as it
/// needs no solver. Once only. Throws std::runtime_error when the device could not copy.
using PendingSnapshot = std::function<Snapshot(int threads)>;

}  // namespace cleave
