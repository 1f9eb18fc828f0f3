/// Grid of quads, each divided into four triangles, for mesh generators.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Name of a generated mesh in messages.
inline constexpr char generated[] = "generated mesh";

/// Triangles of a quad. In a ring the inner side is the south, the next radial line the east.
enum Side { south, east, north, west };

/// Whether the corners of a quad, from the south-west by the south-east to the north-west, turn left or right.
enum class Turn { left, right };

/// A grid of quads, each divided into four triangles around a centre node. Facet 2 of element 4 * quad + side is the
/// side of the quad, opposite to the centre.
struct QuadGrid {
  Mesh mesh;
  ElementType type = ElementType::t3;

  /// Reserves memory for the triangles of `quads` quads and the nodes of about `corners` corners.
  QuadGrid(ElementType of_type, std::size_t quads, std::size_t corners);

  /// Sets the triangles of a quad. Thread-safe for different quads.
  /// @param parity  0 or 1, different from that of adjacent quads
  void set_quad(Index quad, const std::array<Index, 4>& corners, Turn turn, Index centre, int parity);
  /// Connects the mesh and opens these sides of quads. Throws as connect.
  void finish(const std::vector<std::pair<Index, Side>>& opened = {});
  /// Adds a group of sides of quads. Call it after finish().
  void add_group(std::string name, const std::vector<std::pair<Index, Side>>& sides);
};

}  // namespace cleave
