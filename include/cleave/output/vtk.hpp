/// VTK files (.vtu, .pvd) of the mesh, of the fields and of the cracks, for ParaView.
///
/// Points are reference positions: warp by `displacement` to see the deformed body.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// The bulk elements: point data displacement, velocity (z = 0) and stress (nodal mean; XX, YY, XY), cell data stress,
/// strain_energy_density, fragment and original_element. `original_elements` is [bulk element], as in Mesh.
/// Throws std::runtime_error naming the file when it cannot be written.
void write_bulk(const std::filesystem::path& file, const Snapshot& snapshot,
                const std::vector<Index>& original_elements);

/// The cohesive elements as line cells with points of their own on the mid-surface: point data displacement (mean of
/// both sides), displacement_a and displacement_b, cell data opening_normal, opening_tangential, traction_normal,
/// traction_tangential, damage, failed (0, 1) and insertion_step. Throws as write_bulk.
void write_cracks(const std::filesystem::path& file, const Snapshot& snapshot);

/// The mesh: point data "group:NAME" (1 at the nodes of the group) for every group, cell data colour and
/// original_element. Throws as write_bulk.
void write_mesh(const std::filesystem::path& file, const Mesh& mesh, const Colouring& colouring);

/// When a frame was written; its number is its place among all frames.
struct Frame {
  Step step = 0;
  double time = 0;  ///< s
};

/// Name of the file of one frame: "bulk_000012.vtu" for ("bulk", 12).
std::string frame_name(const std::string& series, std::size_t frame);

/// Writes or replaces `directory`/`series`.pvd, which lists the files of the frames with their times.
void write_time_series(const std::filesystem::path& directory, const std::string& series,
                       const std::vector<Frame>& frames);

}  // namespace cleave
