/// The scalar, index and vector types that every other header uses, and the marker of functions that also run on a GPU.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define CLEAVE_HD __host__ __device__
#else
#define CLEAVE_HD
#endif

namespace cleave {

/// Floating-point type of everything that lives in solver memory.
using Real = double;

/// Node, element and cohesive-element ids; also facet codes (see mesh/facet.hpp), which need 3 x elements values.
using Index = std::int32_t;

/// Number of a time step; long runs exceed 2^31 element-steps but steps alone also deserve the room.
using Step = std::int64_t;

/// A vector of the plane as stored per node, m, m/s, m/s^2 or N. Aligned so that a GPU reads it in one access.
struct alignas(2 * sizeof(Real)) Vec2 {
  Real x = 0;
  Real y = 0;
};

CLEAVE_HD constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
CLEAVE_HD constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
CLEAVE_HD constexpr Vec2 operator*(Real s, Vec2 a) { return {s * a.x, s * a.y}; }
CLEAVE_HD constexpr Vec2& operator+=(Vec2& a, Vec2 b) { return a = a + b; }
CLEAVE_HD constexpr Real dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }

/// Symmetric plane tensor: stress in Pa, or strain with the tensor shear component (half the engineering shear).
struct Sym2 {
  Real xx = 0;
  Real yy = 0;
  Real xy = 0;
};

}  // namespace cleave
