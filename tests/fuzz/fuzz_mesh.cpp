/// Any bytes as a mesh file are read, or refused with an InputError. How they begin says which format they are: .mesh
/// and .meshb files as they do, .vtu files as XML, legacy .vtk and .inp files by their first character, all
/// others .msh.
#include <string_view>

#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* const name = text.starts_with("Mesh") ? "mesh.mesh"
                           : text.starts_with('\1') ? "mesh.meshb"
                           : text.starts_with('<')  ? "mesh.vtu"
                           : text.starts_with('#')  ? "mesh.vtk"
                           : text.starts_with('*')  ? "mesh.inp"
                                                    : "mesh.msh";
  const auto file = cleave::fuzz::input_file(name, data, size);
  for (const auto sides : {cleave::CurvedSides::refused, cleave::CurvedSides::straightened}) {
    try {
      cleave::read_mesh(file, {sides, 1, sides == cleave::CurvedSides::straightened});
    } catch (const cleave::InputError&) {
    }
  }
  return 0;
}
