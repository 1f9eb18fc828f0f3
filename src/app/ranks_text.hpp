/// Description of the work of each rank as text.
#pragma once

#include "cleave/case/case.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Prints parts, shared nodes, balance, and the bytes exchanged in a step and in a check.
void print_ranks(const Case& c, const Model& model, int ranks, bool on_device);

}  // namespace cleave
