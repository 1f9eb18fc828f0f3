/// Lines of a case: their points, and the elements that contain them.
#pragma once

#include "model/probes.hpp"

namespace cleave {

/// Adds the lines, and their points after the probes. Points of a straight line are placed as probes are. Points of a
/// group lie in the elements of its facets, which distinguishes the two faces of a notch. They follow the facets
/// counter-clockwise, with the body on the left; a closed outline begins at its rightmost node, of several the lowest.
/// Reports points outside the body and groups whose facets do not form one line.
void place_lines(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report);

}  // namespace cleave
