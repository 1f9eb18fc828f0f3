#include <fmt/format.h>

#include <string>

#include "app/case_text.hpp"
#include "app/console.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/text.hpp"

namespace cleave {
namespace {

const char* words_of(ColouringMethod method) {
  switch (method) {
    case ColouringMethod::structured:
      return "exact formula of the structured mesh";
    case ColouringMethod::by_id:
      return "greedy, by element id";
    case ColouringMethod::balanced:
      return "Welsh-Powell, balanced";
    default:
      return "Welsh-Powell";
  }
}

void print_colours(const Mesh& mesh, const Colouring& colouring) {
  if (colouring.count == 0) return fmt::print("  colours none, as `assembly: gather` needs none\n");
  fmt::print("  colours {} ({}), at least {} as so many elements share a node\n", colouring.count,
             words_of(colouring.method), max_incidence(mesh));
  std::string sizes;
  for (int c = 0; c < colouring.count; ++c) sizes += fmt::format(" {}", with_thousands(colouring.size(c)));
  fmt::print("  elements of a colour{}\n", sizes);
}

/// Prints the locality of node reads, element by element.
void print_numbering(const Mesh& mesh) {
  const NumberingFigures now = numbering_figures(mesh), given = figures_as_given(mesh);
  fmt::print("numbering\n");
  fmt::print("  coalesced {:.3f}, as given {:.3f} (1: every node read is coalesced)\n", now.coalescing,
             given.coalescing);
  fmt::print("  found in a simulated cache {:.1f} %, as given {:.1f} % of the node reads\n", 100 * now.cache_hits,
             100 * given.cache_hits);
}

}  // namespace

void print_groups(const Mesh& mesh) {
  fmt::print("groups\n");
  if (mesh.groups.empty()) fmt::print("  none\n");
  for (const Group& group : mesh.groups) {
    fmt::print("  {}: facets {}, nodes {}, triangles {}", group.name, with_thousands(group.facets.size()),
               with_thousands(group.nodes.size()), with_thousands(group.elements.size()));
    if (!group.inside.empty()) fmt::print(", facets inside the body {}", with_thousands(group.inside.size()));
    fmt::print("\n");
  }
}

std::string place_of(const Mesh& mesh, Index element) {
  const Point at = centroid(mesh, element);
  return fmt::format("element {} at ({:.6g}, {:.6g})", mesh.original_elements[element], at.x, at.y);
}

void tell_turned(const Mesh& mesh) {
  if (mesh.turned > 0)
    tell("note: {} of {} triangles are clockwise in the mesh file and were turned", with_thousands(mesh.turned),
         with_thousands(mesh.element_count()));
}

void print_mesh(const Mesh& mesh, const Colouring& colouring) {
  const MeshCounts counts = count(mesh);
  fmt::print("mesh\n");
  fmt::print("  element {}\n", mesh.type == ElementType::t3 ? "T3" : "T6");
  fmt::print("  elements {}\n", with_thousands(counts.elements));
  fmt::print("  nodes {}\n", with_thousands(counts.nodes));
  fmt::print("  corner nodes {}\n", with_thousands(counts.corner_nodes));
  fmt::print("  facets {} (interior {}, boundary {})\n", with_thousands(counts.facets),
             with_thousands(counts.interior_facets), with_thousands(counts.boundary_facets));
  fmt::print("  Euler characteristic {}\n", counts.euler);
  fmt::print("  components {}\n", with_thousands(counts.components));
  print_colours(mesh, colouring);

  print_groups(mesh);
  const MeshQuality q = quality(mesh);
  fmt::print("quality\n");
  fmt::print("  angles {:.2f} to {:.2f} degrees\n", q.smallest_angle, q.largest_angle);
  fmt::print("  smallest altitude {:.5g} m\n", q.smallest_altitude);
  fmt::print("  facets {:.5g} to {:.5g} m\n", q.shortest_facet, q.longest_facet);
  fmt::print("  area {:.8g} m^2\n", q.area);
  print_numbering(mesh);
  std::string nodes;
  for (std::size_t n = 0; n < counts.corner_nodes_of.size(); ++n)
    if (counts.corner_nodes_of[n] > 0)
      nodes += fmt::format("{} {}: {}", nodes.empty() ? "" : ",", n, with_thousands(counts.corner_nodes_of[n]));
  fmt::print("  corner nodes by their triangles{}\n", nodes);
}

}  // namespace cleave
