#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cleave/case/case_report.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/contact_depth.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "mesh/changes.hpp"
#include "model/groups.hpp"

namespace cleave {
namespace {

/// Name of the mesh in messages.
std::string source_of(const MeshCase& c) { return c.shape == MeshShape::file ? c.file.string() : "generated mesh"; }

/// Lower bound of the memory to prepare a generated mesh, bytes per quad: `cleave check` took 340 with T3 and 970 with
/// T6.
double bytes_per_quad(ElementType type) { return type == ElementType::t3 ? 300 : 900; }

bool is_divided(const MeshCase& c) { return c.shape == MeshShape::rectangle || c.shape == MeshShape::ring; }

/// Approximate number of quads of a generated mesh; refinement near holes adds more.
double quads_of(const MeshCase& c) {
  if (is_divided(c)) return static_cast<double>(c.divisions[0]) * c.divisions[1];
  const double area = c.shape == MeshShape::disc              ? 3 * c.radius * c.radius
                      : c.shape == MeshShape::compact_tension ? 1.5 * c.width * c.width
                                                              : c.size[0] * c.size[1];
  const double cut_out =
      c.shape == MeshShape::compact_tension ? 0.1 * c.width * c.width : 4 * c.hole_radius * c.hole_radius;
  return std::max(area - cut_out, 0.0) / (c.cell_size * c.cell_size);
}

Mesh generated_mesh(const MeshCase& c, ElementType type) {
  switch (c.shape) {
    case MeshShape::ring:
      return ring(type, c.divisions, c.inner_radius, c.outer_radius);
    case MeshShape::disc:
      return disc(type, c.cell_size, c.radius, c.platen_length);
    case MeshShape::plate_with_hole:
      return plate_with_hole(type, c.cell_size, c.size, c.hole_radius, c.origin, c.hole_centre);
    case MeshShape::kalthoff:
      return kalthoff(type, c.cell_size, c.size, c.notch_length, c.notch_spacing, c.origin);
    case MeshShape::compact_tension:
      return compact_tension(type, c.cell_size, c.width, c.notch_length);
    case MeshShape::compact_compression:
      return compact_compression(type, c.cell_size, c.size, c.hole_radius, c.notch_length, c.platen_length, c.origin);
    default:
      return rectangle(type, c.divisions, c.size, c.origin, c.notch_length, c.notch_height);
  }
}

/// Generates the mesh. Conflicting lengths of a specimen show only in its generator; its error is reported with the
/// key.
Mesh generated_or_reported(const Case& c, ElementType type) {
  try {
    return generated_mesh(c.mesh, type);
  } catch (const InputError& error) {
    if (is_divided(c.mesh)) throw;
    CaseReport report(c);
    report.add(c.line_of_mesh, "mesh", error.what());
    report.throw_if_any();
    throw;
  }
}

Mesh generate_or_read(const Case& whole) {
  const MeshCase& c = whole.mesh;
  if (c.shape == MeshShape::file)
    return read_mesh(c.file, {c.straighten ? CurvedSides::straightened : CurvedSides::refused, c.scale, c.split_quads});
  check_memory_of_mesh(whole);
  const bool crossed = c.pattern == MeshPattern::crossed;
  Mesh mesh = generated_or_reported(whole, crossed ? c.element : ElementType::t3);
  if (!crossed) mesh = delaunay(std::move(mesh), c.element, c.perturbation_seed);
  // Sizes that differ by many orders of magnitude can collapse elements.
  check_mesh(mesh, source_of(c));
  return mesh;
}

Mesh refined_as_asked(Mesh mesh, const MeshCase& c) {
  for (int i = 0; i < c.refine; ++i) mesh = refined(mesh, source_of(c));
  return mesh;
}

Mesh graded_as_asked(Mesh mesh, const Case& c) {
  constexpr double smallest = 1e-6;  // relative to the body's extent; far above rounding
  if (c.mesh.grading.empty()) return mesh;
  CaseReport report(c);
  const auto [low, high] = box_around(mesh.nodes);
  const double extent = std::max(high.x - low.x, high.y - low.y);
  std::vector<GradingPoint> points;
  for (const GradingCase& point : c.mesh.grading) {
    const auto key = [&](const char* name) {
      return point.entry < 0 ? fmt::format("mesh.grading.{}", name)
                             : fmt::format("mesh.grading.{}.{}", point.entry, name);
    };
    const auto [x, y] = point.at;
    if (x < low.x || x > high.x || y < low.y || y > high.y)
      report.add(
          point.line, key("at"),
          fmt::format("({:g}, {:g}) lies outside the box around the body, ({:g}, {:g}) to ({:g}, {:g}): choose a "
                      "point of the body",
                      x, y, low.x, low.y, high.x, high.y));
    if (point.size < smallest * extent)
      report.add(point.line, key("size"),
                 fmt::format("{:g} m is less than {:g} of the extent of the body, {:g} m: choose a larger one",
                             point.size, smallest, extent));
    points.push_back({{x, y}, point.size, point.growth});
  }
  report.throw_if_any();
  const double fits = machine_memory() / (bytes_per_quad(mesh.type) / 4);
  const Index most = static_cast<Index>(std::min(fits, static_cast<double>(most_elements)));
  try {
    return graded(mesh, points, most);
  } catch (const InputError& error) {
    report.add(c.mesh.grading.front().line, "mesh.grading", error.what());
  }
  report.throw_if_any();
  return mesh;
}

/// The facets of a crack that can be opened: those inside the body.
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
    const auto [start, end] = mesh.ends(code);
    report.add(c.mesh.line_of_cracks, "mesh.cracks",
               fmt::format("the facet between nodes {} and {} cannot open, as both are tips: make the crack longer, "
                           "refine the mesh, or use triangles with 6 nodes",
                           mesh.original_nodes[start], mesh.original_nodes[end]));
    break;
  }
  report.throw_if_any();
}

/// Parts may lie on each other only if declared by the case, in a crack, or in a generated notch; in each other, only
/// as deep as contact allows.
void check_fit_of(const Mesh& mesh, const Case& c) {
  CaseReport report(c);
  std::vector<std::string> doubled = c.mesh.doubled;
  for (const std::string& name : doubled)
    find_group(mesh, GroupParts::nodes, name, report, c.mesh.line_of_doubled, "mesh.doubled");
  report.throw_if_any();
  doubled.insert(doubled.end(), c.mesh.cracks.begin(), c.mesh.cracks.end());
  if (c.mesh.shape != MeshShape::file && mesh.find_group("notch")) doubled.emplace_back("notch");
  const bool all_touch = c.contact && c.contact->on.empty();
  check_fit(mesh, doubled, source_of(c.mesh), all_touch ? contact_depths(mesh) : std::vector<double>{});
}

void check_colouring_of(const Mesh& mesh, const Case& c) {
  if (c.mesh.colouring != ColouringMethod::structured || has_structured_colours(mesh)) return;
  CaseReport report(c);
  report.add(
      c.mesh.line_of_colouring, "mesh.colouring",
      "only a rectangle and a ring with an even number around, of crossed quads and not refined, have structured "
      "colours; take auto, welsh_powell, by_id or balanced");
  report.throw_if_any();
}

}  // namespace

void check_memory_of_mesh(const Case& c) {
  constexpr double gigabyte = 1e9;
  const double needed = quads_of(c.mesh) * std::pow(4, c.mesh.refine) * bytes_per_quad(c.mesh.element);
  if (needed <= machine_memory()) return;
  const std::string refined = c.mesh.refine > 0 ? ", refined," : "";
  const std::string what = is_divided(c.mesh)
                               ? fmt::format("{} x {} quads{} need", c.mesh.divisions[0], c.mesh.divisions[1], refined)
                               : fmt::format("quads with sides of {:g} m{} need", c.mesh.cell_size, refined);
  CaseReport report(c);
  report.add(c.line_of_mesh, is_divided(c.mesh) ? "mesh.divisions" : "mesh.cell_size",
             fmt::format("{} at least {:.3g} GB, and this machine has {:.3g} GB; choose {}", what, needed / gigabyte,
                         machine_memory() / gigabyte, is_divided(c.mesh) ? "fewer" : "larger ones"));
  report.throw_if_any();
}

Mesh make_mesh(const Case& c) {
  Mesh mesh = graded_as_asked(refined_as_asked(generate_or_read(c), c.mesh), c);
  add_places(mesh, c);
  open_cracks(mesh, c);
  check_fit_of(mesh, c);
  perturb(mesh, c.mesh.perturbation_amplitude, c.mesh.perturbation_seed);
  add_regions(mesh, c);
  if (c.mesh.numbering != Numbering::as_given) renumber_hilbert(mesh);
  check_colouring_of(mesh, c);
  return mesh;
}

}  // namespace cleave
