/// A case made ready to run: the mesh, coloured, with every name resolved to nodes and facets and the step chosen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/material/curve.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/mesh/sample_line.hpp"

namespace cleave {

/// Prescribed velocity of a degree of freedom: velocity(t) = velocity * curve(t); a fixed one has velocity 0.
struct PrescribedMotion {
  double velocity = 0;  ///< m/s
  Curve curve;
};

/// Pressure on original boundary facets, on the reference geometry unless it follows.
struct PressureLoad {
  double pressure = 0;  ///< Pa, along the inward normal
  Curve curve;
  std::vector<Index> facets;  ///< facet codes
  bool in_cracks = false;     ///< also on the faces of failed cohesive elements that the facets reach
  bool follows = false;       ///< along the normal of the facets as they lie now
};

/// A group of nodes that is held or driven.
struct HeldGroup {
  enum Direction : std::uint8_t { x = 1, y = 2 };
  std::string name;
  std::vector<Index> nodes;
  std::vector<std::uint8_t> directions{};  ///< [of nodes] those whose motion this group prescribes: no other does
};

/// A point of the body that is looked at as the run goes on: of that element, in which it lies at the start.
struct ProbePoint {
  std::string name;
  Step every = 1;  ///< steps
  Index element = 0;
  double strength_scale = 1;                    ///< the smallest among the facets of the element
  std::array<double, 6> shape{};                ///< shape functions of the element's nodes there
  std::array<Point, 6> gradient{};              ///< and their gradients, 1/m
  std::array<double, 3> gauss_weight{1, 0, 0};  ///< of the Gauss points in the linear field through their values
};

/// What Model::strength_scale has for a facet that never breaks.
inline constexpr double unbreakable = std::numeric_limits<double>::infinity();

struct Model {
  Mesh mesh;
  Colouring colouring;
  double thickness = 0;  ///< m
  Kinematics kinematics = Kinematics::small;
  std::vector<MaterialCase> materials;  ///< each once; their elements lie in this order
  std::vector<Index> element_material;  ///< [element] index in `materials`, ascending
  std::vector<Index> material_ranges;   ///< [material] its first element; then the number of elements
  std::optional<CohesiveCase> cohesive;
  /// [facet code] 0: the first entry of `cohesive`, i: the i-th of its others, -1: none; empty: 0 for all
  std::vector<Index> cohesive_entry;
  std::vector<double> strength_scale;  ///< [facet code] strength over that of `cohesive`, or `unbreakable`; empty: 1
  std::vector<double> energy_scale;    ///< [facet code] fracture energy, likewise
  std::vector<double>
      element_strength_scale;  ///< [element] the smallest of its facets, 1 if none may break; empty likewise

  double step = 0;           ///< s
  double critical_step = 0;  ///< s, the smallest 2 / omega_max over the elements: a bound for the mesh
  double stable_step = 0;    ///< s, what a step may be at most: critical_step, lowered by the cohesive stiffness cap

  std::vector<Point> displacement;  ///< [node] at t = 0, m
  std::vector<Point> velocity;      ///< [node] at t = 0, m/s

  std::vector<PrescribedMotion> motions;
  std::vector<int> motion_x;  ///< [node] 1 + index in `motions` of its x direction, 0 when free
  std::vector<int> motion_y;
  std::vector<PressureLoad> loads;
  std::array<double, 2> body_acceleration{};  ///< of the body force, times its curve, m/s^2
  Curve body_curve;
  DampingCase drag;                    ///< of all nodes
  std::vector<PlaneTensor> damping;    ///< [node] dashpot of an absorbing boundary over its mass, 1/s; empty: none
  std::vector<HeldGroup> held_groups;  ///< in the order of `boundary`, at most most_held_groups
  std::vector<ProbePoint> probes;      ///< those of the case, then the places of the lines
  std::vector<SampleLine> lines;

  Precision precision = Precision::double_precision;
  Assembly assembly = Assembly::gather;
  bool time_stages = false;  ///< measure each stage (synchronises after every launch: slower)

  bool has_body_force() const { return body_acceleration != std::array<double, 2>{}; }
  bool has_artificial_viscosity() const {
    return std::any_of(materials.begin(), materials.end(), [](const MaterialCase& m) { return m.viscosity.any(); });
  }

  /// Gives all elements of the mesh this material.
  void set_material(const MaterialCase& material) {
    materials = {material};
    element_material.assign(mesh.element_count(), 0);
    material_ranges = {0, mesh.element_count()};
  }
};

/// The share s of the step's stability that cohesive stiffness may use, in the cap kc = 2 s m* / dt^2: what the case
/// gives, else min(0.6, 0.8 (1 - f^2)), with friction min(0.5, ...), with f = step / critical step. Stable while s +
/// f^2 < 1, for a facet by itself.
double stiffness_safety(const Model& model);

/// The mesh of a case: generated, or read from its file, with neighbours, checked, perturbed, with its regions as
/// groups and numbered as asked. Throws InputError.
Mesh make_mesh(const Case& c);

/// Refuses a generated mesh that needs more memory than the machine has, by its key, before the system ends the program
/// for taking it. make_mesh does so, too. Throws InputError.
void check_memory_of_mesh(const Case& c);

/// Refuses a mesh with more elements than most_elements_of_body. make_model does so, too. Throws InputError.
void check_number_of_elements(const Case& c, ElementType type, Index elements);

/// Builds the model of a case. Where it has several materials, elements are sorted by them, and within each by the
/// numbering of the mesh. The order of materials depends on the body alone: with Hilbert numbering it is that in which
/// the curve meets them, with the numbering as given that of their smallest original element ids.
/// Throws InputError: mesh faults, unknown groups (with the nearest name), an element without material, a pressure on a
/// facet that is not on the boundary, a probe outside the body (with the nearest point of it), a step above the stable
/// one, a body without mass.
Model make_model(const Case& c);

/// The number of steps of a case with step dt: `steps`, or the end time rounded up to whole steps.
Step step_count(const TimeCase& time, double dt);

}  // namespace cleave
