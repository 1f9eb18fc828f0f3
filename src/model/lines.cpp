#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "cleave/mesh/topology.hpp"
#include "model/groups.hpp"
#include "model/probes.hpp"

namespace cleave {
namespace {

Point between(Point a, Point b, double part) { return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)}; }

ProbePoint& add_point(Model& model, SampleLine& line, double s, Index element, Point at) {
  line.places.push_back({s, at});
  ProbePoint& point = model.probes.emplace_back(probe_in(model, element, at));
  point.name = line.name;
  point.every = line.every;
  return point;
}

void place_straight(Model& model, SampleLine& line, const LineCase& c, const std::string& key,
                    const ElementFinder& finder, CaseReport& report) {
  const Point from{c.from[0], c.from[1]}, to{c.to[0], c.to[1]};
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  for (int i = 0; i < c.points; ++i) {
    const double part = static_cast<double>(i) / (c.points - 1);
    const Point at = between(from, to, part);
    const auto element = finder.element_at(at);
    if (!element) {
      report.add(c.line, key, fmt::format("point {} of {}, {}", i + 1, c.points, outside_text(model.mesh, at)));
      return;
    }
    add_point(model, line, part * length, *element, at);
  }
}

/// The facets of a group in the order along their line; empty if they do not form one line.
std::vector<Index> chain_of(const Mesh& mesh, const std::vector<Index>& facets) {
  std::map<Index, Index> from;  // facet by its first node
  std::set<Index> reached;
  for (const Index code : facets) {
    const auto [start, end] = mesh.ends(code);
    from[start] = code;
    reached.insert(end);
  }
  const auto is_better = [&](Index a, Index b) {
    const Point p = mesh.end_points(a)[0], q = mesh.end_points(b)[0];
    return p.x != q.x ? p.x > q.x : p.y < q.y;
  };
  Index first = *std::min_element(facets.begin(), facets.end(), is_better);
  for (const Index code : facets)
    if (!reached.contains(mesh.ends(code)[0])) first = code;
  std::vector<Index> chain{first};
  for (auto next = from.find(mesh.ends(first)[1]);
       next != from.end() && next->second != first && chain.size() < facets.size();
       next = from.find(mesh.ends(next->second)[1]))
    chain.push_back(next->second);
  return chain.size() == facets.size() ? chain : std::vector<Index>();
}

void place_on_group(Model& model, SampleLine& line, const LineCase& c, const std::string& key, CaseReport& report) {
  const Mesh& mesh = model.mesh;
  const Group* group = find_group(mesh, GroupParts::nodes, c.on, report, c.line, key + ".on");
  if (group == nullptr) return;
  if (group->facets.empty())
    return report.add(c.line, key + ".on", fmt::format("group \"{}\" has no facets on the boundary", c.on));
  const std::vector<Index> chain = chain_of(mesh, group->facets);
  if (chain.empty())
    return report.add(c.line, key + ".on",
                      fmt::format("the facets of group \"{}\" do not follow each other in one line; choose a group of "
                                  "one piece, or a straight line `from` and `to`",
                                  c.on));
  line.touches = model.touches();
  double length = 0;
  for (const Index code : chain) length += facet_length(mesh, code);
  double passed = 0;  // length of the facets before this one
  std::size_t at = 0;
  for (int i = 0; i < c.points; ++i) {
    const double s = length * (static_cast<double>(i) / (c.points - 1));
    while (at + 1 < chain.size() && passed + facet_length(mesh, chain[at]) < s)
      passed += facet_length(mesh, chain[at++]);
    const double part = std::clamp((s - passed) / facet_length(mesh, chain[at]), 0.0, 1.0);
    const auto [start, end] = mesh.end_points(chain[at]);
    add_point(model, line, s, element_of(chain[at]), between(start, end, part)).facet = facet_of(chain[at]);
  }
}

}  // namespace

void place_lines(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report) {
  for (std::size_t i = 0; i < c.output.lines.size(); ++i) {
    const LineCase& of_case = c.output.lines[i];
    const std::string key = fmt::format("output.lines.{}", i);
    SampleLine& line = model.lines.emplace_back(SampleLine{of_case.name, of_case.every, {}});
    of_case.on.empty() ? place_straight(model, line, of_case, key, finder, report)
                       : place_on_group(model, line, of_case, key, report);
  }
}

}  // namespace cleave
