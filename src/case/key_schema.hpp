/// The keys of the case file as a JSON schema.
#pragma once

#include <string>
#include <vector>

#include "case/key_table.hpp"

namespace cleave::case_file {

/// JSON schema, draft 7, which editors support. Numbers must be numbers; quoted ones, which the reader accepts with a
/// note, are invalid.
std::string schema_of(const std::vector<KeyRow>& rows, const std::string& title);

}  // namespace cleave::case_file
