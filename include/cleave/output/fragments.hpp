/// The pieces a body has broken into: their sizes and their motion as rigid bodies.
#pragma once

#include <string>
#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Sums over one fragment. A node that several fragments still share gives each an equal part of its mass.
struct Fragment {
  static constexpr Index eroded = -1;  ///< id of what has eroded
  Index id = 0;  ///< smallest original element id in it: the same in every frame until it breaks again
  Index elements = 0;
  double area = 0;              ///< of the reference triangles, m^2
  double mass = 0;              ///< kg
  Point centre;                 ///< of mass, in the current position, m
  Point velocity;               ///< of the centre, m/s
  double angular_velocity = 0;  ///< angular momentum about the centre / moment of inertia, 1/s, counter-clockwise
  double kinetic_energy = 0;    ///< J
};

/// Fragment id of each bulk element: the smallest original element id of its fragment.
/// `original_elements` is [bulk element], as in Mesh.
std::vector<Index> fragment_ids(const Snapshot& snapshot, const std::vector<Index>& original_elements);

/// All fragments, by ascending id; `ids` is what fragment_ids gives. The first is that of the eroded elements, if there
/// are any, which has the mass of the nodes of these alone, and no centre or motion without mass.
std::vector<Fragment> find_fragments(const Snapshot& snapshot, const std::vector<Index>& ids);

/// Column names of fragments.csv and one row of it, no line end.
std::string fragments_header();
std::string fragments_row(Step step, double time, const Fragment& fragment);

}  // namespace cleave
