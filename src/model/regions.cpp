#include "model/regions.hpp"

#include <utility>

#include "cleave/config/case_report.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"

namespace cleave {
namespace {

/// The triangles whose centroid lies in the box x0, y0, x1, y1 or on its edge.
std::vector<Index> elements_in(const Mesh& mesh, const std::array<double, 4>& box) {
  std::vector<Index> elements;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Point c = centroid(mesh, e);
    if (c.x >= box[0] && c.y >= box[1] && c.x <= box[2] && c.y <= box[3]) elements.push_back(e);
  }
  return elements;
}

}  // namespace

void add_regions(Mesh& mesh, const Case& c) {
  CaseReport report(c);
  for (const RegionCase& region : c.mesh.regions) {
    const std::string key = "mesh.regions." + region.name;
    if (mesh.find_group(region.name)) {
      report.add(region.line, key, "the mesh has a group of that name: choose another");
      continue;
    }
    std::vector<Index> elements = elements_in(mesh, region.box);
    if (elements.empty()) {
      report.add(region.line, key,
                 fmt::format("no triangle has its centroid in the box from ({:g}, {:g}) to ({:g}, {:g}): move it, or "
                             "make it larger than an element",
                             region.box[0], region.box[1], region.box[2], region.box[3]));
    }
    mesh.groups.push_back(make_group(mesh, region.name, {}, {}, std::move(elements)));
  }
  report.throw_if_any();
}

}  // namespace cleave
