/// Tables in the case file that belong to laws.
#pragma once

#include <algorithm>
#include <list>
#include <mutex>
#include <vector>

namespace cleave {

/// A row of a table: the value of a function at a point, each in the unit that the law's key names.
struct TableRow {
  double at, level;
  bool operator==(const TableRow&) const = default;
};

/// Rows with increasing `at`, as many as the case file has.
struct LawTable {
  std::vector<TableRow> rows;
  /// The same rows in the memory of a GPU; null: only the host asks laws that are made of this table.
  const TableRow* on_gpu = nullptr;

  bool operator==(const LawTable& other) const { return rows == other.rows; }
};

/// The rows in host memory, until the program ends. Equal rows are kept once.
inline const TableRow* kept_rows(const std::vector<TableRow>& rows) {
  static std::mutex mutex;
  static std::list<std::vector<TableRow>> kept;
  const std::scoped_lock lock(mutex);
  auto found = std::find(kept.begin(), kept.end(), rows);
  if (found == kept.end()) found = kept.insert(kept.end(), rows);
  return found->data();
}

}  // namespace cleave
