/// Where the program of some tests can say that it cannot run.
#pragma once

#include <string>

namespace cleave::test {

/// Says why the tests cannot run on this machine; empty: they can. Null: they run everywhere.
extern std::string (*obstacle)();

}  // namespace cleave::test
