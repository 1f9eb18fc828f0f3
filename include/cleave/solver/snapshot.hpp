/// What the solver tells the host: a row of energies and counts, and a copy of the fields for output.
#pragma once

#include <array>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// One row of history.csv. Energies in J for the given thickness, works since step 0 by the trapezoidal rule.
struct HistoryRow {
  Step step = 0;
  double time = 0;                 ///< s
  double kinetic_energy = 0;       ///< 1/2 v.Mv
  double strain_energy = 0;        ///< of the bulk, from the displacements
  double internal_work = 0;        ///< of the bulk's internal forces
  double cohesive_work = 0;        ///< of the cohesive forces, contact included
  double recoverable_energy = 0;   ///< of the cohesive elements, contact and `cohesive_account` included
  double dissipated_energy = 0;    ///< cohesive_work - recoverable_energy
  double external_work = 0;
  double reaction_work = 0;        ///< of the forces that hold prescribed degrees of freedom
  double balance_error = 0;        ///< of the exact identity, relative to the largest energy so far
  Index nodes = 0;
  Index cohesive_elements = 0;
  Index failed_elements = 0;       ///< cohesive elements dead at all Gauss points
  double crack_length = 0;         ///< reference length of all cohesive elements, m
  Index fragments = 0;             ///< components of bulk elements joined by facets that are intact or not failed
  double kinetic_correction = 0;   ///< dt^2/8 a.Ma, which the identity subtracts from the kinetic energy
  double cohesive_account = 0;     ///< cohesive work that no law stores or dissipates; to be brought to zero
};

/// Fields at one instant, on the host, double precision.
struct Snapshot {
  Step step = 0;
  double time = 0;

  std::vector<Point> position;      ///< [node] reference position, m
  std::vector<Point> displacement;  ///< [node] m
  std::vector<Point> velocity;      ///< [node] m/s
  std::vector<double> mass;         ///< [node] kg
  std::vector<PlaneTensor> nodal_stress;   ///< [node] mean over the node's elements, Pa

  ElementType type = ElementType::t6;
  std::vector<Index> elements;         ///< [bulk element][3 or 6] node ids
  std::vector<Index> neighbours;       ///< [bulk element][3] facet codes
  std::vector<PlaneTensor> element_stress;    ///< [bulk element] mean over the Gauss points, Pa
  std::vector<double> energy_density;  ///< [bulk element] strain energy per reference volume, J/m^3
  std::vector<Index> fragment;         ///< [bulk element] smallest element id of its fragment

  /// Cohesive elements in order of insertion; opening and traction are means over the Gauss points (lengths m, Pa).
  struct Cohesive {
    Index facet_a = 0;               ///< facet code of the side with the smaller element id
    Index facet_b = 0;
    std::array<Index, 6> nodes{};    ///< T3: 4 used, T6: 6; side a in its ccw order, then side b's nodes facing them
    double opening_normal = 0, opening_tangential = 0;
    double traction_normal = 0, traction_tangential = 0;
    double damage = 0;               ///< 0 at insertion, 1 when failed: 1 - envelope traction / strength
    bool failed = false;             ///< dead at all Gauss points
    Step insertion_step = 0;
    double length = 0;               ///< reference length, m
  };
  std::vector<Cohesive> cohesive;
};

}  // namespace cleave
