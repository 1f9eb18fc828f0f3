/// Probes of a case: the elements that contain them.
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

}  // namespace cleave
