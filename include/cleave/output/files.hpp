/// The output directory: whether it can be used, and which files in it are this program's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Throws InputError, starting with `origin` (such as "ring.yaml:12: output.directory"), when the directory is a file,
/// is not writable or cannot be created. Leaves nothing behind.
void check_output_directory(const std::filesystem::path& directory, const std::string& origin);

/// The names in that directory that are of files that a run writes, sorted; without directories.
std::vector<std::string> result_files(const OutputDirectory& directory);

/// Throws InputError, starting with `origin`, when that name is of a link, a pipe or another thing that is no file.
void check_is_file(const OutputPath& file, const std::string& origin);
/// The same for each of `result_files` and for run.lock.
void check_results_are_files(const OutputDirectory& directory, const std::string& origin);

/// Throws std::runtime_error naming the file when it is there and cannot be removed.
void remove_file(const OutputPath& file);

/// Whether a file has the name of one that was not complete when its program ended.
bool is_temporary(const std::string& name);

/// The number in names such as bulk_000012.vtu, for prefix "bulk_" and suffix ".vtu"; -1 when the name is another.
long long number_in_name(const std::string& name, std::string_view prefix, std::string_view suffix);

}  // namespace cleave
