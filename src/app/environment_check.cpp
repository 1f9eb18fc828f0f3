#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.hpp"
#include "cleave/core/environment.hpp"
#include "cleave/core/nearest_name.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {
namespace {

/// Other variables with this prefix may belong to scripts and installations; only names near a known one count as
/// misspelt.
void refuse_misspelt_names() {
  const std::string prefix = "CLEAVE_";
  const std::vector<std::string> known{"INSTRUCTIONS", "OWNER", "PATIENCE", "RESIDENT"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (!text.starts_with(prefix)) continue;
    const std::string_view name = text.substr(prefix.size(), text.find('=') - prefix.size());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (const std::string near = nearest_name(name, known); !near.empty())
      throw InputError(
          fmt::format("environment variable {0}{1} is not read; did you mean {0}{2}?", prefix, name, near));
  }
}

}  // namespace

void check_environment() {
  environment::threads();
  environment::memory();
  environment::columns();
  environment::resident();
  environment::patience();
  environment::owner();
  environment::launched_ranks();
  cpu_instructions();
  refuse_misspelt_names();
}

}  // namespace cleave
