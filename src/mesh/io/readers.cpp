#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cleave/core/utf8.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

struct Format {
  const char* extension;
  Mesh (*read)(const std::filesystem::path& file, const MeshReading& how);
};
constexpr std::array<Format, 6> formats{{{".msh", read_gmsh},
                                         {".inp", read_abaqus},
                                         {".mesh", read_inria},
                                         {".meshb", read_inria},
                                         {".vtu", read_vtu},
                                         {".vtk", read_legacy_vtk}}};

void check_plane(const Mesh& mesh, const std::vector<double>& z, const std::string& source) {
  double extent = 0;
  for (const Point& p : mesh.nodes) {
    extent = std::max({extent, std::abs(p.x - mesh.nodes.front().x), std::abs(p.y - mesh.nodes.front().y)});
  }
  Report report;
  for (std::size_t node = 0; node < z.size(); ++node) {
    if (std::abs(z[node] - z.front()) <= 1e-6 * extent) continue;
    report.add("node {} is at z = {}, node {} at z = {}", node_label(mesh, static_cast<Index>(node)), z[node],
               node_label(mesh, 0), z.front());
  }
  report.throw_if_any(source + ": the mesh must lie in a plane of constant z");
}

/// Makes all triangles counter-clockwise: corners 1 and 2 change places, and so do the facets opposite them.
std::vector<Index> turn_clockwise(Mesh& mesh) {
  std::vector<Index> turned;
  const int width = nodes_per_element(mesh.type);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    if (!(twice_area(mesh, e) < 0)) continue;
    const auto row = mesh.elements.begin() + static_cast<std::ptrdiff_t>(e) * width;
    std::swap(row[1], row[2]);
    if (mesh.type == ElementType::t6) std::swap(row[3], row[5]);
    turned.push_back(e);
  }
  mesh.turned = static_cast<Index>(turned.size());
  return turned;
}

/// Group names go into files of other programs, as XML and as columns of tables.
void check_group_names(const Mesh& mesh, const std::string& source) {
  Report report;
  for (const Group& group : mesh.groups) {
    if (!is_utf8(group.name))
      report.add("\"{}\" is not text in UTF-8", without_control_characters(group.name));
    else if (has_control_characters(group.name))
      report.add("\"{}\" has a control character at the question mark", without_control_characters(group.name));
  }
  report.throw_if_any(source + ": names of groups that files of results cannot hold: rename these groups");
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, const MeshReading& how) {
  const std::string extension = file.extension().string();
  const auto format =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.extension == extension; });
  if (format == formats.end()) {
    throw InputError(
        fmt::format("{}: unknown mesh format '{}': expected .msh (Gmsh 4.1 or 2.2), .inp (Abaqus), .mesh or .meshb "
                    "(INRIA), .vtu (VTK "
                    "XML) or .vtk "
                    "(VTK legacy); "
                    "scripts/convert_mesh makes .msh of others",
                    file.string(), extension));
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw InputError(file.string() + ": there is no such file");
  if (!std::filesystem::is_regular_file(file, error)) throw InputError(file.string() + ": this is not a file");
  if (std::filesystem::file_size(file, error) == 0) throw InputError(file.string() + ": the file is empty");
  Mesh mesh = format->read(file, how);
  check_group_names(mesh, file.string());
  return mesh;
}

std::vector<Index> finish_mesh(Mesh& mesh, const std::vector<double>& z, const MeshReading& how,
                               const std::string& source) {
  check_plane(mesh, z, source);
  for (Point& p : mesh.nodes) p = {how.scale * p.x, how.scale * p.y};
  std::vector<Index> turned = turn_clockwise(mesh);
  if (mesh.type == ElementType::t6 && how.sides == CurvedSides::straightened) straighten(mesh);
  check_mesh(mesh, source);
  connect(mesh, source);
  return turned;
}

}  // namespace cleave
