/// A kernel that another program compiles: a backend runs it without its type.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

struct ForeignKernel {
  const char* name;    ///< in the list of stages
  Index blocks;        ///< 0: nothing to do
  const void* kernel;  ///< its arguments, until the call returns
  /// Runs one block on the CPU.
  void (*run_block)(const void* kernel, Index block);
  /// Launches all blocks on a cudaStream_t. Null: compiled without CUDA.
  void (*launch)(const void* kernel, Index blocks, void* stream);
};

}  // namespace cleave
