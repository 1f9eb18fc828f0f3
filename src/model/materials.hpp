/// Assignment of materials to elements.
#pragma once

#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// [element] Index in `c.material` of the last entry that names the element; -1: none. Reports names that are no group
/// of triangles.
std::vector<Index> material_entries(const Case& c, const Mesh& mesh, CaseReport& report);

/// Sets the model's materials and sorts its elements by them, see make_model; node numbers stay. Returns false and
/// leaves the model unchanged if it reports wrong names or an element without a material.
bool assign_materials(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
