#include "cleave/output/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "cleave/output/text.hpp"

namespace cleave {
namespace {

std::string text_of(double value) { return fmt::format("{:.17g}", value); }
std::string text_of(Step value) { return std::to_string(value); }
std::string text_of(Index value) { return std::to_string(value); }

void set(double& value, const std::string& text) { value = std::strtod(text.c_str(), nullptr); }
void set(Step& value, const std::string& text) { value = std::strtoll(text.c_str(), nullptr, 10); }
void set(Index& value, const std::string& text) { value = static_cast<Index>(std::strtol(text.c_str(), nullptr, 10)); }

/// @param groups     number of groups with columns; those behind them are of obstacles, then of processes
/// @param processes  columns
HistoryRow parse(const std::string& line, std::size_t groups, std::size_t processes) {
  HistoryRow row;
  std::istringstream fields(line);
  std::string field;
  for_each_quantity(row, [&](Quantity, auto& value) {
    std::getline(fields, field, ',');
    set(value, field);
  });
  for (std::size_t g = 0; g < groups; ++g)
    for_each_group_quantity(row.groups.emplace_back(), [&](double& value) {
      std::getline(fields, field, ',');
      set(value, field);
    });
  std::vector<double> rest;
  while (std::getline(fields, field, ',')) set(rest.emplace_back(), field);
  for (; processes > 0 && !rest.empty(); --processes) {
    row.processes.insert(row.processes.begin(), rest.back());
    rest.pop_back();
  }
  constexpr std::size_t width = ObstacleValues::count;
  for (std::size_t first = 0; first + width <= rest.size(); first += width)
    std::copy_n(rest.begin() + static_cast<std::ptrdiff_t>(first), width, row.obstacles.emplace_back().value);
  return row;
}

std::string column_of(const GroupQuantityInfo& q, const std::string& group) {
  return fmt::format("{}_{}_{}", q.quantity, group, q.direction);
}

std::string obstacle_column(const GroupQuantityInfo& q, const std::string& obstacle) {
  return fmt::format("{}{}_{}", q.quantity, obstacle, q.direction);
}

}  // namespace

std::string history_header(const std::vector<std::string>& groups, const std::vector<std::string>& obstacles,
                           const std::vector<std::string>& processes) {
  std::vector<std::string> names;
  for (const QuantityInfo& q : quantities) names.push_back(q.name);
  for (const std::string& group : groups)
    for (const GroupQuantityInfo& q : group_quantities) names.push_back(csv_field(column_of(q, group)));
  for (const std::string& obstacle : obstacles)
    for (const GroupQuantityInfo& q : obstacle_quantities) names.push_back(csv_field(obstacle_column(q, obstacle)));
  for (const std::string& column : processes) names.push_back(csv_field(column));
  return fmt::format("{}", fmt::join(names, ","));
}

std::string history_row(const HistoryRow& row) {
  std::vector<std::string> values;
  for_each_quantity(row, [&](Quantity, const auto& value) { values.push_back(text_of(value)); });
  for (const GroupValues& group : row.groups)
    for_each_group_quantity(group, [&](double value) { values.push_back(text_of(value)); });
  for (const ObstacleValues& obstacle : row.obstacles)
    for (const double value : obstacle.value) values.push_back(text_of(value));
  for (const double value : row.processes) values.push_back(text_of(value));
  return fmt::format("{}", fmt::join(values, ","));
}

std::string history_columns() {
  std::string table = "| column | unit | meaning |\n|---|---|---|\n";
  for (const QuantityInfo& q : quantities) table += fmt::format("| `{}` | {} | {} |\n", q.name, q.unit, q.meaning);
  for (const GroupQuantityInfo& q : group_quantities)
    table += fmt::format("| `{}` | {} | {} |\n", column_of(q, "GROUP"), q.unit, q.meaning);
  for (const GroupQuantityInfo& q : obstacle_quantities)
    table += fmt::format("| `{}` | {} | {} |\n", obstacle_column(q, "NAME"), q.unit, q.meaning);
  return table;
}

std::optional<std::string> not_finite(const HistoryRow& row, const std::vector<std::string>& processes) {
  std::optional<std::string> first;
  for_each_quantity(row, [&](Quantity q, auto of_row) {
    const auto value = static_cast<double>(of_row);
    if (!first && !std::isfinite(value)) first = info_of(q).name;
  });
  for (std::size_t i = 0; i < row.processes.size() && i < processes.size(); ++i)
    if (!first && !std::isfinite(row.processes[i])) first = processes[i];
  return first;
}

History::History(const OutputDirectory& directory, const std::vector<std::string>& groups,
                 const std::vector<std::string>& obstacles, const std::vector<std::string>& processes)
    : csv_(directory / "history.csv", history_header(groups, obstacles, processes)),
      groups_(groups.size()),
      processes_(processes.size()) {}

Step History::rows_on_disk_before(Step step) const {
  return static_cast<Step>(csv_.read([&](Step s) { return s >= 0 && s < step; }).size());
}

void History::resume(Step step, bool due) {
  const auto rows = csv_.resume([&](Step s) { return s >= 0 && (s < step || (s == step && due)); });
  for (const std::string& line : rows) note(parse(line, groups_, processes_));
}

void History::append(const HistoryRow& row) {
  csv_.append(history_row(row));
  note(row);
}

void History::note(const HistoryRow& row) {
  last_ = row;
  ++rows_;
  largest_balance_error_ = std::max(largest_balance_error_, std::abs(row.balance_error));
  for_each_quantity(row, [&](Quantity q, auto of_row) {
    const auto value = static_cast<double>(of_row);
    if (info_of(q).unit == std::string("J")) largest_energy_ = std::max(largest_energy_, std::abs(value));
  });
  most_dissipated_ = std::max(most_dissipated_, row.dissipated_energy);
  if (largest_energy_ <= 0) return;
  dissipation_fall_ = std::max(dissipation_fall_, (most_dissipated_ - row.dissipated_energy) / largest_energy_);
  energy_gain_ = std::max(energy_gain_, -row.work_minus_energy / largest_energy_);
  account_debt_ = std::max(account_debt_, -row.cohesive_account / largest_energy_);
}

}  // namespace cleave
