/// Which element has which material.
#pragma once

#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Index in `c.material` of the entry that holds for each element: the last that names it; -1 where none does. Reports
/// names that are no group of triangles.
std::vector<Index> material_entries(const Case& c, const Mesh& mesh, CaseReport& report);

/// Fills the model's materials and sorts its elements by them, see make_model. Node numbers stay. Returns false, with
/// the model as it was, when it reports wrong names or an element without a material.
bool assign_materials(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
