/// probes.csv and lines.csv: values at probes and at the points of lines during a run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/mesh/sample_line.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Column names, separated by commas, without line end.
std::string probes_header(const std::vector<ProbeCase>& probes, bool random_strength);

/// Writes probes.csv: a row at each step that is a multiple of a probe's period; columns of probes that are not due
/// stay empty. Without probes there is no file.
class ProbesFile {
 public:
  ProbesFile(const OutputDirectory& directory, std::vector<ProbeCase> probes, bool random_strength);

  /// Continues after `step`: removes later rows.
  void resume(Step step);
  /// Number of rows until `step` that the file lacks.
  Step missing_rows(Step step) const;

  /// Does nothing if no probe is due. Throws as CsvFile::append.
  void append(const ProbeRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

 private:
  bool due(Step step) const;

  std::vector<ProbeCase> probes_;
  bool random_strength_;
  CsvFile csv_;
};

/// Writes lines.csv: at each step that is a multiple of a line's period, one row for each of its points, in order.
/// Without lines there is no file.
class LinesFile {
 public:
  /// @param first  index in a probe row of the first point of the lines; the others follow it
  LinesFile(const OutputDirectory& directory, std::vector<SampleLine> lines, std::size_t first);

  /// Continues after `step`: removes later rows.
  void resume(Step step);
  /// Number of rows until `step` that the file lacks.
  Step missing_rows(Step step) const;

  /// Does nothing if no line is due. Throws as CsvFile::append.
  void append(const ProbeRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

 private:
  std::vector<SampleLine> lines_;
  std::size_t first_;
  bool touches_;  ///< whether any line does
  CsvFile csv_;
};

}  // namespace cleave
