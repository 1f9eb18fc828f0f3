#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "case/csv.hpp"
#include "case/sections.hpp"
#include "cleave/core/error.hpp"

namespace cleave::case_file {
namespace {

using Path = std::filesystem::path;

Curve read_table(const Node& table) {
  std::vector<std::pair<double, double>> points;
  const std::vector<Node> rows = table.items();
  if (table.is_list() && rows.empty()) table.fail("expected at least one [time, value]");
  for (const Node& row : rows) {
    std::array<double, 2> point{};
    if (!row.read(point)) continue;
    if (!points.empty() && point[0] <= points.back().first) {
      row.fail(fmt::format("times must increase, found {} after {}", point[0], points.back().first));
    }
    points.emplace_back(point[0], point[1]);
  }
  return points.empty() ? Curve() : Curve::table(points);
}

Curve read_curve_of_file(Section& s, const Path& folder) {
  std::string name;
  if (!s.required(
          "file", name,
          {"CSV file with two columns, time and value, relative to the case file; the same as a table", "s, -"}))
    return {};
  try {
    return Curve::table(read_curve_file((folder / name).lexically_normal()));
  } catch (const InputError& error) {
    s.fail("file", error.what());
    return {};
  }
}

}  // namespace

Curve read_curve(Section s, const Path& folder) {
  const std::string kind = s.exactly_one({"exponential", "linear_decay", "half_sine", "table", "file"});
  double decay_time = 1;
  if (kind == "exponential" && s.required(kind, decay_time, {"t0 of exp(-t / t0)", "s"}, above(0)))
    return Curve::exponential(decay_time);
  if (kind == "linear_decay" && s.required(kind, decay_time, {"t0 of 1 - t / t0, not below 0", "s"}, above(0)))
    return Curve::linear_decay(decay_time);
  if (kind == "half_sine" && s.required(kind, decay_time, {"t0 of sin(π t / t0), zero after t0", "s"}, above(0)))
    return Curve::half_sine(decay_time);
  if (kind == "file") return read_curve_of_file(s, folder);
  if (kind == "table")
    return read_table(*s.optional_node(kind, {"linear between points, constant outside", "s, -"},
                                       list_of(list_of(number(), 2), 0, "[[t, value], ...]")));
  return {};
}

}  // namespace cleave::case_file
