/// Parts of a case in words, for summaries and messages.
#pragma once

#include <string>

#include "cleave/config/case.hpp"

namespace cleave {

const char* assembly_name(Assembly assembly);
const char* precision_name(Precision precision);
const char* criterion_name(Criterion criterion);
const char* aggregate_name(Aggregate aggregate);
const char* selection_name(Selection selection);

/// Where the user named the output directory: "ring.yaml:12: output.directory", no line when the key is absent.
std::string output_origin(const Case& c);

/// Throws InputError when this program cannot write the format of the frames.
void check_output_format(const Case& c);

/// Says on stderr what is unusual in the case and was taken nevertheless.
void tell_notes(const Case& c);

}  // namespace cleave
