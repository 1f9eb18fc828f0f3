/// Exit codes of the program.
#pragma once

namespace cleave::exit_code {

constexpr int other_error = 1;
constexpr int wrong_input = 2;
constexpr int failed_run = 3;

}  // namespace cleave::exit_code
