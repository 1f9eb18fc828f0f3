/// Probes and lines of a case: their points, and the elements that contain them.
#pragma once

#include <optional>
#include <string>

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"
#include "mesh/shapes/box_tree.hpp"

namespace cleave {

/// Finds the element that contains a point.
class ElementFinder {
 public:
  /// The mesh must outlive this object.
  explicit ElementFinder(const Mesh& mesh);

  /// The element that contains a point, of several the one with the smallest original id; empty for a point outside the
  /// body.
  std::optional<Index> element_at(Point x) const;

 private:
  const Mesh& mesh_;
  BoxTree tree_;
};

/// A probe at a point of an element; name and period are not set.
ProbePoint probe_in(const Model& model, Index element, Point at);

/// Message about a point outside the body, with the nearest point of the body.
std::string outside_text(const Mesh& mesh, Point at);

/// Sets the element of every probe. Reports points outside the body.
void place_probes(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report);

/// Adds the lines, and their points after the probes, when contact is known. Points of a straight line are placed as
/// probes are. Points of a group lie in the elements of its facets, which distinguishes the two faces of a notch. They
/// follow the facets counter-clockwise, with the body on the left; a closed outline begins at its rightmost node, of
/// several the lowest. Reports points outside the body and groups whose facets do not form one line.
void place_lines(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report);

}  // namespace cleave
