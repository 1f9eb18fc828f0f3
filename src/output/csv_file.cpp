#include "cleave/output/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cleave/core/error.hpp"
#include "output/checksum.hpp"

namespace cleave {
namespace {

/// The step at the start of a row, or -1.
Step step_of(std::string_view row) {
  Step step = -1;
  std::from_chars(row.data(), row.data() + row.size(), step);
  return step;
}

}  // namespace

CsvFile::CsvFile(OutputPath file, std::string header)
    : file_(std::move(file)), header_(std::move(header)), sum_(std::make_unique<Checksum>()) {}

CsvFile::~CsvFile() {
  try {
    flush();
  } catch (const std::exception&) {  // callers that need the error have called flush()
  }
}

std::vector<std::string> CsvFile::read(const std::function<bool(Step)>& keep) const {
  std::vector<std::string> rows;
  const std::string text = text_of_file(file_).value_or("");
  std::string_view rest = text;
  if (!rest.empty() && rest.substr(0, rest.find('\n')) != header_) {
    throw InputError(
        fmt::format("{}:1: its columns are not those of this case or this version of the program, so it cannot be "
                    "continued; expected '{}'. Restore the case, or run without --resume",
                    file_.string(), header_));
  }
  rest.remove_prefix(std::min(rest.size(), header_.size() + 1));
  // A last line without line end was truncated by a crash.
  for (std::size_t end = 0; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1))
    if (keep(step_of(rest))) rows.emplace_back(rest.substr(0, end));
  return rows;
}

FileBeginning CsvFile::now() const { return {bytes_, bytes_ == 0 ? 0 : sum_->value()}; }

/// Adds a row of a step to the checksum and the marks.
void CsvFile::note(const std::string& text, Step step) {
  if (step != last_step_) before_last_step_ = now();
  last_step_ = step;
  sum_->add(text);
  bytes_ += static_cast<std::int64_t>(text.size());
}

CsvMark CsvFile::mark(Step step) const { return {last_step_ == step ? before_last_step_ : now(), now()}; }

bool CsvFile::is_as_marked(const CsvMark& mark, bool drops_last) const {
  const std::string text = text_of_file(file_).value_or("");
  const auto begins_with = [&](const FileBeginning& beginning) {
    const auto bytes = static_cast<std::size_t>(beginning.bytes);
    if (bytes > text.size()) return false;
    Checksum sum;
    sum.add(std::string_view(text).substr(0, bytes));
    return bytes == 0 || sum.value() == beginning.checksum;
  };
  return begins_with(mark.until) || (drops_last && begins_with(mark.before));
}

std::vector<std::string> CsvFile::resume(const std::function<bool(Step)>& keep) {
  if (!size_of(file_)) return {};
  const std::vector<std::string> rows = read(keep);
  std::string text = header_ + "\n";
  sum_ = std::make_unique<Checksum>();
  bytes_ = 0;
  note(text, -1);
  for (const std::string& row : rows) {
    note(row + "\n", step_of(row));
    text += row + "\n";
  }
  write_atomically(file_, text);
  out_.emplace(file_, OutputFile::Start::at_end);
  return rows;
}

void CsvFile::append(const std::string& row) {
  if (!out_) {
    out_.emplace(file_, OutputFile::Start::created);
    waiting_ = header_ + "\n";
    note(waiting_, -1);
  }
  note(row + "\n", step_of(row));
  waiting_ += row + "\n";
  if (std::chrono::steady_clock::now() - flushed_ >= pause) flush();
}

void CsvFile::flush() {
  if (waiting_.empty()) return;
  file_.directory().check_is_there();
  out_->check_is_there();
  out_->write(std::exchange(waiting_, {}));
  flushed_ = std::chrono::steady_clock::now();
}

}  // namespace cleave
