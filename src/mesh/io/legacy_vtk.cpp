/// VTK's legacy unstructured grids (.vtk), ASCII and binary: cells as versions up to 4.2 store them, each behind the
/// number of its points, and as those from 5.0 on do, by offsets and connectivity.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cleave/core/error.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/input_file.hpp"
#include "mesh/io/vtk_grid.hpp"

namespace cleave {
namespace {

/// A type of numbers of these files, what it is called in XML, and its bytes.
struct LegacyType {
  std::string_view name, in_xml;
  std::uint64_t bytes;
};
constexpr std::array<LegacyType, 14> legacy_types{{{"char", "Int8", 1},
                                                   {"signed_char", "Int8", 1},
                                                   {"unsigned_char", "UInt8", 1},
                                                   {"short", "Int16", 2},
                                                   {"unsigned_short", "UInt16", 2},
                                                   {"int", "Int32", 4},
                                                   {"unsigned_int", "UInt32", 4},
                                                   {"long", "Int64", 8},
                                                   {"unsigned_long", "UInt64", 8},
                                                   {"vtktypeint64", "Int64", 8},
                                                   {"vtktypeuint64", "UInt64", 8},
                                                   {"vtkidtype", "Int32", 4},
                                                   {"float", "Float32", 4},
                                                   {"double", "Float64", 8}}};
constexpr const LegacyType &unsigned_char = legacy_types[2], &four_byte_int = legacy_types[5];

/// Attributes with a number of components that their keyword says.
constexpr std::array<std::pair<std::string_view, int>, 7> plain_attributes{{{"vectors", 3},
                                                                            {"normals", 3},
                                                                            {"tensors", 9},
                                                                            {"tensors6", 6},
                                                                            {"global_ids", 1},
                                                                            {"pedigree_ids", 1},
                                                                            {"edge_flags", 1}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// A name without %20 and the like, by which VTK writes bytes that would part it.
std::string decoded_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

class LegacyReader {
 public:
  explicit LegacyReader(const std::filesystem::path& file) : file_(file) {}

  VtkGrid read() {
    read_head();
    while (file_.next()) read_section();
    if (grid_.points.empty()) file_.fail("the file ends here, but POINTS must follow: it is truncated");
    if (cells_ != grid_.types.size())
      file_.fail(
          fmt::format("there are {} CELLS, but {} CELL_TYPES: each cell must have one", cells_, grid_.types.size()));
    return std::move(grid_);
  }

  InputFile& file() { return file_; }

 private:
  /// The words of the line, for example "POINTS 12 double".
  std::string_view word(Words& words, std::string_view what) const {
    const std::string_view word = words.next();
    if (word.empty()) file_.fail(fmt::format("expected {}, but the line ends", what));
    return word;
  }
  std::uint64_t count(Words& words, std::string_view what) const {
    Words number(word(words, what));
    std::int64_t value = 0;
    const std::string_view text = number.rest();
    if (!number.read(value) || value < 0)
      file_.fail_numbers(number, fmt::format("expected {}, found '{}'", what, shortened(text)));
    return static_cast<std::uint64_t>(value);
  }
  int components(Words& words) const {
    const std::uint64_t count = this->count(words, "the number of components");
    if (count == 0 || count > 1000) file_.fail(fmt::format("there are {} components, expected 1 to 1000", count));
    return static_cast<int>(count);
  }
  const LegacyType& type(Words& words) const {
    const std::string_view name = word(words, "a type of numbers");
    const auto found = std::find_if(legacy_types.begin(), legacy_types.end(),
                                    [&](const LegacyType& known) { return known.name == lower(name); });
    if (found == legacy_types.end())
      file_.fail(fmt::format("values of the type '{}' are not read: write the file without them", shortened(name)));
    return *found;
  }
  static std::string_view shortened(std::string_view text) { return text.substr(0, 40); }

  void read_head() {
    constexpr std::string_view magic = "# vtk DataFile Version ";
    Words words(file_.require("a line that begins with # vtk DataFile Version"));
    const std::string_view line = words.rest();
    if (!line.starts_with(magic))
      file_.fail("this is no legacy .vtk file: the first line must begin with " + std::string(magic));
    Words version(line.substr(magic.size()));
    double number = 0;
    if (!version.read(number) || !(number >= 1 && number < 6))
      file_.fail(fmt::format("expected a version from 1.0 to 5.1, found '{}'", shortened(line.substr(magic.size()))));
    by_offsets_ = number >= 5;
    if (!file_.next_line()) file_.fail("the file ends here, but its title must follow: it is truncated");
    const std::string format = lower(Words(file_.require("ASCII or BINARY")).next());
    if (format != "ascii" && format != "binary")
      file_.fail(fmt::format("expected ASCII or BINARY, found '{}'", shortened(format)));
    if (format == "binary") file_.set_binary();
    Words dataset(file_.require("DATASET UNSTRUCTURED_GRID"));
    if (lower(dataset.next()) != "dataset") file_.fail("expected DATASET UNSTRUCTURED_GRID");
    const std::string_view kind = word(dataset, "UNSTRUCTURED_GRID");
    if (lower(kind) != "unstructured_grid")
      file_.fail(fmt::format("the data set is {}: only an UNSTRUCTURED_GRID is read", shortened(kind)));
  }

  void read_section() {
    Words words(file_.line());
    const std::string keyword = lower(words.next());
    if (keyword == "points") return read_points(words);
    if (keyword == "cells") return read_cells(words);
    if (keyword == "cell_types") return read_types(words);
    if (keyword == "point_data") return begin_data(words, &grid_.point_data, grid_.points.size() / 3, "points");
    if (keyword == "cell_data") return begin_data(words, &grid_.cell_data, cells_, "cells");
    if (keyword == "field") return read_field(words);
    if (keyword == "metadata") return skip_metadata();
    if (data_ == nullptr || !read_attribute(keyword, words))
      file_.fail(fmt::format("'{}' is not expected here: the file is damaged", shortened(keyword)));
  }

  /// Numbers behind the line that promises them.
  template <class T>
  std::vector<T> numbers(std::uint64_t count, const LegacyType& type, std::string_view what) {
    const auto left = static_cast<std::uint64_t>(file_.bytes_left());
    // In a text each has a digit and, but for the last, a blank.
    if (count > (file_.is_binary() ? left / type.bytes : (left + 1) / 2))
      file_.fail(
          fmt::format("{} numbers must follow, {}, but only {} bytes do: the file is truncated, or the number is "
                      "wrong",
                      count, what, left));
    if (file_.is_binary()) {
      try {
        return numbers_of<T>(file_.bytes(count * type.bytes, what), type.in_xml, true);
      } catch (const Damage& damage) {
        file_.fail(fmt::format("{}: {}", what, damage.what));
      }
    }
    std::vector<T> values(count);
    for (T& value : values) {
      const std::string_view word = file_.word(what);
      Words number(word);
      if (!number.read(value))
        file_.fail_numbers(number, fmt::format("expected a number of {}, found '{}'", what, shortened(word)));
    }
    return values;
  }
  void skip_numbers(std::uint64_t count, const LegacyType& type) {
    if (file_.is_binary())
      file_.bytes(count * type.bytes, "values of an array");
    else
      for (std::uint64_t i = 0; i < count; ++i) file_.word("values of an array");
  }

  void read_points(Words& words) {
    if (!grid_.points.empty()) file_.fail("there are POINTS a second time");
    const std::uint64_t count = this->count(words, "the number of points");
    const LegacyType& type = this->type(words);
    if (count == 0) file_.fail("the file holds no points");
    grid_.points = numbers<double>(checked(3, count), type, "coordinates of points");
  }

  void read_cells(Words& words) {
    if (!grid_.ends.empty()) file_.fail("there are CELLS a second time");
    const std::uint64_t first = count(words, "the number of cells");
    const std::uint64_t second = count(words, "the size of the list of cells");
    if (by_offsets_)
      read_offsets(first, second);
    else
      read_list(first, second);
    cells_ = grid_.ends.size();
  }

  /// Each cell behind the number of its points.
  void read_list(std::uint64_t cells, std::uint64_t size) {
    const Place place = file_.place();
    const auto list = numbers<std::int64_t>(size, four_byte_int, "the list of cells");
    if (cells > size) file_.fail_at(place, fmt::format("there are {} cells, but only {} numbers of them", cells, size));
    grid_.ends.reserve(cells);
    grid_.connectivity.reserve(size - cells);
    std::size_t at = 0;
    for (std::uint64_t c = 0; c < cells; ++c) {
      const std::int64_t points = at < list.size() ? list[at++] : -1;
      if (points < 0 || static_cast<std::uint64_t>(points) > list.size() - at)
        file_.fail_at(place, fmt::format("cell {} does not end within the {} numbers of CELLS: the file is damaged", c,
                                         list.size()));
      grid_.connectivity.insert(grid_.connectivity.end(), list.begin() + static_cast<std::ptrdiff_t>(at),
                                list.begin() + static_cast<std::ptrdiff_t>(at) + points);
      at += static_cast<std::size_t>(points);
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
    }
    if (at != list.size())
      file_.fail_at(place, fmt::format("the {} cells have {} of the {} numbers of CELLS: the file is damaged", cells,
                                       at, list.size()));
  }

  void read_offsets(std::uint64_t count, std::uint64_t size) {
    const Place place = file_.place();
    const auto part = [&](std::string_view keyword, std::uint64_t numbers_in_it) {
      Words words(file_.require(keyword));
      if (lower(words.next()) != lower(keyword)) file_.fail(fmt::format("expected {} and its type", keyword));
      const LegacyType& type = this->type(words);
      return numbers<std::int64_t>(numbers_in_it, type, keyword);
    };
    auto offsets = part("OFFSETS", count);
    grid_.connectivity = part("CONNECTIVITY", size);
    if (!offsets.empty() && offsets.front() != 0)
      file_.fail_at(place, fmt::format("the offsets of CELLS begin with {}, not with 0", offsets.front()));
    std::int64_t last = 0;
    for (const std::int64_t offset : offsets) {
      if (offset < last || offset > static_cast<std::int64_t>(size))
        file_.fail_at(place, fmt::format("the offset {} of CELLS does not fit between {} and the {} numbers of the "
                                         "connectivity",
                                         offset, last, size));
      last = offset;
    }
    if (last != static_cast<std::int64_t>(size))
      file_.fail_at(place, fmt::format("the offsets of CELLS end at {} of {} numbers of the connectivity", last, size));
    if (!offsets.empty()) offsets.erase(offsets.begin());
    grid_.ends = std::move(offsets);
  }

  void read_types(Words& words) {
    if (!grid_.types.empty()) file_.fail("there are CELL_TYPES a second time");
    grid_.types = numbers<std::int64_t>(count(words, "the number of types"), four_byte_int, "types of cells");
  }

  void begin_data(Words& words, std::vector<VtkArray>* data, std::uint64_t expected, std::string_view of_what) {
    const std::uint64_t found = count(words, "the number of values");
    if (found != expected)
      file_.fail(fmt::format("data of {} {} must not follow: there are {}", found, of_what, expected));
    data_ = data;
    tuples_ = found;
  }

  /// False: there is no such attribute.
  bool read_attribute(const std::string& keyword, Words& words) {
    if (keyword == "lookup_table") {
      word(words, "the name of the table");
      skip_numbers(checked(4, count(words, "the number of colours")), unsigned_char);
      return true;
    }
    const auto plain = std::find_if(plain_attributes.begin(), plain_attributes.end(),
                                    [&](const auto& attribute) { return attribute.first == keyword; });
    const bool scalars = keyword == "scalars", colours = keyword == "color_scalars",
               coordinates = keyword == "texture_coordinates";
    if (plain == plain_attributes.end() && !scalars && !colours && !coordinates) return false;
    const std::string name = decoded_name(word(words, "a name"));
    int components = plain != plain_attributes.end() ? plain->second : 1;
    if (colours || coordinates) components = this->components(words);
    const LegacyType& type = colours ? unsigned_char : this->type(words);
    if (scalars && words.rest().find_first_not_of(" \t") != std::string_view::npos)
      components = this->components(words);
    // The table of colours is named on a line of its own.
    if (scalars && lower(Words(file_.require("LOOKUP_TABLE and its name")).next()) != "lookup_table")
      file_.fail("expected LOOKUP_TABLE and its name");
    read_array(data_, name, components, tuples_, type);
    return true;
  }

  /// Arrays of any sizes; of points and cells only those that say groups are wanted.
  void read_field(Words& words) {
    word(words, "a name");
    const std::uint64_t arrays = count(words, "the number of arrays");
    for (std::uint64_t a = 0; a < arrays; ++a) {
      Words head(file_.require("an array of the field"));
      if (lower(head.rest()).starts_with("metadata")) {
        skip_metadata();
        head = Words(file_.require("an array of the field"));
      }
      const std::string name = decoded_name(word(head, "the name of an array"));
      if (name == "NULL_ARRAY") continue;
      const int components = this->components(head);
      const std::uint64_t tuples = count(head, "the number of tuples");
      const LegacyType& type = this->type(head);
      if (data_ != nullptr && VtkGrid::is_group(name) && tuples != tuples_)
        file_.fail(fmt::format("array '{}' has {} values, {} are needed", name, tuples, tuples_));
      read_array(data_, name, components, tuples, type);
    }
  }

  void read_array(std::vector<VtkArray>* data, const std::string& name, int components, std::uint64_t tuples,
                  const LegacyType& type) {
    const std::uint64_t size = checked(components, tuples);
    const bool may_number = data == &grid_.cell_data && tuples == tuples_ &&
                            VtkGrid::may_number(name, type.in_xml, static_cast<std::uint64_t>(components));
    if (data == nullptr || !(VtkGrid::is_group(name) || may_number)) return skip_numbers(size, type);
    if (std::any_of(data->begin(), data->end(), [&](const VtkArray& other) { return other.name == name; }))
      file_.fail(fmt::format("{} data '{}' is there twice: rename one of the two",
                             data == &grid_.point_data ? "point" : "cell", name));
    data->push_back({name, components, numbers<double>(size, type, fmt::format("array '{}'", name))});
  }

  /// Their product; a file has room for neither more tuples nor more values than bytes.
  std::uint64_t checked(int components, std::uint64_t tuples) const {
    const auto left = static_cast<std::uint64_t>(file_.bytes_left());
    if (tuples > left)
      file_.fail(fmt::format(
          "{} values must follow, but only {} bytes do: the file is truncated, or the number is wrong", tuples, left));
    return static_cast<std::uint64_t>(components) * tuples;
  }

  /// Up to a blank line.
  void skip_metadata() {
    while (file_.next_line() && file_.line().find_first_not_of(" \t") != std::string_view::npos) continue;
  }

  InputFile file_;
  VtkGrid grid_;
  bool by_offsets_ = false;
  std::uint64_t cells_ = 0;
  std::vector<VtkArray>* data_ = nullptr;  // of points or cells, which arrays belong to
  std::uint64_t tuples_ = 0;               // of these
};

}  // namespace

Mesh read_legacy_vtk(const std::filesystem::path& file, const MeshReading& how) {
  LegacyReader reader(file);
  return mesh_of_grid(reader.read(), how, reader.file());
}

}  // namespace cleave
