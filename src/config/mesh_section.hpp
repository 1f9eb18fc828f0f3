/// The section `mesh` of the case file: shapes with their lengths, mesh files, and changes of the mesh.
#pragma once

#include <filesystem>

#include "cleave/config/case.hpp"
#include "config/section.hpp"
#include "config/writer.hpp"

namespace cleave::config {

/// @param folder  folder of the case file
void read_mesh(Section s, MeshCase& c, const std::filesystem::path& folder);

void write_mesh(Writer& w, const MeshCase& c);

}  // namespace cleave::config
