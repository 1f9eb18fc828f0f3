/// The scalar, index and vector types that all other headers use, and the macros for functions that also run on a GPU.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define CLEAVE_HD __host__ __device__
#else
#define CLEAVE_HD
#endif

/// Like CLEAVE_HD, for small functions of the innermost loop, which must be inlined.
#define CLEAVE_HD_INLINE CLEAVE_HD __attribute__((always_inline)) inline

/// Like CLEAVE_HD, for rarely used paths: on the CPU the function is not inlined, so that it takes no registers of the
/// innermost loop.
#if defined(__CUDACC__)
#define CLEAVE_HD_SELDOM CLEAVE_HD
#else
#define CLEAVE_HD_SELDOM __attribute__((noinline))
#endif

/// Unrolls a loop of few turns whose index must be a compile-time constant. GCC does not unroll by itself.
#if defined(__CUDACC__)
#define CLEAVE_UNROLL _Pragma("unroll")
#else
#define CLEAVE_UNROLL _Pragma("GCC unroll 6")
#endif

/// Keeps a loop of few turns as it is: its body is so long that copies of it would not stay in a GPU's instruction
/// cache.
#if defined(__CUDACC__)
#define CLEAVE_KEEP_LOOP _Pragma("unroll 1")
#else
#define CLEAVE_KEEP_LOOP
#endif

/// The solver side (kernels, laws, scheme) is compiled once per precision: a translation unit that defines
/// CLEAVE_SINGLE_PRECISION before its first include uses single precision for all that depends on Real, other units use
/// double precision. One program holds both, as each lies in the inline namespace of its precision. Data on the host
/// (meshes, models, snapshots, history) uses none of Real, Vec2 and Sym2 and is always double.
#if defined(CLEAVE_SINGLE_PRECISION)
#define CLEAVE_PRECISION single_precision
#define CLEAVE_REAL float
#else
#define CLEAVE_PRECISION double_precision
#define CLEAVE_REAL double
#endif

namespace cleave {

/// Node, element and cohesive-element ids; also facet codes (see mesh/facet.hpp), which need 3 x elements values.
using Index = std::int32_t;

/// Number of a time step. 64 bits: the number of steps is not limited by Index.
using Step = std::int64_t;

/// Symmetric plane tensor on the host: stress, Pa, or strain with the tensor shear component.
struct PlaneTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

}  // namespace cleave

namespace cleave::inline CLEAVE_PRECISION {

/// Floating-point type of the state, forces and laws in solver memory. Sums over the body are double.
using Real = CLEAVE_REAL;

/// A vector of the plane as stored per node, m, m/s, m/s^2 or N. Aligned so that a GPU reads it in one access. It has
/// no default values, so that shared memory is not filled before use; Vec2{} is zero.
struct alignas(2 * sizeof(Real)) Vec2 {
  Real x, y;
};

CLEAVE_HD constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
CLEAVE_HD constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
CLEAVE_HD constexpr Vec2 operator*(Real s, Vec2 a) { return {s * a.x, s * a.y}; }
CLEAVE_HD constexpr Vec2& operator+=(Vec2& a, Vec2 b) { return a = a + b; }
CLEAVE_HD constexpr Real dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// The component of degree of freedom `dof`: x if it is even, y if it is odd.
CLEAVE_HD constexpr Real& component(Vec2& v, int dof) { return dof % 2 == 0 ? v.x : v.y; }
CLEAVE_HD constexpr Real component(const Vec2& v, int dof) { return dof % 2 == 0 ? v.x : v.y; }

/// Symmetric plane tensor in solver memory. Like PlaneTensor, but without default values, as Vec2.
struct Sym2 {
  static constexpr int components = 3;
  Real xx, yy, xy;
};

}  // namespace cleave::inline CLEAVE_PRECISION
