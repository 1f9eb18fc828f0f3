/// The sections `boundary`, `body_force`, `damping` and `support` of the case file: loads and conditions on the body.
#pragma once

#include <string>
#include <vector>

#include "case/section.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads one condition.
/// @param curve_names  names in the section `curves`
/// @param breaks       whether the case has a cohesive section
BoundaryCase read_boundary(const Node& node, const std::vector<std::string>& curve_names, Kinematics kinematics,
                           bool breaks);

void read_body_force(Section s, BodyForceCase& c, const std::vector<std::string>& curve_names);

void read_damping(Section s, DampingCase& c);

/// Reads one entry of `support`.
SupportCase read_support(const Node& node);

}  // namespace cleave::case_file
