/// A CSV file that grows during a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

class Checksum;

/// Length and checksum of the beginning of a file.
struct FileBeginning {
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// State of a CSV file at a step: its beginning before the rows of that step, and with them.
struct CsvMark {
  FileBeginning before, until;
};

/// A CSV file whose rows start with the step. The first row creates the file and its directory.
class CsvFile {
 public:
  CsvFile(OutputPath file, std::string header);
  /// Writes remaining rows and ignores errors; call flush() to get them.
  ~CsvFile();

  /// The complete rows of an existing file whose step passes `keep`; none without a file. Throws InputError if the
  /// header differs.
  std::vector<std::string> read(const std::function<bool(Step)>& keep) const;

  /// State of the file at a step. No row of a later step may have been appended.
  CsvMark mark(Step step) const;
  /// Whether the file begins as it did at a mark.
  /// @param drops_last  the rows of the marked step are not needed and may be missing
  bool is_as_marked(const CsvMark& mark, bool drops_last) const;

  /// Reduces the file to the rows that pass `keep` and appends after them. Returns these rows. Throws as read() and
  /// OutputFile.
  std::vector<std::string> resume(const std::function<bool(Step)>& keep);

  /// Adds a row. Rows are written to the file at most `pause` later, or at flush(): writing each row at once took a
  /// fifth of the time of a run of 27,000 short steps. Throws std::runtime_error that names the file if it cannot be
  /// written; it then holds whole rows only.
  void append(const std::string& row);
  /// Writes all rows. Throws as append(), and if the file or its directory was moved or removed.
  void flush();

  const OutputPath& file() const { return file_; }
  /// Whether the file's name still leads to the rows written so far, if any.
  bool is_there() const { return !out_ || out_->is_there(); }

 private:
  FileBeginning now() const;
  void note(const std::string& text, Step step);

  static constexpr std::chrono::milliseconds pause{200};
  OutputPath file_;
  std::string header_;
  std::optional<OutputFile> out_;
  std::string waiting_;  ///< rows not yet written to the file
  std::chrono::steady_clock::time_point flushed_;
  std::unique_ptr<Checksum> sum_;  ///< of all rows, including waiting ones
  std::int64_t bytes_ = 0;
  Step last_step_ = -1;
  FileBeginning before_last_step_;
};

}  // namespace cleave
