#include "cleave/output/vtk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lz4.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "cleave/core/parallel.hpp"
#include "cleave/output/output_file.hpp"
#include "output/deflate.hpp"

namespace cleave {
namespace {

/// Number of bytes compressed together. Small blocks of lasting arrays mostly stay the same from frame to frame.
constexpr std::size_t block_size = 256 << 10, lasting_block_size = 32 << 10;
static_assert(std::endian::native == std::endian::little, "files are marked as little endian");

/// The block in the format of vtkLZ4DataCompressor.
std::string lz4_compressed(std::string_view block) {
  const auto size = static_cast<int>(block.size());
  std::string out(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
  out.resize(
      static_cast<std::size_t>(LZ4_compress_default(block.data(), out.data(), size, static_cast<int>(out.size()))));
  out.shrink_to_fit();
  return out;
}

constexpr std::string_view file_end = "</VTKFile>\n";

/// The text with characters escaped for quotes in XML.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

const char* type_name(const GridArray& array) {
  static constexpr const char* names[] = {"Float32", "Float64", "Int32", "Int64", "UInt8"};
  return names[array.values.index()];
}

/// The appended arrays of a file, one after the other, each after a header with its size or its blocks.
class AppendedData {
 public:
  AppendedData(Compression compression, KeptBlocks* kept) : compression_(compression), kept_(kept) {}

  void add(const GridArray& array) {
    arrays_.push_back({array, {static_cast<const char*>(array.data()), array.bytes()}, {}, {}});
  }

  void compress(int threads) {
    std::vector<std::pair<Piece*, std::size_t>> blocks;
    for (Piece& piece : arrays_) {
      if (compression_ == Compression::none) continue;
      piece.blocks.resize((piece.raw.size() + piece.block_size() - 1) / piece.block_size());
      for (std::size_t b = 0; b < piece.blocks.size(); ++b) blocks.emplace_back(&piece, b);
    }
    parallel_for(threads, blocks.size(), 1, [&](std::size_t i, std::size_t) {
      const auto& [piece, b] = blocks[i];
      piece->blocks[b] = compressed(*piece, b);
    });
    for (Piece& piece : arrays_) piece.header = header_of(piece);
  }

  /// Calls visit(bytes) for all bytes written, array by array.
  template <class Visit>
  void for_each(std::size_t array, const Visit& visit) const {
    const Piece& piece = arrays_[array];
    visit(std::string_view(piece.header));
    if (compression_ == Compression::none) return visit(piece.raw);
    for (const KeptBlocks::Block& block : piece.blocks) visit(std::string_view(*block));
  }

 private:
  struct Piece {
    const GridArray& array;
    std::string_view raw;
    std::string header;
    std::vector<KeptBlocks::Block> blocks;

    std::size_t block_size() const { return array.lasting ? lasting_block_size : cleave::block_size; }
  };

  KeptBlocks::Block compressed(const Piece& piece, std::size_t b) const {
    const std::string_view raw = piece.raw.substr(b * piece.block_size(), piece.block_size());
    const auto compress = [&](std::string_view bytes) {
      return compression_ == Compression::lz4 ? lz4_compressed(bytes) : deflated(bytes);
    };
    if (piece.array.lasting && kept_) return kept_->compressed(piece.array.name, b, raw, compress);
    return std::make_shared<const std::string>(compress(raw));
  }

  /// Header of an array. Uncompressed: number of bytes. Compressed: number of blocks, size of a block, size of the last
  /// one if it is smaller, and the compressed sizes.
  std::string header_of(const Piece& piece) const {
    std::vector<std::uint64_t> words{piece.raw.size()};
    if (compression_ != Compression::none) {
      words = {piece.blocks.size(), piece.block_size(), piece.raw.size() % piece.block_size()};
      for (const KeptBlocks::Block& block : piece.blocks) words.push_back(block->size());
    }
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]};
  }

  Compression compression_;
  KeptBlocks* kept_;
  std::vector<Piece> arrays_;
};

/// End of each cell's points in the connectivity.
GridArray cell_ends(const Grid& grid) {
  const auto ends = [&]<class T>(T) {
    std::vector<T> values(grid.cells);
    for (std::size_t c = 0; c < grid.cells; ++c) values[c] = static_cast<T>((c + 1) * grid.points_per_cell);
    return values;
  };
  const bool small = grid.connectivity.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  GridArray array{"offsets", 1, {}, true};
  if (small)
    array.values = ends(std::int32_t{});
  else
    array.values = ends(std::int64_t{});
  return array;
}

/// @param content  place of the values, or the values themselves
std::string array_tag(const GridArray& array, const std::string& content) {
  std::string tag = fmt::format("        <DataArray type=\"{}\" Name=\"{}\"", type_name(array), escaped(array.name));
  // Scalars have no such attribute, as in files of VTK; with it, meshio makes two-dimensional arrays of them.
  if (array.components > 1) tag += fmt::format(" NumberOfComponents=\"{}\"", array.components);
  if (array.components == 6) {
    constexpr const char* names[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
    for (int k = 0; k < 6; ++k) tag += fmt::format(" ComponentName{}=\"{}\"", k, names[k]);
  }
  return tag + content;
}

const char* compressor_attribute(Compression compression) {
  if (compression == Compression::zlib) return " compressor=\"vtkZLibDataCompressor\"";
  if (compression == Compression::lz4) return " compressor=\"vtkLZ4DataCompressor\"";
  return "";
}

/// The sections of a piece with their arrays.
using Parts = std::vector<std::pair<const char*, std::vector<const GridArray*>>>;

/// @param content(array)  place of its values, or the values themselves
template <class Content>
std::string piece_text(const Parts& parts, std::size_t points, std::size_t cells, const Content& content) {
  std::string text =
      fmt::format("  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", points, cells);
  for (const auto& [name, arrays] : parts) {
    text += fmt::format("      <{}>\n", name);
    for (const GridArray* array : arrays) text += array_tag(*array, content(*array));
    text += fmt::format("      </{}>\n", name);
  }
  return text + "    </Piece>\n  </UnstructuredGrid>\n";
}

std::string file_tag(Compression compression) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{}>\n",
      compressor_attribute(compression));
}

std::vector<const GridArray*> all(const std::vector<GridArray>& arrays) {
  std::vector<const GridArray*> list;
  for (const GridArray& array : arrays) list.push_back(&array);
  return list;
}

Parts parts_of(const Grid& grid, const GridArray& ends, const GridArray& types) {
  return {{"PointData", all(grid.point_data)},
          {"CellData", all(grid.cell_data)},
          {"Points", {&grid.points}},
          {"Cells", {&grid.connectivity, &ends, &types}}};
}

/// File of a grid without cells. meshio needs a cell, and fails on arrays without values unless they are inline.
std::string file_without_cells(const Grid& grid) {
  constexpr std::uint8_t poly_vertex = 2;
  const GridArray ends{"offsets", 1, std::vector<std::int32_t>{0}};
  const GridArray types{"types", 1, std::vector<std::uint8_t>{poly_vertex}};
  const Parts parts = parts_of(grid, ends, types);
  const auto values = [&](const GridArray& array) {
    std::vector<int> numbers;
    if (&array == &types) numbers = {poly_vertex};
    if (&array == &ends) numbers = {0};
    for (const GridArray& of_cells : grid.cell_data)
      if (&array == &of_cells) numbers.assign(static_cast<std::size_t>(array.components), 0);
    return fmt::format(" format=\"ascii\">{}\n</DataArray>\n", fmt::join(numbers, " "));
  };
  return file_tag(Compression::none) + piece_text(parts, 0, 1, values) + std::string(file_end);
}

}  // namespace

std::int64_t write_vtu(const OutputPath& file, const Grid& grid, Compression compression, int threads,
                       KeptBlocks* kept) {
  if (grid.cells == 0) {
    const std::string text = file_without_cells(grid);
    write_atomically(file, text);
    return static_cast<std::int64_t>(text.size());
  }
  const GridArray ends = cell_ends(grid);
  const GridArray types{"types", 1, std::vector<std::uint8_t>(grid.cells, grid.cell_type), true};
  const Parts parts = parts_of(grid, ends, types);
  AppendedData data(compression, kept);
  for (const auto& [name, arrays] : parts)
    for (const GridArray* array : arrays) data.add(*array);
  data.compress(threads);

  // Arrays are appended in reverse order of their tags: meshio 5.3.5 looks for an array by its offset, which it
  // replaces as it goes, and may otherwise find one twice.
  std::vector<std::size_t> sizes;
  for (const auto& [name, arrays] : parts)
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      const std::size_t number = sizes.size();
      sizes.push_back(0);
      data.for_each(number, [&](std::string_view bytes) { sizes[number] += bytes.size(); });
    }
  std::size_t offset = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), tag = 0;
  const auto place = [&](const GridArray&) {
    offset -= sizes[tag++];
    return fmt::format(" format=\"appended\" offset=\"{}\"/>\n", offset);
  };
  const std::string head = file_tag(compression) + piece_text(parts, grid.point_count(), grid.cells, place) +
                           "  <AppendedData encoding=\"raw\">\n   _";
  std::vector<std::string_view> pieces{head};
  for (std::size_t a = sizes.size(); a-- > 0;)
    data.for_each(a, [&](std::string_view bytes) { pieces.push_back(bytes); });
  pieces.push_back("\n  </AppendedData>\n");
  pieces.push_back(file_end);
  write_atomically(file, pieces);
  return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0}, [](std::int64_t bytes, std::string_view piece) {
    return bytes + static_cast<std::int64_t>(piece.size());
  });
}

bool is_whole_vtu(const OutputPath& file, std::int64_t bytes) {
  PlainFileBuffer buffer(file);
  if (!buffer.is_open() || buffer.size() != bytes) return false;
  std::string end(file_end.size(), '\0');
  buffer.seek(std::max<std::int64_t>(0, bytes - static_cast<std::int64_t>(end.size())), bytes);
  buffer.sgetn(end.data(), static_cast<std::streamsize>(end.size()));
  return end == file_end;
}

std::string frame_name(const std::string& series, std::size_t frame) {
  return fmt::format("{}_{:06}.vtu", series, frame);
}

void write_time_series(const OutputDirectory& directory, const std::string& series, const std::vector<Frame>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const Frame& frame : frames) {
    text += fmt::format("    <DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", frame.time,
                        frame_name(series, static_cast<std::size_t>(frame.number)));
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_atomically(directory / (series + ".pvd"), text);
}

}  // namespace cleave
