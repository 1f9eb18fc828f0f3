/// lines.csv: what the points of lines see as the run goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "cleave/mesh/sample_line.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Writes lines.csv: at each step that is a multiple of a line's period a row for each of its points, in order. Without
/// lines there is no file.
class LinesFile {
 public:
  /// @param first  the first of the probes of a row that are points of lines; the others follow it
  LinesFile(const OutputDirectory& directory, std::vector<SampleLine> lines, std::size_t first);

  /// Goes on after `step`: later rows are dropped.
  void resume(Step step);
  /// How many rows until `step` there should be, and are not.
  Step missing_rows(Step step) const;

  /// Does nothing when no line is due. Throws as CsvFile::append.
  void append(const ProbeRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

 private:
  std::vector<SampleLine> lines_;
  std::size_t first_;
  CsvFile csv_;
};

}  // namespace cleave
