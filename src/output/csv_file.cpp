#include "cleave/output/csv_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"

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

std::vector<std::string> CsvFile::resume(const std::function<bool(Step)>& keep) {
  std::vector<std::string> rows;
  std::ifstream in(file_);
  if (!in) return rows;

  std::string line;
  if (std::getline(in, line) && line != header_) {
    throw InputError(
        fmt::format("{}:1: its columns are not those of this version of the program, so no run can go on "
                    "from it; expected '{}'. Run without --resume",
                    file_.string(), header_));
  }
  std::string text = header_ + "\n";
  // A last line without its end is one that a crash cut off.
  while (std::getline(in, line) && !in.eof()) {
    if (!keep(step_of(line))) continue;
    text += line + "\n";
    rows.push_back(line);
  }
  in.close();
  write_atomically(file_, text);
  keep_content_ = true;
  return rows;
}

void CsvFile::append(const std::string& row) {
  if (!out_.is_open()) {
    if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path());
    out_.open(file_, keep_content_ ? std::ios::app : std::ios::trunc);
    if (!keep_content_) out_ << header_ << '\n';
  }
  out_ << row << '\n';
  if (std::chrono::steady_clock::now() - flushed_ >= pause) flush();
}

void CsvFile::flush() {
  if (!out_.is_open()) return;
  out_.flush();
  flushed_ = std::chrono::steady_clock::now();
  if (!out_) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({}); check the free space and the permissions",
                                         file_.string(), std::strerror(errno)));
  }
}

}  // namespace cleave
