/// Checkpoint files: everything needed to continue a run bit for bit, under a checksum; hash values that identify
/// content.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/mesh/mesh.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/output/output_directory.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// Hash of a mesh: positions, connectivity, groups and input numbering (XXH3, 64 bit).
std::uint64_t fingerprint(const Mesh& mesh);

/// Hash of vectors at nodes.
std::uint64_t fingerprint(const std::vector<Point>& values);

/// Hash of a text.
std::uint64_t fingerprint(std::string_view text);

/// Identity of a run: its case, and the content of the files that the case names.
struct RunIdentity {
  std::string case_text;   ///< the resolved case
  std::uint64_t mesh = 0;  ///< fingerprint of the mesh and, where they come from files, of initial values
};

/// Frames, rows and lengths of CSV files that a run had written when it reached a step.
struct Written {
  std::vector<Frame> frames;
  Step rows = 0;                 ///< rows of history.csv for earlier steps
  std::array<CsvMark, 4> csv{};  ///< state of history.csv, probes.csv, lines.csv and fragments.csv
};

struct Checkpoint {
  OutputPath file{""};
  Step step = 0;
  RunIdentity run;
  Written written;
  std::int64_t state_begin = 0;  ///< position of the solver's state in the file, bytes
};

/// Writes checkpoint_%09d.bin with the solver's state, waits until it is on the disk, and removes all but the two
/// newest checkpoints. Throws std::runtime_error if this fails or the directory was moved or removed; older checkpoints
/// then stay.
void save_checkpoint(const OutputDirectory& directory, const RunIdentity& run, const Written& written, Solver& solver);

/// Result of the search for the newest valid checkpoint of a directory.
struct CheckpointSearch {
  std::optional<Checkpoint> newest;
  std::vector<std::string> passed_over;  ///< for each newer one: its file and why it cannot be used
};

/// Reads the checkpoints, newest first, until one has a correct checksum.
CheckpointSearch find_checkpoint(const OutputDirectory& directory);

/// Restores the solver's state. Throws InputError that names the file if the state does not fit the solver.
void load_checkpoint(const Checkpoint& checkpoint, Solver& solver);

}  // namespace cleave
