/// An entry of the section `curves` of the case file: a function of time.
#pragma once

#include <filesystem>

#include "cleave/config/case.hpp"
#include "config/section.hpp"

namespace cleave::config {

/// @param folder  base of relative file names
Curve read_curve(Section s, const std::filesystem::path& folder);

}  // namespace cleave::config
