/// The numbers of a law's own, as it declares them itself: keys beside `law`.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "cleave/material/law_parameter.hpp"
#include "config/section.hpp"
#include "config/writer.hpp"

namespace cleave::config {

inline Range range_of(const LawParameter& p) {
  const bool with_low = p.at_least > p.above, with_high = p.at_most < p.below;
  return {with_low ? p.at_least : p.above, with_high ? p.at_most : p.below, with_low, with_high};
}

/// Those of a law of the list by that name; none if there is no such law.
template <class Laws>
std::span<const LawParameter> parameters_of(const std::string& law) {
  std::span<const LawParameter> found;
  Laws::for_each([&]<class Law>() {
    if constexpr (requires { Law::parameters; })
      if (law == Law::name) found = Law::parameters;
  });
  return found;
}

/// Those of the list that are for finite strains: `a`, `b` or `c`.
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

/// Reads those of the law, in their order. Those of other laws of the list are out of place.
template <class Laws>
void read_values(Section& s, const std::string& law, std::vector<double>& values) {
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
      double& value = values.emplace_back(p.otherwise);
      const Meaning meaning{fmt::format("of `{}`: {}", name, p.meaning), p.unit};
      if (std::isnan(p.otherwise))
        s.required(p.key, value, meaning, range_of(p));
      else
        s.optional(p.key, value, meaning, range_of(p));
    }
}

template <class Laws>
void write_values(Writer& w, const std::string& law, const std::vector<double>& values) {
  std::size_t at = 0;
  for (const LawParameter& p : parameters_of<Laws>(law)) w.key(p.key, values.at(at++));
}

}  // namespace cleave::config
