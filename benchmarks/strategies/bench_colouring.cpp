/// cleave_studies colouring: how many colours a mesh gets in which way, and what kernels make of them.
#include <fmt/format.h>

#include <algorithm>

#include "cleave/core/error.hpp"
#include "cleave/mesh/colouring.hpp"
#include "strategies/bench.hpp"
#include "strategies/bench_ways.hpp"

namespace cleave::benchmark {
namespace {

struct NamedMethod {
  const char* name;
  ColouringMethod method;
};
constexpr NamedMethod methods[] = {{"Welsh-Powell", ColouringMethod::welsh_powell},
                                   {"by id", ColouringMethod::by_id},
                                   {"balanced", ColouringMethod::balanced},
                                   {"structured", ColouringMethod::structured}};

/// Number and sizes of colours, and what it took the host to find them.
void count_colours(const NamedMesh& named, const Mesh& mesh, Json& rows) {
  const int least = max_incidence(mesh);
  fmt::print("\n{}, {} elements: at least {} colours, as so many elements share a node\n", named.name,
             mesh.element_count(), least);
  fmt::print("  {:<14} {:>8} {:>10} {:>10} {:>9}  sizes\n", "colouring", "colours", "smallest", "largest", "host ms");
  for (const auto& [name, method] : methods) {
    if (method == ColouringMethod::structured && !has_structured_colours(mesh)) continue;
    Colouring c;
    const double seconds = seconds_of([&] { c = colour_elements(mesh, method); });
    if (!is_valid(c, mesh)) throw NumericalError(fmt::format("{}: elements of a colour share a node", name));
    std::vector<Index> sizes;
    for (int i = 0; i < c.count; ++i) sizes.push_back(c.size(i));
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
    fmt::print("  {:<14} {:>8} {:>10} {:>10} {:>9.1f}  {}\n", name, c.count, *smallest, *largest, seconds * 1e3,
               fmt::join(sizes, " "));
    rows.push_back({{"mesh", named.name},
                    {"elements", mesh.element_count()},
                    {"colouring", name},
                    {"colours", c.count},
                    {"least_colours", least},
                    {"sizes", sizes},
                    {"host_seconds", seconds}});
  }
}

}  // namespace

Json colouring(const StudyOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"rectangle:192x48", "ring:20x160", "ring:115x787"})) {
    if (mesh.mesh.element == ElementType::t3)
      throw InputError(fmt::format("--mesh {}: the kernels of this study are those of T6", mesh.name));
    const Model model = make_model(unbreakable_case(mesh.mesh, Assembly::coloured));
    count_colours(mesh, model.mesh, rows);
    for (const Machine& m : on) {
      if (!m.takes(model.mesh.element_count(), options)) continue;
      const auto study = m.cuda ? make_cuda_colouring_study(model) : make_cpu_colouring_study(model, m.threads);
      time_ways(*study, mesh.name, model.mesh.element_count(), m, options.least_seconds, rows);
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
