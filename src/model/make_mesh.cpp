#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cleave/config/case_report.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/readers.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "mesh/cracks.hpp"
#include "mesh/refine.hpp"
#include "model/groups.hpp"
#include "model/regions.hpp"

namespace cleave {
namespace {

/// What messages call the mesh.
std::string source_of(const MeshCase& c) { return c.shape == MeshShape::file ? c.file.string() : "generated mesh"; }

/// Least memory of a generated mesh while it is made ready, bytes a quad: `cleave check` took 340 with T3 and 970 with
/// T6.
double bytes_per_quad(ElementType type) { return type == ElementType::t3 ? 300 : 900; }

/// Before the system ends the program for taking it.
void check_memory(const Case& c) {
  constexpr double gigabyte = 1e9;
  const double quads = static_cast<double>(c.mesh.divisions[0]) * c.mesh.divisions[1];
  const double needed = quads * std::pow(4, c.mesh.refine) * bytes_per_quad(c.mesh.element);
  if (needed <= machine_memory()) return;
  CaseReport report(c);
  report.add(c.line_of_mesh, "mesh.divisions",
             fmt::format("{} x {} quads{} need at least {:.3g} GB, and this machine has {:.3g} GB; choose fewer",
                         c.mesh.divisions[0], c.mesh.divisions[1], c.mesh.refine > 0 ? ", refined," : "",
                         needed / gigabyte, machine_memory() / gigabyte));
  report.throw_if_any();
}

Mesh generate_or_read(const Case& whole) {
  const MeshCase& c = whole.mesh;
  if (c.shape == MeshShape::file)
    return read_mesh(c.file, c.straighten ? CurvedSides::straightened : CurvedSides::refused);
  check_memory(whole);
  const bool crossed = c.pattern == MeshPattern::crossed;
  const ElementType type = crossed ? c.element : ElementType::t3;
  Mesh mesh = c.shape == MeshShape::ring
                  ? ring(type, c.divisions, c.inner_radius, c.outer_radius)
                  : rectangle(type, c.divisions, c.size, c.origin, c.notch_length, c.notch_height);
  if (!crossed) mesh = delaunay(std::move(mesh), c.element, c.perturbation_seed);
  // Sizes that differ by many orders of magnitude can still collapse elements.
  check_mesh(mesh, source_of(c));
  return mesh;
}

Mesh refined_as_asked(Mesh mesh, const MeshCase& c) {
  for (int i = 0; i < c.refine; ++i) mesh = refined(mesh, source_of(c));
  return mesh;
}

/// The facets of a crack that can be opened, those inside the body.
std::vector<Index> facets_of_crack(const Mesh& mesh, const std::string& name, const MeshCase& c, CaseReport& report) {
  const Group* group = find_group(mesh, GroupParts::nodes, name, report, c.line_of_cracks, "mesh.cracks");
  if (group == nullptr || !group->inside.empty()) return group ? group->inside : std::vector<Index>();
  report.add(c.line_of_cracks, "mesh.cracks",
             group->facets.empty()
                 ? fmt::format("group \"{}\" holds points only; a crack is a group of lines inside the body", name)
                 : fmt::format("the facets of group \"{}\" lie on the boundary: there is nothing to open; a crack is a "
                               "group of lines inside the body",
                               name));
  return {};
}

void open_cracks(Mesh& mesh, const Case& c) {
  CaseReport report(c);
  std::vector<Index> facets;
  for (const std::string& name : c.mesh.cracks) {
    const std::vector<Index> of_crack = facets_of_crack(mesh, name, c.mesh, report);
    facets.insert(facets.end(), of_crack.begin(), of_crack.end());
  }
  report.throw_if_any();
  const std::vector<Index> closed = open_facets(mesh, facets);
  for (const Index code : closed) {
    const auto end = [&](int i) { return mesh.original_nodes[mesh.node(element_of(code), (facet_of(code) + i) % 3)]; };
    report.add(c.mesh.line_of_cracks, "mesh.cracks",
               fmt::format("the facet between nodes {} and {} cannot open, as both are tips: make the crack longer, "
                           "refine the mesh, or use triangles with 6 nodes",
                           end(1), end(2)));
    break;
  }
  report.throw_if_any();
}

/// Nothing may lie on each other but what the case declares, a crack, or a generated notch.
void check_fit_of(const Mesh& mesh, const Case& c) {
  CaseReport report(c);
  std::vector<std::string> doubled = c.mesh.doubled;
  for (const std::string& name : doubled)
    find_group(mesh, GroupParts::nodes, name, report, c.mesh.line_of_doubled, "mesh.doubled");
  report.throw_if_any();
  doubled.insert(doubled.end(), c.mesh.cracks.begin(), c.mesh.cracks.end());
  if (c.mesh.shape != MeshShape::file && mesh.find_group("notch")) doubled.emplace_back("notch");
  check_fit(mesh, doubled, source_of(c.mesh));
}

void check_colouring_of(const Mesh& mesh, const Case& c) {
  if (c.mesh.colouring != ColouringMethod::structured || has_structured_colours(mesh)) return;
  CaseReport report(c);
  report.add(c.mesh.line_of_colouring, "mesh.colouring",
             "only generated meshes of crossed quads, a ring with an even number of them around, have structured "
             "colours; take auto, welsh_powell, by_id or balanced");
  report.throw_if_any();
}

}  // namespace

Mesh make_mesh(const Case& c) {
  Mesh mesh = refined_as_asked(generate_or_read(c), c.mesh);
  open_cracks(mesh, c);
  check_fit_of(mesh, c);
  perturb(mesh, c.mesh.perturbation_amplitude, c.mesh.perturbation_seed);
  add_regions(mesh, c);
  if (c.mesh.numbering == Numbering::hilbert) renumber_hilbert(mesh);
  check_colouring_of(mesh, c);
  return mesh;
}

}  // namespace cleave
