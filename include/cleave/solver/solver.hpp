/// The interface of solvers: a simulation that advances in time on some backend.
#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cleave/core/error.hpp"
#include "cleave/core/solver_values.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

struct Model;
class Ranks;

/// Requests rows of history during an advance: at the steps before its last one that are multiples of `every` (0:
/// none). A solver may continue before it has passed a row to `take`.
struct RowsOnTheWay {
  Step every = 0;
  std::function<void(const HistoryRow&)> take;

  bool due(Step step) const { return every > 0 && step % every == 0; }
};

/// The largest strain and rotation of the bulk elements, and the elements of the model's mesh that have them. In finite
/// kinematics also limits of the time step for the current shape; they leave out elements that are hardly strained, and
/// elements that are stable as parts of the body.
struct Deformation {
  double strain = 0;    ///< largest magnitude of a principal strain
  double rotation = 0;  ///< rad
  Index strain_element = 0, rotation_element = 0;
  double critical_step = std::numeric_limits<double>::infinity();  ///< s, smallest 2 / omega of a single element
  double unstable_step = std::numeric_limits<double>::infinity();  ///< s, above this the step is unstable
  Index critical_element = 0, unstable_element = 0;
};

/// Norms of a field: of the lengths of vectors at nodes, or of the values of elements.
struct FieldNorms {
  std::string name;
  std::string unit;
  Norms norms;
};

/// Error for an element that is inverted or has values that are not finite.
struct ElementFailure : NumericalError {
  ElementFailure(const std::string& what, Index element_of_mesh, Step found_at, Step good_at)
      : NumericalError(what), element(element_of_mesh), found(found_at), good(good_at) {}
  static constexpr Index unknown = -1;

  Index element;  ///< element of the model's mesh, or unknown
  Step found;     ///< step of the check that found the failure
  Step good;      ///< step of the last check before it
};

/// How much contact of the surface with itself there is.
struct ContactCounts {
  Index candidates = 0;  ///< pairs of a contact point and a part of the surface near it, as of the last search
  Index engaged = 0;     ///< contact points that touch a part, or have left it and settle
};

/// A body that is stepped through time on the CPU or a CUDA device; see make_cpu_solver and make_cuda_solver.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Takes n steps. `output` determines what may be called afterwards: step() only, history() too, or everything.
  /// Throws ElementFailure for an inverted element, NumericalError for broken topology, and the exceptions of
  /// `rows.take`.
  virtual void advance(Step n, Output output = Output::state, const RowsOnTheWay& rows = {}) = 0;
  /// Breaks facets as if the fracture check of the next step had found them. Call advance() before asking for results.
  /// @param facets  codes of intact facets, each of the element with the smaller id
  /// @return wall time of the insertion, s. Throws InputError without a cohesive law, NumericalError if memory is
  /// short.
  virtual double insert_cohesive(const std::vector<Index>& facets) = 0;
  /// Reserves memory for that many nodes and cohesive elements, and for breaking `at_once` facets in one pass; without
  /// it, memory grows during insertion. Throws NumericalError if memory is short.
  virtual void reserve(Index nodes, Index cohesive, Index at_once) = 0;
  /// Number of steps since the initial state.
  virtual Step step() const = 0;
  /// Energies and counts at the current step. Throws std::logic_error if the step had no output.
  virtual HistoryRow history() = 0;
  /// Values at the probes since the last call, until the last step with output, at steps that are multiples of the
  /// greatest common divisor of all periods.
  virtual std::vector<ProbeRow> take_probe_rows() = 0;
  /// A copy of the current state, from which fields are made while the solver continues. Throws NumericalError as
  /// `advance`, and std::logic_error if the step has no state output.
  virtual PendingSnapshot capture(const SnapshotParts& wanted) = 0;
  /// A copy of the state in memory after a failure. It belongs to the last launched step; energies and counts may
  /// belong to an earlier one.
  virtual PendingSnapshot capture_failed() = 0;
  /// Largest deformation of the displacements in memory: those of the current step or, after a row of history, of the
  /// next step.
  virtual Deformation largest_deformation() = 0;
  /// How much contact of the surface with itself there is at present.
  virtual ContactCounts contact_counts() const { return {}; }
  /// Norms at the current step of the displacements and velocities, and of the largest principal strain of each element
  /// by magnitude. The step must have state output.
  virtual std::vector<FieldNorms> field_norms() = 0;
  /// Fields at the current step.
  Snapshot snapshot() { return capture({})(1); }

  /// Writes or restores the complete state, byte for byte, for the same model. A state before the present one is
  /// refused. Throws InputError for a truncated state or one of another model or precision, std::logic_error if the
  /// step has no state output.
  virtual void save(std::ostream& out) = 0;
  virtual void load(std::istream& in) = 0;

  /// Time per stage; empty unless Model::time_stages is set.
  virtual std::vector<StageTime> stage_times() = 0;
  /// Solver memory (device memory on CUDA).
  virtual MemoryUse memory() const = 0;
  /// Name of the device for summaries: "CPU, 2 threads" or the name of the GPU.
  virtual std::string device() const = 0;
};

/// A solver on the CPU with the given number of threads (0: all), or on the current CUDA device. In a program without
/// CUDA, make_cuda_solver throws InputError.
std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads);
std::unique_ptr<Solver> make_cuda_solver(const Model& model);
/// Solvers that share the work with the solvers of other ranks; all ranks must make the same calls. On rank 0 all
/// results are those of a serial run. The assembly must be gather, with at least as many blocks as ranks. With CUDA,
/// pressures must not act in cracks.
std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads, Ranks& ranks);
std::unique_ptr<Solver> make_cuda_solver(const Model& model, Ranks& ranks);

/// Vector instructions of the CPU kernels: those that the program is built for, or AVX-512 if the machine has it.
/// Throws InputError if the environment variable CLEAVE_INSTRUCTIONS asks for unavailable ones.
std::string cpu_instructions();

/// Bandwidth of a large copy in solver memory, read plus written, bytes per second, as a reference for the speed of a
/// step. cuda_copy_bandwidth is 0 without CUDA.
double cpu_copy_bandwidth(int threads);
double cuda_copy_bandwidth();

/// Whether the program is built with the CUDA backend.
bool built_with_cuda();
/// Reason why no CUDA device can be used; empty if one can.
std::string why_no_cuda();
/// One line per CUDA device: name, memory, compute capability, and the peak double-precision rate and bandwidth of its
/// data sheet.
std::vector<std::string> cuda_devices();
/// How the devices of ranks exchange values: through each other's memory, by NCCL, or through their hosts and MPI.
enum class Transport : std::uint8_t { peer, nccl, mpi };
/// Makes a device, counted from 0, the current one of this thread.
/// @param transport  of solvers that are made from now on. `peer` is for ranks on one machine, `nccl` for ranks with a
///                   device each.
void use_cuda_device(int device, Transport transport = Transport::peer);
Transport transport();
/// Reason why NCCL cannot be used; empty if it can.
std::string why_no_nccl();
/// "2.27.7", where there is NCCL.
std::string nccl_version();
/// Number of single-precision additions that the current CUDA device starts per clock.
int cuda_cores();
/// Size of its memory, bytes.
std::size_t cuda_memory_size();

}  // namespace cleave
