/// What a file of one frame holds, whatever its format: points, cells and arrays of values at them, as VTK knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/core/types.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// `components` values for each point or cell.
struct GridArray {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<std::uint8_t>>;
  std::string name;
  int components = 1;
  Values values;
  bool lasting = false;  ///< most values are those of the frame before: only insertion, or new fragments, change some

  const void* data() const;
  std::size_t size() const;  ///< of values, all components
  std::size_t bytes() const;
};

/// Cells of one type, each with the same number of points.
struct Grid {
  std::uint8_t cell_type = 0;  ///< VTK's code
  int points_per_cell = 0;
  std::size_t cells = 0;
  GridArray points{"Points", 3, std::vector<double>{}, true};                    ///< reference positions, m; z = 0
  GridArray connectivity{"connectivity", 1, std::vector<std::int32_t>{}, true};  ///< [cell][points_per_cell]
  std::vector<GridArray> point_data;
  std::vector<GridArray> cell_data;

  std::size_t point_count() const { return points.size() / 3; }
};

/// What of a frame is written, and how fast.
struct FrameChoice {
  Precision real = Precision::single_precision;
  std::optional<std::vector<std::string>> fields;  ///< names of arrays; empty: all that are not `is_named_only`
  int threads = 1;

  bool has(const std::string& name) const;
  /// Whether it has one of these names.
  bool has_any(std::span<const std::string> names) const;
  /// What the arrays are made of.
  SnapshotParts parts() const;
};

FrameChoice choice_of(const OutputCase& output);

/// The bulk elements: point data displacement, velocity (z = 0), stress (nodal mean) and strain with their scalars
/// (src/output/measures.hpp); cell data the same of stress and strain (means over the Gauss points),
/// strain_energy_density, what materials have in their states (`state_fields`), fragment and original_element; point
/// data original_node. Stress
/// and strain are symmetric tensors: XX, YY, ZZ, XY, YZ, XZ; of a strain only those in the plane are not zero. Scalars
/// are those of the mean tensors.
/// @param mesh       as the run began with it; what breaks adds copies of its nodes, which have their original ids
/// @param fragments  [bulk element], as fragment_ids gives them
Grid bulk_grid(const Snapshot& snapshot, const Mesh& mesh, const std::vector<Index>& fragments,
               const FrameChoice& choice = {});

/// The cohesive elements as line cells with points of their own on the mid-surface: point data displacement (mean of
/// both sides), displacement_a and displacement_b, cell data opening_normal, opening_tangential, traction_normal,
/// traction_tangential, damage, failed (0, 1) and insertion_step.
Grid cracks_grid(const Snapshot& snapshot, const FrameChoice& choice = {});

/// The mesh: point data "group:NAME" (1 at the nodes of the group) for every group with nodes, cell data "group:NAME"
/// (1 at its triangles) and "facets:NAME" (the sum of 2^k over the facets k of the triangle in the group), colour,
/// original_node and original_element.
Grid mesh_grid(const Mesh& mesh, const Colouring& colouring);

}  // namespace cleave
