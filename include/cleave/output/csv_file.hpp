/// A CSV file that grows while a run goes on.
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

/// The beginning of a file, with its checksum.
struct FileBeginning {
  std::int64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// Content of a CSV file at a step: the rows of earlier steps, and those with its own.
struct CsvMark {
  FileBeginning before, until;
};

/// Rows start with the step. The file and its directory come into being with the first row.
class CsvFile {
 public:
  CsvFile(OutputPath file, std::string header);
  /// Writes what is left; call flush() to learn whether that worked.
  ~CsvFile();

  /// The complete rows of an existing file whose step passes `keep`; none without a file.
  /// Throws InputError when its header is another one.
  std::vector<std::string> read(const std::function<bool(Step)>& keep) const;

  /// Content until a step, appended now or before; rows of later steps must not have been appended.
  CsvMark mark(Step step) const;
  /// Whether the file begins with what it had at a mark.
  /// @param drops_last  the rows of that step itself are not wanted, and may be gone
  bool is_as_marked(const CsvMark& mark, bool drops_last) const;

  /// Cuts the file down to those rows, and appends from there on. Returns them. Throws as read() and OutputFile.
  std::vector<std::string> resume(const std::function<bool(Step)>& keep);

  /// Adds a row. Rows reach the file a fraction of a second late (`pause`), or at `flush`: writing each one through
  /// took a fifth of a run of 27,000 short steps. Throws std::runtime_error naming the file when it cannot be written;
  /// the rows before are then there, each of them whole.
  void append(const std::string& row);
  /// Throws likewise, and when the file or its directory was moved or removed.
  void flush();

  const OutputPath& file() const { return file_; }
  /// Whether its name leads to what has been written, if anything was.
  bool is_there() const { return !out_ || out_->is_there(); }

 private:
  FileBeginning now() const;
  void note(const std::string& text, Step step);

  static constexpr std::chrono::milliseconds pause{200};
  OutputPath file_;
  std::string header_;
  std::optional<OutputFile> out_;
  std::string waiting_;  ///< rows that are not in the file yet
  std::chrono::steady_clock::time_point flushed_;
  std::unique_ptr<Checksum> sum_;  ///< of all rows, those that wait, too
  std::int64_t bytes_ = 0;
  Step last_step_ = -1;
  FileBeginning before_last_step_;
};

}  // namespace cleave
