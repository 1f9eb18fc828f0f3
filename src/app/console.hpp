/// How the program answers: on stdout and stderr, and by its exit code.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "cleave/core/utf8.hpp"

namespace cleave {

/// Message for std::bad_alloc.
inline constexpr const char* no_memory = "not enough memory for this case; `cleave check` estimates how much it needs";

/// Opens those of stdin, stdout and stderr that the caller has closed; otherwise a result file would get their number
/// and their output. Must be called first.
void open_standard_streams();

/// Prints a line on stderr; errors are ignored, as nobody could see them. Control characters, which file names may
/// contain, are replaced.
template <class... Args>
void tell(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = without_control_characters(fmt::format(text, std::forward<Args>(args)...), "\n\t");
  std::fputs((line + "\n").c_str(), stderr);
}

/// Whether all output on stdout was written; otherwise `reason` is the error.
bool flush_stdout(std::string& reason);

namespace exit_code {

constexpr int other_error = 1;
constexpr int wrong_input = 2;
constexpr int failed_run = 3;

}  // namespace exit_code

}  // namespace cleave
