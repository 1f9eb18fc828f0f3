/// The environment variables that the program reads, and their values. An empty variable counts as unset. Each function
/// throws InputError for a wrong value and names the variable and its valid values.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "cleave/core/error.hpp"

namespace cleave {

/// Largest number of CPU threads that a user may ask for.
inline constexpr int most_threads = 1024;

namespace environment {

inline std::string text_of(const char* name) {
  const char* const said = std::getenv(name);
  return said == nullptr ? "" : said;
}

/// @param expected  the valid values, such as "a whole number from 1 to 1024"
[[noreturn]] inline void refuse(const std::string& name, const std::string& value, const std::string& expected) {
  constexpr std::size_t most = 80;
  throw InputError("environment variable " + name + " is '" + value.substr(0, most) +
                   (value.size() > most ? "..." : "") + "'; unset it, or set it to " + expected);
}

/// The whole number that `text` spells in decimal digits; empty if there are other characters or the number is above
/// `most`.
inline std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t most) {
  if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return {};
  std::int64_t number = 0;
  for (const char digit : text) {
    number = 10 * number + (digit - '0');
    if (number > most) return {};
  }
  return number;
}

inline std::optional<int> whole_number_of(const char* name, int least, int most) {
  const std::string value = text_of(name);
  if (value.empty()) return {};
  const auto number = whole_number(value, most);
  if (!number || *number < least)
    refuse(name, value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(*number);
}

/// The text without leading and trailing blanks.
inline std::string_view without_blanks(std::string_view text) {
  constexpr const char* blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// OMP_NUM_THREADS: number of threads. Of several levels separated by commas, the first counts.
inline std::optional<int> threads() {
  constexpr const char* name = "OMP_NUM_THREADS";
  const std::string value = text_of(name);
  if (value.empty()) return {};
  std::optional<int> first;
  for (std::string_view left = value; !left.empty();) {
    const std::string_view level = left.substr(0, left.find(','));
    left.remove_prefix(level.size());
    const auto number = whole_number(without_blanks(level), most_threads);
    if (!number || *number == 0 || left == ",")
      refuse(name, value, "a whole number from 1 to " + std::to_string(most_threads) + ", or several with commas");
    if (!left.empty()) left.remove_prefix(1);
    if (!first) first = static_cast<int>(*number);
  }
  return first;
}

/// SLURM_MEM_PER_NODE, bytes: given in MiB, or with the suffix K, M, G or T; 0: all memory of the machine.
inline std::optional<double> memory() {
  constexpr const char* name = "SLURM_MEM_PER_NODE";
  const std::string value = text_of(name);
  if (value.empty()) return {};
  constexpr std::string_view units = "KMGT";
  const std::size_t unit = units.find(value.back());
  const std::string_view digits = std::string_view(value).substr(0, value.size() - (unit != units.npos));
  constexpr std::int64_t most = 1'000'000'000'000;
  const auto number = whole_number(digits, most);
  if (!number) refuse(name, value, "a whole number of MiB, or one with K, M, G or T behind it; 0 for all");
  return static_cast<double>(*number) * std::pow(1024.0, unit == units.npos ? 2 : static_cast<double>(unit) + 1);
}

/// COLUMNS: width of a terminal that does not report its width; 0: unknown.
inline std::optional<int> columns() { return whole_number_of("COLUMNS", 0, 1'000'000); }

/// CLEAVE_RESIDENT: whether a backend may run kernels whose blocks wait for each other (cleave/lockstep/resident.hpp).
/// Results do not depend on it.
inline std::optional<bool> resident() {
  constexpr const char* name = "CLEAVE_RESIDENT";
  const std::string value = text_of(name);
  if (value.empty()) return {};
  if (value != "0" && value != "1") refuse(name, value, "0 or 1");
  return value == "1";
}

/// CLEAVE_INSTRUCTIONS: name of the vector instructions to use; empty: the widest available.
inline std::string instructions() {
  constexpr const char* name = "CLEAVE_INSTRUCTIONS";
  const std::string value = text_of(name);
  if (!value.empty() && value != "baseline" && value != "avx2" && value != "avx512")
    refuse(name, value, "baseline, avx2 or avx512, as far as this program and machine have them");
  return value;
}

/// CLEAVE_PATIENCE: a run ends when a rank has given no sign of life for so many seconds; 0: never.
inline std::optional<double> patience() {
  constexpr const char* name = "CLEAVE_PATIENCE";
  const std::string value = text_of(name);
  if (value.empty()) return {};
  char* end = nullptr;
  const double seconds = std::strtod(value.c_str(), &end);
  constexpr double most = 1e6;
  if (*end != '\0' || !(seconds >= 0 && seconds <= most)) refuse(name, value, "a number of seconds from 0 to 1000000");
  return seconds;
}

/// Name of the variable with the process id of the parent that owns this run.
inline constexpr const char* owner_name = "CLEAVE_OWNER";
inline std::optional<int> owner() { return whole_number_of(owner_name, 1, 2'147'483'647); }

/// Number of processes that a launcher started; empty without a launcher. Launchers are mpirun of Open MPI and MPICH,
/// and srun of Slurm with PMI-2 or PMIx.
inline std::optional<int> processes_of_launcher() {
  constexpr int most = 1'000'000;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const auto size = whole_number_of(name, 1, most)) return size;
  const auto of_step = whole_number_of("SLURM_STEP_NUM_TASKS", 1, most);
  return std::getenv("PMIX_RANK") != nullptr ? of_step : std::nullopt;
}
inline bool is_launched() { return processes_of_launcher().has_value(); }
inline int launched_ranks() { return processes_of_launcher().value_or(1); }

}  // namespace environment
}  // namespace cleave
