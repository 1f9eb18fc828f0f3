#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/measure.hpp"
#include "cleave/core/error.hpp"

namespace cleave::benchmark {
namespace {

/// The meshes of the paper's tables, and rings from 1e3 to 1e7 elements, about three a decade.
const std::map<std::string, std::vector<std::string>> sets{
    {"table3.4", {"ring:100x600", "ring:200x1200", "ring:300x1800", "ring:400x2400"}},
    {"table3.6", {"rectangle:192x48", "rectangle:384x96"}},
    {"table3.8", {"ring:20x160", "ring:30x240", "ring:40x320", "ring:96x768", "ring:115x787"}},
    {"tables",
     {"rectangle:192x48", "rectangle:384x96", "ring:20x160", "ring:30x240", "ring:40x320", "ring:96x768",
      "ring:115x787", "ring:100x600", "ring:200x1200", "ring:300x1800", "ring:400x2400"}},
    {"sweep",
     {"ring:6x48", "ring:8x64", "ring:12x96", "ring:18x144", "ring:26x208", "ring:38x304", "ring:56x448", "ring:82x656",
      "ring:120x960", "ring:177x1416", "ring:259x2072", "ring:400x2400", "ring:559x4472"}},
};

NamedMesh parse_mesh(const std::string& text) {
  NamedMesh m{text, {}};
  char shape[16] = "", element[4] = "T6";
  int a = 0, b = 0, end = 0;
  const int read = std::sscanf(text.c_str(), "%15[a-z]:%dx%d%n:%3s%n", shape, &a, &b, &end, element, &end);
  const std::string kind = shape, type = element;
  if (read < 3 || end != static_cast<int>(text.size()) || (kind != "ring" && kind != "rectangle") ||
      (type != "T3" && type != "T6") || a < 1 || b < 1)
    throw InputError(
        fmt::format("--mesh {}: expected ring:RADIALxAROUND, rectangle:NXxNY, table3.4, table3.6, table3.8, "
                    "tables or sweep, and :T3 after it for T3",
                    text));
  if (kind == "ring" && b < 3)
    throw InputError(fmt::format("--mesh {}: the circumference of a ring needs at least 3 quads, found {}", text, b));
  m.mesh.divisions = {a, b};
  m.mesh.element = type == "T3" ? ElementType::t3 : ElementType::t6;
  if (kind == "ring") {
    m.mesh.shape = MeshShape::ring;
    m.mesh.inner_radius = 0.08;
    m.mesh.outer_radius = 0.15;
  } else {
    m.mesh.shape = MeshShape::rectangle;
    m.mesh.size = {0.016, 0.016 * b / a};
  }
  return m;
}

}  // namespace

std::vector<NamedMesh> parse_meshes(const std::vector<std::string>& names, const std::vector<std::string>& otherwise) {
  std::vector<NamedMesh> meshes;
  for (const std::string& name : names.empty() ? otherwise : names) {
    const std::size_t colon = name.find(':');
    const auto set = sets.find(name.substr(0, colon));
    if (set == sets.end()) {
      meshes.push_back(parse_mesh(name));
    } else {
      const std::string type = colon == std::string::npos ? "" : name.substr(colon);
      for (const std::string& member : set->second) meshes.push_back(parse_mesh(member + type));
    }
  }
  return meshes;
}

Case unbreakable_case(const MeshCase& mesh, Assembly assembly) {
  Case c;
  c.file = "bench";
  c.mesh = mesh;
  c.material = {{"", {"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}}}};
  c.cohesive.emplace();
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {1e15, 1e15, 2};
  c.initial.strain = {1e-4, -5e-5, 2e-5};
  c.run.assembly = assembly;
  return c;
}

}  // namespace cleave::benchmark
