/// The output directory: whether it can be used, how files get into it, and which files in it are this program's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cleave {

/// Throws InputError, starting with `origin` (such as "ring.yaml:12: output.directory"), when the directory is a file,
/// is not writable or cannot be created. Leaves nothing behind.
void check_output_directory(const std::filesystem::path& directory, const std::string& origin);

/// Writes a file under a temporary name and renames it, so that a reader or a crash meets the old or the new one.
/// Creates the directory. Throws std::runtime_error naming the file and the system's reason; then the old one is there,
/// and none under the temporary name.
void write_atomically(const std::filesystem::path& file, std::string_view text);
/// The same for a text in pieces.
void write_atomically(const std::filesystem::path& file, const std::vector<std::string_view>& pieces);

/// The files of that directory that a run writes, known by their names alone, sorted; empty for no directory.
std::vector<std::filesystem::path> result_files(const std::filesystem::path& directory);

/// The number in names such as bulk_000012.vtu, for prefix "bulk_" and suffix ".vtu"; -1 when the name is another.
long long number_in_name(const std::string& name, std::string_view prefix, std::string_view suffix);

}  // namespace cleave
