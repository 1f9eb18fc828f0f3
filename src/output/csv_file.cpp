#include "cleave/output/csv_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <utility>

#include "cleave/core/error.hpp"

namespace cleave {
namespace {

/// The step that a row starts with, or -1.
Step step_of(const std::string& row) {
  Step step = -1;
  std::from_chars(row.data(), row.data() + row.size(), step);
  return step;
}

}  // namespace

CsvFile::CsvFile(std::filesystem::path file, std::string header) : file_(std::move(file)), header_(std::move(header)) {}

CsvFile::~CsvFile() {
  try {
    flush();
  } catch (const std::exception&) {  // somebody who wants to know has called flush()
  }
}

std::vector<std::string> CsvFile::read(const std::function<bool(Step)>& keep) const {
  std::vector<std::string> rows;
  std::ifstream in(file_);
  std::string line;
  if (in && std::getline(in, line) && line != header_) {
    throw InputError(
        fmt::format("{}:1: its columns are not those of this case or this version of the program, so no run can go on "
                    "from it; expected '{}'. Restore the case, or run without --resume",
                    file_.string(), header_));
  }
  // A last line without its end is one that a crash cut off.
  while (std::getline(in, line) && !in.eof()) {
    if (keep(step_of(line))) rows.push_back(line);
  }
  return rows;
}

std::vector<std::string> CsvFile::resume(const std::function<bool(Step)>& keep) {
  if (!std::filesystem::exists(file_)) return {};
  const std::vector<std::string> rows = read(keep);
  std::string text = header_ + "\n";
  for (const std::string& row : rows) text += row + "\n";
  write_atomically(file_, text);
  out_.emplace(file_, OutputFile::Start::at_end);
  return rows;
}

void CsvFile::append(const std::string& row) {
  if (!out_) {
    out_.emplace(file_);
    waiting_ = header_ + "\n";
  }
  waiting_ += row + "\n";
  if (std::chrono::steady_clock::now() - flushed_ >= pause) flush();
}

void CsvFile::flush() {
  if (waiting_.empty()) return;
  out_->write(std::exchange(waiting_, {}));
  flushed_ = std::chrono::steady_clock::now();
}

}  // namespace cleave
