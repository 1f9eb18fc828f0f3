/// history.csv: energies and counts during a run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cleave/output/csv_file.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Column names, separated by commas, without line end.
/// @param groups     names of the groups with prescribed motion
/// @param obstacles  names of the obstacles
/// @param processes  columns of processes
std::string history_header(const std::vector<std::string>& groups = {}, const std::vector<std::string>& obstacles = {},
                           const std::vector<std::string>& processes = {});

/// One row, separated by commas, without line end. Real numbers have 17 digits, so that reading returns the same
/// double.
std::string history_row(const HistoryRow& row);

/// The columns with unit and meaning as a Markdown table: that of docs/user_guide.md.
std::string history_columns();

/// Name of the first column that is not a finite number.
/// @param processes  names of their columns
std::optional<std::string> not_finite(const HistoryRow& row, const std::vector<std::string>& processes = {});

/// Writes history.csv.
class History {
 public:
  explicit History(const OutputDirectory& directory, const std::vector<std::string>& groups = {},
                   const std::vector<std::string>& obstacles = {}, const std::vector<std::string>& processes = {});

  /// Continues after `step`: removes later rows, and the row at `step` unless `due` (a run that stopped there wrote a
  /// row that an uninterrupted run would not have).
  void resume(Step step, bool due);

  /// Number of rows for earlier steps, including those of an earlier run of the program.
  Step rows_on_disk_before(Step step) const;
  Step rows_before(Step step) const { return rows_ - (last_ && last_->step == step ? 1 : 0); }

  void append(const HistoryRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

  /// The last row of the file, which may come from an earlier run of the program.
  const std::optional<HistoryRow>& last() const { return last_; }
  /// Largest |balance_error| of all rows.
  double largest_balance_error() const { return largest_balance_error_; }
  /// Largest decrease of dissipated_energy below an earlier value, relative to the largest energy until then. Beyond
  /// rounding it indicates an error.
  double dissipation_fall() const { return dissipation_fall_; }
  /// Largest -cohesive_account, relative to the largest energy until then.
  double account_debt() const { return account_debt_; }
  /// Largest -work_minus_energy, by which strain energy exceeds the work done, relative to the largest energy until
  /// then.
  double energy_gain() const { return energy_gain_; }

 private:
  void note(const HistoryRow& row);

  CsvFile csv_;
  std::size_t groups_, processes_;  ///< with columns
  std::optional<HistoryRow> last_;
  Step rows_ = 0;
  double largest_balance_error_ = 0;
  double most_dissipated_ = 0;  ///< J
  double largest_energy_ = 0;   ///< J
  double dissipation_fall_ = 0;
  double account_debt_ = 0;
  double energy_gain_ = 0;
};

}  // namespace cleave
