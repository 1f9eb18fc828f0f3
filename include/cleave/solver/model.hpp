/// A case made ready to run: the mesh, coloured, with every name resolved to nodes and facets and the step chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/material/curve.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Prescribed velocity of a degree of freedom: velocity(t) = velocity * curve(t); a fixed one has velocity 0.
struct PrescribedMotion {
  double velocity = 0;  ///< m/s
  Curve curve;
};

/// Pressure on original boundary facets, a dead load on the reference geometry.
struct PressureLoad {
  double pressure = 0;  ///< Pa, along the inward normal
  Curve curve;
  std::vector<Index> facets;  ///< facet codes
};

struct Model {
  Mesh mesh;
  Colouring colouring;
  double thickness = 0;  ///< m
  MaterialCase material;
  std::optional<CohesiveCase> cohesive;

  double step = 0;           ///< s
  double critical_step = 0;  ///< s, the smallest 2 / omega_max over the elements: a bound for the mesh
  double stable_step = 0;    ///< s, what a step may be at most: critical_step, lowered by the cohesive stiffness cap

  std::vector<Point> displacement;  ///< [node] at t = 0, m
  std::vector<Point> velocity;      ///< [node] at t = 0, m/s

  std::vector<PrescribedMotion> motions;
  std::vector<int> motion_x;  ///< [node] 1 + index in `motions` of its x direction, 0 when free
  std::vector<int> motion_y;
  std::vector<PressureLoad> loads;

  Precision precision = Precision::double_precision;
  Assembly assembly = Assembly::gather;
  bool time_stages = false;  ///< measure each stage (synchronises after every launch: slower)
};

/// The share s of the step's stability that cohesive stiffness may use, in the cap kc = 2 s m* / dt^2: what the case
/// gives, else min(0.6, 0.8 (1 - f^2)) with f = step / critical step. Stable while s + f^2 < 1.
double stiffness_safety(const Model& model);

/// Builds the model of a case. Throws InputError: mesh faults, unknown groups (with the nearest name), a pressure on a
/// facet that is not on the boundary, a step above the stable one, a body without mass.
Model make_model(const Case& c);

/// The number of steps of a case with step dt: `steps`, or the end time rounded up to whole steps.
Step step_count(const TimeCase& time, double dt);

}  // namespace cleave
