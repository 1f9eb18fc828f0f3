/// Checks of the output directory and of the files in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Throws InputError, starting with `origin` (such as "ring.yaml:12: output.directory"), if the directory is a file, is
/// not writable or cannot be created. Leaves nothing behind.
void check_output_directory(const std::filesystem::path& directory, const std::string& origin);

/// Names in the directory that belong to files of a run, sorted; without directories.
std::vector<std::string> result_files(const OutputDirectory& directory);

/// Throws InputError, starting with `origin`, if that name belongs to a link, a pipe or anything else that is no plain
/// file.
void check_is_file(const OutputPath& file, const std::string& origin);
/// The same for each of `result_files` and for run.lock.
void check_results_are_files(const OutputDirectory& directory, const std::string& origin);

/// Throws std::runtime_error that names the file if it exists and cannot be removed.
void remove_file(const OutputPath& file);

/// Whether the name is that of a file that was incomplete when its program ended.
bool is_temporary(const std::string& name);

/// The number in a name such as bulk_000012.vtu, for prefix "bulk_" and suffix ".vtu"; -1 for other names.
long long number_in_name(const std::string& name, std::string_view prefix, std::string_view suffix);

}  // namespace cleave
