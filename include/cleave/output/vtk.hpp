/// VTK files (.vtu, .pvd, legacy .vtk) for ParaView.
///
/// Points are reference positions: warp by `displacement` to show the deformed body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/kept_blocks.hpp"
#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Writes a grid as .vtu under a temporary name and renames it. Creates the directory unless it is held. The bytes do
/// not depend on the number of threads. Returns the size of the file, bytes. Throws std::runtime_error that names the
/// file if it cannot be written; the file then does not exist.
///
/// @param threads  number of threads
/// @param kept  compressed blocks of earlier frames, updated with this one; null: compress everything
///
/// A grid without cells gets one without points (VTK 2, poly-vertex) and zeros as data, because meshio cannot read
/// empty grids.
std::int64_t write_vtu(const OutputPath& file, const Grid& grid, Compression compression = Compression::zlib,
                       int threads = 1, KeptBlocks* kept = nullptr);
/// Whether a plain file of that size ends as a .vtu does; a file truncated by a power failure does not.
bool is_whole_vtu(const OutputPath& file, std::int64_t bytes);

/// The grid as a legacy .vtk file, binary, of version 4.2, which all programs read.
std::string legacy_vtk_file(const Grid& grid);

/// A written frame.
struct Frame {
  Step step = 0;
  double time = 0;                                ///< s
  std::int64_t number = 0;                        ///< number in the names of its files
  std::int64_t fragments = 0;                     ///< rows of this frame in fragments.csv
  std::int64_t bulk_bytes = 0, cracks_bytes = 0;  ///< sizes of its .vtu files
};

/// Name of the file of one frame: "bulk_000012.vtu" for ("bulk", 12).
std::string frame_name(const std::string& series, std::size_t frame);

/// Writes or replaces `directory`/`series`.pvd, which lists the files of the frames with their times.
void write_time_series(const OutputDirectory& directory, const std::string& series, const std::vector<Frame>& frames);

}  // namespace cleave
