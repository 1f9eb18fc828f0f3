/// The section `mesh` of the case file: shapes with their lengths, mesh files, and changes of the mesh.
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// @param folder  folder of the case file
void read_mesh(Section s, MeshCase& c, const std::filesystem::path& folder);

void write_mesh(Writer& w, const MeshCase& c);

}  // namespace cleave::case_file
