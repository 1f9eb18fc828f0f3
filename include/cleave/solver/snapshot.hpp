/// Results that the solver passes to the host: rows of energies and counts, values at probes, and fields.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/quantities.hpp"
#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave {

/// A row of history.csv: one member for each quantity of the table in core/quantities.hpp, with its type.
struct HistoryRow {
#define CLEAVE_MEMBER(name, type, ...) type name = 0;
  CLEAVE_QUANTITIES(CLEAVE_MEMBER)
#undef CLEAVE_MEMBER
  std::vector<GroupValues> groups;        ///< [Model::held_groups]
  std::vector<ObstacleValues> obstacles;  ///< [Model::obstacles]
  std::vector<double> processes;          ///< columns of processes, as process_columns (model.hpp) names them
};

/// Values at a probe.
struct ProbeValues {
  double ux = 0, uy = 0;             ///< displacement, m
  double vx = 0, vy = 0;             ///< velocity, m/s
  double sxx = 0, syy = 0, sxy = 0;  ///< stress, Pa
  double strength_scale = 1;         ///< smallest of the facets of the probe's element
  double contact_pressure = 0;       ///< across its facet, if it has one, Pa
};

/// Values at all probes at one step.
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

/// Stress in the plane and across it, Pa; xz and yz are zero.
struct StressTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
  double zz = 0;
};

/// Optional parts of a snapshot, beside positions, motion, masses, elements, fragments and cohesive elements. Fields of
/// unselected parts stay empty; they are neither copied nor computed.
struct SnapshotParts {
  bool neighbours = true;
  bool nodal_stress = true;
  bool element_stress = true;
  bool energy_density = true;
  bool state_fields = true;
  std::optional<std::vector<std::string>> process_fields{};  ///< names of those wanted; without a value: all in frames

  bool wants(const ProcessField& field) const {
    return field.in_frames && (!process_fields || std::ranges::count(*process_fields, field.name) > 0);
  }
  /// Whether a part needs stresses at Gauss points.
  bool any_stress() const { return nodal_stress || element_stress || energy_density; }
};

/// Fields at one instant on the host, in double precision. Fields of parts that SnapshotParts leaves out are empty.
struct Snapshot {
  Step step = 0;
  double time = 0;  ///< s

  std::vector<Point> position;             ///< [node] reference position, m
  std::vector<Point> displacement;         ///< [node] m
  std::vector<Point> velocity;             ///< [node] m/s
  std::vector<double> mass;                ///< [node] kg
  std::vector<StressTensor> nodal_stress;  ///< [node] mean over the elements of the node, Pa

  bool finite = false;  ///< finite kinematics: large rotations and strains
  ElementType type = ElementType::t6;
  std::vector<Index> elements;               ///< [bulk element][3 or 6] node ids
  std::vector<Index> neighbours;             ///< [bulk element][3] facet codes
  std::vector<StressTensor> element_stress;  ///< [bulk element] mean over the Gauss points, Pa
  std::vector<double> energy_density;        ///< [bulk element] strain energy per reference volume, J/m^3
  std::vector<double> strength_scale;        ///< [bulk element] smallest of its facets; empty: 1 everywhere
  /// Values of one field of the materials' states.
  struct StateField {
    std::string name;
    std::vector<double> mean;  ///< [bulk element] mean over the Gauss points; 0 if the material has no such field
  };
  std::vector<StateField> state_fields;  ///< one for each field name of the materials
  /// A field of a process.
  struct ProcessValues {
    std::string name;
    FieldOn on = FieldOn::element;
    int width = 1;
    std::vector<double> values;  ///< [row][width]
  };
  std::vector<ProcessValues> process_fields;  ///< those in frames
  std::vector<Index> fragment;                ///< [bulk element] smallest element id of its fragment

  /// A cohesive element; elements are in the order of insertion. Openings (m) and tractions (Pa) are means over the
  /// Gauss points.
  struct Cohesive {
    Index facet_a = 0;  ///< facet code on side a, whose element has the smaller id
    Index facet_b = 0;
    std::array<Index, 6> nodes{};  ///< T3: 4 nodes, T6: 6; side a in its ccw order, then the opposite nodes of side b
    double opening_normal = 0, opening_tangential = 0;
    double traction_normal = 0, traction_tangential = 0;
    double damage = 0;    ///< 0 at insertion, 1 when failed: 1 - envelope traction / strength
    bool failed = false;  ///< dead at all Gauss points
    Step insertion_step = 0;
    double length = 0;          ///< reference length, m
    double strength_scale = 1;  ///< its strength, per reference length, over that of the case
  };
  std::vector<Cohesive> cohesive;

  std::vector<Point> contact_traction;  ///< [node] over the area at the start, Pa; empty: no contact, no obstacles
  std::vector<double> contact_depth;    ///< [node] of what touches there, m; likewise
  /// An element whose surface touches.
  struct Touch {
    Index element = 0;
    Index other = 0;  ///< another element, or -1 - the number of an obstacle
  };
  std::vector<Touch> touches;

  /// Frees the memory of stresses, energies and states of materials.
  void drop_stress() {
    nodal_stress = {};
    element_stress = {};
    energy_density = {};
    state_fields = {};
  }
};

/// Makes a Snapshot from a copy of the state, on the given number of threads. May be called once, on any thread and at
/// any time, as it does not use the solver. Throws std::runtime_error if the device could not copy.
using PendingSnapshot = std::function<Snapshot(int threads)>;

}  // namespace cleave
