/// The memory of faces that turn, from step to step.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// How the faces lie at a Gauss point, m.
struct FaceMotion {
  Vec2 jump;   ///< of the displacements, from side a to side b
  Vec2 along;  ///< derivative by r of the sum of both displacements
};

}  // namespace cleave::inline CLEAVE_PRECISION
