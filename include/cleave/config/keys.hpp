/// What a case file may say.
#pragma once

#include <string>

namespace cleave {

/// The keys of the case file with values, unit, default and meaning, as a table in Markdown: that of
/// docs/user_guide.md. It follows from what `read_case` asks for.
std::string case_keys();

/// The same as a JSON schema (draft 7), for editors and for programs that write case files. It knows keys, kinds of
/// values, ranges, words, and what is always required. What depends on other values only the reader knows.
std::string case_schema();

}  // namespace cleave
