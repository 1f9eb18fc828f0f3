/// Content of a frame file in any format: points, cells and arrays of values at them, as in VTK.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/core/types.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// An array with `components` values for each point or cell.
struct GridArray {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<std::uint8_t>>;
  std::string name;
  int components = 1;
  Values values;
  bool lasting = false;  ///< most values stay from frame to frame: only insertion and new fragments change them

  const void* data() const;
  std::size_t size() const;  ///< number of values, all components
  std::size_t bytes() const;
};

/// Cells of one type and their points. All cells have the same number of points.
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

/// Selection of the arrays of a frame, and number of threads to write it.
struct FrameChoice {
  Precision real = Precision::single_precision;
  std::optional<std::vector<std::string>> fields;  ///< names of arrays; empty: all but `is_named_only` ones
  int threads = 1;
  InriaFrames inria = InriaFrames::none;

  bool has(const std::string& name) const;
  /// Whether one of these arrays is selected.
  bool has_any(std::span<const std::string> names) const;
  /// Parts of a snapshot that the selected arrays need.
  SnapshotParts parts() const;
};

FrameChoice choice_of(const OutputCase& output);

/// Grid of the bulk elements. Point data are displacement, velocity (z = 0), stress (nodal mean) and strain with their
/// scalars (src/output/measures.hpp), and original_node. Cell data are stress and strain with their scalars (means over
/// the Gauss points), strain_energy_density, fields of the materials' states (`state_fields`), fragment and
/// original_element. Stress and strain are symmetric tensors in the order XX, YY, ZZ, XY, YZ, XZ; of a strain only the
/// components in the plane are nonzero. Scalars are those of the mean tensors.
/// @param mesh       the mesh at the start of the run; copies of its nodes by insertion have the same original ids
/// @param fragments  [bulk element], from fragment_ids
Grid bulk_grid(const Snapshot& snapshot, const Mesh& mesh, const std::vector<Index>& fragments,
               const FrameChoice& choice = {});

/// Grid of the cohesive elements: line cells with points of their own on the mid-surface. Point data are displacement
/// (mean of both sides), displacement_a and displacement_b. Cell data are opening_normal, opening_tangential,
/// traction_normal, traction_tangential, damage, failed (0, 1) and insertion_step.
Grid cracks_grid(const Snapshot& snapshot, const FrameChoice& choice = {});

/// Grid of the mesh. Point data are "group:NAME" (1 at the nodes of the group) for every group with nodes, and
/// original_node. Cell data are "group:NAME" (1 at its triangles), "facets:NAME" (the sum of 2^k over the facets k of
/// the triangle in the group), colour and original_element.
Grid mesh_grid(const Mesh& mesh, const Colouring& colouring);

/// The shape of an obstacle, a disc or a half plane.
struct ObstacleOutline {
  std::string name;
  double radius = 0;  ///< of a disc, m; 0: a plane
  Point normal;       ///< of a plane, a unit vector out of it
};

/// Triangles of all obstacles at their places. A disc is a polygon with a spoke that shows its turn; of a plane there
/// is a strip as long as the body is wide or high. Cell data are obstacle, its number, and reaction, its force on the
/// body.
/// @param places  [obstacle] of a row of history
/// @param mesh    the body, which says how large planes are drawn
Grid obstacles_grid(const std::vector<ObstacleOutline>& outlines, const std::vector<ObstacleValues>& places,
                    const Mesh& mesh);

}  // namespace cleave
