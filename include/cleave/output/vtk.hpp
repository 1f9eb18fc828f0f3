/// VTK files (.vtu, .pvd, legacy .vtk), for ParaView.
///
/// Points are reference positions: warp by `displacement` to see the deformed body.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/kept_blocks.hpp"

namespace cleave {

/// Writes a grid as .vtu under a temporary name and renames it; on that many threads. The bytes do not depend on the
/// number of threads. Creates the directory. Throws std::runtime_error naming the file when it cannot be written; then
/// it does not exist.
///
/// @param kept  of the frames before, and then of this one, too; none: all is compressed
///
/// A grid without cells gets one without points (VTK 2, poly-vertex) and with zeros as data: meshio reads no others.
void write_vtu(const std::filesystem::path& file, const Grid& grid, Compression compression = Compression::zlib,
               int threads = 1, KeptBlocks* kept = nullptr);

/// The grid as a legacy .vtk file, binary, of version 4.2, which all programs read.
std::string legacy_vtk_file(const Grid& grid);

/// A frame that was written.
struct Frame {
  Step step = 0;
  double time = 0;             ///< s
  std::int64_t number = 0;     ///< that its files have in their names
  std::int64_t fragments = 0;  ///< rows that it has in fragments.csv
};

/// Name of the file of one frame: "bulk_000012.vtu" for ("bulk", 12).
std::string frame_name(const std::string& series, std::size_t frame);

/// Writes or replaces `directory`/`series`.pvd, which lists the files of the frames with their times.
void write_time_series(const std::filesystem::path& directory, const std::string& series,
                       const std::vector<Frame>& frames);

}  // namespace cleave
