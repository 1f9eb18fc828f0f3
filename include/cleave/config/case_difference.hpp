/// By which keys two cases differ.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cleave {

/// The values of a case file by their keys, such as "boundary.0.pressure": "4e8".
using CaseValues = std::map<std::string, std::string>;

/// Of the text of a case file, without the keys in `left_out` and what is below them. What is no YAML has no values.
CaseValues case_values(const std::string& yaml, const std::vector<std::string>& left_out);

/// Of each key whose value differs: "material.density: was 7850, is 1300".
std::vector<std::string> case_differences(const CaseValues& before, const CaseValues& now);

}  // namespace cleave
