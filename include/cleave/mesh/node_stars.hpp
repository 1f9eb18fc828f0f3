/// Node stars: the elements around each node, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// [element][node slot] Position of the element in the star of the node. Around a corner elements are counted
/// counter-clockwise, from the boundary or, inside the body, from the smallest element id. Elements that touch the
/// others only in the corner follow after them. At a mid-side node the smaller element id comes first. No node may have
/// more than 255 elements.
///
///     \  7  /
///      \ 1 /
///     8 2 n 0 3      Inside the body, the elements 3, 7, 8, 9 around node n
///      / 3 \         have the positions 0, 1, 2, 3: counter-clockwise
///     /  9  \        from the smallest id on.
std::vector<std::uint8_t> star_positions(const Mesh& mesh);

}  // namespace cleave
