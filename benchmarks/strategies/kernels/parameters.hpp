/// Where a kernel finds the material: its arguments, global memory or CUDA's constant memory.
#pragma once

#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Members of the kernel; on CUDA these are a grid constant.
struct InArguments {
  LinearElastic material;
  CLEAVE_HD const LinearElastic& get() const { return material; }
};

/// Solver memory.
struct InMemory {
  const LinearElastic* material;
  CLEAVE_HD const LinearElastic& get() const { return *material; }
};

#if defined(__CUDACC__)
namespace detail {
static __constant__ Real constant_material[4];
}

/// A `__constant__` variable, one for all kernels of a source file: `upload` before the first launch.
struct InConstantMemory {
  static cudaError_t upload(const LinearElastic& m) {
    const Real values[4] = {m.d11, m.d12, m.d33, m.density};
    return cudaMemcpyToSymbol(detail::constant_material, values, sizeof(values));
  }
  CLEAVE_HD LinearElastic get() const {
#if defined(__CUDA_ARCH__)
    return {detail::constant_material[0], detail::constant_material[1], detail::constant_material[2],
            detail::constant_material[3]};
#else
    return {};
#endif
  }
};
#endif

}  // namespace cleave::inline CLEAVE_PRECISION
