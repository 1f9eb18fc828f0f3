#include "cleave/output/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "cleave/core/error.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

/// Tests by creating a directory, because permissions do not tell: the superuser is refused only by the file system
/// itself (/proc). Leaves errno and nothing on the disk.
bool can_create_in(const fs::path& directory) {
  if (access(directory.c_str(), W_OK | X_OK) != 0) return false;
  std::string probe = directory / ".cleave.XXXXXX";
  return mkdtemp(probe.data()) != nullptr && rmdir(probe.c_str()) == 0;
}

}  // namespace

void check_output_directory(const fs::path& directory, const std::string& origin) {
  if (directory.empty()) throw InputError(origin + ": the output directory has no name; give one");
  fs::path existing = fs::absolute(directory).lexically_normal();
  std::error_code error;
  std::ignore = fs::symlink_status(existing, error);
  if (error == std::errc::filename_too_long) {
    throw InputError(
        fmt::format("{}: the name of the output directory is too long: {} bytes, where the system takes 255 for a name "
                    "and 4,095 for a path; choose a shorter one",
                    origin, existing.native().size()));
  }
  while (!fs::exists(fs::symlink_status(existing, error)) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }

  if (!fs::is_directory(existing, error)) {
    throw InputError(
        fmt::format("{}: '{}' cannot be the output directory because '{}' is not a directory; "
                    "give another directory or move that file",
                    origin, directory.string(), existing.string()));
  }
  if (!can_create_in(existing)) {
    throw InputError(
        fmt::format("{}: '{}' cannot be written because nothing can be created in '{}' ({}); "
                    "give another directory or change its permissions",
                    origin, directory.string(), existing.string(), std::strerror(errno)));
  }
}

long long number_in_name(const std::string& name, std::string_view prefix, std::string_view suffix) {
  constexpr std::size_t fewest_digits = 6, most_digits = 18;
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return -1;
  if (name.size() < prefix.size() + suffix.size() + fewest_digits) return -1;
  const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  if (digits.size() > most_digits) return -1;
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return -1;
  return std::stoll(digits);
}

long long number_of_inria_file(const std::string& name) {
  long long number = -1;
  for (const char* suffix : {".mesh", ".sol", ".meshb", ".solb"})
    number = std::max(number, number_in_name(name, "bulk_", suffix));
  return number;
}

namespace {

constexpr std::string_view temporary_suffix = ".tmp";

bool is_result_name(std::string name) {
  if (is_temporary(name)) name.resize(name.size() - temporary_suffix.size());
  for (const char* known : {"bulk.pvd", "cracks.pvd", "obstacles.pvd", "bulk.vtkhdf", "cracks.vtkhdf", "history.csv",
                            "probes.csv", "lines.csv", "fragments.csv", "summary.json", "case.resolved.yaml"}) {
    if (name == known) return true;
  }
  if (number_of_inria_file(name) >= 0) return true;
  return number_in_name(name, "bulk_", ".vtu") >= 0 || number_in_name(name, "cracks_", ".vtu") >= 0 ||
         number_in_name(name, "obstacles_", ".vtu") >= 0 || number_in_name(name, "checkpoint_", ".bin") >= 0;
}

}  // namespace

void remove_file(const OutputPath& file) {
  file.directory().check_is_ours();
  if (unlinkat(file.at(), file.name(), 0) != 0 && errno != ENOENT)
    throw std::runtime_error(fmt::format("{}: cannot be removed ({}); check the permissions of its directory",
                                         file.string(), std::strerror(errno)));
}

bool is_temporary(const std::string& name) { return name.ends_with(temporary_suffix); }

std::vector<std::string> result_files(const OutputDirectory& directory) {
  std::vector<std::string> files;
  for (std::string& name : directory.names())
    if (is_result_name(name) && obstacle_to(directory / name) != "a directory") files.push_back(std::move(name));
  return files;
}

void check_is_file(const OutputPath& file, const std::string& origin) {
  if (const std::string obstacle = obstacle_to(file); !obstacle.empty())
    throw InputError(
        fmt::format("{}: '{}' is {}, where a run writes a file of its own; remove it, or give another directory with "
                    "--output",
                    origin, file.string(), obstacle));
}

void check_results_are_files(const OutputDirectory& directory, const std::string& origin) {
  check_is_file(directory / lock_name, origin);
  for (const std::string& name : result_files(directory)) check_is_file(directory / name, origin);
}

}  // namespace cleave
