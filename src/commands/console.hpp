/// What the program says on stdout and stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

#include "cleave/core/utf8.hpp"

namespace cleave {

/// Where a std::bad_alloc is met.
inline constexpr const char* no_memory = "not enough memory for this case; `cleave check` tells how much it needs";

/// Opens what the caller has closed of stdin, stdout and stderr: or a result would take their place, and be written
/// into. To be called first.
void open_standard_streams();

/// A line on stderr. Where that cannot be written, nobody could be told. Control characters, as names of files may have
/// them, do not reach the terminal.
template <class... Args>
void tell(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = without_control_characters(fmt::format(text, std::forward<Args>(args)...), "\n\t");
  std::fputs((line + "\n").c_str(), stderr);
}

/// Whether all that was printed on stdout is there; else `reason` says why not.
bool flush_stdout(std::string& reason);

}  // namespace cleave
