/// Terms: what a body does besides the elasticity of its elements. A feature of a case is a term in a folder of its
/// own.
#pragma once

#include "body/fields.hpp"
#include "body/sums.hpp"
#include "cleave/solver/model.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The body that terms act on: src/step/gather_body.hpp.
template <class Backend, class Element>
struct GatherBody;

/// A step whose launches are made.
struct LaunchedStep {
  int number;        ///< in its recording: the row of the step inputs, counted from the present one
  bool start;        ///< the forces at t = 0: nodes hold v(0), not v(-1/2)
  bool reads_early;  ///< what only insertion changes may be read before the launches in front are done
};

/// A term on the host: it declares its arrays and launches its kernels. A device records launches and exchanges of a
/// step once and replays them: calls here do nothing else. A term that is off declares and launches nothing.
template <class Backend, class Element>
class Term {
 public:
  using Body = GatherBody<Backend, Element>;
  virtual ~Term() = default;

  /// Declares its arrays.
  virtual void declare(Body&, const Model&) {}
  /// Fills them, once they have room.
  virtual void upload(Body&, const Model&) {}
  /// Forces of a step, before the element blocks and nodes add them up.
  virtual void launch_forces(Body&, const LaunchedStep&) {}
  /// After an insertion; also where it came to nothing.
  virtual void launch_inserted(Body&) {}
  /// Its force on each node in a step, [node], N; without memory: its forces act through elements, or it is off.
  virtual Field<Backend, Vec2> nodal_force() const { return {}; }
  /// Whether that force may act on any node. Otherwise the term flags those on which it may: pushed_node.
  virtual bool pushes_all_nodes() const { return true; }
  /// Steps between its checks in a body in which nothing breaks; 0: it has none.
  virtual Step check_interval() const { return 0; }
  /// At a check, before facets are judged.
  virtual void launch_check(Body&) {}
  /// Adds its tables of works and energies to those that a row of history adds up. Cohesive elements add theirs and the
  /// works of forces between faces to the sums of the body (CohesiveTerm::launch_sums).
  virtual void add_sums(Body&, SumTables&) {}
  /// Checks indices in its arrays that a checkpoint has brought. Throws InputError.
  virtual void check_loaded(Body&) {}
};

}  // namespace cleave::inline CLEAVE_PRECISION
