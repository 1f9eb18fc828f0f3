/// What the versions of Gmsh's format share (C. Geuzaine, J.-F. Remacle, Gmsh reference manual, "MSH file format").
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mesh/file_mesh.hpp"

namespace cleave {

/// Reads the sections of one version that the other writes differently.
class GmshSections {
 public:
  virtual ~GmshSections() = default;
  /// Reads the section whose first line is `header`, up to its last one; false: it is of no use here.
  virtual bool read(std::string_view header) = 0;
};

std::unique_ptr<GmshSections> gmsh2_sections(InputFile& file, FileMesh& mesh);
std::unique_ptr<GmshSections> gmsh4_sections(InputFile& file, FileMesh& mesh);

/// The shape of an element of Gmsh's type. Fails at the place read last when it is not simulated; `what` begins the
/// message: "element 3 has".
Shape gmsh_shape(const InputFile& file, int type, const std::string& what);

/// Reads the last line of a section.
void end_gmsh_section(InputFile& file, std::string_view end);

}  // namespace cleave
