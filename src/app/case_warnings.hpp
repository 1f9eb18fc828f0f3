/// Warnings about a case that are known before it runs.
#pragma once

#include <limits>

#include "app/warnings.hpp"
#include "cleave/case/case.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// The cohesive zone that the mesh resolves worst, relative to the length of its facet.
struct WorstZone {
  double zone =
      std::numeric_limits<double>::infinity();  ///< length of the zone, m; the shorter one of both modes and materials
  double facet = 1;                             ///< length of the facet, m
  double facets() const { return zone / facet; }
};
/// The worst zone over all facets that may break, with the nominal strengths of their entries; default values without
/// such facets. The model must have a cohesive law.
WorstZone worst_zone(const Model& model);
/// Number of facets in a zone from which on the law, not the mesh, controls the growth of a crack.
inline constexpr double enough_zone = 3;

/// Warns about suspicious units and times, a body without load, conditions without effect, parts that nothing joins,
/// slivers, locking T3, and a cohesive zone that the mesh does not resolve or that no body of this size has.
void warn_of_case(const Case& c, const Model& model, Warnings& warnings);

/// Warns, with file, line and key of both, if entries that come later prescribe all nodes of a `fix` or a `velocity`
/// in a direction in another way, and if a load or an absorbing side acts in prescribed directions only.
void warn_of_overridden(const Case& c, const Mesh& mesh, Warnings& warnings);

}  // namespace cleave
