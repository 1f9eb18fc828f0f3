/// cleave mesh: writes the mesh of a case for people to look at.
#include <fmt/format.h>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/model.hpp"
#include "commands/commands.hpp"
#include "commands/mesh_text.hpp"

namespace cleave {

int mesh(const CaseOptions& options, const std::filesystem::path& file) {
  if (file.extension() != ".vtu") {
    throw InputError(fmt::format("-o: '{}' does not end in .vtu; meshes are written as VTK files, give another name",
                                 file.string()));
  }
  const Case c = read_case(options.file, options.overrides);
  std::error_code error;
  for (const auto& input : {c.file, c.mesh.file}) {
    if (std::filesystem::equivalent(file, input, error)) {
      throw InputError(fmt::format("-o: '{}' is what the mesh is made from; give another name", file.string()));
    }
  }
  const Mesh made = make_mesh(c);
  const Colouring colouring = colour_elements(made, c.mesh.colouring);
  check_output_directory(std::filesystem::absolute(file).parent_path(), "-o");

  write_vtu(file, mesh_grid(made, colouring));
  print_mesh(made, colouring);
  fmt::print("written to {}\n", file.string());
  return 0;
}

}  // namespace cleave
