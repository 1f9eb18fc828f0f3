/// Keys of a case file: their documentation, and differences between two cases by key.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cleave {

/// The keys of the case file with values, unit, default and meaning, as a Markdown table: that of docs/user_guide.md.
/// It is generated from the reader, read_case.
std::string case_keys();

/// The same as a JSON schema (draft 7), for editors and for programs that write case files. It covers keys, types,
/// ranges, words and keys that are always required. Conditions between values are checked by the reader only.
std::string case_schema();

/// Values of a case file by key, such as "boundary.0.pressure": "4e8".
using CaseValues = std::map<std::string, std::string>;

/// Values of the text of a case file, without the keys in `left_out` and those below them. Invalid YAML has no values.
CaseValues case_values(const std::string& yaml, const std::vector<std::string>& left_out);

/// A line for each key whose value differs: "material.density: was 7850, is 1300".
std::vector<std::string> case_differences(const CaseValues& before, const CaseValues& now);

}  // namespace cleave
