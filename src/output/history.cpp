#include "cleave/output/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace cleave {
namespace {

std::string text_of(double value) { return fmt::format("{:.17g}", value); }
std::string text_of(Step value) { return std::to_string(value); }
std::string text_of(Index value) { return std::to_string(value); }

void set(double& value, const std::string& text) { value = std::strtod(text.c_str(), nullptr); }
void set(Step& value, const std::string& text) { value = std::strtoll(text.c_str(), nullptr, 10); }
void set(Index& value, const std::string& text) { value = static_cast<Index>(std::strtol(text.c_str(), nullptr, 10)); }

HistoryRow parse(const std::string& line) {
  HistoryRow row;
  std::istringstream fields(line);
  std::string field;
  for_each_quantity(row, [&](Quantity, auto& value) {
    std::getline(fields, field, ',');
    set(value, field);
  });
  return row;
}

}  // namespace

std::string history_header() {
  std::vector<std::string> names;
  for (const QuantityInfo& q : quantities) names.push_back(q.name);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string history_row(const HistoryRow& row) {
  std::vector<std::string> values;
  for_each_quantity(row, [&](Quantity, const auto& value) { values.push_back(text_of(value)); });
  return fmt::format("{}", fmt::join(values, ","));
}

std::string history_columns() {
  std::string table = "| column | unit | meaning |\n|---|---|---|\n";
  for (const QuantityInfo& q : quantities) table += fmt::format("| `{}` | {} | {} |\n", q.name, q.unit, q.meaning);
  return table;
}

std::optional<std::string> not_finite(const HistoryRow& row) {
  std::optional<std::string> first;
  for_each_quantity(row, [&](Quantity q, double value) {
    if (!first && !std::isfinite(value)) first = info_of(q).name;
  });
  return first;
}

History::History(const std::filesystem::path& directory) : csv_(directory / "history.csv", history_header()) {}

Step History::rows_on_disk_before(Step step) const {
  return static_cast<Step>(csv_.read([&](Step s) { return s >= 0 && s < step; }).size());
}

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
  ++rows_;
  largest_balance_error_ = std::max(largest_balance_error_, std::abs(row.balance_error));
  for_each_quantity(row, [&](Quantity q, double value) {
    if (info_of(q).unit == std::string("J")) largest_energy_ = std::max(largest_energy_, std::abs(value));
  });
  most_dissipated_ = std::max(most_dissipated_, row.dissipated_energy);
  if (largest_energy_ > 0)
    dissipation_fall_ = std::max(dissipation_fall_, (most_dissipated_ - row.dissipated_energy) / largest_energy_);
}

}  // namespace cleave
