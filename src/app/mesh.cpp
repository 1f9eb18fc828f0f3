/// cleave mesh: writes the mesh of a case for viewing and for other programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/case_text.hpp"
#include "app/commands.hpp"
#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {
namespace {

const std::vector<std::string> suffixes{".vtu", ".vtk", ".msh", ".mesh", ".meshb"};

void write(const std::filesystem::path& file, const Mesh& mesh, const Colouring& colouring,
           const std::string& msh_format) {
  const std::string suffix = file.extension().string();
  if (suffix == ".vtu") {
    write_vtu(file, mesh_grid(mesh, colouring));
    return;
  }
  if (suffix == ".vtk") return write_atomically(file, legacy_vtk_file(mesh_grid(mesh, colouring)));
  const bool binary = msh_format.find("ascii") == std::string::npos;
  write_atomically(file,
                   suffix == ".msh"
                       ? gmsh_file(mesh, msh_format.starts_with("msh41") ? GmshVersion::v41 : GmshVersion::v22, binary)
                       : inria_file(mesh, suffix == ".meshb"));
}

/// Prints the meaning of the references in the file, and the groups that it cannot hold.
void print_references(const Mesh& mesh) {
  std::vector<std::string> lost;
  for (const InriaReference& reference : inria_references(mesh))
    fmt::print("  reference {}: {} of {}\n", reference.number, reference.dimension == 1 ? "edges" : "triangles",
               fmt::join(reference.groups, ", "));
  for (const Group& group : mesh.groups)
    if (group.facets.empty() && group.inside.empty() && group.elements.empty()) lost.push_back(group.name);
  if (!lost.empty()) fmt::print("  not written, as they are groups of nodes: {}\n", fmt::join(lost, ", "));
}

}  // namespace

int mesh(const MeshOptions& options) {
  const std::filesystem::path& file = options.file;
  const std::string suffix = file.extension().string();
  if (std::find(suffixes.begin(), suffixes.end(), suffix) == suffixes.end()) {
    throw InputError(
        fmt::format("-o: '{}' does not end in {}; give another name", file.string(), fmt::join(suffixes, ", ")));
  }
  if (suffix != ".msh" && options.msh_format != msh_formats.front())
    throw InputError(
        fmt::format("--format: '{}' applies to .msh files only, not to '{}'", options.msh_format, file.string()));
  Case c = read_case(options.from.file, options.from.overrides);
  // These formats have no numbers of nodes, so their order is what values in a .sol file go by.
  if (suffix.starts_with(".mesh")) c.mesh.numbering = Numbering::as_given;
  std::error_code error;
  for (const auto& input : {c.file, c.mesh.file}) {
    if (std::filesystem::equivalent(file, input, error)) {
      throw InputError(fmt::format("-o: '{}' is what the mesh is made from; give another name", file.string()));
    }
  }
  const Mesh made = make_mesh(c);
  tell_turned(made);
  const Colouring colouring = colour_elements(made, c.mesh.colouring);
  check_output_directory(std::filesystem::absolute(file).parent_path(), "-o");

  write(file, made, colouring, options.msh_format);
  print_mesh(made, colouring);
  if (suffix.starts_with(".mesh")) print_references(made);
  fmt::print("written to {}\n", file.string());
  return 0;
}

}  // namespace cleave
