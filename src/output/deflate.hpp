/// Compression in the format of zlib, which the readers of .vtu and of HDF5 know. The same bytes in every run; another
/// library, or another version of it, may make others of the same content.
#pragma once

#include <string>
#include <string_view>

namespace cleave {

/// `bytes`, 1 GiB at most, by ISA-L where it is (x86), which takes a third of libdeflate's time, else by libdeflate. It
/// has no room for more, as blocks wait for others, or are kept.
std::string deflated(std::string_view bytes);

}  // namespace cleave
