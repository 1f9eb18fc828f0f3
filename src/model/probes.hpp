/// Probes of a case: the elements that hold them.
#pragma once

#include <optional>
#include <string>

#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"
#include "mesh/box_tree.hpp"

namespace cleave {

/// Finds the elements of points.
class ElementFinder {
 public:
  /// The mesh must stay.
  explicit ElementFinder(const Mesh& mesh);

  /// The element that holds a point, of several the one with the lowest original id; empty: it lies outside the body.
  std::optional<Index> element_at(Point x) const;

 private:
  const Mesh& mesh_;
  BoxTree tree_;
};

/// A probe at a point of an element, without name and period.
ProbePoint probe_in(const Model& model, Index element, Point at);

/// Says of a point outside the body which point of it is nearest.
std::string outside_text(const Mesh& mesh, Point at);

/// Finds the element of every probe. The report names points outside the body.
void place_probes(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report);

}  // namespace cleave
