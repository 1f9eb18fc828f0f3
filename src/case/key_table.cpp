#include "case/key_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "case/tree.hpp"

namespace cleave::case_file {
namespace {

/// Path for the user: `boundary.0.on` becomes `boundary.N.on`.
std::string shown_path(std::string path) {
  for (std::size_t at = path.find(".0"); at != std::string::npos; at = path.find(".0", at)) path.replace(at, 2, ".N");
  return path;
}

std::vector<std::string> texts_of(const std::vector<Forms>& by_branch) {
  std::vector<std::string> texts;
  for (const Forms& forms : by_branch) texts.push_back(text_of(forms));
  return texts;
}

/// `` this or `other` ``.
std::string choices_text(const KeyRow& row) {
  std::string text = "this";
  for (const std::string& key : row.choices)
    if (row.path.substr(row.path.rfind('.') + 1) != key) text += " or " + in_code(key);
  return text;
}

/// Whether the row of a list entry repeats that of the same key in a single map.
bool repeats_single(const KeyRow& entry, const std::vector<KeyRow>& rows) {
  const std::size_t at = entry.path.find(".0.");
  if (at == std::string::npos) return false;
  const std::string single = entry.path.substr(0, at) + entry.path.substr(at + 2);
  return std::any_of(rows.begin(), rows.end(), [&](const KeyRow& r) {
    return r.path == single && r.meaning == entry.meaning && texts_of(r.forms) == texts_of(entry.forms) &&
           r.initial == entry.initial;
  });
}

}  // namespace

std::string section_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

void KeyTable::start() {
  last_ = rows_.size();
  earlier_sections_.insert(sections_.begin(), sections_.end());
  required_.clear();
  sections_.clear();
}

void KeyTable::ask(const std::string& path) { row(path); }

/// The row of a path; a new row goes after the last one asked for.
KeyRow& KeyTable::row(const std::string& path) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const KeyRow& r) { return r.path == path; });
  std::size_t at = static_cast<std::size_t>(found - rows_.begin());
  if (found == rows_.end()) {
    at = std::min(last_ + 1, rows_.size());
    KeyRow added;
    added.path = path;
    added.always_required = !earlier_sections_.contains(section_of(path));
    rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(at), added);
  }
  last_ = at;
  sections_.insert(section_of(path));
  return rows_[at];
}

void KeyTable::describe(const std::string& path, const Meaning& meaning, const Facts& facts, bool required) {
  KeyRow& r = row(path);
  if (required) required_.insert(path);
  // One branch may allow, in addition to a word, what another branch allows.
  const auto covers = [text = text_of(facts.forms)](const std::string& other) {
    return other == text || other.ends_with(", " + text);
  };
  const std::vector<std::string> known = texts_of(r.forms);
  if (std::none_of(known.begin(), known.end(), covers)) r.forms.push_back(facts.forms);
  if (!r.meaning.empty()) return;
  r.meaning = meaning.text;
  r.unit = meaning.unit;
  const std::string initial = facts.initial.empty() ? "" : in_code(facts.initial);
  r.initial = !meaning.otherwise.empty() ? meaning.otherwise : required ? must_be_given : initial;
}

void KeyTable::alternatives(const std::string& section, const std::vector<std::string>& keys) {
  const std::string prefix = section.empty() ? "" : section + ".";
  for (const std::string& key : keys) {
    Branch only;
    for (const std::string& other : keys)
      if (other != key) only.push_back(prefix + other + "=");
    only.push_back(prefix + key + "=any");
    branch(only);
    row(prefix + key).choices = keys;
  }
}

std::vector<KeyTable::Branch> KeyTable::finish() {
  for (KeyRow& r : rows_)
    if (sections_.contains(section_of(r.path)) && !required_.contains(r.path)) r.always_required = false;
  std::vector<Branch> taken;
  taken.swap(branches_);
  return taken;
}

std::vector<KeyRow> KeyTable::rows() const {
  std::vector<KeyRow> rows = rows_;
  for (KeyRow& r : rows) {
    if (r.meaning.empty()) throw std::logic_error("the key " + r.path + " of the case file has no meaning");
    if (const auto other = spellings_.find(r.path); other != spellings_.end()) r.second_spelling = other->second;
  }
  return rows;
}

std::vector<KeyRow> describe_keys(const std::function<void(const Value& root, Report& report)>& read) {
  KeyTable table;
  std::vector<KeyTable::Branch> cases{{}};  // each adds one branch to an earlier one
  std::set<KeyTable::Branch> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Report report(any_name, &table);  // errors of these cases are ignored
    Value root;
    root.kind = Value::Kind::map;
    for (const std::string& text : cases[i]) apply_override(root, text, report);
    table.start();
    read(root, report);
    for (const KeyTable::Branch& branch : table.finish()) {
      if (!seen.insert(branch).second) continue;
      KeyTable::Branch further = cases[i];
      further.insert(further.end(), branch.begin(), branch.end());
      cases.push_back(further);
    }
  }
  return table.rows();
}

std::string table_of(const std::vector<KeyRow>& rows) {
  std::string table = "| key | values | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const KeyRow& r : rows) {
    if (repeats_single(r, rows)) continue;
    const std::string initial = r.choices.empty() ? r.initial : choices_text(r);
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", shown_path(r.path), fmt::join(texts_of(r.forms), " or "),
                         r.unit, initial.empty() ? "-" : initial, r.meaning);
  }
  return table;
}

}  // namespace cleave::case_file
