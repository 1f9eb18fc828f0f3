/// Compression in the format of zlib, which the readers of .vtu and of HDF5 know. The same bytes on any machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cleave/output/grid.hpp"

namespace cleave {

/// By libdeflate at its fastest.
std::string deflated(std::string_view bytes);

/// The same for measured numbers in tuples, such as vectors and tensors, three times as fast.
///
/// Digits of fields do not repeat: a search for what came before costs most of the time and finds little but components
/// that are zero, or the same all over. Here a word of four bytes is looked for in one place only, one tuple back. All
/// other bytes get Huffman codes. Where numbers do repeat, or are too few, libdeflate takes over.
///
/// @param tuple  bytes of a tuple of floats or doubles
std::string deflated_tuples(std::string_view bytes, std::size_t tuple);

/// Some bytes of an array, from the first value of a word on. What lasts is compressed once for many frames, and so
/// that it is small.
std::string deflated(std::string_view bytes, const GridArray& array);

}  // namespace cleave
