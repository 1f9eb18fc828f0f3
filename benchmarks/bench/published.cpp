#include "bench/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/published_cases.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/nearest_name.hpp"

namespace cleave::benchmark {

const std::vector<PublishedRun>& published_runs() {
  static const std::vector<PublishedRun> runs{
      {"strip_192x48", "table3.6", "strip_192x48", {192, 48}, 74257, 1901, 979, 8, 410.181, 11.788},
      {"strip_384x96", "table3.6", "strip_384x96", {384, 96}, 295969, 5842, 2976, 8, 6537.839, 153.809},
      {"ring_20x160", "table3.8", "ring_20x160", {20, 160}, 25920, 1816, 955, 10, 375.963, 12.668},
      {"ring_30x240", "table3.8", "ring_20x160", {30, 240}, 58080, 4923, 2506, 10, 900.095, 22.632},
      {"ring_40x320", "table3.8", "ring_20x160", {40, 320}, 103040, 9178, 4686, 10, 1601.516, 36.384},
      {"ring_96x768", "table3.8", "ring_20x160", {96, 768}, 591360, 59055, 29615, 10, 9355.186, 200.804},
      {"ring_115x787", "table3.8", "ring_20x160", {115, 787}, 725614, 68842, 34245, 10, 11421.568, 242.802},
  };
  return runs;
}

std::vector<PublishedRun> find_runs(const std::vector<std::string>& names) {
  if (names.empty()) return published_runs();
  std::vector<PublishedRun> found;
  for (const std::string& name : names) {
    const std::size_t before = found.size();
    for (const PublishedRun& run : published_runs())
      if (name == run.name || name == run.table) found.push_back(run);
    if (found.size() > before) continue;
    std::vector<std::string> known{"table3.6", "table3.8"};
    for (const PublishedRun& run : published_runs()) known.emplace_back(run.name);
    throw InputError(fmt::format("--case {}: no such case; {}", name, suggest_name(name, known)));
  }
  return found;
}

Case case_of(const PublishedRun& run, Assembly assembly) {
  Case c = parse_case(published_case_text(run.config), std::string("configs/") + run.config + ".yaml",
                      {fmt::format("mesh.divisions=[{}, {}]", run.divisions[0], run.divisions[1])});
  c.run.assembly = assembly;
  return c;
}

const PublishedInsertion* published_insertion(Index elements) {
  static const std::vector<PublishedInsertion> rows{
      {240'000, 9.29, 0.0407}, {960'000, 36.946, 0.1016}, {2'160'000, 84.94, 0.1935}, {3'840'000, 150.04, 0.3101}};
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.elements == elements; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace cleave::benchmark
