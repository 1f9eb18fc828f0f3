/// Headers with user-defined laws and forces, and their names with a comma before each, from CLEAVE_USER_LAWS; empty
/// without it.
#pragma once

#if __has_include(<cleave_user_laws.hpp>)
#include <cleave_user_laws.hpp>  // written by CMake
#else
#define CLEAVE_USER_MATERIALS
#define CLEAVE_USER_TRACTION_LAWS
#define CLEAVE_USER_FORCES
#endif
