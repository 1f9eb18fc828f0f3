/// Lines of a case: their points, and the elements that hold them.
#pragma once

#include "model/probes.hpp"

namespace cleave {

/// Adds the lines, and their points behind the probes. The points of a straight line lie in the elements where probes
/// would. Those of a group lie in the elements of its facets: this tells the two faces of a notch apart. They follow
/// the facets counter-clockwise, with the body on the left; a closed outline begins at its rightmost node, of several
/// at the lowest. The report names points outside the body and groups whose facets do not follow each other.
void place_lines(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report);

}  // namespace cleave
