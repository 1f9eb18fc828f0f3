/// A time series in one VTKHDF file: an HDF5 file that ParaView 5.12 and VTK 9.3 read.
///
/// The layout is that of unstructured grids with steps, version 2.0 of the format. Each dataset holds the rows of all
/// frames one after the other, and the group Steps says where those of each frame begin. The rows of a frame begin at a
/// chunk of the dataset, so that chunks can be compressed on any thread and are never modified later. The attribute
/// NSteps counts the complete frames; it is written last.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/kept_blocks.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

/// Whether the program is built with HDF5. Without it, HdfSeries throws std::logic_error.
bool built_with_hdf5();

class HdfSeries {
 public:
  /// Does not touch the file.
  /// @param chunk_rows  rows of a chunk in a new file; a frame takes whole chunks
  HdfSeries(OutputPath file, Compression compression, std::size_t chunk_rows);

  /// A frame as compressed chunks.
  struct Frame;
  /// Cuts a grid into chunks and compresses them on the given number of threads. Thread-safe.
  std::shared_ptr<const Frame> prepare(const Grid& grid, int threads) const;
  /// Appends a frame. The file is complete after each call. Throws std::runtime_error that names the file if it cannot
  /// be written, if its frames have other arrays than this one, or if the file or its directory was moved, removed or
  /// replaced since this object first wrote into it.
  void append(const Frame& frame, double time);
  /// Number of complete frames in the file. Throws InputError if there is no readable file or rows are missing.
  std::size_t frames() const;
  const OutputPath& file() const { return file_; }
  /// Whether the file's name still leads to the frames written so far, if any.
  bool is_there() const { return !out_ || out_->is_there(); }
  /// Throws InputError if the existing series has fewer frames or cannot be read.
  void check_has(std::size_t frames) const;
  /// Cuts an existing series to its first frames. Throws as `check_has`, before touching the file.
  void cut(std::size_t frames);

 private:
  [[noreturn]] void fail_to_read(const std::string& said) const;
  KeptBlocks::Block stored(std::string chunk, const GridArray& array, std::size_t number) const;

  OutputPath file_;
  std::optional<OutputFile> out_;  ///< open once this object has written into it
  Compression compression_;
  std::size_t chunk_rows_;
  std::shared_ptr<KeptBlocks> kept_ = std::make_shared<KeptBlocks>();
};

}  // namespace cleave
