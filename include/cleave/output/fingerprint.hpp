/// Hash values that identify content.
#pragma once

#include <cstdint>
#include <string_view>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Hash of a mesh: positions, connectivity, groups and input numbering (XXH3, 64 bit).
std::uint64_t fingerprint(const Mesh& mesh);

/// Hash of a text.
std::uint64_t fingerprint(std::string_view text);

}  // namespace cleave
