#include "case/law_values.hpp"
#include "case/sections.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave::case_file {
namespace {

constexpr const char* without_processes =
    "this program has no processes of your own: build one that has them with scripts/build_law HEADER "
    "(docs/user_processes.md)";

/// The kinds of processes as a list of laws.
struct Processes {
  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const ProcessType& type : process_types()) all.push_back(type.name);
    return all;
  }
};

}  // namespace

template <>
std::span<const LawParameter> parameters_of<Processes>(const std::string& process) {
  const ProcessType* type = find_process(process);
  return type == nullptr ? std::span<const LawParameter>() : type->parameters;
}

namespace {

ProcessCase read_process(const Node& node) {
  ProcessCase c;
  c.line = node.value().place.line;
  Section s(node);
  const Meaning meaning{"name of a process of your own"};
  bool known = false;
  if (process_types().empty())
    s.required("law", c.law, meaning);
  else
    known = s.required("law", c.law, meaning, Processes::names());
  if (!known)
    for (const ProcessType& type : process_types())
      for (const LawParameter& p : type.parameters) s.allow({p.key});
  if (known || node.report().keys() != nullptr) read_values<Processes>(s, c.law, c);
  return c;
}

}  // namespace

void read_processes(const Node& node, std::vector<ProcessCase>& processes) {
  const std::vector<Node> items = node.items();
  if (process_types().empty() && !items.empty() && node.report().keys() == nullptr) return node.fail(without_processes);
  for (const Node& entry : items) {
    const ProcessCase read = read_process(entry);
    const auto is_same = [&](const ProcessCase& other) { return other.law == read.law; };
    if (!read.law.empty() && std::ranges::any_of(processes, is_same))
      entry.fail(fmt::format("there is a process `{}` before it", read.law));
    processes.push_back(read);
  }
}

void write_processes(Writer& w, const std::vector<ProcessCase>& processes) {
  if (processes.empty()) return;
  w.list("processes", processes, [&](const ProcessCase& entry) {
    w.key("law", entry.law);
    write_values<Processes>(w, entry.law, entry);
  });
}

}  // namespace cleave::case_file
