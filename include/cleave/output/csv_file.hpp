/// A CSV file that grows while a run goes on.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

/// Rows start with the step. The file and its directory come into being with the first row.
class CsvFile {
 public:
  CsvFile(std::filesystem::path file, std::string header);
  /// Writes what is left; call flush() to learn whether that worked.
  ~CsvFile();

  /// The complete rows of an existing file whose step passes `keep`; none without a file.
  /// Throws InputError when its header is another one.
  std::vector<std::string> read(const std::function<bool(Step)>& keep) const;

  /// Cuts the file down to those rows, and appends from there on. Returns them. Throws as read() and OutputFile.
  std::vector<std::string> resume(const std::function<bool(Step)>& keep);

  /// Adds a row. Rows reach the file a fraction of a second late (`pause`), or at `flush`: writing each one through
  /// took a fifth of a run of 27,000 short steps. Throws std::runtime_error naming the file when it cannot be written;
  /// the rows before are then there, each of them whole.
  void append(const std::string& row);
  void flush();

  const std::filesystem::path& file() const { return file_; }

 private:
  static constexpr std::chrono::milliseconds pause{200};
  std::filesystem::path file_;
  std::string header_;
  std::optional<OutputFile> out_;
  std::string waiting_;  ///< rows that are not in the file yet
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace cleave
