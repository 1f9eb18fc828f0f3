/// Processes of a user's own as a term: their fields are arrays of the body, their kernels launches of a step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "body/placed_tables.hpp"
#include "cleave/process/process_type.hpp"
#include "cleave/solver/solver.hpp"
#include "terms/processes/copied_field.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ProcessTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  bool active() const { return !processes_.empty(); }
  /// Whether there are fields on nodes.
  bool have_nodes() const { return node_fields_ > 0; }
  void declare(Body& body, const Model& model) override;
  void launch_forces(Body& body, const LaunchedStep& step) override;
  void add_sums(Body& body, SumTables& sums) override;
  /// Norms of the first components of all fields.
  /// @param values_of  where the values of an array of the whole body lie
  void add_norms(Body& body, const RowCounts& rows, std::vector<FieldNorms>& norms,
                 const std::function<const double*(const Field<Backend, double>&)>& values_of);
  std::vector<CopiedProcessField<Backend>> copy(Body& body, HostCopy<Backend>& to, const SnapshotParts& wanted);

  /// Calls f(field, array) for each field.
  template <class F>
  void for_each_field(F f) {
    for (Active& active : processes_)
      for (std::size_t i = 0; i < active.fields.size(); ++i) f(active.type->fields[i], active.fields[i]);
  }

 private:
  struct Active {
    const ProcessType* type;
    std::unique_ptr<Process> process;
    std::vector<Field<Backend, double>> fields;
  };
  class Solver;

  static On kind(FieldOn on) {
    return on == FieldOn::node ? On::node : on == FieldOn::element ? On::element : On::cohesive;
  }

  PlacedTables<Backend> tables_;
  std::vector<Active> processes_;
  int node_fields_ = 0;
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/processes/process_term_impl.hpp"
#endif
