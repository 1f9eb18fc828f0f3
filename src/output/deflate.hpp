/// Compression in the format of zlib, which the readers of .vtu and of HDF5 know. The same bytes on any machine.
#pragma once

#include <string>
#include <string_view>

namespace cleave {

/// By libdeflate at its fastest.
std::string deflated(std::string_view bytes);

}  // namespace cleave
