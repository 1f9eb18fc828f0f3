#include <limits>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/facet.hpp"
#include "cleave/mesh/topology.hpp"

namespace cleave {
namespace {

/// A corner of an element; element -1: none.
struct Corner {
  Index element;
  int corner;
  bool operator==(const Corner&) const = default;
};

constexpr Corner no_corner{-1, 0};

constexpr std::size_t star_elements_at_once = 16384;  ///< number of elements that a thread processes at once

/// The next element counter-clockwise. Both elements list the facet between them in opposite directions.
Corner after(const Mesh& mesh, Corner at) {
  const Index code = mesh.neighbour(at.element, (at.corner + 1) % 3);
  return is_intact(code) ? Corner{element_of(code), (facet_of(code) + 1) % 3} : no_corner;
}
/// The next element clockwise.
Corner before(const Mesh& mesh, Corner at) {
  const Index code = mesh.neighbour(at.element, (at.corner + 2) % 3);
  return is_intact(code) ? Corner{element_of(code), (facet_of(code) + 2) % 3} : no_corner;
}

/// The first element of the star that contains an element corner.
Corner beginning(const Mesh& mesh, Corner at) {
  Corner first = at;
  for (Corner next = before(mesh, first); next != no_corner; next = before(mesh, first)) {
    if (next == at) return at;
    first = next;
  }
  return first;
}

/// [node] The corner at the node of the element with the smallest id, as code of the opposite facet. Mid-side nodes
/// have none.
std::vector<Index> first_corners(const Mesh& mesh) {
  std::vector<Index> first(mesh.nodes.size(), std::numeric_limits<Index>::max());
  parallel_for(threads_for(0), static_cast<std::size_t>(mesh.element_count()), star_elements_at_once,
               [&](std::size_t begin, std::size_t end) {
                 for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
                   for (int corner = 0; corner < 3; ++corner)
                     atomic_min(first[mesh.node(e, corner)], facet_code(e, corner));
               });
  return first;
}

/// Positions of elements at their nodes, during numbering.
class StarPlaces {
 public:
  explicit StarPlaces(const Mesh& mesh)
      : mesh_(mesh),
        width_(nodes_per_element(mesh.type)),
        position_(mesh.elements.size(), unknown),
        count_(mesh.nodes.size(), 0) {}

  bool is_known(Index e, int i) const { return position_[place(e, i)] != unknown; }
  /// Numbers the elements of a star after the numbered elements of its node.
  void number_star(Index e, int corner) {
    std::uint8_t& count = count_[mesh_.node(e, corner)];
    for (Corner at = beginning(mesh_, {e, corner}); at != no_corner && !is_known(at.element, at.corner);
         at = after(mesh_, at))
      position_[place(at.element, at.corner)] = count++;
  }
  /// At mid-side nodes the element with the smaller id comes first.
  void number_mid_sides(Index e) {
    for (int k = 0; k < 3 && width_ > 3; ++k) {
      const Index other = mesh_.neighbour(e, k);
      position_[place(e, facet_node_slot(mesh_.type, k, 1))] = is_intact(other) && element_of(other) < e ? 1 : 0;
    }
  }
  std::vector<std::uint8_t> take() { return std::move(position_); }

 private:
  static constexpr std::uint8_t unknown = 255;
  std::size_t place(Index e, int i) const { return static_cast<std::size_t>(e) * width_ + i; }

  const Mesh& mesh_;
  int width_;
  std::vector<std::uint8_t> position_;  // [element][node slot]
  std::vector<std::uint8_t> count_;     // [node] number of numbered elements
};

}  // namespace

std::vector<std::uint8_t> star_positions(const Mesh& mesh) {
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  StarPlaces places(mesh);
  // The element with the smallest id at a node numbers its star, so that no two threads write at one node.
  const std::vector<Index> first = first_corners(mesh);
  parallel_for(threads_for(0), elements, star_elements_at_once, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
      for (int corner = 0; corner < 3; ++corner)
        if (first[mesh.node(e, corner)] == facet_code(e, corner)) places.number_star(e, corner);
      places.number_mid_sides(e);
    }
  });
  // A node may have several stars.
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int corner = 0; corner < 3; ++corner)
      if (!places.is_known(e, corner)) places.number_star(e, corner);
  return places.take();
}

}  // namespace cleave
