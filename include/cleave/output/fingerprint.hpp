/// Numbers that differ when what they are of does.
#pragma once

#include <cstdint>
#include <string_view>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Of positions, connectivity, groups and input numbering (XXH3, 64 bit).
std::uint64_t fingerprint(const Mesh& mesh);

/// Of a text.
std::uint64_t fingerprint(std::string_view text);

}  // namespace cleave
