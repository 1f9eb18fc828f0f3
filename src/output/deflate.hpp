/// Compression in zlib format, which readers of .vtu and HDF5 understand. A program always compresses to the same
/// bytes; another library or version may give other bytes for the same content.
#pragma once

#include <string>
#include <string_view>

namespace cleave {

/// Compresses `bytes`, 1 GiB at most, by ISA-L if available (x86), in a third of libdeflate's time, else by libdeflate.
/// The result has no spare capacity, because blocks wait for others or are cached.
std::string deflated(std::string_view bytes);

}  // namespace cleave
