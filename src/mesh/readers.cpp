#include "cleave/mesh/readers.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/formats.hpp"
#include "mesh/report.hpp"

namespace cleave {

Mesh read_mesh(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".msh" && extension != ".vtu") {
    throw InputError(fmt::format("{}: unknown mesh format '{}': expected .msh (Gmsh 2.2 ASCII) or .vtu (VTK XML)",
                                 file.string(), extension));
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw InputError(file.string() + ": there is no such file");
  if (!std::filesystem::is_regular_file(file, error)) throw InputError(file.string() + ": this is not a file");
  if (std::filesystem::file_size(file, error) == 0) throw InputError(file.string() + ": the file is empty");
  return extension == ".msh" ? read_gmsh(file) : read_vtu(file);
}

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

}  // namespace cleave
