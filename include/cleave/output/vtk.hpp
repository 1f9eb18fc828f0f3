/// VTK files (.vtu, .pvd, legacy .vtk), for ParaView.
///
/// Points are reference positions: warp by `displacement` to see the deformed body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/kept_blocks.hpp"
#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Writes a grid as .vtu under a temporary name and renames it; on that many threads. The bytes do not depend on the
/// number of threads. Creates the directory of a file by its name. Returns the size of the file, bytes. Throws
/// std::runtime_error naming the file when it cannot be written; then it does not exist.
///
/// @param kept  of the frames before, and then of this one, too; none: all is compressed
///
/// A grid without cells gets one without points (VTK 2, poly-vertex) and with zeros as data: meshio reads no others.
std::int64_t write_vtu(const OutputPath& file, const Grid& grid, Compression compression = Compression::zlib,
                       int threads = 1, KeptBlocks* kept = nullptr);
/// Whether a plain file of that size ends as a .vtu does: one that a power cut has left does not.
bool is_whole_vtu(const OutputPath& file, std::int64_t bytes);

/// The grid as a legacy .vtk file, binary, of version 4.2, which all programs read.
std::string legacy_vtk_file(const Grid& grid);

/// A frame that was written.
struct Frame {
  Step step = 0;
  double time = 0;                                ///< s
  std::int64_t number = 0;                        ///< that its files have in their names
  std::int64_t fragments = 0;                     ///< rows that it has in fragments.csv
  std::int64_t bulk_bytes = 0, cracks_bytes = 0;  ///< of its .vtu
};

/// Name of the file of one frame: "bulk_000012.vtu" for ("bulk", 12).
std::string frame_name(const std::string& series, std::size_t frame);

/// Writes or replaces `directory`/`series`.pvd, which lists the files of the frames with their times.
void write_time_series(const OutputDirectory& directory, const std::string& series, const std::vector<Frame>& frames);

}  // namespace cleave
