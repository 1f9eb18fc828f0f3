/// The command line: commands and their options.
#pragma once

namespace cleave {

/// Parses the arguments and runs the command that they name.
/// @return exit code; invalid arguments are reported on stderr
/// @throws exceptions of the commands (commands.hpp)
int run_command(int argc, char** argv);

}  // namespace cleave
