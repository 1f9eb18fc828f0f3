#include "model/initial_state.hpp"

#include <fmt/format.h>

#include "cleave/mesh/topology.hpp"
#include "mesh/ids.hpp"
#include "model/groups.hpp"
#include "model/initial_file.hpp"

namespace cleave {
namespace {

/// Initial displacement and velocity of nodes, from one entry of `initial`.
struct InitialField {
  InitialCase state;
  Point origin;                                         ///< of strain and velocity gradient, m
  std::vector<Point> more_displacement, more_velocity;  ///< [node] of the file; empty: none

  InitialField(const InitialCase& of, const Mesh& mesh, const std::vector<Index>& nodes, CaseReport& report)
      : state(of) {
    Box box{mesh.nodes[nodes.front()], mesh.nodes[nodes.front()]};
    for (const Index n : nodes) box.include(mesh.nodes[n]);
    origin = of.origin ? Point{(*of.origin)[0], (*of.origin)[1]} : box.centre();
    if (!of.file.empty()) read_file(mesh, report);
  }
  void read_file(const Mesh& mesh, CaseReport& report) {
    std::vector<std::vector<Point>> vectors = initial_vectors(state, mesh, report);
    for (std::size_t f = 0; f < vectors.size(); ++f)
      (state.fields[f] == "velocity" ? more_velocity : more_displacement) = std::move(vectors[f]);
  }
  Point displacement(const Mesh& mesh, Index node) const {
    const Point p = mesh.nodes[node];
    const PlaneTensor& strain = state.strain;
    const double x = p.x - origin.x, y = p.y - origin.y;
    return with(more_displacement, node, {strain.xx * x + strain.xy * y, strain.xy * x + strain.yy * y});
  }
  Point velocity(const Mesh& mesh, Index node) const {
    const Point p = mesh.nodes[node];
    const auto& [dvx_dx, dvx_dy, dvy_dx, dvy_dy] = state.velocity_gradient;
    const double x = p.x - origin.x, y = p.y - origin.y;
    return with(more_velocity, node,
                {state.velocity[0] + dvx_dx * x + dvx_dy * y, state.velocity[1] + dvy_dx * x + dvy_dy * y});
  }
  static Point with(const std::vector<Point>& more, Index node, Point value) {
    return more.empty() ? value : Point{value.x + more[node].x, value.y + more[node].y};
  }
};

/// The entry of `initial` for each node and triangle.
struct InitialEntries {
  std::vector<InitialField> fields;
  std::vector<Index> of_node, of_element;     ///< index in `fields`
  std::vector<std::uint8_t> by_its_elements;  ///< [node] 0: the entry names the node or one of its facets
};

/// Gives a node between triangles with different entries the mass-weighted mean of their velocities, which conserves
/// momentum.
void share_velocities(Model& model, const InitialEntries& entries) {
  const Mesh& mesh = model.mesh;
  const std::size_t count = mesh.nodes.size();
  std::vector<Point> momentum(count);
  std::vector<double> mass(count, 0);
  std::vector<std::uint8_t> shared(count, 0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    // A node is a corner of all its triangles or a mid-side of all: it has the same share of each.
    const double of_element = model.materials[model.element_material[e]].parameters.density * twice_area(mesh, e);
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
      const Index n = mesh.node(e, i);
      if (entries.by_its_elements[n] == 0) continue;
      const Point v = entries.fields[entries.of_element[e]].velocity(mesh, n);
      momentum[n] = {momentum[n].x + of_element * v.x, momentum[n].y + of_element * v.y};
      mass[n] += of_element;
      if (entries.of_element[e] != entries.of_node[n]) shared[n] = 1;
    }
  }
  for (std::size_t n = 0; n < count; ++n)
    if (shared[n] != 0) model.velocity[n] = {momentum[n].x / mass[n], momentum[n].y / mass[n]};
}

}  // namespace

void apply_initial(Model& model, const Case& c, CaseReport& report) {
  const Mesh& mesh = model.mesh;
  InitialEntries entries{{{c.initial, mesh, all_ids(mesh.nodes.size()), report}},
                         std::vector<Index>(mesh.nodes.size(), 0),
                         std::vector<Index>(mesh.element_count(), 0),
                         std::vector<std::uint8_t>(mesh.nodes.size(), 1)};
  for (const InitialGroup& entry : c.initial_groups) {
    const Group* group =
        find_group(mesh, GroupParts::any, entry.on, report, entry.line, fmt::format("initial.{}.on", entry.entry));
    if (group == nullptr) continue;
    const std::vector<Index> nodes = nodes_of(mesh, *group);
    const auto number = static_cast<Index>(entries.fields.size());
    entries.fields.emplace_back(entry.state, mesh, nodes, report);
    for (const Index n : nodes) entries.of_node[n] = number;
    for (const Index n : nodes) entries.by_its_elements[n] = 0;
    for (const Index e : group->elements) {
      entries.of_element[e] = number;
      for (int i = 0; i < nodes_per_element(mesh.type); ++i) entries.by_its_elements[mesh.node(e, i)] = 1;
    }
  }
  for (Index n = 0; n < mesh.node_count(); ++n) {
    const InitialField& field = entries.fields[entries.of_node[n]];
    model.displacement.push_back(field.displacement(mesh, n));
    model.velocity.push_back(field.velocity(mesh, n));
  }
  if (!c.initial_groups.empty() && report.empty()) share_velocities(model, entries);
}

}  // namespace cleave
