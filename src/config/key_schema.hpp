/// The keys of the case file as a JSON schema.
#pragma once

#include <string>
#include <vector>

#include "config/key_table.hpp"

namespace cleave::config {

/// Draft 7, which editors read. Numbers must be numbers: those in quotes, which the reader takes with a note, are not.
std::string schema_of(const std::vector<KeyRow>& rows, const std::string& title);

}  // namespace cleave::config
