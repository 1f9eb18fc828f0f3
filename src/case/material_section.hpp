/// The section `material` of the case file: material laws with their keys, units and ranges.
#pragma once

#include <vector>

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads one map, for all triangles, or a list of maps, each for the group `on`.
void read_material(const Node& node, std::vector<MaterialEntry>& entries);

/// Reads the key `kinematics` of the case, which must fit the laws of its materials.
Kinematics read_kinematics(Section& root, const std::vector<MaterialEntry>& materials);

void write_material(Writer& w, const std::vector<MaterialEntry>& entries);

}  // namespace cleave::case_file
