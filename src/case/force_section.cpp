#include "case/law_values.hpp"
#include "case/sections.hpp"
#include "cleave/force/force_laws.hpp"

namespace cleave::case_file {
namespace {

constexpr const char* without_laws =
    "this program has no forces of your own: build one that has them with scripts/build_law HEADER (docs/user_laws.md)";

/// Keys of all laws, where it is not known which of them are valid.
std::vector<std::string> keys_of_laws() {
  std::vector<std::string> keys;
  for (const std::string& name : ForceLaws::names())
    for (const LawParameter& p : parameters_of<ForceLaws>(name)) keys.push_back(p.key);
  return keys;
}

ForceCase read_force(const Node& node) {
  ForceCase c;
  c.line = node.value().place.line;
  Section s(node);
  s.second_spelling("on", spelling_of_on);
  s.optional("on", c.on, {"group on whose nodes the force acts, also spelt `group`", "-", "all nodes"});
  const Meaning meaning{"name of a force of your own"};
  bool known = false;
  if constexpr (ForceLaws::count > 0)
    known = s.required("law", c.law, meaning, ForceLaws::names());
  else
    s.required("law", c.law, meaning);
  if (!known) s.allow(keys_of_laws());
  if (known || node.report().keys() != nullptr) read_values<ForceLaws>(s, c.law, c);
  return c;
}

}  // namespace

void read_forces(const Node& node, std::vector<ForceCase>& forces) {
  const bool lists_keys = node.report().keys() != nullptr;
  const std::vector<Node> items = node.items();
  if (ForceLaws::count == 0 && !items.empty() && !lists_keys) return node.fail(without_laws);
  for (const Node& entry : items) forces.push_back(read_force(entry));
  if (forces.size() > most_forces) node.fail(fmt::format("expected at most {} forces", most_forces));
}

void write_forces(Writer& w, const std::vector<ForceCase>& forces) {
  if (forces.empty()) return;
  w.list("forces", forces, [&](const ForceCase& entry) {
    if (!entry.on.empty()) w.key(spelling_of_on, entry.on);
    w.key("law", entry.law);
    write_values<ForceLaws>(w, entry.law, entry);
  });
}

}  // namespace cleave::case_file
