#include <array>
#include <utility>

#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

/// Both halves of a facet. Corner 0 of child j is the parent's corner j; the halves of the sides that leave and reach
/// this corner are its facets 2 and 1.
std::array<Index, 2> halves(Index code) {
  const int k = facet_of(code);
  const Index first_child = 4 * element_of(code);
  return {facet_code(first_child + (k + 1) % 3, 2), facet_code(first_child + (k + 2) % 3, 1)};
}

std::vector<Index> halves_of(const std::vector<Index>& codes) {
  std::vector<Index> all;
  for (const Index code : codes)
    for (const Index half : halves(code)) all.push_back(half);
  return all;
}

std::vector<Index> quarters_of(const std::vector<Index>& elements) {
  std::vector<Index> all;
  for (const Index e : elements)
    for (Index k = 0; k < 4; ++k) all.push_back(4 * e + k);
  return all;
}

}  // namespace

Mesh refined(const Mesh& mesh, const std::string& source) {
  if (mesh.element_count() > most_elements / 4)
    throw InputError(fmt::format("{}: {} elements cannot be cut into four, as at most {} can be numbered: refine less",
                                 source, mesh.element_count(), most_elements));
  Mesh parent = mesh;
  if (parent.type == ElementType::t3) add_mid_sides(parent);

  Mesh fine;
  fine.type = ElementType::t3;
  fine.nodes = std::move(parent.nodes);
  fine.elements.reserve(12 * static_cast<std::size_t>(mesh.element_count()));
  for (Index e = 0; e < parent.element_count(); ++e) {
    const auto mid = [&](int corner) { return parent.node(e, 3 + corner % 3); };  // of the side that leaves the corner
    for (int j = 0; j < 3; ++j) fine.elements.insert(fine.elements.end(), {parent.node(e, j), mid(j), mid(j + 2)});
    fine.elements.insert(fine.elements.end(), {mid(0), mid(1), mid(2)});
  }
  connect(fine, source);
  if (mesh.type == ElementType::t6) add_mid_sides(fine);
  number_as_they_lie(fine);
  fine.straightened = mesh.straightened;
  fine.turned = mesh.turned;
  for (const Group& group : mesh.groups)
    fine.groups.push_back(make_group(fine, group.name, halves_of(group.facets), nodes_by_themselves(mesh, group),
                                     quarters_of(group.elements), halves_of(group.inside)));
  return fine;
}

}  // namespace cleave
