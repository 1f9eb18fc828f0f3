#include "model/strength.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/random.hpp"
#include "model/groups.hpp"

namespace cleave {
namespace {

Index original_node(const Mesh& mesh, Index node) {
  return mesh.original_nodes.empty() ? node : mesh.original_nodes[node];
}

constexpr std::size_t at_once = 16384;  ///< number of elements that a thread processes at once

/// Calls f(element, facet, code of the other side) for each interior facet of the elements [begin, end).
template <class F>
void for_each_facet(const Mesh& mesh, Index begin, Index end, const F& f) {
  for (Index e = begin; e < end; ++e)
    for (int k = 0; k < 3; ++k) {
      const Index other = mesh.neighbour(e, k);
      if (other != boundary_facet && element_of(other) > e) f(e, k, other);
    }
}
template <class F>
void for_each_facet(const Mesh& mesh, const F& f) {
  for_each_facet(mesh, 0, mesh.element_count(), f);
}
/// The same for all elements on several threads; f must not depend on the order.
template <class F>
void for_each_facet_in_parallel(const Mesh& mesh, const F& f) {
  parallel_for(threads_for(0), static_cast<std::size_t>(mesh.element_count()), at_once,
               [&](std::size_t begin, std::size_t end) {
                 for_each_facet(mesh, static_cast<Index>(begin), static_cast<Index>(end), f);
               });
}

/// [element] Whether the element is in a group of triangles.
std::vector<bool> members(const Mesh& mesh, const Group& group) {
  std::vector<bool> in(static_cast<std::size_t>(mesh.element_count()));
  for (const Index e : group.elements) in[e] = true;
  return in;
}

/// Facets between two triangles of a group, or the facets of a group of facets.
std::vector<Index> facets_inside(const Mesh& mesh, const CohesiveFacets& of, CaseReport& report,
                                 const std::string& key) {
  const Group* group = find_group(mesh, GroupParts::any, of.on, report, of.line, key);
  if (group == nullptr) return {};
  const std::vector<bool> in = members(mesh, *group);
  std::vector<Index> facets;
  for_each_facet(mesh, [&](Index e, int k, Index other) {
    if (in[e] && in[element_of(other)]) facets.push_back(facet_code(e, k));
  });
  facets.insert(facets.end(), group->inside.begin(), group->inside.end());
  return facets;
}

std::vector<Index> facets_between(const Mesh& mesh, const CohesiveFacets& of, CaseReport& report,
                                  const std::string& key) {
  const Group* groups[2];
  for (int i = 0; i < 2; ++i)
    groups[i] = find_group(mesh, GroupParts::triangles, of.between[i], report, of.line, fmt::format("{}.{}", key, i));
  if (groups[0] == nullptr || groups[1] == nullptr) return {};
  const std::vector<bool> a = members(mesh, *groups[0]), b = members(mesh, *groups[1]);
  std::vector<Index> facets;
  for_each_facet(mesh, [&](Index e, int k, Index other) {
    const Index f = element_of(other);
    if ((a[e] && b[f]) || (b[e] && a[f])) facets.push_back(facet_code(e, k));
  });
  return facets;
}

/// Facets between triangles that belong to different groups, each to one at least.
std::vector<Index> facets_between_different(const Mesh& mesh) {
  const std::vector<GroupSet> groups = groups_of_elements(mesh);
  std::vector<Index> facets;
  for_each_facet(mesh, [&](Index e, int k, Index other) {
    const GroupSet &a = groups[e], &b = groups[element_of(other)];
    if (!a.empty() && !b.empty() && a != b) facets.push_back(facet_code(e, k));
  });
  return facets;
}

/// The facets of an entry with `on` or `between`; an entry without facets is reported.
std::vector<Index> facets_of(const Mesh& mesh, const CohesiveFacets& of, CaseReport& report, std::size_t entry) {
  const std::string key = fmt::format("cohesive.{}.{}", entry, of.on.empty() ? "between" : "on");
  const std::vector<Index> facets = of.between_different ? facets_between_different(mesh)
                                    : of.on.empty()      ? facets_between(mesh, of, report, key)
                                                         : facets_inside(mesh, of, report, key);
  if (facets.empty() && report.empty())
    report.add(of.line, key,
               of.between_different
                   ? "no facet lies between triangles of different groups: the mesh needs two groups of triangles that "
                     "meet, see mesh.regions"
               : of.on.empty() ? fmt::format("no facet lies between \"{}\" and \"{}\"", of.between[0], of.between[1])
                               : fmt::format("no facet that may break lies in \"{}\"", of.on));
  return facets;
}

/// The factor of an element's weakest facet.
double least_strength_of(const Model& model, Index e) {
  double least = unbreakable;
  for (int k = 0; k < 3; ++k)
    if (model.mesh.neighbour(e, k) != boundary_facet) least = std::min(least, model.strength_scale[facet_code(e, k)]);
  return least == unbreakable ? 1 : least;  // infinity would spoil the colour scale of a frame
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
  // The middle of one of 2^52 equal parts, so that 0 and 1 do not occur.
  return (static_cast<double>(hash(hash(seed) + facet) >> 12) + 0.5) * 0x1p-52;
}

std::vector<Index> cohesive_entries(const CohesiveCase& cohesive, const Mesh& mesh, CaseReport& report) {
  if (cohesive.facets.all() && cohesive.others.empty()) return {};
  std::vector<Index> entries(mesh.neighbours.size(), cohesive.facets.all() ? 0 : no_entry);
  const auto give = [&](const CohesiveFacets& of, std::size_t entry) {
    for (const Index facet : facets_of(mesh, of, report, entry))
      entries[facet] = entries[mesh.neighbours[facet]] = static_cast<Index>(entry);
  };
  if (!cohesive.facets.all()) give(cohesive.facets, 0);
  for (std::size_t i = 0; i < cohesive.others.size(); ++i) give(cohesive.others[i].facets, i + 1);
  return entries;
}

std::vector<double> strength_scales(const Mesh& mesh, const CohesiveCase& cohesive, const std::vector<Index>& entries) {
  if (!cohesive.distribution && entries.empty()) return {};
  auto scales = parallel_vector<double>(threads_for(0), mesh.neighbours.size());
  parallel_for(threads_for(0), scales.size(), at_once,
               [&](std::size_t begin, std::size_t end) { std::fill(scales.data() + begin, scales.data() + end, 1.0); });
  for_each_facet_in_parallel(mesh, [&](Index e, int k, Index other) {
    const Index entry = entries.empty() ? 0 : entries[facet_code(e, k)];
    double& scale = scales[facet_code(e, k)];
    if (entry == no_entry) {
      scale = scales[other] = unbreakable;
      return;
    }
    const CohesiveEntry* of = entry == 0 ? nullptr : &cohesive.others[static_cast<std::size_t>(entry) - 1];
    const auto& distribution = of ? of->distribution : cohesive.distribution;
    if (of) scale = of->strength / cohesive.parameters.normal.strength;
    if (distribution) {
      const auto [a, b] = mesh.ends(facet_code(e, k));
      const double part = part_of_facet(distribution->seed, original_node(mesh, a), original_node(mesh, b));
      scale *= distribution->factor(part, facet_length(mesh, facet_code(e, k)));
    }
    scales[other] = scale;
  });
  return scales;
}

bool may_break(const Model& model, Index e, int k) {
  const Mesh& mesh = model.mesh;
  if (mesh.neighbour(e, k) == boundary_facet) return false;
  if (!model.strength_scale.empty() && model.strength_scale[facet_code(e, k)] == unbreakable) return false;
  const auto& box = model.cohesive->insertion.box;
  if (!box) return true;
  const Point middle = facet_middle(mesh, facet_code(e, k));
  return middle.x >= (*box)[0] && middle.y >= (*box)[1] && middle.x <= (*box)[2] && middle.y <= (*box)[3];
}

Index breakable_facets(const Model& model) {
  Index count = 0;
  for_each_facet(model.mesh, [&](Index e, int k, Index) { count += may_break(model, e, k); });
  return count;
}

StrengthRange strength_range(const Model& model) {
  StrengthRange range{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t facet = 0; facet < model.strength_scale.size(); ++facet) {
    if (model.mesh.neighbours[facet] == boundary_facet || model.strength_scale[facet] == unbreakable) continue;
    range.least = std::min(range.least, model.strength_scale[facet]);
    range.most = std::max(range.most, model.strength_scale[facet]);
  }
  return range.most > 0 ? range : StrengthRange{};
}

void set_strengths(Model& model, std::vector<Index> entries_of_facets) {
  const Mesh& mesh = model.mesh;
  const std::vector<Index>& entries = model.cohesive_entry = std::move(entries_of_facets);
  model.strength_scale = strength_scales(mesh, *model.cohesive, entries);
  if (!entries.empty()) model.energy_scale.assign(mesh.neighbours.size(), 1);
  for (std::size_t facet = 0; facet < entries.size(); ++facet)
    if (entries[facet] > 0)
      model.energy_scale[facet] = model.cohesive->others[static_cast<std::size_t>(entries[facet]) - 1].energy /
                                  model.cohesive->parameters.normal.energy;
  if (model.strength_scale.empty()) return;
  model.element_strength_scale =
      parallel_vector<double>(threads_for(0), static_cast<std::size_t>(mesh.element_count()));
  parallel_for(threads_for(0), model.element_strength_scale.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
      model.element_strength_scale[e] = least_strength_of(model, e);
  });
}

}  // namespace cleave
