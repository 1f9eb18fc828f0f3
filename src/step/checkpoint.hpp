/// SolverBase: the body's state to a stream and back.
#pragma once

#include <limits>
#include <string>

#include "body/checkpoint_indices.hpp"
#include "body/state_stream.hpp"
#include "cleave/core/error.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void SolverBase<Backend, Element>::save_body(StateWriter& to) {
  to.value(std::uint32_t{sizeof(Real)});
  for (const Index* count : {&nodes_.count, &elements_.count, &cohesive_.count}) to.value(*count);
  to.value(step_);
  to.value(initial_kinetic_);
  to.value(initial_strain_);
  to.value(largest_energy_);
  to.value(report_.download(1).front().largest_load);
  fields_.save(to, row_counts());
}

template <class Backend, class Element>
template <class MakeRoom>
void SolverBase<Backend, Element>::load_body(StateReader& from, MakeRoom make_room) {
  std::uint32_t real_bytes = 0;
  from.value(real_bytes);
  if (real_bytes != sizeof(Real)) {
    const std::string other = real_bytes == sizeof(double) ? "double" : "single";
    throw InputError("the checkpoint holds a state in " + other + " precision: resume with run.precision: " + other +
                     ", or run without --resume to start over");
  }
  Index nodes = 0, elements = 0, cohesive = 0;
  for (Index* count : {&nodes, &elements, &cohesive}) from.value(*count);
  if (elements != elements_.count || nodes < nodes_.count)
    throw InputError("the checkpoint belongs to another mesh: it has " + std::to_string(elements) + " elements, not " +
                     std::to_string(elements_.count));
  const std::int64_t most_cohesive = cohesive_case_ ? 3 * static_cast<std::int64_t>(elements_.count) / 2 : 0;
  require_in(nodes, nodes_.count, std::max(nodes_.count, most_nodes()), "the number of nodes");
  require_in(cohesive, 0, most_cohesive, "the number of cohesive elements");
  from.value(step_);
  require_in(step_, 0, std::int64_t{1} << std::numeric_limits<double>::digits, "the step");
  from.value(initial_kinetic_);
  from.value(initial_strain_);
  from.value(largest_energy_);
  from.value(seen_.largest_load);
  make_room(nodes, cohesive);
  nodes_.count = nodes;
  cohesive_.count = cohesive;
  fields_.load(from, row_counts());
  from.end();
  check_loaded_body();
  probes_.start_after(step_);
}

/// See checkpoint_indices.hpp.
template <class Backend, class Element>
void SolverBase<Backend, Element>::check_loaded_body() {
  using Rows = ElementTable<Element>;
  auto nodes = elements_.nodes.download(Rows::Nodes::extent(elements_.count));
  auto neighbours = elements_.neighbours.download(Rows::Neighbours::extent(elements_.count));
  auto rows = elements_.cohesive_rows.download(cohesive_.count);
  const Rows table{.nodes = {nodes.data()},
                   .neighbours = {neighbours.data()},
                   .cohesive_rows = rows.data(),
                   .bulk = elements_.count};
  ElementTableCheck<Element>(table, nodes_.count, cohesive_.count)();
  for (auto* motions : {&nodes_.motion_x, &nodes_.motion_y})
    for (const std::uint8_t motion : motions->download(nodes_.count))
      require_in(motion, 0, static_cast<std::int64_t>(motions_.size()), "the motion of a node");
  for (const Step inserted : cohesive_.insertion_step.download(cohesive_.count))
    require_in(inserted, 0, step_, "the step at which a cohesive element was inserted");
  if (!cracks_.active()) return;
  for (const Index load : cracks_.load.download(cohesive_.count))
    if (load != no_load)
      require_in(load, 0, static_cast<std::int64_t>(loads_.size()) - 1, "the load in a cohesive element");
}

}  // namespace cleave::inline CLEAVE_PRECISION
