/// A single law, which `cleave point` moves along a path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cleave/case/case.hpp"

namespace cleave {

/// Either a material or a cohesive law.
struct LawCase {
  std::optional<MaterialCase> material;
  std::optional<CohesiveCase> cohesive;
  double stiffness_cap = 0;      ///< kc of a traction law, Pa/m
  double contact_stiffness = 0;  ///< kp, Pa/m
  double start_normal = 0;       ///< initial tractions, Pa
  double start_tangential = 0;
};

/// Reads a file with `material` as in a case file, or with `cohesive` and `point`; or, if it has `mesh`, a whole case.
/// Throws InputError with one line per error.
std::variant<LawCase, Case> read_law(const std::filesystem::path& file);

/// Columns of a CSV file under the distinct names of its first line; all have the same length.
struct PathTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  /// Index of a column; empty if there is none of that name.
  std::optional<std::size_t> column(const std::string& name) const;
};

/// Reads a CSV file; skips empty lines and lines that begin with #. Throws InputError that names file and line.
PathTable read_path(const std::filesystem::path& file);

}  // namespace cleave
