/// A case from a tree of values.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/report.hpp"
#include "case/tree.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads a case. The report may already contain errors.
/// @param file       name in messages; its folder is that of files that the case names
/// @param overrides  `key.path=value`
/// Throws InputError with one line per error.
Case case_of_tree(Value root, const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  Report& report);

}  // namespace cleave::case_file
