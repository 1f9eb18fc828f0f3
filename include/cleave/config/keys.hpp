/// What a case file may say.
#pragma once

#include <string>

namespace cleave {

/// The keys of the case file with values, unit, default and meaning, as a table in Markdown: that of
/// docs/user_guide.md. It follows from what `read_case` asks for.
std::string case_keys();

}  // namespace cleave
