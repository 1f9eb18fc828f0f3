/// history.csv: energies and counts as the run goes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cleave/output/csv_file.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Column names, comma separated, no line end.
/// @param groups  names of those that are held or driven
std::string history_header(const std::vector<std::string>& groups = {});

/// One row, comma separated, no line end; real numbers with 17 digits, so that reading gives the same double.
std::string history_row(const HistoryRow& row);

/// The columns with unit and meaning, as a table in Markdown: that of docs/user_guide.md.
std::string history_columns();

/// The name of the first column that is not a finite number.
std::optional<std::string> not_finite(const HistoryRow& row);

/// Writes history.csv.
class History {
 public:
  explicit History(const OutputDirectory& directory, const std::vector<std::string>& groups = {});

  /// Goes on after `step`: later rows are dropped, and so is the row at `step` itself unless `due`
  /// (a run that was stopped there wrote one that an uninterrupted run would not have).
  void resume(Step step, bool due);

  /// Rows of earlier steps: in the file of an earlier run of the program, and now.
  Step rows_on_disk_before(Step step) const;
  Step rows_before(Step step) const { return rows_ - (last_ && last_->step == step ? 1 : 0); }

  void append(const HistoryRow& row);
  void flush() { csv_.flush(); }
  const CsvFile& csv() const { return csv_; }

  /// The last row of the file, of an earlier run of the program too.
  const std::optional<HistoryRow>& last() const { return last_; }
  /// Largest |balance_error| of all rows.
  double largest_balance_error() const { return largest_balance_error_; }
  /// How far dissipated_energy has been below an earlier value of its own, at most, as part of the largest energy until
  /// then: rounding, or something is wrong.
  double dissipation_fall() const { return dissipation_fall_; }
  /// The largest debt of the accounts of cohesive elements, -cohesive_account, as part of the largest energy until
  /// then.
  double account_debt() const { return account_debt_; }
  /// The largest -work_minus_energy, what strain energy has got from nothing, as part of the largest energy until then.
  double energy_gain() const { return energy_gain_; }

 private:
  void note(const HistoryRow& row);

  CsvFile csv_;
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
