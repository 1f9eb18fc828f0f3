#include "config/key_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "config/report.hpp"

namespace cleave::config {
namespace {

/// `boundary.0.on` is shown as `boundary.N.on`.
std::string shown_path(std::string path) {
  for (std::size_t at = path.find(".0"); at != std::string::npos; at = path.find(".0", at)) path.replace(at, 2, ".N");
  return path;
}

}  // namespace

std::string in_code(const std::string& text) { return "`" + text + "`"; }

std::string in_code(const std::vector<std::string>& words) {
  std::vector<std::string> each;
  for (const std::string& word : words) each.push_back(in_code(word));
  return fmt::format("{}", fmt::join(each, ", "));
}

std::string numbers_text(const char* kind, const Range& range) {
  const bool all = std::isinf(range.low) && std::isinf(range.high);
  return all ? kind : fmt::format("{} {}", kind, range.text());
}

void KeyTable::ask(const std::string& path) { row(path); }

/// The row of a path, a new one after that asked for last.
KeyTable::Row& KeyTable::row(const std::string& path) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.path == path; });
  std::size_t at = static_cast<std::size_t>(found - rows_.begin());
  if (found == rows_.end()) {
    at = std::min(last_ + 1, rows_.size());
    rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(at), Row{path, {}, {}, {}, {}});
  }
  last_ = at;
  return rows_[at];
}

void KeyTable::describe(const std::string& path, const Meaning& meaning, const std::string& allowed,
                        const std::string& initial) {
  Row& r = row(path);
  // What one branch allows another may allow beside a word.
  const auto covers = [&](const std::string& other) { return other == allowed || other.ends_with(", " + allowed); };
  if (std::none_of(r.allowed.begin(), r.allowed.end(), covers)) r.allowed.push_back(allowed);
  if (!r.meaning.empty()) return;
  r.meaning = meaning.text;
  r.unit = meaning.unit;
  r.initial = meaning.otherwise.empty() ? initial : meaning.otherwise;
}

void KeyTable::alternatives(const std::string& section, const std::vector<std::string>& keys) {
  const std::string prefix = section.empty() ? "" : section + ".";
  for (const std::string& key : keys) {
    Branch only;
    std::vector<std::string> others;
    for (const std::string& other : keys) {
      if (other == key) continue;
      only.push_back(prefix + other + "=");
      others.push_back(other);
    }
    only.push_back(prefix + key + "=any");
    branch(only);
    ask(prefix + key);
    choices_[prefix + key] = "this";
    for (const std::string& other : others) choices_[prefix + key] += " or " + in_code(other);
  }
}

std::vector<KeyTable::Branch> KeyTable::take_branches() {
  std::vector<Branch> taken;
  taken.swap(branches_);
  return taken;
}

/// Whether the row of a list's entry says what that of the same key of a single map says.
bool KeyTable::repeats_single(const Row& entry) const {
  const std::size_t at = entry.path.find(".0.");
  if (at == std::string::npos) return false;
  const std::string single = entry.path.substr(0, at) + entry.path.substr(at + 2);
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& r) {
    return r.path == single && r.meaning == entry.meaning && r.allowed == entry.allowed && r.initial == entry.initial;
  });
}

std::string KeyTable::text() const {
  std::string table = "| key | values | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const Row& r : rows_) {
    if (r.meaning.empty()) throw std::logic_error("the key " + r.path + " of the case file has no meaning");
    if (repeats_single(r)) continue;
    const auto others = choices_.find(r.path);
    const std::string initial = others == choices_.end() ? r.initial : others->second;
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", shown_path(r.path), fmt::join(r.allowed, " or "), r.unit,
                         initial.empty() ? "-" : initial, r.meaning);
  }
  return table;
}

std::string describe_keys(const std::function<void(const Value& root, Report& report)>& read) {
  KeyTable table;
  std::vector<KeyTable::Branch> cases{{}};  // each one branch further than one before it
  std::set<KeyTable::Branch> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Report report(any_name, &table);  // what is wrong with these cases does not matter
    Value root;
    root.kind = Value::Kind::map;
    for (const std::string& text : cases[i]) apply_override(root, text, report);
    table.start();
    read(root, report);
    for (const KeyTable::Branch& branch : table.take_branches()) {
      if (!seen.insert(branch).second) continue;
      KeyTable::Branch further = cases[i];
      further.insert(further.end(), branch.begin(), branch.end());
      cases.push_back(further);
    }
  }
  return table.text();
}

}  // namespace cleave::config
