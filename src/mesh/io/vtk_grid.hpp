/// The unstructured grid in a file of VTK's, XML or legacy, and how it becomes a Mesh. VTK's own readers
/// believe the sizes that a file names. Damaged files make those of 9.1 and 9.7 write behind an array (a cell that is
/// longer than the list of a .vtk file) or allocate what eight bytes before compressed data ask for; checking these
/// before VTK reads them is reading the file.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/mesh.hpp"
#include "mesh/io/input_file.hpp"

namespace cleave {

static_assert(std::endian::native == std::endian::little, "values are turned where a file is big endian");

/// A fault in data, without its place.
struct Damage {
  std::string what;
};

template <class T>
T number_at(std::string_view bytes, std::size_t at, bool big_endian) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
  if (big_endian) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

template <class T, class Stored>
std::vector<T> numbers_of_type(std::string_view bytes, bool big_endian) {
  if (bytes.size() % sizeof(Stored) != 0) throw Damage{"the last number is cut"};
  std::vector<T> values;
  values.reserve(bytes.size() / sizeof(Stored));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
    const auto value = number_at<Stored>(bytes, at, big_endian);
    if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<Stored, std::uint64_t>) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
        throw Damage{fmt::format("{} is above what 64 bits with a sign hold", value)};
    }
    values.push_back(static_cast<T>(value));
  }
  return values;
}

/// Whole numbers are not taken from others.
template <class T>
std::vector<T> numbers_of(std::string_view bytes, std::string_view type, bool big_endian) {
  if (type == "Int8") return numbers_of_type<T, std::int8_t>(bytes, big_endian);
  if (type == "UInt8") return numbers_of_type<T, std::uint8_t>(bytes, big_endian);
  if (type == "Int16") return numbers_of_type<T, std::int16_t>(bytes, big_endian);
  if (type == "UInt16") return numbers_of_type<T, std::uint16_t>(bytes, big_endian);
  if (type == "Int32") return numbers_of_type<T, std::int32_t>(bytes, big_endian);
  if (type == "UInt32") return numbers_of_type<T, std::uint32_t>(bytes, big_endian);
  if (type == "Int64") return numbers_of_type<T, std::int64_t>(bytes, big_endian);
  if (type == "UInt64") return numbers_of_type<T, std::uint64_t>(bytes, big_endian);
  if constexpr (std::is_same_v<T, double>) {
    if (type == "Float32") return numbers_of_type<T, float>(bytes, big_endian);
    if (type == "Float64") return numbers_of_type<T, double>(bytes, big_endian);
  }
  throw Damage{fmt::format("numbers of the type '{}' are not expected here", type)};
}

/// Values of an array, all components of a point or cell together.
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct VtkGrid {
  std::vector<double> points;              ///< x, y, z of each, m
  std::vector<std::int64_t> connectivity;  ///< points of the cells, one cell after the other
  std::vector<std::int64_t> ends;          ///< [cell] where its points end in the connectivity
  std::vector<std::int64_t> types;         ///< [cell] VTK's number
  std::vector<VtkArray> point_data, cell_data;

  /// Whether point or cell data of that name say groups.
  static bool is_group(std::string_view array);
  /// Whether cell data may number groups: one integer a cell. Readers need no other arrays.
  /// @param type  as XML names it: "Int32"
  static bool may_number(std::string_view array, std::string_view type, std::uint64_t components);
};

/// The mesh, checked and connected. Throws InputError about the file.
Mesh mesh_of_grid(const VtkGrid& grid, const MeshReading& how, InputFile& file);

}  // namespace cleave
