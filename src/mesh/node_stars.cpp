#include "cleave/mesh/node_stars.hpp"

#include "cleave/mesh/facet.hpp"

namespace cleave {
namespace {

/// A corner of an element; element -1: none.
struct Corner {
  Index element;
  int corner;
  bool operator==(const Corner&) const = default;
};

constexpr Corner no_corner{-1, 0};

/// The element that follows counter-clockwise. Both see the facet between them in opposite directions.
Corner after(const Mesh& mesh, Corner at) {
  const Index code = mesh.neighbour(at.element, (at.corner + 1) % 3);
  return is_intact(code) ? Corner{element_of(code), (facet_of(code) + 1) % 3} : no_corner;
}
/// The one that follows clockwise.
Corner before(const Mesh& mesh, Corner at) {
  const Index code = mesh.neighbour(at.element, (at.corner + 2) % 3);
  return is_intact(code) ? Corner{element_of(code), (facet_of(code) + 2) % 3} : no_corner;
}

/// Where the star that an element corner is in begins.
Corner beginning(const Mesh& mesh, Corner at) {
  Corner first = at;
  for (Corner next = before(mesh, first); next != no_corner; next = before(mesh, first)) {
    if (next == at) return at;
    first = next;
  }
  return first;
}

}  // namespace

std::vector<std::uint8_t> star_positions(const Mesh& mesh) {
  constexpr std::uint8_t unknown = 255;
  const int width = nodes_per_element(mesh.type);
  std::vector<std::uint8_t> position(mesh.elements.size(), unknown), count(mesh.nodes.size(), 0);
  const auto place = [&](Index e, int i) -> std::uint8_t& { return position[static_cast<std::size_t>(e) * width + i]; };
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int corner = 0; corner < 3; ++corner)
      if (place(e, corner) == unknown)
        for (Corner at = beginning(mesh, {e, corner}); at != no_corner && place(at.element, at.corner) == unknown;
             at = after(mesh, at))
          place(at.element, at.corner) = count[mesh.node(e, corner)]++;
    for (int i = 3; i < width; ++i) place(e, i) = count[mesh.node(e, i)]++;
  }
  return position;
}

}  // namespace cleave
