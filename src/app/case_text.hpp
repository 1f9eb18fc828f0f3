/// Parts of a case as text, for summaries and messages.
#pragma once

#include <string>

#include "cleave/case/case.hpp"

namespace cleave {

const char* assembly_name(Assembly assembly);
const char* precision_name(Precision precision);
const char* criterion_name(Criterion criterion);
const char* aggregate_name(Aggregate aggregate);
const char* selection_name(Selection selection);

/// Origin of the output directory for messages: "ring.yaml:12: output.directory", without a line if the key is absent.
std::string output_origin(const Case& c);

/// Throws InputError if this program cannot write the frame format of the case.
void check_output_format(const Case& c);

/// Prints remarks about unusual but valid values of the case on stderr.
void tell_notes(const Case& c);

}  // namespace cleave
