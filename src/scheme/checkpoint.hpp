/// Pipeline: the complete state to a stream and back.
#pragma once

#include "cleave/core/error.hpp"
#include "kernels/insertion.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Calls f(buffer, values in use) for every array of the gather assembly that is part of the state.
template <class Backend, class Element, class Law>
template <class F>
void Pipeline<Backend, Element, Law>::for_each_gather_array(F f) {
  f(gather_.half_velocity, static_cast<std::size_t>(nodes_.count));
  f(gather_.moved, static_cast<std::size_t>(nodes_.count));
  f(gather_.constants, static_cast<std::size_t>(nodes_.count));
  f(gather_.report, BlockReport::kinds * static_cast<std::size_t>(gather_.work_rows(nodes_.count)));
  f(gather_.work, LaneLedger::fields * static_cast<std::size_t>(gather_.work_rows(nodes_.count)));
  f(gather_.cohesive_work, FacetGauss::points * static_cast<std::size_t>(cohesive_.count));
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::save(std::ostream& out) {
  need_state();
  const auto put = [&](const void* data, std::size_t bytes) {
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  const auto put_buffer = [&](auto& buffer, std::size_t count) {
    const auto host = buffer.download(count);
    put(host.data(), host.size() * sizeof(host[0]));
  };
  const std::uint32_t real_bytes = sizeof(Real);
  put(&real_bytes, sizeof real_bytes);
  for (const Index* count : {&nodes_.count, &elements_.count, &cohesive_.count}) put(count, sizeof *count);
  put(&step_, sizeof step_);
  put(&initial_kinetic_, sizeof initial_kinetic_);
  put(&largest_energy_, sizeof largest_energy_);
  put(&gather_.slots_in_memory, sizeof gather_.slots_in_memory);
  nodes_.for_each_saved([&](auto& buffer) { put_buffer(buffer, nodes_.count); });
  put_buffer(nodes_.work, Table<double, WorkLedger::kinds>::extent(node_blocks(nodes_.count)));
  put_buffer(elements_.nodes, ElementTable<Element>::Nodes::extent(elements_.count));
  put_buffer(elements_.neighbours, ElementTable<Element>::Neighbours::extent(elements_.count));
  put_buffer(elements_.cohesive_rows, cohesive_.count);
  cohesive_.for_each_saved(
      [&](auto& buffer, int fields) { put_buffer(buffer, static_cast<std::size_t>(cohesive_.count) * fields); });
  if (gathers()) for_each_gather_array([&](auto& buffer, std::size_t count) { put_buffer(buffer, count); });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::load(std::istream& in) {
  const auto get = [&](void* data, std::size_t bytes) {
    in.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
    if (!in) throw InputError("the checkpoint is truncated: remove it and resume from an older one");
  };
  const auto get_buffer = [&](auto& buffer, std::size_t count) {
    auto host = buffer.download(0);
    host.resize(count);
    get(host.data(), count * sizeof(host[0]));
    buffer.upload(host);
  };
  std::uint32_t real_bytes = 0;
  get(&real_bytes, sizeof real_bytes);
  if (real_bytes != sizeof(Real)) {
    const std::string other = real_bytes == sizeof(double) ? "double" : "single";
    throw InputError("the checkpoint holds a state in " + other + " precision: resume with run.precision: " + other +
                     ", or run without --resume to start over");
  }
  Index nodes = 0, elements = 0, cohesive = 0;
  for (Index* count : {&nodes, &elements, &cohesive}) get(count, sizeof *count);
  if (elements != elements_.count || nodes < nodes_.count)
    throw InputError("the checkpoint belongs to another mesh: it has " + std::to_string(elements) + " elements, not " +
                     std::to_string(elements_.count));
  get(&step_, sizeof step_);
  get(&initial_kinetic_, sizeof initial_kinetic_);
  get(&largest_energy_, sizeof largest_energy_);
  get(&gather_.slots_in_memory, sizeof gather_.slots_in_memory);
  make_room(nodes, cohesive, gather_.slots_in_memory);
  nodes_.count = nodes;
  cohesive_.count = cohesive;
  nodes_.for_each_saved([&](auto& buffer) { get_buffer(buffer, nodes); });
  get_buffer(nodes_.work, Table<double, WorkLedger::kinds>::extent(node_blocks(nodes)));
  get_buffer(elements_.nodes, ElementTable<Element>::Nodes::extent(elements));
  get_buffer(elements_.neighbours, ElementTable<Element>::Neighbours::extent(elements));
  get_buffer(elements_.cohesive_rows, cohesive);
  cohesive_.for_each_saved(
      [&](auto& buffer, int fields) { get_buffer(buffer, static_cast<std::size_t>(cohesive) * fields); });
  if (gathers()) {
    for_each_gather_array([&](auto& buffer, std::size_t count) { get_buffer(buffer, count); });
    backend_.launch(ListIncidence<Element>{elements_.table(), gather_.incidence()});
    gather_loads();
    gather_.end_input = 0;  // those of other steps are there
  }
  upload_live_counts();
  if (cohesive > 0) {
    backend_.launch(RefreshCohesiveRows<Element>{elements_.table(), cohesive, elements_.touches_cohesive.data()});
    if (!gathers()) list_cohesive_owners();
  }
  launch_sums();
  launch_fragments();
  read_report();
  begin_ = Begin::after_state;
  motion_now_ = motion_at(motions_, step_, dt_);
}

}  // namespace cleave::inline CLEAVE_PRECISION
