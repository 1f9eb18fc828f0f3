/// Checkpoint files: everything that is needed to go on with a run bit for bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

struct Checkpoint {
  std::filesystem::path file;
  std::uint64_t fingerprint = 0;  ///< of the case and the mesh, see below
  Step step = 0;
  std::vector<Frame> frames;  ///< written until then
};

/// A number that differs when the case text or the mesh does (FNV-1a, 64 bit).
std::uint64_t fingerprint(const std::string& case_text, const Mesh& mesh);

/// Writes checkpoint_%09d.bin with the solver's state, and removes all but the two newest.
/// Throws std::runtime_error when that fails; the older ones are then still there.
void save_checkpoint(const std::filesystem::path& directory, std::uint64_t fingerprint,
                     const std::vector<Frame>& frames, Solver& solver);

/// The newest complete checkpoint of the directory. Throws InputError when there is none, or when its fingerprint is
/// another one: the case or the mesh has changed since.
Checkpoint find_checkpoint(const std::filesystem::path& directory, std::uint64_t fingerprint);

/// Restores the solver's state.
void load_checkpoint(const Checkpoint& checkpoint, Solver& solver);

}  // namespace cleave
