/// The scalar, index and vector types that every other header uses, and the marker of functions that also run on a GPU.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define CLEAVE_HD __host__ __device__
#else
#define CLEAVE_HD
#endif

/// The same for small functions in the innermost loop, which must become part of it.
#define CLEAVE_HD_INLINE CLEAVE_HD __attribute__((always_inline)) inline

/// The same for what few elements need: on the CPU it stays out of the innermost loop, whose registers it would take.
#if defined(__CUDACC__)
#define CLEAVE_HD_SELDOM CLEAVE_HD
#else
#define CLEAVE_HD_SELDOM __attribute__((noinline))
#endif

/// Before a loop of a few turns whose index must be known to the compiler. GCC does not unroll by itself.
#if defined(__CUDACC__)
#define CLEAVE_UNROLL _Pragma("unroll")
#else
#define CLEAVE_UNROLL _Pragma("GCC unroll 6")
#endif

/// The solver side (kernels, laws, scheme) is compiled once per precision: a translation unit that defines
/// CLEAVE_SINGLE_PRECISION before its first include gets everything that depends on Real in single precision, any other
/// one in double. Both live in one program because all of it lies in the inline namespace of its precision. What the
/// host holds (meshes, models, snapshots, history) uses neither Real nor Vec2 nor Sym2 and is always double.
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

/// Number of a time step; long runs exceed 2^31 element-steps but steps alone also deserve the room.
using Step = std::int64_t;

/// Symmetric plane tensor on the host: stress in Pa, or strain with the tensor shear component.
struct PlaneTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

}  // namespace cleave

namespace cleave::inline CLEAVE_PRECISION {

/// Floating-point type of the state, the forces and the laws in solver memory. Sums over the body are double.
using Real = CLEAVE_REAL;

/// A vector of the plane as stored per node, m, m/s, m/s^2 or N. Aligned so that a GPU reads it in one access. Without
/// initial values, as shared memory is not to be filled before it is used; Vec2{} is zero.
struct alignas(2 * sizeof(Real)) Vec2 {
  Real x, y;
};

CLEAVE_HD constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
CLEAVE_HD constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
CLEAVE_HD constexpr Vec2 operator*(Real s, Vec2 a) { return {s * a.x, s * a.y}; }
CLEAVE_HD constexpr Vec2& operator+=(Vec2& a, Vec2 b) { return a = a + b; }
CLEAVE_HD constexpr Real dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// The component that a degree of freedom is: x if it is even, else y.
CLEAVE_HD constexpr Real& component(Vec2& v, int dof) { return dof % 2 == 0 ? v.x : v.y; }
CLEAVE_HD constexpr Real component(const Vec2& v, int dof) { return dof % 2 == 0 ? v.x : v.y; }

/// Symmetric plane tensor: as PlaneTensor, in solver memory, and without initial values like Vec2.
struct Sym2 {
  Real xx, yy, xy;
};

}  // namespace cleave::inline CLEAVE_PRECISION
