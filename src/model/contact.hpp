/// Contact and obstacles of a case in the model.
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Places obstacles and finds the sides that take part in contact. Reports groups and places that do not fit.
void apply_contact(Model& model, const Case& c, CaseReport& report);

/// The deepest point of the surface inside an obstacle at t = 0.
struct Overlap {
  double depth = 0;  ///< m; 0: there is none
  double limit = 0;  ///< how deep it may be, m
  Point place;       ///< m
  std::string obstacle;
};
/// The deepest overlap over its limit.
Overlap deepest_overlap(const Model& model);

}  // namespace cleave
