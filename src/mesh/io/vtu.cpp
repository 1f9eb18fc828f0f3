/// VTK's XML unstructured grids: all pieces; ASCII, binary and appended data, raw or in base64, plain or compressed by
/// zlib or LZ4.
#include <fmt/format.h>
#include <libdeflate.h>
#include <lz4.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "cleave/core/error.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/input_file.hpp"
#include "mesh/io/vtk_grid.hpp"
#include "mesh/io/xml.hpp"

namespace cleave {
namespace {

/// Neither zlib nor LZ4 makes more of a byte, so that a small file cannot ask for much memory.
constexpr std::uint64_t most_expanded = 1100;

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Bytes as they lie in a file, or as base64.
class Bytes {
 public:
  Bytes(std::string_view text, bool base64) : text_(text), base64_(base64) {}

  /// So many bytes may follow.
  std::uint64_t most() const { return base64_ ? text_.size() / 4 * 3 : text_.size(); }

  /// The next bytes, which stay.
  std::string peek(std::uint64_t count) const {
    if (count > most()) throw Damage{fmt::format("{} bytes are missing", count - most())};
    if (!base64_) return std::string(text_.substr(0, count));
    std::string out;
    out.reserve(count + 2);
    for (std::size_t i = 0; out.size() < count; i += 4) {
      std::uint32_t group = 0;
      int digits = 0;
      for (; digits < 4 && text_[i + digits] != '='; ++digits) {
        const int digit = base64_digit(text_[i + digits]);
        if (digit < 0) throw Damage{"this is no base64"};
        group |= static_cast<std::uint32_t>(digit) << (18 - 6 * digits);
      }
      for (int byte = 0; byte < digits - 1; ++byte) out += static_cast<char>(group >> (16 - 8 * byte) & 0xff);
      if (digits < 4 && out.size() < count) throw Damage{"base64 ends too early"};
    }
    out.resize(count);
    return out;
  }

  /// The next bytes; in base64 what follows begins anew.
  std::string take(std::uint64_t count) {
    std::string out = peek(count);
    text_.remove_prefix(base64_ ? (count + 2) / 3 * 4 : count);
    return out;
  }

 private:
  std::string_view text_;
  bool base64_;
};

enum class Packed { none, zlib, lz4 };

/// How a file writes numbers.
struct Encoding {
  bool big_endian = false;
  int word = 4;  ///< bytes of the numbers before data
  Packed packed = Packed::none;
};

std::uint64_t word_at(const std::string& bytes, std::size_t index, const Encoding& encoding) {
  return encoding.word == 8 ? number_at<std::uint64_t>(bytes, 8 * index, encoding.big_endian)
                            : number_at<std::uint32_t>(bytes, 4 * index, encoding.big_endian);
}

void unpack(std::string_view in, char* out, std::size_t size, Packed packed) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  bool right = false;
  if (packed == Packed::zlib) {
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    right =
        libdeflate_zlib_decompress(decompressor.get(), in.data(), in.size(), out, size, nullptr) == LIBDEFLATE_SUCCESS;
  } else if (in.size() <= most && size <= most) {
    right = LZ4_decompress_safe(in.data(), out, static_cast<int>(in.size()), static_cast<int>(size)) ==
            static_cast<int>(size);
  }
  if (!right) throw Damage{"compressed data are damaged"};
}

/// The bytes of an array, without the numbers before them.
std::string decoded(Bytes bytes, const Encoding& encoding) {
  const auto word = static_cast<std::uint64_t>(encoding.word);
  if (encoding.packed == Packed::none) {
    const std::uint64_t size = word_at(bytes.peek(word), 0, encoding);
    if (size > bytes.most()) throw Damage{fmt::format("{} bytes are promised, more than follow", size)};
    return bytes.take(word + size).substr(word);
  }
  // The number of blocks, their size, the size of the last one if it is smaller; then their compressed sizes.
  const std::uint64_t blocks = word_at(bytes.peek(word), 0, encoding);
  if (blocks == 0) return {};
  if (blocks > bytes.most() / word) throw Damage{fmt::format("{} blocks are promised, more than follow", blocks)};
  const std::string header = bytes.take((3 + blocks) * word);
  const std::uint64_t size = word_at(header, 1, encoding), last = word_at(header, 2, encoding);
  std::uint64_t packed_size = 0, full_size = 0;
  const auto size_of = [&](std::uint64_t block) { return block + 1 == blocks && last != 0 ? last : size; };
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t packed = word_at(header, 3 + block, encoding);
    if (packed > bytes.most() - packed_size) throw Damage{"a block is longer than what follows"};
    if (size_of(block) / most_expanded > packed) throw Damage{"a block is too short for what it promises"};
    packed_size += packed;
    full_size += size_of(block);
  }
  const std::string in = bytes.take(packed_size);
  std::string out(full_size, '\0');
  std::size_t from = 0, to = 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t packed = word_at(header, 3 + block, encoding);
    unpack(std::string_view(in).substr(from, packed), out.data() + to, size_of(block), encoding.packed);
    from += packed;
    to += size_of(block);
  }
  return out;
}

template <class T>
std::vector<T> numbers_in_text(std::string_view text) {
  std::vector<T> values;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(xml_blanks), text.size()));
    if (text.empty()) return values;
    std::string_view word = text.substr(0, text.find_first_of(xml_blanks));
    text.remove_prefix(word.size());
    const std::string_view whole = word;
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      throw Damage{fmt::format("'{}' is no number that is expected here", whole.substr(0, 40))};
    values.push_back(value);
  }
}

/// An array where it stands, not yet read.
struct Stored {
  std::string name, type, format;
  int components = 1;
  std::uint64_t offset = 0;  ///< in the appended data
  std::string text;          ///< between its tags
  std::size_t at = 0;        ///< in the file
};

struct Piece {
  std::uint64_t points = 0, cells = 0;
  std::size_t at = 0;
  std::vector<Stored> point_data, cell_data, coordinates, cell_arrays;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : in_(file), text_(in_.bytes(static_cast<std::size_t>(in_.bytes_left()), "the file")) {}

  VtkGrid read() {
    read_tags();
    VtkGrid grid;
    for (std::size_t p = 0; p < pieces_.size(); ++p) add(grid, pieces_[p], p == 0);
    return grid;
  }

  InputFile& file() { return in_; }

 private:
  [[noreturn]] void damaged(std::size_t at, const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size())), '\n');
    throw InputError(
        fmt::format("{}: the file is damaged or truncated at line {}: {}: write it again", in_.name(), line, what));
  }
  [[noreturn]] void no_grid() const {
    throw InputError(in_.name() + ": this is no VTK XML unstructured grid, or it is damaged: write it again as .vtu");
  }

  std::uint64_t whole(const XmlTag& tag, std::string_view attribute,
                      std::optional<std::uint64_t> otherwise = {}) const {
    const std::string_view text = tag.attribute(attribute);
    if (text.empty() && otherwise) return *otherwise;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      damaged(tag.begin,
              fmt::format("{} of {} must be a whole number, found '{}'", attribute, tag.name, text.substr(0, 40)));
    return value;
  }

  void read_head(const XmlTag& tag) {
    if (tag.name != "VTKFile" || tag.attribute("type") != "UnstructuredGrid") no_grid();
    encoding_.big_endian = tag.attribute("byte_order") == "BigEndian";
    encoding_.word = tag.attribute("header_type") == "UInt64" ? 8 : 4;
    const std::string_view compressor = tag.attribute("compressor");
    if (compressor == "vtkZLibDataCompressor")
      encoding_.packed = Packed::zlib;
    else if (compressor == "vtkLZ4DataCompressor")
      encoding_.packed = Packed::lz4;
    else if (!compressor.empty())
      damaged(tag.begin,
              fmt::format("it is compressed by {}, of which zlib and LZ4 are read", compressor.substr(0, 40)));
  }

  /// Goes through all tags and notes where arrays are, but for what follows AppendedData.
  void read_tags() {
    XmlReader xml(text_);
    std::vector<std::string_view> open;
    Stored* array = nullptr;
    std::size_t text_from = 0;
    for (;;) {
      const auto tag = xml.next();
      if (!tag) {
        if (open.empty() && pieces_.empty()) no_grid();
        if (!xml.at_end_of_text()) damaged(xml.position(), "this is no tag of XML");
        damaged(text_.size(), fmt::format("{} is not closed", open.empty() ? "VTKFile" : open.back()));
      }
      if (array != nullptr && open.back() == "DataArray")
        array->text += text_.substr(text_from, tag->begin - text_from);
      text_from = tag->end;
      if (tag->opens) {
        if (open.empty()) read_head(*tag);
        if (tag->name == "AppendedData") return note_appended(*tag);
        if (tag->name == "Piece" && in(open, {"VTKFile", "UnstructuredGrid"}))
          pieces_.push_back({whole(*tag, "NumberOfPoints"), whole(*tag, "NumberOfCells"), tag->begin, {}, {}, {}, {}});
        if (tag->name == "DataArray" && open.size() == 4) array = note_array(*tag, open);
        open.push_back(tag->name);
      }
      if (tag->closes) {
        if (open.empty() || open.back() != tag->name)
          damaged(tag->begin, fmt::format("{} is closed, but {} is open", tag->name.substr(0, 40),
                                          open.empty() ? "nothing" : open.back()));
        if (tag->name == "DataArray") array = nullptr;
        open.pop_back();
        if (open.empty()) return;
      }
    }
  }

  static bool in(const std::vector<std::string_view>& open, const std::vector<std::string_view>& expected) {
    return open == expected;
  }

  Stored* note_array(const XmlTag& tag, const std::vector<std::string_view>& open) {
    if (open[1] != "UnstructuredGrid" || open[2] != "Piece") return nullptr;
    Piece& piece = pieces_.back();
    const std::string_view part = open[3], name = tag.attribute("Name");
    std::vector<Stored>* list = nullptr;
    if (part == "Points") list = &piece.coordinates;
    if (part == "Cells") list = &piece.cell_arrays;
    if (part == "PointData" || part == "CellData") {
      const bool may_number =
          part == "CellData" && VtkGrid::may_number(name, tag.attribute("type"), whole(tag, "NumberOfComponents", 1));
      if (!VtkGrid::is_group(name) && !may_number) return nullptr;
      list = part == "PointData" ? &piece.point_data : &piece.cell_data;
      const auto same = [&](const Stored& other) { return other.name == name; };
      if (std::any_of(list->begin(), list->end(), same))
        throw InputError(fmt::format("{}: {} data '{}' is there twice: rename one of the two", in_.name(),
                                     part == "PointData" ? "point" : "cell", name));
    }
    if (list == nullptr) return nullptr;
    const bool appended = tag.attribute("format") == "appended";
    const std::uint64_t components = whole(tag, "NumberOfComponents", 1);
    if (components == 0 || components > 1000) damaged(tag.begin, fmt::format("{} components", components));
    list->push_back({std::string(name),
                     std::string(tag.attribute("type")),
                     std::string(tag.attribute("format")),
                     static_cast<int>(components),
                     appended ? whole(tag, "offset") : 0,
                     {},
                     tag.begin});
    return &list->back();
  }

  /// The data begin behind an underscore.
  void note_appended(const XmlTag& tag) {
    const std::size_t begin = text_.find_first_not_of(xml_blanks, tag.end);
    if (begin == text_.npos || text_[begin] != '_') damaged(tag.begin, "no data are appended");
    base64_ = tag.attribute("encoding") != "raw";
    appended_ = text_.substr(begin + 1);
    if (base64_) appended_ = appended_.substr(0, appended_.find_first_of("< \t\r\n"));
  }

  template <class T>
  std::vector<T> values(const Stored& array, std::uint64_t expected, std::string_view of_what) const {
    std::vector<T> found;
    try {
      if (array.format == "appended") {
        if (array.offset > appended_.size()) throw Damage{"it begins behind the end of the appended data"};
        found = numbers_of<T>(decoded({appended_.substr(array.offset), base64_}, encoding_), array.type,
                              encoding_.big_endian);
      } else if (array.format == "binary") {
        std::string text = array.text;
        std::erase_if(text, [](char c) { return xml_blanks.find(c) != xml_blanks.npos; });
        found = text.empty() ? std::vector<T>()
                             : numbers_of<T>(decoded({text, true}, encoding_), array.type, encoding_.big_endian);
      } else {
        found = numbers_in_text<T>(array.text);
      }
    } catch (const Damage& damage) {
      damaged(array.at, fmt::format("array '{}': {}", array.name, damage.what));
    }
    if (!of_what.empty() && (found.size() % array.components != 0 || found.size() / array.components != expected))
      damaged(array.at, fmt::format("array '{}' has {} numbers, {} for each of {} {} are needed", array.name,
                                    found.size(), array.components, expected, of_what));
    return found;
  }

  const Stored& cell_array(const Piece& piece, std::string_view name) const {
    const auto found = std::find_if(piece.cell_arrays.begin(), piece.cell_arrays.end(),
                                    [&](const Stored& array) { return array.name == name; });
    if (found == piece.cell_arrays.end())
      damaged(piece.at, fmt::format("Cells of this Piece lack the array '{}'", name));
    return *found;
  }

  void add(VtkGrid& grid, const Piece& piece, bool first) const {
    const auto first_point = static_cast<std::int64_t>(grid.points.size() / 3);
    const auto first_end = static_cast<std::int64_t>(grid.connectivity.size());
    if (piece.points > 0) {
      if (piece.coordinates.size() != 1 || piece.coordinates[0].components != 3)
        damaged(piece.at, "Points of this Piece must hold one array of 3 components");
      const auto points = values<double>(piece.coordinates[0], piece.points, "points");
      grid.points.insert(grid.points.end(), points.begin(), points.end());
    }
    std::vector<std::int64_t> ends;
    if (piece.cells > 0) {
      const Stored& where = cell_array(piece, "offsets");
      const auto connectivity = values<std::int64_t>(cell_array(piece, "connectivity"), 0, "");
      const auto types = values<std::int64_t>(cell_array(piece, "types"), piece.cells, "cells");
      ends = values<std::int64_t>(where, piece.cells, "cells");
      std::int64_t last = 0;
      for (const std::int64_t end : ends) {
        if (end < last || end > static_cast<std::int64_t>(connectivity.size()))
          damaged(where.at, fmt::format("the offset {} does not fit between {} and the {} numbers of the connectivity",
                                        end, last, connectivity.size()));
        last = end;
        grid.ends.push_back(first_end + end);
      }
      for (std::int64_t i = 0; i < last; ++i) {
        const std::int64_t point = connectivity[static_cast<std::size_t>(i)];
        const bool inside = point >= 0 && static_cast<std::uint64_t>(point) < piece.points;
        // Of the first piece, points that are not there are told by the number that the file gives them.
        if (!inside && !first) damaged(piece.at, fmt::format("a cell of this Piece lists the point {}", point));
        grid.connectivity.push_back(point + first_point);
      }
      grid.types.insert(grid.types.end(), types.begin(), types.end());
    }
    add(grid.point_data, piece.point_data, piece, piece.points, "points", first);
    add(grid.cell_data, piece.cell_data, piece, piece.cells, "cells", first);
  }

  void add(std::vector<VtkArray>& arrays, const std::vector<Stored>& stored, const Piece& piece, std::uint64_t count,
           std::string_view of_what, bool first) const {
    if (first)
      for (const Stored& array : stored) arrays.push_back({array.name, array.components, {}});
    if (stored.size() != arrays.size()) damaged(piece.at, "this Piece has other groups than the first");
    for (VtkArray& array : arrays) {
      const auto found = std::find_if(stored.begin(), stored.end(), [&](const Stored& other) {
        return other.name == array.name && other.components == array.components;
      });
      if (found == stored.end())
        damaged(piece.at, fmt::format("this Piece lacks the array '{}' of the first", array.name));
      const auto more = values<double>(*found, count, of_what);
      array.values.insert(array.values.end(), more.begin(), more.end());
    }
  }

  InputFile in_;
  std::string_view text_;
  Encoding encoding_;
  std::vector<Piece> pieces_;
  std::string_view appended_;
  bool base64_ = false;
};

}  // namespace

Mesh read_vtu(const std::filesystem::path& file, const MeshReading& how) {
  Reader reader(file);
  return mesh_of_grid(reader.read(), how, reader.file());
}

}  // namespace cleave
