/// ProcessTerm: its launches.
#pragma once

#include <stdexcept>

#include "body/norms.hpp"
#include "body/sums.hpp"
#include "cleave/core/error.hpp"
#include "terms/processes/process_term.hpp"
#include "terms/processes/process_view.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void ProcessTerm<Backend, Element>::declare(Body& body, const Model& model) {
  constexpr int most_node_fields = 4;  // see NodeCopier
  for (const ProcessCase& entry : model.processes) {
    const ProcessType* type = find_process(entry.law);
    const auto make = type == nullptr ? nullptr : type->make[sizeof(Real) < sizeof(double)];
    if (make == nullptr) throw InputError("the program has no process `" + entry.law + "` of this precision");
    if (!Body::is_host_memory && !type->on_cuda)
      throw InputError("the process `" + entry.law +
                       "` is compiled without CUDA: compile it with nvcc, or set run.backend to `cpu`");
    Active& active = processes_.emplace_back(Active{type, make(tables_.place(entry)), {}});
    for (const ProcessField& field : type->fields) {
      FieldUse use{.on = kind(field.on), .width = field.width, .saved = true};
      use.exchanged = field.on == FieldOn::element;
      if (field.on != FieldOn::cohesive) use.rows_of = RowsOf::owner_only;
      if (field.on == FieldOn::node) use.split = Split::copy_flagged;
      node_fields_ += field.on == FieldOn::node;
      active.fields.push_back(body.fields.add_filled(entry.law + ": " + field.name, use, field.start));
    }
  }
  if (node_fields_ > most_node_fields)
    throw InputError("processes have " + std::to_string(node_fields_) + " fields on nodes, there is room for " +
                     std::to_string(most_node_fields));
}

/// The solver as a process sees it in a step.
template <class Backend, class Element>
class ProcessTerm<Backend, Element>::Solver final : public ProcessSolver {
 public:
  Solver(Body& body, Active& active) : body_(body), active_(active) {}
  void launch(const ForeignKernel& kernel) override { body_.backend.launch_foreign(kernel); }
  void exchange(int field) override {
    if (active_.type->fields[field].on != FieldOn::element)
      throw std::logic_error(active_.type->name + " exchanges a field that is not on elements");
    const auto exchange = [&]<int width>() {
      if (active_.type->fields[field].width == width)
        body_.halo.exchange_elements(ExchangedElementRows<double, width>{{active_.fields[field].data()}});
    };
    exchange.template operator()<1>();
    exchange.template operator()<2>();
    exchange.template operator()<3>();
    exchange.template operator()<4>();
  }

 private:
  Body& body_;
  Active& active_;
};

template <class Backend, class Element>
void ProcessTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (step.start) return;
  for (Active& active : processes_) {
    ProcessBody<Element> view = process_view(body, step.number);
    for (std::size_t i = 0; i < active.fields.size(); ++i)
      view.fields[i] = {active.fields[i].data(), active.type->fields[i].width};
    Solver solver(body, active);
    active.process->step(solver, &view, Element::type == ElementType::t6);
  }
}

template <class Backend, class Element>
void ProcessTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  int column = 0;
  for_each_field([&](const ProcessField& field, const Field<Backend, double>& values) {
    if (field.column == nullptr) return;
    if (field.on == FieldOn::element)
      sums.add_column(column++, values.data(), body.halo.own_elements());
    else
      body.add_nodes(sums, column++, values.data());
  });
}

template <class Backend, class Element>
void ProcessTerm<Backend, Element>::add_norms(
    Body& body, const RowCounts& rows, std::vector<FieldNorms>& norms,
    const std::function<const double*(const Field<Backend, double>&)>& values_of) {
  for_each_field([&](const ProcessField& field, const Field<Backend, double>& values) {
    norms.push_back(
        {field.name, field.unit,
         body.backend.reduce(rows[kind(field.on)], NormsOfDoubles{values_of(values), field.width}, NormSums{})
             .norms()});
  });
}

template <class Backend, class Element>
std::vector<CopiedProcessField<Backend>> ProcessTerm<Backend, Element>::copy(Body& body, HostCopy<Backend>& to,
                                                                             const SnapshotParts& wanted) {
  std::vector<CopiedProcessField<Backend>> copied;
  for_each_field([&](const ProcessField& field, const Field<Backend, double>& values) {
    if (!wanted.wants(field)) return;
    const auto rows = static_cast<std::size_t>(body.row_counts()[kind(field.on)]);
    copied.push_back({&field, rows, to.add(values.buffer(), rows * static_cast<std::size_t>(field.width))});
  });
  return copied;
}

}  // namespace cleave::inline CLEAVE_PRECISION
