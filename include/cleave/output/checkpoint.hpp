/// Checkpoint files: everything that is needed to go on with a run bit for bit, under a checksum.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cleave/output/csv_file.hpp"
#include "cleave/output/output_directory.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// What a run is of.
struct RunIdentity {
  std::string case_text;   ///< the resolved case
  std::uint64_t mesh = 0;  ///< fingerprint of the mesh
};

/// What a run has written until a step.
struct Written {
  std::vector<Frame> frames;
  Step rows = 0;                 ///< of history.csv, of earlier steps
  std::array<CsvMark, 4> csv{};  ///< of history.csv, probes.csv, lines.csv and fragments.csv
};

struct Checkpoint {
  OutputPath file{""};
  Step step = 0;
  RunIdentity run;
  Written written;
  std::int64_t state_begin = 0;  ///< where the solver's state begins in the file, bytes
};

/// Writes checkpoint_%09d.bin with the solver's state, waits until it is on the disk, and removes all but the two
/// newest. Throws std::runtime_error when that fails, or the directory was moved or removed; the older ones are then
/// still there.
void save_checkpoint(const OutputDirectory& directory, const RunIdentity& run, const Written& written, Solver& solver);

/// The newest checkpoint of a directory that can be trusted.
struct CheckpointSearch {
  std::optional<Checkpoint> newest;
  std::vector<std::string> passed_over;  ///< of each newer one: its file and why it cannot be used
};

/// Reads the checkpoints, newest first, until the checksum of one is right.
CheckpointSearch find_checkpoint(const OutputDirectory& directory);

/// Restores the solver's state. Throws InputError, naming the file, when it does not fit the solver.
void load_checkpoint(const Checkpoint& checkpoint, Solver& solver);

}  // namespace cleave
