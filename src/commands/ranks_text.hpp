/// What each rank of a run would do, in words.
#pragma once

#include "cleave/config/case.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Prints parts, nodes between them, balance, and what a step and a check exchange.
void print_ranks(const Case& c, const Model& model, int ranks, bool on_device);

}  // namespace cleave
