#include <fmt/format.h>

#include <algorithm>

#include "case/tree.hpp"
#include "cleave/case/keys.hpp"

namespace cleave {
namespace {

using namespace case_file;

/// @param form  the path with N for each index of a list
void collect(const Value& value, const std::string& path, const std::string& form,
             const std::vector<std::string>& left_out, CaseValues& values) {
  if (std::find(left_out.begin(), left_out.end(), form) != left_out.end()) return;
  const std::string dot = path.empty() ? "" : ".";
  for (const Entry& entry : value.entries)
    collect(entry.value, path + dot + entry.key, form + dot + entry.key, left_out, values);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    collect(value.items[i], path + dot + std::to_string(i), form + dot + "N", left_out, values);
  if (value.kind == Value::Kind::scalar) values[path] = value.text;
}

std::string value_at(const CaseValues& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "absent" : found->second;
}

}  // namespace

CaseValues case_values(const std::string& yaml, const std::vector<std::string>& left_out) {
  Report report("");
  CaseValues values;
  collect(parse_tree(yaml, report), "", "", left_out, values);
  return values;
}

std::vector<std::string> case_differences(const CaseValues& before, const CaseValues& now) {
  CaseValues all = before;
  all.insert(now.begin(), now.end());
  std::vector<std::string> differences;
  for (const auto& [key, value] : all) {
    const std::string was = value_at(before, key), is = value_at(now, key);
    if (was != is) differences.push_back(fmt::format("{}: was {}, is {}", key, was, is));
  }
  return differences;
}

}  // namespace cleave
