/// The exceptions that decide the program's exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace cleave {

/// The user's input is wrong (case file, mesh, arguments): exit code 2, and nothing has been written.
/// The text is the whole report: file, line and key (or element and node id), what was expected, what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The run itself failed (not finite, inverted element, capacity): exit code 3, the last good state stays on disk.
struct NumericalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cleave
