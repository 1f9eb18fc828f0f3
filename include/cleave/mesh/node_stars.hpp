/// The elements around each node, in the order in which they follow each other.
#pragma once

#include <cstdint>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Position of every element node among those of its node, [element][node]: around a corner counter-clockwise, from the
/// boundary on or, inside the body, from the smallest element on; elements that touch others in the corner only follow
/// after them. At mid-sides the smaller element comes first. No node may have more than 255 elements.
std::vector<std::uint8_t> star_positions(const Mesh& mesh);

}  // namespace cleave
