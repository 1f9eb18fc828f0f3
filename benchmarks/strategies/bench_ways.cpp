#include "strategies/bench_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cleave/core/error.hpp"

namespace cleave::benchmark {
namespace {

/// Largest difference, relative to the largest value of `a`.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off = std::max(off, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(a[i]));
  }
  return scale > 0 ? off / scale : off;
}

}  // namespace

void time_ways(KernelStudy& study, const std::string& of, Index elements, const Machine& m, double least_seconds,
               Json& rows) {
  struct First {
    std::vector<double> result;
    double seconds;
  };
  std::map<std::string, First> firsts;
  fmt::print("\n{}, {} elements, {}\n", of, elements, m.name);
  fmt::print("  {:<28} {:<34} {:>8} {:>6} {:>11} {:>9} {:>10} {:>5}\n", "task", "way", "threads", "loads", "us",
             "speedup", "difference", "bits");
  for (const Way& way : study.ways()) {
    const std::vector<double> result = way.result();
    const double t = time_steps(way.run, least_seconds).median;
    const auto [first, is_first] = firsts.try_emplace(way.task, First{result, t});
    const double off = difference(first->second.result, result);
    const bool same = result == first->second.result;
    fmt::print("  {:<28} {:<34} {:>8} {:>6} {:>11.2f} {:>9.2f} {:>10.1e} {:>5}\n", way.task, way.name, way.threads,
               way.loads > 0 ? fmt::format("{:g}", way.loads) : "-", t * 1e6, first->second.seconds / t, off,
               same ? "same" : "-");
    std::fflush(stdout);
    Json row{{"mesh", of},        {"elements", elements},
             {"machine", m.name}, {"task", way.task},
             {"way", way.name},   {"threads_per_element", way.threads},
             {"seconds", t},      {"speedup_over_first", first->second.seconds / t},
             {"difference", off}, {"same_bits", same}};
    if (way.loads > 0) {
      row["loads_per_element"] = way.loads;
      row["loads_per_thread"] = way.loads / way.threads;
    }
    rows.push_back(row);
    if (!(off < 1e-12) || (way.same_bits && !same))
      throw NumericalError(fmt::format("{}, {}: another result than that of the first way", way.task, way.name));
  }
}

}  // namespace cleave::benchmark
