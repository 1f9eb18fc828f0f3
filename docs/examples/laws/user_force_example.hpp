/// Examples of forces of your own: a bed of springs under the body, and a magnet beside it. Build with
/// scripts/build_law PATH_OF_THIS_FILE, then write in the case file
///     forces:
///       - {law: spring_bed, squared_frequency: 1.0e6, drag: 20}
///       - {law: magnet, on: tip, x: 0.1, y: 0, strength: 2.0e-3, gap: 5.0e-3}
/// Copy this file to write forces of your own.
#pragma once

#include "cleave/force/user_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Springs from every node to its place in the mesh, of the same stiffness for every kilogramme, and a drag.
struct SpringBed {
  static constexpr const char* name = "spring_bed";
  static constexpr LawParameter parameters[] = {
      {.key = "squared_frequency", .unit = "1/s²", .meaning = "stiffness of the springs over the mass", .at_least = 0},
      {.key = "drag", .unit = "1/s", .meaning = "force over mass and velocity", .at_least = 0, .otherwise = 0}};

  Real stiffness = 0, drag = 0;  ///< over the mass, 1/s^2, 1/s

  /// @param c  numbers of the case file; `values` are in the order of `parameters`
  static SpringBed make(const ForceCase& c) {
    return {static_cast<Real>(c.values.at(0)), static_cast<Real>(c.values.at(1))};
  }
  /// The springs make the critical step shorter.
  static double squared_frequency(const ForceCase& c) { return c.values.at(0); }

  /// Force on a node, N.
  CLEAVE_HD Vec2 force(const ForcePoint& at) const {
    return -at.mass * (stiffness * at.displacement + drag * at.velocity);
  }
};

/// Attraction towards a point, as strength / (distance + gap)^2 for every kilogramme, which grows to its full value in
/// the time `rise`.
struct Magnet {
  static constexpr const char* name = "magnet";
  static constexpr LawParameter parameters[] = {
      {.key = "x", .unit = "m", .meaning = "place of the magnet"},
      {.key = "y", .unit = "m", .meaning = "likewise"},
      {.key = "strength", .unit = "m³/s²", .meaning = "acceleration times the square of distance and gap"},
      {.key = "gap", .unit = "m", .meaning = "keeps the force finite at the magnet", .above = 0},
      {.key = "rise", .unit = "s", .meaning = "time in which the force grows", .at_least = 0, .otherwise = 0}};

  Vec2 place{};
  Real strength = 0, gap = 0, rise = 0;

  static Magnet make(const ForceCase& c) {
    return {{static_cast<Real>(c.values.at(0)), static_cast<Real>(c.values.at(1))},
            static_cast<Real>(c.values.at(2)),
            static_cast<Real>(c.values.at(3)),
            static_cast<Real>(c.values.at(4))};
  }
  CLEAVE_HD Vec2 force(const ForcePoint& at) const {
    const Vec2 towards = place - (at.place + at.displacement);
    const Real distance = std::sqrt(dot(towards, towards)), reach = distance + gap;
    const Real grown = at.time < rise ? at.time / rise : Real(1);
    return distance > 0 ? at.mass * grown * strength / (reach * reach * distance) * towards : Vec2{};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_FORCE(cleave::SpringBed);
CLEAVE_USER_FORCE(cleave::Magnet);
