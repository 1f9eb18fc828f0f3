/// The headers of users, and their laws with a comma before each: what CLEAVE_USER_LAWS named, or nothing.
#pragma once

#if __has_include(<cleave_user_laws.hpp>)
#include <cleave_user_laws.hpp>  // CMake writes it
#else
#define CLEAVE_USER_MATERIALS
#define CLEAVE_USER_TRACTION_LAWS
#endif
