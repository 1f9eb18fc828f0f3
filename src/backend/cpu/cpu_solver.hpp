/// The simulation on the CPU in each precision; each has a source file of its own.
#pragma once

#include <memory>

#include "cleave/core/types.hpp"

namespace cleave {

class Ranks;
class Solver;
struct Model;

inline namespace double_precision {
std::unique_ptr<Solver> make_on_cpu(const Model& model, int threads, Ranks& ranks);
}
inline namespace single_precision {
std::unique_ptr<Solver> make_on_cpu(const Model& model, int threads, Ranks& ranks);
}

}  // namespace cleave
