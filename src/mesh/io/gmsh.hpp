/// Common parts of the versions of Gmsh's format (C. Geuzaine, J.-F. Remacle, Gmsh reference manual, "MSH file
/// format").
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mesh/io/file_mesh.hpp"

namespace cleave {

/// Reader of the sections that differ between versions.
class GmshSections {
 public:
  virtual ~GmshSections() = default;
  /// Reads the section whose first line is `header`, except its last line; false if it is not needed.
  virtual bool read(std::string_view header) = 0;
};

std::unique_ptr<GmshSections> gmsh2_sections(InputFile& file, FileMesh& mesh);
std::unique_ptr<GmshSections> gmsh4_sections(InputFile& file, FileMesh& mesh);

/// The shape of an element of Gmsh's type. For an unsupported type fails at the last place read; `what` begins the
/// message: "element 3 has".
/// @param quads  whether quads are supported
Shape gmsh_shape(const InputFile& file, int type, bool quads, const std::string& what);

}  // namespace cleave
