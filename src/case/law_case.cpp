#include "cleave/case/law_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "case/csv.hpp"
#include "case/section.hpp"
#include "case/sections.hpp"
#include "case/tree.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/file_text.hpp"
#include "cleave/core/utf8.hpp"

namespace cleave {
namespace {

using namespace case_file;

void read_point(Section s, LawCase& c) {
  s.required("stiffness_cap", c.stiffness_cap, {"kc: no secant stiffness is above it", "Pa/m"}, above(0));
  c.contact_stiffness = c.stiffness_cap;
  s.optional("contact_stiffness", c.contact_stiffness, {"kp", "Pa/m"}, above(0));
  s.optional("normal", c.start_normal, {"traction that it starts from", "Pa"});
  s.optional("tangential", c.start_tangential, {"likewise", "Pa"});
}

std::optional<std::string> named_twice(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? std::nullopt : std::optional(*twice);
}

}  // namespace

std::variant<LawCase, Case> read_law(const std::filesystem::path& file) {
  Report report(file.string());
  const Value root = load_tree(file, report);
  if (root.kind == Value::Kind::map && root.find("mesh")) return case_of_tree(root, file, {}, report);
  report.throw_if_any();
  LawCase c;
  {
    Section s(Node(root, "", report));
    const std::string kind = s.exactly_one({"material", "cohesive"});
    if (kind == "material") {
      std::vector<MaterialEntry> entries;
      const auto node = s.required_node("material", {"a material as in a case file"}, any_map());
      if (node && node->is_list())
        node->fail("expected one material, found a list");
      else if (node)
        read_material(*node, entries);
      if (!entries.empty()) c.material = entries.front().properties;
      s.exclude({"point"}, "only a traction law has it");
    } else if (kind == "cohesive") {
      const auto node = s.required_node("cohesive", {"a traction law as in a case file"}, any_map());
      if (node && node->is_list())
        node->fail("expected one law, found a list");
      else if (node && node->is_word(nothing_breaks))
        node->fail("expected a law, found none");
      else if (node)
        read_cohesive(*node, c.cohesive);
      read_point(s.required_section("point", {"where the traction law starts"}), c);
    }
  }
  report.throw_if_any();
  return c;
}

std::optional<std::size_t> PathTable::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<std::size_t>(found - names.begin());
}

PathTable read_path(const std::filesystem::path& file) {
  constexpr std::uintmax_t most_bytes = 256'000'000;
  std::istringstream in;
  try {
    in.str(file_text(file, most_bytes, "a path (CSV)"));
  } catch (const InputError& wrong) {
    throw InputError(fmt::format("{}: {}", file.string(), wrong.what()));
  }
  PathTable table;
  for (CsvLine line; next_line(in, line);) {
    if (table.names.empty()) {
      table.names = line.pieces;
      if (!is_utf8(line.text) || has_control_characters(line.text, "\t\r"))
        throw InputError(fmt::format("{}:{}: expected names of columns in UTF-8, without control characters",
                                     file.string(), line.number));
      if (const auto name = named_twice(table.names))
        throw InputError(fmt::format("{}:{}: two columns have the name \"{}\": rename one of them, or leave it out",
                                     file.string(), line.number, *name));
      continue;
    }
    std::vector<double>& row = table.rows.emplace_back();
    for (const std::string& piece : line.pieces)
      if (const auto value = number_in(piece)) row.push_back(*value);
    if (row.size() != table.names.size() || line.pieces.size() != row.size())
      throw InputError(fmt::format("{}:{}: expected {} numbers, found \"{}\"", file.string(), line.number,
                                   table.names.size(), line.text));
  }
  if (table.rows.empty()) throw InputError(fmt::format("{} has no line of names with rows below it", file.string()));
  return table;
}

}  // namespace cleave
