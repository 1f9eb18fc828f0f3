/// A CSV file that grows while a run goes on.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"

namespace cleave {

/// Rows start with the step. The file and its directory come into being with the first row.
class CsvFile {
 public:
  CsvFile(std::filesystem::path file, std::string header);

  /// Cuts an existing file down to the complete rows whose step passes `keep`, and appends from there on.
  /// Returns those rows. Throws InputError when its header is another one.
  std::vector<std::string> resume(const std::function<bool(Step)>& keep);

  /// Adds a row and flushes it. Throws std::runtime_error naming the file when that fails.
  void append(const std::string& row);

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::string header_;
  std::ofstream out_;
  bool keep_content_ = false;
};

}  // namespace cleave
