/// A law by itself, which `cleave point` leads along a path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"

namespace cleave {

/// One of material and cohesive.
struct LawCase {
  std::optional<MaterialCase> material;
  std::optional<CohesiveCase> cohesive;
  double stiffness_cap = 0;      ///< kc of a traction law, Pa/m
  double contact_stiffness = 0;  ///< kp, Pa/m
  double start_normal = 0;       ///< tractions that it starts from, Pa
  double start_tangential = 0;
};

/// Reads a file with `material` or `cohesive` as in a case file, the latter with `point`. Throws InputError with one
/// line per error.
LawCase read_law(const std::filesystem::path& file);

/// Columns of a CSV file by their names in its first line, each another; all rows are as long as that.
struct PathTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;

  /// The place of a column; empty if there is none.
  std::optional<std::size_t> column(const std::string& name) const;
};

/// Throws InputError that names file and line. Empty lines and lines that begin with # are passed over.
PathTable read_path(const std::filesystem::path& file);

}  // namespace cleave
