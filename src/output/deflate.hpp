/// Compression in the format of zlib.
#pragma once

#include <string>
#include <string_view>

namespace cleave {

/// The bytes in the format of zlib, which the readers of .vtu and of HDF5 know. The same bytes on any machine.
std::string deflated(std::string_view bytes);

}  // namespace cleave
