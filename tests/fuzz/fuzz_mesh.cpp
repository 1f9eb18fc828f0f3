/// Any bytes as a Gmsh file are read, or refused with an InputError.
#include "cleave/core/error.hpp"
#include "cleave/mesh/readers.hpp"
#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    cleave::read_mesh(cleave::fuzz::input_file("mesh.msh", data, size));
  } catch (const cleave::InputError&) {
  }
  return 0;
}
