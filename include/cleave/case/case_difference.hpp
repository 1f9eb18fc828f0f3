/// Differences between two cases, by key.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cleave {

/// Values of a case file by key, such as "boundary.0.pressure": "4e8".
using CaseValues = std::map<std::string, std::string>;

/// Values of the text of a case file, without the keys in `left_out` and those below them. Invalid YAML has no values.
CaseValues case_values(const std::string& yaml, const std::vector<std::string>& left_out);

/// A line for each key whose value differs: "material.density: was 7850, is 1300".
std::vector<std::string> case_differences(const CaseValues& before, const CaseValues& now);

}  // namespace cleave
