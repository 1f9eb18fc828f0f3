/// probes.csv: what probes see as the run goes on.
#pragma once

#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Column names, comma separated, no line end.
std::string probes_header(const std::vector<ProbeCase>& probes, bool random_strength);

/// Writes probes.csv: a row at each step that is a multiple of a probe's period, with nothing in the columns of probes
/// whose period it is no multiple of. Without probes there is no file.
class ProbesFile {
 public:
  ProbesFile(const OutputDirectory& directory, std::vector<ProbeCase> probes, bool random_strength);

  /// Goes on after `step`: later rows are dropped.
  void resume(Step step);
  /// How many rows until `step` there should be, and are not.
  Step missing_rows(Step step) const;

  /// Does nothing when none of the probes is due. Throws as CsvFile::append.
  void append(const ProbeRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

 private:
  bool due(Step step) const;

  std::vector<ProbeCase> probes_;
  bool random_strength_;
  CsvFile csv_;
};

}  // namespace cleave
