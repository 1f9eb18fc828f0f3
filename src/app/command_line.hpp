/// The command line, with its commands and their options, and the environment variables.
#pragma once

namespace cleave {

/// Parses the arguments and runs the command that they name.
/// @return exit code; invalid arguments are reported on stderr
/// @throws exceptions of the commands (commands.hpp)
int run_command(int argc, char** argv);

/// Throws InputError if a variable that the program reads (cleave/core/environment.hpp) has an invalid value, even if
/// this command does not use it, or if the name of a CLEAVE_ variable is misspelt.
void check_environment();

}  // namespace cleave
