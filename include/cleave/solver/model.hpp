/// A case ready to run: the mesh with colours, all names resolved to nodes and facets, and the time step.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/material/curve.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/mesh/sample_line.hpp"

namespace cleave {

struct Part;

/// Prescribed velocity of a degree of freedom: velocity(t) = velocity * curve(t); 0 for a fixed one.
struct PrescribedMotion {
  double velocity = 0;  ///< m/s
  Curve curve;
};

/// Pressure or traction on boundary facets of the intact mesh; acts on the reference geometry unless `follows`.
struct PressureLoad {
  double pressure = 0;  ///< along the inward normal or `direction`, Pa
  Curve curve;
  std::vector<Index> facets;         ///< facet codes
  bool in_cracks = false;            ///< acts also on the faces of failed cohesive elements connected to the facets
  bool follows = false;              ///< acts along the normal of the facets in their current position
  std::optional<Point> direction{};  ///< of a traction, a unit vector; none: the inward normal of each facet
};

/// A group of nodes with prescribed motion.
struct HeldGroup {
  enum Direction : std::uint8_t { x = 1, y = 2 };
  std::string name;
  std::vector<Index> nodes;
  std::vector<std::uint8_t> directions{};  ///< [position in nodes] directions that this group alone prescribes
};

/// A point of the body whose motion and stress are reported; fixed to the element that contains it at the start.
struct ProbePoint {
  std::string name;
  Step every = 1;  ///< steps between reports
  Index element = 0;
  int facet = -1;                               ///< of the element's three, on the boundary, on which it lies; -1: none
  double strength_scale = 1;                    ///< smallest of the element's facets
  bool elsewhere = false;                       ///< the part of the body lacks the element; `element` is any
  std::array<double, 6> shape{};                ///< shape functions of the element's nodes at the point
  std::array<Point, 6> gradient{};              ///< their gradients, 1/m
  std::array<double, 3> gauss_weight{1, 0, 0};  ///< of the Gauss points, for linear extrapolation
};

/// A rigid half plane or disc that the body cannot enter.
struct Obstacle {
  std::string name;
  Point place;        ///< of a point of the plane, or of the centre of the disc, at t = 0, m
  Point normal;       ///< of a plane, a unit vector out of it
  double radius = 0;  ///< of a disc, m; 0: a plane
  double friction = 0;
  std::array<int, 2> motion{};  ///< 1 + index in `motions` of its x and y direction; 0: it does not move by itself
  double mass = 0;              ///< kg; 0: forces do not move it
  double inertia = 0;           ///< moment about the centre, kg m^2; 0: forces do not turn it
  Point velocity;               ///< of one with a mass, at t = 0, m/s
};

/// Value of Model::strength_scale for a facet that never breaks.
inline constexpr double unbreakable = std::numeric_limits<double>::infinity();

struct Model {
  Mesh mesh;
  Colouring colouring;
  double thickness = 0;  ///< m
  Kinematics kinematics = Kinematics::small;
  std::vector<MaterialCase> materials;  ///< each material once; elements are sorted in this order
  std::vector<Index> element_material;  ///< [element] index in `materials`, ascending
  std::vector<Index> material_ranges;   ///< [material + 1] first element of each material, then the number of elements
  std::optional<CohesiveCase> cohesive;
  /// [facet code] 0: the first entry of `cohesive`, i: entry i of its `others`, -1: none; empty: 0 for all facets
  std::vector<Index> cohesive_entry;
  std::vector<double> strength_scale;  ///< [facet code] strength over that of `cohesive`, or `unbreakable`; empty: 1
  std::vector<double> energy_scale;    ///< [facet code] fracture energy over that of `cohesive`; empty: 1 for all
  std::vector<double>
      element_strength_scale;  ///< [element] the smallest of its facets, 1 if none may break; empty likewise

  double step = 0;           ///< s
  double critical_step = 0;  ///< s, smallest 2 / omega_max of the elements: a lower bound for the mesh
  double stable_step = 0;    ///< s, upper limit of the step: critical_step, lowered by the cohesive stiffness cap

  std::vector<Point> displacement;  ///< [node] at t = 0, m
  std::vector<Point> velocity;      ///< [node] at t = 0, m/s

  std::vector<PrescribedMotion> motions;
  std::vector<int> motion_x;  ///< [node] 1 + index in `motions` of its x direction, 0 when free
  std::vector<int> motion_y;
  std::vector<PressureLoad> loads;
  std::array<double, 2> body_acceleration{};  ///< of the body force, at curve value 1, m/s^2
  Curve body_curve;
  DampingCase drag;                  ///< acts on all nodes
  std::vector<PlaneTensor> damping;  ///< [node] dashpot of an absorbing boundary over the node's mass, 1/s; empty: none
  std::vector<double> support;    ///< [node] stiffness of an elastic support over the node's mass, 1/s^2; empty: none
  std::vector<ForceCase> forces;  ///< of the user's own, at most most_forces
  std::vector<std::uint8_t> forced;    ///< [node] bit i: entry i of `forces` acts on it; empty: all do
  std::vector<ProcessCase> processes;  ///< of the user's own, one of a kind
  std::vector<Obstacle> obstacles;     ///< at most most_obstacles
  bool sides_touch = false;            ///< the body's surface touches itself
  ContactCase contact;                 ///< its numbers; those of `obstacles`, too
  /// Whether the surface touches itself or obstacles.
  bool touches() const { return sides_touch || !obstacles.empty(); }
  std::vector<std::uint8_t> touching;  ///< [element] 1: its sides take part in contact; empty: all do
  std::vector<HeldGroup> held_groups;  ///< in the order of `boundary`, at most most_held_groups
  std::vector<ProbePoint> probes;      ///< those of the case, then the places of `lines`
  std::vector<SampleLine> lines;

  Precision precision = Precision::double_precision;
  Assembly assembly = Assembly::gather;
  bool time_stages = false;          ///< measure each stage; synchronises after every launch, which is slower
  std::shared_ptr<const Part> part;  ///< all ids are those of this part; null: of the whole body

  bool has_springs() const { return !support.empty() || !forces.empty(); }
  /// Stiffness of all springs at a node over its mass: of elastic supports and of users' forces, 1/s^2.
  double springs_at(Index node) const {
    double sum = support.empty() ? 0 : support[node];
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (forced.empty() || (forced[node] >> i & 1) != 0) sum += forces[i].stiffness;
    return sum;
  }
  bool has_body_force() const { return body_acceleration != std::array<double, 2>{}; }

  /// Assigns one material to all elements of the mesh.
  void set_material(const MaterialCase& material) {
    materials = {material};
    element_material.assign(mesh.element_count(), 0);
    material_ranges = {0, mesh.element_count()};
  }
};

/// Columns of history.csv that processes have, in the order of `processes` and of their fields.
std::vector<std::string> process_columns(const Model& model);

/// The share s of the step's stability that cohesive stiffness may use, in the cap kc = 2 s m* / dt^2. It is the value
/// in the case or, by default, min(CohesiveCase::largest_safety, 0.8 (1 - f^2)), where f = step / critical step. A
/// single facet is stable while s + f^2 < 1.
double stiffness_safety(const Model& model);

/// The share of the step's stability that contact stiffness may use, likewise: min(0.3, 0.8 (1 - f^2)), f the step over
/// the critical one.
double contact_safety(const Model& model);

/// The mesh of a case, generated or read from its file: connected, checked, perturbed and numbered as the case asks,
/// with its regions as groups. Throws InputError.
Mesh make_mesh(const Case& c);

/// Throws InputError, with the key, if a generated mesh needs more memory than the machine has; otherwise the system
/// might kill the program. make_mesh calls this.
void check_memory_of_mesh(const Case& c);

/// Throws InputError for a mesh with more elements than most_elements_of_body. make_model calls this.
void check_number_of_elements(const Case& c, ElementType type, Index elements);

/// Builds the model of a case. Elements are sorted by material, and within a material by the numbering of the mesh. The
/// order of materials depends on the body alone: with Hilbert numbering it is the order in which the curve meets them,
/// otherwise that of their smallest original element ids. Throws InputError for mesh faults, unknown groups (with the
/// nearest name), an element without material, a pressure on a facet inside the body, a probe outside the body (with
/// the nearest point of the body), a step above the stable step, a body without mass.
Model make_model(const Case& c);

/// Number of steps of a case with step dt, s: `steps`, or the end time rounded up to whole steps.
Step step_count(const TimeCase& time, double dt);

}  // namespace cleave
