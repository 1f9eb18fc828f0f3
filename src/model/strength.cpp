#include "model/strength.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/random.hpp"

namespace cleave {
namespace {

/// Length of facet k of an element between its corners, m.
double length_of(const Mesh& mesh, Index e, int k) {
  const Point a = mesh.nodes[mesh.node(e, (k + 1) % 3)], b = mesh.nodes[mesh.node(e, (k + 2) % 3)];
  return std::hypot(b.x - a.x, b.y - a.y);
}

Index original_node(const Mesh& mesh, Index node) {
  return mesh.original_nodes.empty() ? node : mesh.original_nodes[node];
}

}  // namespace

double StrengthDistribution::factor(double part, double length) const {
  if (kind == Kind::uniform) return (from + part * (to - from)) / nominal();
  const double size = reference_length ? length / *reference_length : 1;
  return std::pow(-std::log1p(-part) / size, 1 / modulus);
}

double part_of_facet(std::uint64_t seed, std::int32_t corner, std::int32_t other_corner) {
  const auto [first, second] = std::minmax(corner, other_corner);
  const std::uint64_t facet =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 | static_cast<std::uint32_t>(second);
  // In the middle of one of 2^52 equal parts, so that neither 0 nor 1 comes up.
  return (static_cast<double>(hash(hash(seed) + facet) >> 12) + 0.5) * 0x1p-52;
}

std::vector<double> strength_scales(const Mesh& mesh, const CohesiveCase& cohesive) {
  if (!cohesive.distribution) return {};
  const StrengthDistribution& distribution = *cohesive.distribution;
  std::vector<double> scales(mesh.neighbours.size(), 1);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index other = mesh.neighbour(e, k);
      if (other == boundary_facet || element_of(other) < e) continue;
      const Index a = original_node(mesh, mesh.node(e, (k + 1) % 3));
      const Index b = original_node(mesh, mesh.node(e, (k + 2) % 3));
      scales[facet_code(e, k)] = scales[other] =
          distribution.factor(part_of_facet(distribution.seed, a, b), length_of(mesh, e, k));
    }
  return scales;
}

StrengthRange strength_range(const Model& model) {
  StrengthRange range{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t facet = 0; facet < model.strength_scale.size(); ++facet) {
    if (model.mesh.neighbours[facet] == boundary_facet) continue;
    range.least = std::min(range.least, model.strength_scale[facet]);
    range.most = std::max(range.most, model.strength_scale[facet]);
  }
  return range.most > 0 ? range : StrengthRange{};
}

void set_strengths(Model& model) {
  const Mesh& mesh = model.mesh;
  model.strength_scale = strength_scales(mesh, *model.cohesive);
  if (model.strength_scale.empty()) return;
  model.element_strength_scale.assign(mesh.element_count(), std::numeric_limits<double>::infinity());
  for (Index e = 0; e < mesh.element_count(); ++e) {
    double& least = model.element_strength_scale[e];
    for (int k = 0; k < 3; ++k)
      if (mesh.neighbour(e, k) != boundary_facet) least = std::min(least, model.strength_scale[facet_code(e, k)]);
    if (std::isinf(least)) least = 1;  // alone
  }
}

}  // namespace cleave
