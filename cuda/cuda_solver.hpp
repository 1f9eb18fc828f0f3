/// The simulation on a CUDA device in each precision; each has a source file of its own.
#pragma once

#include <memory>

#include "cleave/core/types.hpp"

namespace cleave {

class Solver;
struct Model;

namespace double_precision {
std::unique_ptr<Solver> make_on_cuda(const Model& model);
}
namespace single_precision {
std::unique_ptr<Solver> make_on_cuda(const Model& model);
}

}  // namespace cleave
