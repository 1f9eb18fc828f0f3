#include "cleave/mesh/solutions.hpp"
#include "mesh/io/inria_writer.hpp"

namespace cleave {
namespace {

std::size_t components(const SolutionField& field) {
  return static_cast<std::size_t>(inria::components_of(static_cast<int>(field.type), 2));
}

}  // namespace

std::string solution_file(const std::vector<SolutionField>& fields, bool binary) {
  const std::size_t vertices = fields.front().values.size() / components(fields.front());
  std::size_t reals = 0;
  for (const SolutionField& f : fields) reals += components(f);

  InriaWriter out(binary);
  out.begin_section(inria::sol_at_vertices, vertices,
                    (fields.size() + 1) * sizeof(Index) + vertices * reals * sizeof(double));
  out.put(static_cast<Index>(fields.size()));
  for (const SolutionField& f : fields) out.put(static_cast<Index>(f.type));
  out.end_line();
  for (std::size_t v = 0; v < vertices; ++v) {
    for (const SolutionField& f : fields)
      for (std::size_t i = 0; i < components(f); ++i) out.put(f.values[v * components(f) + i]);
    out.end_line();
  }
  return out.finish();
}

}  // namespace cleave
