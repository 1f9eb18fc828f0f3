/// What the program is told: its commands and their options.
#pragma once

namespace cleave {

/// Reads the arguments and runs the command that they name.
/// @return the exit code, with a message to stderr if the arguments are wrong
/// @throws what commands throw (commands.hpp)
int run_command(int argc, char** argv);

}  // namespace cleave
