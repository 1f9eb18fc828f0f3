#include "cleave/output/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <variant>
#include <vector>

namespace cleave {
namespace {

using Member = std::variant<Step HistoryRow::*, Index HistoryRow::*, double HistoryRow::*>;

struct Column {
  const char* name;
  Member member;
};

/// Users' scripts rely on these names and on their order; new columns go to the end.
const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"step", &HistoryRow::step},
      {"time", &HistoryRow::time},
      {"kinetic_energy", &HistoryRow::kinetic_energy},
      {"strain_energy", &HistoryRow::strain_energy},
      {"internal_work", &HistoryRow::internal_work},
      {"cohesive_work", &HistoryRow::cohesive_work},
      {"recoverable_energy", &HistoryRow::recoverable_energy},
      {"dissipated_energy", &HistoryRow::dissipated_energy},
      {"external_work", &HistoryRow::external_work},
      {"reaction_work", &HistoryRow::reaction_work},
      {"balance_error", &HistoryRow::balance_error},
      {"nodes", &HistoryRow::nodes},
      {"cohesive_elements", &HistoryRow::cohesive_elements},
      {"failed_elements", &HistoryRow::failed_elements},
      {"crack_length", &HistoryRow::crack_length},
      {"fragments", &HistoryRow::fragments},
      {"kinetic_correction", &HistoryRow::kinetic_correction},
      {"cohesive_account", &HistoryRow::cohesive_account},
  };
  return all;
}

std::string text_of(double value) { return fmt::format("{:.17g}", value); }
std::string text_of(Step value) { return std::to_string(value); }
std::string text_of(Index value) { return std::to_string(value); }

template <class Text>
std::string joined(const Text& text) {
  std::string line;
  for (const Column& column : columns()) {
    if (!line.empty()) line += ',';
    line += text(column);
  }
  return line;
}

void set(double& value, const std::string& text) { value = std::strtod(text.c_str(), nullptr); }
void set(Step& value, const std::string& text) { value = std::strtoll(text.c_str(), nullptr, 10); }
void set(Index& value, const std::string& text) { value = static_cast<Index>(std::strtol(text.c_str(), nullptr, 10)); }

HistoryRow parse(const std::string& line) {
  HistoryRow row;
  std::istringstream fields(line);
  std::string field;
  for (const Column& column : columns()) {
    std::getline(fields, field, ',');
    std::visit([&](auto member) { set(row.*member, field); }, column.member);
  }
  return row;
}

}  // namespace

std::string history_header() {
  return joined([](const Column& column) { return std::string(column.name); });
}

std::string history_row(const HistoryRow& row) {
  return joined([&](const Column& column) {
    return std::visit([&](auto member) { return text_of(row.*member); }, column.member);
  });
}

std::optional<std::string> not_finite(const HistoryRow& row) {
  for (const Column& column : columns()) {
    const auto* real = std::get_if<double HistoryRow::*>(&column.member);
    if (real && !std::isfinite(row.**real)) return column.name;
  }
  return std::nullopt;
}

History::History(const std::filesystem::path& directory) : csv_(directory / "history.csv", history_header()) {}

void History::resume(Step step, bool due) {
  const auto rows = csv_.resume([&](Step s) { return s >= 0 && (s < step || (s == step && due)); });
  for (const std::string& line : rows) note(parse(line));
}

void History::append(const HistoryRow& row) {
  csv_.append(history_row(row));
  note(row);
}

void History::note(const HistoryRow& row) {
  last_ = row;
  largest_balance_error_ = std::max(largest_balance_error_, std::abs(row.balance_error));
}

}  // namespace cleave
