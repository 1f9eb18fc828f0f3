/// A time series in one file: VTKHDF, an HDF5 file that ParaView 5.12 and VTK 9.3 read.
///
/// The layout is that of unstructured grids with steps, version 2.0 of the format: each dataset has the rows of all
/// frames one after the other, and the group Steps says where those of each frame begin. Rows of a frame begin with a
/// chunk of the dataset, so that chunks are compressed by themselves on any thread, and what is written is never
/// touched again. The attribute NSteps counts the frames that are complete. It is written last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/kept_blocks.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

/// True in a program built with HDF5. Without it, HdfSeries throws std::logic_error.
bool built_with_hdf5();

class HdfSeries {
 public:
  /// Touches nothing yet.
  /// @param chunk_rows  of a new file; a frame takes whole chunks
  HdfSeries(OutputPath file, Compression compression, std::size_t chunk_rows);

  /// A frame as its chunks.
  struct Frame;
  /// Cuts a grid into chunks and compresses them, on that many threads. Any thread may call it at any time.
  std::shared_ptr<const Frame> prepare(const Grid& grid, int threads) const;
  /// Writes a frame behind those that are there. Between frames the file is complete. Throws std::runtime_error naming
  /// the file when it cannot be written, when its frames have other arrays than this one, or when the file or its
  /// directory was moved, removed or replaced after this object has written into it.
  void append(const Frame& frame, double time);
  /// How many complete frames a series has. Throws InputError when there is none that can be read, or rows of them are
  /// missing.
  std::size_t frames() const;
  const OutputPath& file() const { return file_; }
  /// Whether its name leads to what has been written, if anything was.
  bool is_there() const { return !out_ || out_->is_there(); }
  /// Throws InputError when an existing series has fewer frames or cannot be read.
  void check_has(std::size_t frames) const;
  /// Cuts an existing series down to its first frames. Throws as `check_has`, and has touched nothing then.
  void cut(std::size_t frames);

 private:
  [[noreturn]] void fail_to_read(const std::string& said) const;
  KeptBlocks::Block stored(std::string chunk, const GridArray& array, std::size_t number) const;

  OutputPath file_;
  std::optional<OutputFile> out_;  ///< once this object has written into it
  Compression compression_;
  std::size_t chunk_rows_;
  std::shared_ptr<KeptBlocks> kept_ = std::make_shared<KeptBlocks>();
};

}  // namespace cleave
