/// Ways to compute the elastic step of a T6 mesh, to be compared: how elements add to their nodes, what they store, how
/// many threads they get, where rows lie, how the mesh is numbered, where a kernel finds its parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cleave/solver/model.hpp"

namespace cleave {

struct Strategy {
  enum class Sum {
    coloured,    ///< scatter, a launch per colour
    atomic,      ///< scatter, atomic adds
    fetched,     ///< elements store their forces, nodes fetch them
    node_order,  ///< elements store each force next to the others of its node
    blocks,      ///< the program's `gather` assembly
  };
  enum class Force {
    stored,       ///< matrices made once
    rebuilt,      ///< matrices made in every step, as a nonlinear problem would need them
    matrix_free,  ///< no matrices
  };
  enum class Layout { records, interleaved, strided, row_order };  ///< of the stored rows
  enum class Order { hilbert, generator, random };
  enum class Parameters { arguments, memory, constant };

  Sum sum = Sum::coloured;
  Force force = Force::stored;
  int threads = 12;  ///< an element: 12 or 1
  Layout layout = Layout::records;
  Order order = Order::hilbert;
  Parameters parameters = Parameters::arguments;

  bool needs_cuda() const { return parameters == Parameters::constant; }
  /// Whether every sum has a fixed order.
  bool repeats() const { return sum != Sum::atomic; }
  bool operator==(const Strategy&) const = default;
};

std::string word(Strategy::Sum);
std::string word(Strategy::Force);
std::string word(Strategy::Layout);
std::string word(Strategy::Order);
std::string word(Strategy::Parameters);

/// The study: first the reference (the paper's stored matrices, coloured, 12 threads), then what differs from it or
/// from the matrix-free atomic strategy in one thing.
std::vector<Strategy> studied_strategies();

/// Bytes that a step moves per element when every array that a launch touches is moved once by that launch. Counted
/// from the data structures; for `blocks` slots in memory are included, looks and checks are not.
double step_bytes(const Strategy& strategy, const Mesh& mesh);

/// The model with its mesh numbered as the strategy wants it. `as_generated` has the numbering of the generator.
Model numbered(const Model& as_generated, const Strategy& strategy);

/// A body that swings freely, stepped by one strategy.
class StrategyRun {
 public:
  virtual ~StrategyRun() = default;
  /// Back to the initial state, before the first step.
  virtual void restart() = 0;
  /// Takes n steps and waits for them.
  virtual void advance(Step n) = 0;
  /// [node], m, in the numbering of the model.
  virtual std::vector<Point> displacement() = 0;
};

/// @param model  numbered for the strategy; free, at rest, without loads and cohesive law, T6
std::unique_ptr<StrategyRun> make_cpu_strategy(const Model& model, const Strategy& strategy, int threads);
std::unique_ptr<StrategyRun> make_cuda_strategy(const Model& model, const Strategy& strategy);

}  // namespace cleave
