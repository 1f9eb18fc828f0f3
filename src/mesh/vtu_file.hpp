/// What a .vtu file (VTK XML, an unstructured grid) holds. VTK's own reader believes the sizes that a file names: a
/// damaged one ends it, or fills the memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cleave {

/// Values of an array, all components of a point or cell together.
struct VtuArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct VtuGrid {
  std::vector<double> points;              ///< x, y, z of each, m
  std::vector<std::int64_t> connectivity;  ///< points of the cells, one cell after the other
  std::vector<std::int64_t> ends;          ///< [cell] where its points end in the connectivity
  std::vector<std::int64_t> types;         ///< [cell] VTK's number
  std::vector<VtuArray> point_data, cell_data;
};

/// Reads all pieces: ASCII, binary and appended data, raw or in base64, plain or compressed by zlib or LZ4. Of point
/// and cell data it takes the arrays whose names begin with one of these. Throws InputError that names the line, also
/// when sizes do not fit together or are more than the file can hold.
VtuGrid read_vtu_file(const std::filesystem::path& file, const std::vector<std::string_view>& prefixes);

}  // namespace cleave
