/// The quantities of a run: sums over the body that kernels compute, and columns of history.csv.
///
/// The table below is the only list of them. HistoryRow, the header of history.csv, its reader and writer, the check
/// for finite numbers, the energies in summary.json, the identity of `balance_error` and the table in the user guide
/// follow from it. To add a quantity, append a row to the table and the line that computes it: an entry in the sums of
/// a kernel (src/body/sums.hpp), or a line in `present_row` (src/step/body_output.hpp) if it is known, in
/// `EnergyBalance` (src/step/energy_balance.hpp) if it is derived.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

/// The source of a quantity.
enum class QuantityKind {
  known,    ///< no sum: the time, and counts that the solver keeps
  summed,   ///< kernels sum it over the body; zero when no kernel does
  derived,  ///< the host computes it from other quantities
};

/// entry(name, type, unit, kind, sign in the energy identity, meaning). Energies are in J for the given thickness;
/// works are counted since step 0 by the trapezoidal rule. The sign is that of a work W in the identity
///     T - T_correction + sum of sign * W = its value at step 0,
/// and 0 for other quantities. Users' scripts rely on names and order: new rows go to the end.
// clang-format off
#define CLEAVE_QUANTITIES(entry)                                                                                       \
  entry(step, Step, "-", known, 0, "step number; 0 is the initial state")                                              \
  entry(time, double, "s", known, 0, "step times step length")                                                         \
  entry(kinetic_energy, double, "J", summed, 0, "½ v·Mv")                                                              \
  entry(strain_energy, double, "J", summed, 0, "strain energy of the triangles, from the displacements")               \
  entry(internal_work, double, "J", summed, 1,                                                                         \
        "work of the triangles' forces; for linear elasticity the change of the strain energy")                        \
  entry(cohesive_work, double, "J", summed, 1, "work of the cohesive forces, contact included")                        \
  entry(recoverable_energy, double, "J", summed, 0,                                                                    \
        "part of `cohesive_work` that unloading would return, `cohesive_account` included")                            \
  entry(dissipated_energy, double, "J", derived, 0, "`cohesive_work - recoverable_energy`")                            \
  entry(external_work, double, "J", summed, -1, "work of the pressures, on facets and in cracks, of driven obstacles and of forces of your own")                 \
  entry(reaction_work, double, "J", summed, -1, "work of the forces in directions with prescribed motion")             \
  entry(balance_error, double, "-", derived, 0,                                                                        \
        "(change of `kinetic_energy - kinetic_correction` + `internal_work` + `cohesive_work` - `external_work` - "    \
        "`reaction_work` - `body_work` + `absorbed_energy` + `friction_energy` + `damping_energy` + "                   \
        "`support_energy` + `contact_energy` + `contact_friction_energy`) / largest energy so far: rounding only")     \
  entry(nodes, Index, "-", known, 0, "number of nodes, copies included")                                               \
  entry(cohesive_elements, Index, "-", known, 0, "number of cohesive elements inserted so far")                        \
  entry(failed_elements, Index, "-", summed, 0, "number of cohesive elements failed at all Gauss points")              \
  entry(crack_length, double, "m", summed, 0, "reference length of all cohesive elements")                             \
  entry(fragments, Index, "-", known, 0, "number of parts connected by facets that are intact or not failed")          \
  entry(kinetic_correction, double, "J", summed, 0, "Δt²/8 a·Ma, which makes the identity exact")                      \
  entry(cohesive_account, double, "J", summed, 0,                                                                      \
        "work booked in excess (negative: too little), which small extra tractions return in the next steps")          \
  entry(law_dissipation, double, "J", summed, 0,                                                                       \
        "energy dissipated by the cohesive laws themselves: `dissipated_energy` except for rounding")                  \
  entry(body_work, double, "J", summed, -1, "work of the body force")                                                  \
  entry(absorbed_energy, double, "J", summed, 1, "energy taken out of the body by absorbing boundaries")               \
  entry(plastic_energy, double, "J", summed, 0, "part of `internal_work` dissipated by plastic flow")                  \
  entry(viscous_energy, double, "J", summed, 0, "part of `internal_work` dissipated by viscous stresses")              \
  entry(friction_energy, double, "J", summed, 1,                                                                       \
        "work of friction between failed faces; a little of it returns from the springs of sticking faces")            \
  entry(eroded_energy, double, "J", summed, 0, "part of `internal_work` stored in triangles when they eroded")         \
  entry(eroded_mass, double, "kg", summed, 0, "mass of eroded triangles; it stays with the nodes")                     \
  entry(damping_energy, double, "J", summed, 1, "energy taken out of the body by `damping`")                           \
  entry(work_minus_energy, double, "J", derived, 0,                                                                    \
        "`internal_work` less the change of `strain_energy`, `plastic_energy`, `viscous_energy` and "                  \
        "`eroded_energy`: rounding; with hyperelastic laws the error of the trapezoidal rule, with user-defined "      \
        "laws energy that they do not report")                                                                         \
  entry(insertion_ratio, double, "-", known, 0,                                                                        \
        "largest ratio so far of a facet's load to its strength at the check in which it broke; 0: no facet has "      \
        "broken")                                                                                                      \
  entry(support_energy, double, "J", summed, 1,                                                                        \
        "change of the energy in the springs of `support`: minus their work on the body")                              \
  entry(contact_energy, double, "J", summed, 1,                                                                        \
        "recoverable energy of `contact` and `obstacles`, work booked in excess included")                             \
  entry(contact_friction_energy, double, "J", summed, 1, "energy dissipated by friction of `contact` and `obstacles`") \
  entry(contact_points, Index, "-", summed, 0, "number of points of the surface that touch")
// clang-format on

enum class Quantity : int {
#define CLEAVE_NAME(name, ...) name,
  CLEAVE_QUANTITIES(CLEAVE_NAME)
#undef CLEAVE_NAME
};

struct QuantityInfo {
  const char* name;  ///< name of the column
  const char* unit;
  QuantityKind kind;
  int identity_sign;
  const char* meaning;
};

/// The table, in the order of Quantity.
inline constexpr QuantityInfo quantities[] = {
#define CLEAVE_INFO(name, type, unit, kind, sign, meaning) {#name, unit, QuantityKind::kind, sign, meaning},
    CLEAVE_QUANTITIES(CLEAVE_INFO)
#undef CLEAVE_INFO
};

inline constexpr int quantity_count = sizeof quantities / sizeof quantities[0];

constexpr const QuantityInfo& info_of(Quantity q) { return quantities[static_cast<int>(q)]; }

/// entry(quantity, direction, unit, meaning): quantities of each group of nodes with prescribed motion. Their columns,
/// `reaction_GROUP_x` and so on, follow those above, group by group.
// clang-format off
#define CLEAVE_GROUP_QUANTITIES(entry)                                                                                 \
  entry(reaction, x, "N", "force along x in the directions that `boundary` prescribes for GROUP")                      \
  entry(reaction, y, "N", "likewise along y")                                                                          \
  entry(displacement, x, "m", "mean displacement along x of the nodes of GROUP, copies included")                      \
  entry(displacement, y, "m", "likewise along y")
// clang-format on

struct GroupQuantityInfo {
  const char* quantity;
  const char* direction;
  const char* unit;
  const char* meaning;
};
inline constexpr GroupQuantityInfo group_quantities[] = {
#define CLEAVE_INFO(quantity, direction, unit, meaning) {#quantity, #direction, unit, meaning},
    CLEAVE_GROUP_QUANTITIES(CLEAVE_INFO)
#undef CLEAVE_INFO
};

/// Values of the quantities of one group.
struct GroupValues {
#define CLEAVE_MEMBER(quantity, direction, ...) double quantity##_##direction = 0;
  CLEAVE_GROUP_QUANTITIES(CLEAVE_MEMBER)
#undef CLEAVE_MEMBER
};

/// Calls f(value) for each quantity of a group, in the order of the table.
template <class Values, class F>
void for_each_group_quantity(Values& values, F f) {
#define CLEAVE_CALL(quantity, direction, ...) f(values.quantity##_##direction);
  CLEAVE_GROUP_QUANTITIES(CLEAVE_CALL)
#undef CLEAVE_CALL
}

/// Largest number of groups with columns in history.csv.
inline constexpr int most_held_groups = 64;

/// entry(prefix, suffix, unit, meaning): quantities of each obstacle. Their columns, `reaction_NAME_x` and so on,
/// follow those of the groups.
// clang-format off
#define CLEAVE_OBSTACLE_QUANTITIES(entry)                                                                              \
  entry(reaction_, x, "N", "force of the obstacle NAME on the body, along x")                                          \
  entry(reaction_, y, "N", "likewise along y")                                                                         \
  entry(, x, "m", "place of the obstacle: of the given point of a plane, or of the centre of a disc, along x")         \
  entry(, y, "m", "likewise along y")                                                                                  \
  entry(, angle, "rad", "its turn since the start, counter-clockwise")
// clang-format on

/// Names and units of their columns.
inline constexpr GroupQuantityInfo obstacle_quantities[] = {
#define CLEAVE_INFO(prefix, suffix, unit, meaning) {#prefix, #suffix, unit, meaning},
    CLEAVE_OBSTACLE_QUANTITIES(CLEAVE_INFO)
#undef CLEAVE_INFO
};

/// Values of the quantities of one obstacle, in their order.
struct ObstacleValues {
  static constexpr int count = 5;
  double value[count];
};

/// Largest number of obstacles.
inline constexpr int most_obstacles = 16;

/// Sums of kernels over a group: reaction x and y in N, displacement x and y in m, number of nodes.
struct GroupSums {
  static constexpr int count = 5;
  double value[count];

  GroupValues means() const {
    const double nodes = value[4];
    return {value[0], value[1], nodes > 0 ? value[2] / nodes : 0, nodes > 0 ? value[3] / nodes : 0};
  }
};

/// Sums of kernels, one value for each quantity.
struct QuantityTotals {
  double value[quantity_count];

  CLEAVE_HD double& operator[](Quantity q) { return value[static_cast<int>(q)]; }
  CLEAVE_HD double operator[](Quantity q) const { return value[static_cast<int>(q)]; }
};

}  // namespace cleave
