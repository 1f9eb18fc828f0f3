/// The one virtual boundary of the program: a simulation that advances, whatever it runs on.
#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cleave/core/error.hpp"
#include "cleave/core/memory_use.hpp"
#include "cleave/core/norms.hpp"
#include "cleave/core/output.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

struct Model;
class Ranks;

/// Accumulated time of one stage of the step: on a GPU between events there, else wall time.
struct StageTime {
  std::string name;
  double seconds = 0;
  Step calls = 0;
};

/// Rows of history that are wanted on the way of an advance: at steps before its last one that are multiples of `every`
/// (0: none). A solver need not wait for one of them before it goes on.
struct RowsOnTheWay {
  Step every = 0;
  std::function<void(const HistoryRow&)> take;

  bool due(Step step) const { return every > 0 && step % every == 0; }
};

/// The largest strain and rotation of the bulk elements, and which elements of the model's mesh have them. In finite
/// kinematics also the steps that the present shape bears; the vibrations of elements that are hardly strained are not
/// looked at, nor those of elements that are stable by themselves as parts of the body.
struct Deformation {
  double strain = 0;    ///< largest magnitude of a principal strain
  double rotation = 0;  ///< rad
  Index strain_element = 0, rotation_element = 0;
  double critical_step =
      std::numeric_limits<double>::infinity();  ///< s, the smallest 2 / omega of an element by itself
  double unstable_step = std::numeric_limits<double>::infinity();  ///< s, any longer one is unstable
  Index critical_element = 0, unstable_element = 0;
};

/// Norms of a field: of the lengths of vectors at the nodes, or of values of the elements.
struct FieldNorms {
  std::string name;
  std::string unit;
  Norms norms;
};

/// The run failed at an element: it has turned inside out, or holds numbers that are not finite.
struct ElementFailure : NumericalError {
  ElementFailure(const std::string& what, Index element_of_mesh, Step found_at, Step good_at)
      : NumericalError(what), element(element_of_mesh), found(found_at), good(good_at) {}
  static constexpr Index unknown = -1;

  Index element;  ///< of the model's mesh, or unknown
  Step found;     ///< the check that found it
  Step good;      ///< the last check before it
};
/// A body that is stepped through time, on the CPU or a CUDA device: made by make_cpu_solver and make_cuda_solver.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Takes n steps. What may be asked afterwards is up to `output`: nothing but step(), history() too, or anything.
  /// Throws ElementFailure for an inverted element, NumericalError for broken topology, and what `rows.take` throws.
  virtual void advance(Step n, Output output = Output::state, const RowsOnTheWay& rows = {}) = 0;
  /// Cuts facets as if the fracture check of the next step had found them: facet codes, each owned by the smaller
  /// element id, intact. Go on with advance() before asking for anything. Returns the wall time of the insertion, s.
  /// Throws InputError without a cohesive law, NumericalError when there is no memory for what is new.
  virtual double insert_cohesive(const std::vector<Index>& facets) = 0;
  /// Makes room ahead of insertion, which otherwise makes it as it goes: for that many nodes and cohesive elements, and
  /// for cutting `at_once` facets in one pass. Throws NumericalError when there is none.
  virtual void reserve(Index nodes, Index cohesive, Index at_once) = 0;
  /// Steps taken since the initial state.
  virtual Step step() const = 0;
  /// Energies and counts at the present step. Throws std::logic_error if it had no output.
  virtual HistoryRow history() = 0;
  /// What the probes have seen since the last call: at steps that are multiples of all their periods' greatest common
  /// divisor, until the last one with output.
  virtual std::vector<ProbeRow> take_probe_rows() = 0;
  /// A copy of the present state, to make fields of while the solver goes on. Throws NumericalError as `advance`, and
  /// std::logic_error if the step is not one of the state.
  virtual PendingSnapshot capture(const SnapshotParts& wanted) = 0;
  /// A copy of the state as it lies in memory after a failure: of the step that had been launched last, where energies
  /// and counts may be those of an earlier one.
  virtual PendingSnapshot capture_failed() = 0;
  /// Of the displacements as they lie in memory: of the present step or, after a row of it, of the next one.
  virtual Deformation largest_deformation() = 0;
  /// Of displacements and velocities, and of the largest principal strain of each element by magnitude, at the present
  /// step, which must be one of the state.
  virtual std::vector<FieldNorms> field_norms() = 0;
  /// Fields at the present step.
  Snapshot snapshot() { return capture({})(1); }

  /// Writes or restores the complete state, byte for byte; the model must be the same. Throws InputError for a state of
  /// another model or precision or one that is cut off, std::logic_error for a step that is not one of the state.
  virtual void save(std::ostream& out) = 0;
  virtual void load(std::istream& in) = 0;

  /// Time per stage; empty unless timing was asked for in the model.
  virtual std::vector<StageTime> stage_times() = 0;
  /// Solver memory (device memory on CUDA).
  virtual MemoryUse memory() const = 0;
  /// What it runs on, for summaries: "CPU, 2 threads" or the device's name.
  virtual std::string device() const = 0;
};

/// A solver on the CPU with that many threads (0: all), or on the current CUDA device, which throws InputError in a
/// program without CUDA.
std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads);
std::unique_ptr<Solver> make_cuda_solver(const Model& model);
/// Those that share the work with the solvers of other ranks, whose calls must be the same. On rank 0 all results are
/// those of one rank. The assembly must be gather, and there must be as many blocks as ranks. With CUDA no pressure may
/// enter cracks, and all ranks must be on one machine, whose devices reach each other's memory.
std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads, Ranks& ranks);
std::unique_ptr<Solver> make_cuda_solver(const Model& model, Ranks& ranks);

/// The vector instructions of the CPU's kernels: what the program is built for, or AVX-512 where the machine has it.
/// Throws InputError when the environment variable CLEAVE_INSTRUCTIONS asks for others than there are.
std::string cpu_instructions();

/// Bytes per second, read plus written, of a large copy in solver memory: what a step can be measured against. 0
/// without CUDA.
double cpu_copy_bandwidth(int threads);
double cuda_copy_bandwidth();

/// True in a program built with the CUDA backend.
bool built_with_cuda();
/// The reason why no CUDA device can be used, or empty when one can.
std::string why_no_cuda();
/// One line per CUDA device: name, memory, compute capability; the most that its data sheet promises, of additions and
/// multiplications in double precision and of bandwidth.
std::vector<std::string> cuda_devices();
/// Makes one of them, counted from 0, the current one of this thread.
void use_cuda_device(int device);
/// Of the current CUDA device: how many additions in single precision it starts at once; its memory, bytes.
int cuda_cores();
std::size_t cuda_memory_size();

}  // namespace cleave
