/// The environment that the program starts in.
#pragma once

namespace cleave {

/// Throws InputError when a variable that the program reads (cleave/core/environment.hpp) has a wrong value, whether
/// this command reads it or not, or when the name of a CLEAVE_ variable is misspelt.
void check_environment();

}  // namespace cleave
