/// Ways of a study, timed and compared in one table.
#pragma once

#include "bench/measure.hpp"
#include "strategies/study.hpp"

namespace cleave::benchmark {

/// Prints a line a way and adds its row. The first way of a task is what its others are compared with, in time and in
/// result. Throws NumericalError when a result is another one.
/// @param of  what is studied: a mesh, or sizes
void time_ways(KernelStudy& study, const std::string& of, Index elements, const Machine& m, double least_seconds,
               Json& rows);

}  // namespace cleave::benchmark
