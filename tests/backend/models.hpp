/// Small models for solver tests, filled by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/solver/model.hpp"

namespace cleave::test {

/// A tolerance by precision: one operation rounds to 1.1e-16 in double, to 6.0e-8 in single.
inline double tolerance(const Model& m, double in_double, double in_single) {
  return m.precision == Precision::double_precision ? in_double : in_single;
}

/// Smallest altitude of all triangles, m.
inline double smallest_altitude(const Mesh& mesh) {
  double smallest = 1e300;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Point a = mesh.nodes[mesh.node(e, 0)], b = mesh.nodes[mesh.node(e, 1)], c = mesh.nodes[mesh.node(e, 2)];
    const double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    const double longest = std::max(
        {std::hypot(b.x - a.x, b.y - a.y), std::hypot(c.x - b.x, c.y - b.y), std::hypot(a.x - c.x, a.y - c.y)});
    smallest = std::min(smallest, twice / longest);
  }
  return smallest;
}

/// A brittle plastic at rest, free, with everything sized. The step is `fraction` of the geometric bound for the
/// element (0.70 h/c_d for T3, 0.338 h/c_d for T6), which holds for any triangle. Nodes are numbered as the gather
/// assembly wants them; the others do not care.
inline Model model_of(const Mesh& mesh, PlaneType plane = PlaneType::strain, double fraction = 0.5) {
  Model m;
  m.mesh = mesh;
  std::vector<Index> elements(mesh.element_count());
  std::iota(elements.begin(), elements.end(), 0);
  renumber(m.mesh, block_node_order(mesh, cut_blocks({0, mesh.element_count()}), elements), elements);
  m.colouring = colour_elements(m.mesh);  // for the coloured and atomic assemblies
  m.thickness = 2e-3;
  const ElasticParameters plastic{3.24e9, 0.35, 1190, plane};
  m.set_material({.parameters = plastic});
  const double e = plastic.young_modulus, nu = plastic.poisson_ratio;
  const double d11 = plane == PlaneType::stress ? e / (1 - nu * nu) : e * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  const double bound =
      (mesh.type == ElementType::t3 ? 0.70 : 0.338) * smallest_altitude(mesh) / std::sqrt(d11 / plastic.density);
  m.critical_step = m.stable_step = bound;
  m.step = fraction * bound;
  m.displacement.resize(mesh.nodes.size());
  m.velocity.resize(mesh.nodes.size());
  m.motion_x.assign(mesh.nodes.size(), 0);
  m.motion_y.assign(mesh.nodes.size(), 0);
  return m;
}

/// Gives the elements from `first` on another material, before the model has a state: the plastic, so many times as
/// stiff and heavy. Waves are as fast in it.
inline void add_material(Model& m, Index first, double times) {
  MaterialCase material = m.materials.front();
  material.parameters.young_modulus *= times;
  material.parameters.density *= times;
  m.materials.push_back(material);
  m.material_ranges.insert(m.material_ranges.end() - 1, first);
  for (Index e = first; e < m.mesh.element_count(); ++e)
    m.element_material[e] = static_cast<Index>(m.materials.size()) - 1;
  std::vector<Index> elements(m.mesh.element_count());
  std::iota(elements.begin(), elements.end(), 0);
  renumber(m.mesh, block_node_order(m.mesh, cut_blocks(m.material_ranges), elements), elements);
}

/// 16 mm x 8 mm, perturbed, with or without a 4 mm notch.
inline Mesh plate_mesh(ElementType type, std::array<int, 2> divisions = {8, 4}, bool notch = false,
                       double amplitude = 0.15) {
  Mesh mesh = rectangle(type, divisions, {16e-3, 8e-3}, {0, 0}, notch ? 4e-3 : 0);
  if (amplitude > 0) perturb(mesh, amplitude, 7);
  return mesh;
}

/// Weak interfaces: a crack opens and fails within a few hundred steps of the plate meshes above.
inline CohesiveCase brittle(int every = 10) {
  CohesiveCase c;
  c.parameters.normal = {10e6, 8, 2};
  c.parameters.tangential = {12e6, 11, 2.5};
  c.insertion.every = every;
  return c;
}

/// Adds to velocities the field v0 + gradient (x - centre).
inline void add_velocity(Model& m, Point v0, std::array<double, 4> gradient, Point centre) {
  for (std::size_t n = 0; n < m.velocity.size(); ++n) {
    const double x = m.mesh.nodes[n].x - centre.x, y = m.mesh.nodes[n].y - centre.y;
    m.velocity[n].x += v0.x + gradient[0] * x + gradient[1] * y;
    m.velocity[n].y += v0.y + gradient[2] * x + gradient[3] * y;
  }
}

/// Prescribes the motion of the nodes of a group; which directions: 1 x, 2 y, 3 both.
inline void prescribe(Model& m, const char* group, int directions, double velocity, Curve curve = {}) {
  m.motions.push_back({velocity, std::move(curve)});
  const int id = static_cast<int>(m.motions.size());
  for (const Index n : m.mesh.find_group(group)->nodes) {
    if (directions & 1) m.motion_x[n] = id;
    if (directions & 2) m.motion_y[n] = id;
  }
}

/// All of it at once: a notched plate in tension by its moving ends, pressed on top, with random faces that also slide
/// and close again because the plate shears and the top pushes.
inline Model busy_plate(ElementType type, PlaneType plane = PlaneType::strain) {
  Model m = model_of(plate_mesh(type, {8, 4}, true), plane);
  m.cohesive = brittle(5);
  add_velocity(m, {1, -0.5}, {900, 300, -200, -100}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -4);
  prescribe(m, "right", 3, 6, Curve::exponential(8e-6));
  m.loads.push_back({5e6, Curve::linear_decay(2e-5), m.mesh.find_group("top")->facets});
  return m;
}

/// A notched plate that breaks within 60 steps, with loads, held nodes and whatever else has indices in a state.
/// @param layers  its right half is ten times as stiff
inline Model breaking_plate(ElementType type, bool layers = false) {
  Model m = model_of(plate_mesh(type, {4, 2}, true));
  if (layers) add_material(m, m.mesh.element_count() / 2, 10);
  m.cohesive = brittle(5);
  add_velocity(m, {1, -0.5}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -4);
  prescribe(m, "right", 3, 6);
  m.loads.push_back({5e6, {}, m.mesh.find_group("top")->facets});
  return m;
}

/// Two blocks, one on the other, joined by a straight seam that breaks in the first step and fails with the next move.
/// Before, they are pulled apart at twice the strength of the seam, which is next to nothing; nothing else can break.
/// With f the step over the critical one. The lower block has the nodes below `seam_height`, the upper one the rest.
struct TwoBlocks {
  static constexpr double cell = 1e-3, width = 4e-3, height = 4e-3, strength = 1e3, energy = 1e-7;
  static constexpr double seam_height = height / 2;

  static Model make(ElementType type, const std::string& law, double f) {
    Model m = model_of(rectangle(type, {4, 4}, {width, height}), PlaneType::strain, f);
    CohesiveCase c;
    c.law = law;
    c.parameters.normal = {strength, energy, 2};
    c.parameters.tangential = {2 * strength, 3 * energy, 2};
    c.insertion.every = 1;
    c.insertion.box = std::array<double, 4>{-width, seam_height - 1e-6, 2 * width, seam_height + 1e-6};
    m.cohesive = c;
    const double nu = m.materials.front().parameters.poisson_ratio;
    const double modulus = m.materials.front().parameters.young_modulus * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    for (std::size_t n = 0; n < m.displacement.size(); ++n)
      m.displacement[n].y += 2 * strength / modulus * (m.mesh.nodes[n].y - seam_height);
    return m;
  }
  /// Adds velocities that are opposite in the two blocks; those of the upper one. Nodes of the seam rest.
  static void set_apart(Model& m, Point upper) {
    for (std::size_t n = 0; n < m.velocity.size(); ++n) {
      const double y = m.mesh.nodes[n].y - seam_height;
      const double side = std::abs(y) < 1e-9 ? 0 : std::copysign(1, y);
      m.velocity[n].x += side * upper.x;
      m.velocity[n].y += side * upper.y;
    }
  }
  /// Pressure on the outer sides, Pa.
  static void press(Model& m, double pressure, const Curve& curve) {
    for (const char* side : {"bottom", "top"}) m.loads.push_back({pressure, curve, m.mesh.find_group(side)->facets});
  }
};

}  // namespace cleave::test
