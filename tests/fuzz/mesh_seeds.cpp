/// Writes mesh files in each format that is read into a folder: mesh_seeds FOLDER FILE.msh...
#include <filesystem>
#include <fstream>

#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/output/vtk.hpp"

int main(int count, char** arguments) {
  const std::filesystem::path folder = arguments[1];
  for (int i = 2; i < count; ++i) {
    const std::filesystem::path file = arguments[i];
    const cleave::Mesh mesh = cleave::read_mesh(file);
    const auto write = [&](const std::string& ending, const std::string& text) {
      std::ofstream(folder / (file.stem().string() + ending), std::ios::binary) << text;
    };
    for (const bool binary : {false, true}) {
      const std::string encoding = binary ? "_binary" : "_ascii";
      write("_22" + encoding + ".msh", cleave::gmsh_file(mesh, cleave::GmshVersion::v22, binary));
      write("_41" + encoding + ".msh", cleave::gmsh_file(mesh, cleave::GmshVersion::v41, binary));
      write(binary ? ".meshb" : ".mesh", cleave::inria_file(mesh, binary));
    }
    const cleave::Grid grid = cleave::mesh_grid(mesh, cleave::colour_elements(mesh));
    write(".vtk", cleave::legacy_vtk_file(grid));
    for (const auto compression : {cleave::Compression::none, cleave::Compression::zlib, cleave::Compression::lz4}) {
      const std::string name = file.stem().string() + "_" + std::to_string(static_cast<int>(compression)) + ".vtu";
      cleave::write_vtu(folder / name, grid, compression);
    }
  }
}
