/// Legacy .vtk files: lines of text, each followed by numbers in big-endian order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "cleave/output/vtk.hpp"

namespace cleave {
namespace {

/// Encodes a name as VTK does: separators and bytes that are not ASCII become %20 and the like.
std::string encoded_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c > ' ' && c <= '~' && c != '"' && c != '%')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

template <class T>
void add(std::string& out, T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

void add_numbers(std::string& out, const GridArray& array) {
  std::visit(
      [&](const auto& values) {
        for (const auto value : values) add(out, value);
      },
      array.values);
  out += '\n';
}

const char* type_of(const GridArray& array) {
  static constexpr const char* names[] = {"float", "double", "int", "vtktypeint64", "unsigned_char"};
  return names[array.values.index()];
}

void add_data(std::string& out, const char* keyword, std::size_t tuples, const std::vector<GridArray>& arrays) {
  if (arrays.empty()) return;
  out += fmt::format("{} {}\nFIELD FieldData {}\n", keyword, tuples, arrays.size());
  for (const GridArray& array : arrays) {
    out += fmt::format("{} {} {} {}\n", encoded_name(array.name), array.components, tuples, type_of(array));
    add_numbers(out, array);
  }
}

}  // namespace

std::string legacy_vtk_file(const Grid& grid) {
  std::string out = "# vtk DataFile Version 4.2\nwritten by Cleave\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  out += fmt::format("POINTS {} {}\n", grid.point_count(), type_of(grid.points));
  add_numbers(out, grid.points);

  const auto points = static_cast<std::size_t>(grid.points_per_cell);
  const auto& connectivity = std::get<std::vector<std::int32_t>>(grid.connectivity.values);
  out += fmt::format("CELLS {} {}\n", grid.cells, grid.cells * (points + 1));
  for (std::size_t i = 0; i < connectivity.size(); ++i) {
    if (i % points == 0) add(out, std::int32_t{grid.points_per_cell});
    add(out, connectivity[i]);
  }
  out += fmt::format("\nCELL_TYPES {}\n", grid.cells);
  for (std::size_t c = 0; c < grid.cells; ++c) add(out, std::int32_t{grid.cell_type});
  out += '\n';
  add_data(out, "POINT_DATA", grid.point_count(), grid.point_data);
  add_data(out, "CELL_DATA", grid.cells, grid.cell_data);
  return out;
}

}  // namespace cleave
