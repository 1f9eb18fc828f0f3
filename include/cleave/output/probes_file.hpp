/// probes.csv: values at probes during a run.
#pragma once

#include <string>
#include <vector>

#include "cleave/case/case.hpp"
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

}  // namespace cleave
