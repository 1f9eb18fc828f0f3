/// Quads that are each cut into four triangles, from which generators make meshes.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// What messages call a mesh that no file brought.
inline constexpr char generated[] = "generated mesh";

/// Triangles of a quad. Of a ring's quads the inner side is the south, the next radial line the east.
enum Side { south, east, north, west };

/// Whether a quad's corners, listed from the south-west by south-east to north-west, turn to the left.
enum class Turn { left, right };

/// A grid of quads, each cut into four triangles around a centre node. Element 4 * quad + side has the quad's side as
/// its facet 2, opposite the centre.
struct QuadGrid {
  Mesh mesh;
  ElementType type = ElementType::t3;

  /// Makes room for the triangles of so many quads and for the nodes of about so many corners.
  QuadGrid(ElementType of_type, std::size_t quads, std::size_t corners);

  /// Sets the triangles of a quad. Several threads may do so, each for other quads.
  /// @param parity  0 or 1, another one in the quads beside it
  void set_quad(Index quad, const std::array<Index, 4>& corners, Turn turn, Index centre, int parity);
  /// Connects the mesh and opens these sides of quads. Throws as connect.
  void finish(const std::vector<std::pair<Index, Side>>& opened = {});
  /// Adds the group of one side of each of these quads. After finish.
  void add_group(std::string name, const std::vector<std::pair<Index, Side>>& sides);
};

}  // namespace cleave
