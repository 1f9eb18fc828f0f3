/// The sections `contact` and `obstacles` of the case file.
#pragma once

#include <string>
#include <vector>

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads both sections.
/// @param root         of the case file
/// @param curve_names  names in the section `curves`
void read_contact(Section& root, Case& c, const std::vector<std::string>& curve_names);

void write_contact(Writer& w, const Case& c);

}  // namespace cleave::case_file
