/// Documentation of the keys of a case file.
#pragma once

#include <string>

namespace cleave {

/// The keys of the case file with values, unit, default and meaning, as a Markdown table: that of docs/user_guide.md.
/// It is generated from the reader, read_case.
std::string case_keys();

/// The same as a JSON schema (draft 7), for editors and for programs that write case files. It covers keys, types,
/// ranges, words and keys that are always required. Conditions between values are checked by the reader only.
std::string case_schema();

}  // namespace cleave
