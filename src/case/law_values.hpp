/// Reading of a law's own parameters, which are siblings of `law`.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::case_file {

inline Range range_of(const LawParameter& p) {
  const bool with_low = p.at_least > p.above, with_high = p.at_most < p.below;
  return {with_low ? p.at_least : p.above, with_high ? p.at_most : p.below, with_low, with_high};
}

/// Parameters of the law of that name in the list; none if there is no such law.
template <class Laws>
std::span<const LawParameter> parameters_of(const std::string& law) {
  std::span<const LawParameter> found;
  Laws::for_each([&]<class Law>() {
    if constexpr (requires { Law::parameters; })
      if (law == Law::name) found = Law::parameters;
  });
  return found;
}

/// Names of the laws in the list for finite strains: `a`, `b` or `c`.
template <class Laws>
std::string finite_laws() {
  std::vector<std::string> names;
  Laws::for_each([&]<class Law>() {
    if (Law::finite) names.push_back(Law::name);
  });
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* const before = i == 0 ? "" : i + 1 < names.size() ? ", " : " or ";
    text += fmt::format("{}`{}`", before, names[i]);
  }
  return text;
}

/// Reads rows of two numbers, the second one within the range.
/// @param first  name of the first numbers, which must increase, for messages
inline bool read_rows(const Node& table, const char* first, const Range& range, LawTable& rows) {
  std::vector<TableRow> read;
  for (const Node& row : table.items()) {
    std::array<double, 2> point{};
    if (!row.read(point) || !row.items()[1].read(point[1], range)) return false;
    if (!read.empty() && point[0] <= read.back().at) {
      row.fail(fmt::format("{} must increase, found {:g} after {:g}", first, point[0], read.back().at));
      return false;
    }
    read.push_back({point[0], point[1]});
  }
  if (read.empty()) return table.is_list() && !table.fail_expected("at least one row");
  rows.rows = read;
  return true;
}

/// Form of a table in the case file.
inline Forms rows_form(const std::string& pattern) { return list_of(list_of(number(), 2), 0, pattern); }

/// Reads a map with `table`, which leaves room for other ways to give a curve.
inline LawTable read_law_table(Section& s, const LawParameter& p, const Meaning& meaning) {
  LawTable rows{{{0, std::isnan(p.otherwise) ? 0 : p.otherwise}}};
  Section map = std::isnan(p.otherwise) ? s.required_section(p.key, meaning) : s.optional_section(p.key, meaning);
  if (!map.given()) return rows;
  if (const auto table =
          map.required_node("table", {"linear between points, constant outside", p.unit}, rows_form("[[x, y], ...]")))
    read_rows(*table, "the first column", range_of(p), rows);
  return rows;
}

/// Reads the parameters of the law in their order. Parameters of other laws in the list are errors.
/// @param numbers  has `values` and `tables`
template <class Laws, class Numbers>
void read_values(Section& s, const std::string& law, Numbers& numbers) {
  const std::span<const LawParameter> own = parameters_of<Laws>(law);
  const auto has = [&](const std::string& key) {
    return std::any_of(own.begin(), own.end(), [&](const LawParameter& p) { return key == p.key; });
  };
  for (const std::string& name : Laws::names())
    for (const LawParameter& p : parameters_of<Laws>(name)) {
      if (name != law) {
        if (!has(p.key)) s.exclude({p.key}, fmt::format("only the law `{}` has it", name));
        continue;
      }
      const Meaning meaning{fmt::format("law `{}`: {}", name, p.meaning), p.unit};
      if (p.is_table) {
        numbers.tables.push_back(read_law_table(s, p, meaning));
        continue;
      }
      double& value = numbers.values.emplace_back(p.otherwise);
      if (std::isnan(p.otherwise))
        s.required(p.key, value, meaning, range_of(p));
      else
        s.optional(p.key, value, meaning, range_of(p));
    }
}

template <class Laws, class Numbers>
void write_values(Writer& w, const std::string& law, const Numbers& numbers) {
  std::size_t value = 0, table = 0;
  for (const LawParameter& p : parameters_of<Laws>(law)) {
    if (p.is_table)
      w.section(p.key, [&] { w.table("table", numbers.tables.at(table++).rows); });
    else
      w.key(p.key, numbers.values.at(value++));
  }
}

}  // namespace cleave::case_file
