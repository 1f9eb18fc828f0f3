/// Check of the environment variables.
#pragma once

namespace cleave {

/// Throws InputError if a variable that the program reads (cleave/core/environment.hpp) has an invalid value, even if
/// this command does not use it, or if the name of a CLEAVE_ variable is misspelt.
void check_environment();

}  // namespace cleave
