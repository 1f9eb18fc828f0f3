/// The commands of the program. Each returns the exit code and throws InputError, NumericalError or std::exception.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"

namespace cleave {

/// What every command about a case gets.
struct CaseOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;  ///< "key.path=value"
};

struct RunOptions {
  CaseOptions from;
  std::optional<BackendChoice> backend;  ///< these replace the case's own
  std::optional<int> threads;
  std::optional<std::filesystem::path> output;
  bool resume = false;
  bool quiet = false;
  bool stages = false;  ///< measure the time per stage
};

int run(const RunOptions& options);
int check(const CaseOptions& options);
int mesh(const CaseOptions& options, const std::filesystem::path& file);
int info();

}  // namespace cleave
