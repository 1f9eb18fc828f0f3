/// An entry of the section `curves` of the case file: a function of time.
#pragma once

#include <filesystem>

#include "case/section.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// @param folder  base of relative file names
Curve read_curve(Section s, const std::filesystem::path& folder);

}  // namespace cleave::case_file
