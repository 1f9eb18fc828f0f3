/// Fragments of a broken body: their sizes and their rigid-body motion.
#pragma once

#include <string>
#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Sums over one fragment. A node that several fragments share gives each an equal part of its mass.
struct Fragment {
  static constexpr Index eroded = -1;  ///< id of the fragment that collects all eroded elements
  Index id = 0;                        ///< smallest original element id in it; stays the same until the fragment breaks
  Index elements = 0;
  double area = 0;              ///< of the reference triangles, m^2
  double mass = 0;              ///< kg
  Point centre;                 ///< centre of mass in the current position, m
  Point velocity;               ///< velocity of the centre, m/s
  double angular_velocity = 0;  ///< angular momentum about the centre / moment of inertia, 1/s, counter-clockwise
  double kinetic_energy = 0;    ///< J
  Index contacts = 0;           ///< how many other fragments and obstacles it touches
};

/// [bulk element] Fragment id: the smallest original element id in the fragment.
/// @param original_elements  [bulk element], as in Mesh
std::vector<Index> fragment_ids(const Snapshot& snapshot, const std::vector<Index>& original_elements);

/// All fragments by ascending id. If elements have eroded, the first fragment collects them. It has the mass of nodes
/// that belong to eroded elements only; without mass its centre and motion are zero.
/// @param ids  [bulk element], from fragment_ids
std::vector<Fragment> find_fragments(const Snapshot& snapshot, const std::vector<Index>& ids);

/// Column names of fragments.csv, and one of its rows, without line end.
std::string fragments_header();
std::string fragments_row(Step step, double time, const Fragment& fragment);

}  // namespace cleave
