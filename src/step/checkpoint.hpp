/// The state of a body to a stream and back.
#pragma once

#include <limits>
#include <string>

#include "body/checkpoint_indices.hpp"
#include "body/save_fields.hpp"
#include "body/state_stream.hpp"
#include "cleave/core/error.hpp"
#include "step/body.hpp"
#include "step/rooms.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes the state. Parameters as of save_fields.
template <class Body, class Start>
void save_body(Body& body, const RowCounts& rows, StateWriter& to, const Start& start) {
  to.value(std::uint32_t{sizeof(Real)});
  for (const On on : {On::node, On::element, On::cohesive}) to.value(rows[on]);
  to.value(body.step);
  body.balance.save(to);
  to.value(body.report.download(1).front().largest_load);
  save_fields(body.fields, rows, body.halo.leads(), to, start);
}

/// See checkpoint_indices.hpp.
template <class Body>
void check_loaded_body(Body& body) {
  using Element = typename Body::Element;
  using Rows = ElementTable<Element>;
  auto nodes = body.elements.nodes.download(Rows::Nodes::extent(body.elements.count));
  auto neighbours = body.elements.neighbours.download(Rows::Neighbours::extent(body.elements.count));
  auto rows = body.elements.cohesive_rows.download(body.cohesive.count);
  const Rows table{.nodes = {nodes.data()},
                   .neighbours = {neighbours.data()},
                   .cohesive_rows = rows.data(),
                   .bulk = body.elements.count};
  ElementTableCheck<Element>(table, body.nodes.count, body.cohesive.count)();
  const auto motions_of_body = static_cast<std::int64_t>(body.inputs.motions().size());
  for (auto* motions : {&body.nodes.motion_x, &body.nodes.motion_y})
    for (const std::uint8_t motion : motions->download(body.nodes.count))
      require_in(motion, 0, motions_of_body, "the motion of a node");
  for (const Step inserted : body.cohesive.insertion_step.download(body.cohesive.count))
    require_in(inserted, 0, body.step, "the step at which a cohesive element was inserted");
}

/// @param make_room  called with the numbers of nodes and cohesive elements before they are read
template <class Body, class MakeRoom>
void load_body(Body& body, StateReader& from, const MakeRoom& make_room) {
  std::uint32_t real_bytes = 0;
  from.value(real_bytes);
  if (real_bytes != sizeof(Real)) {
    const std::string other = real_bytes == sizeof(double) ? "double" : "single";
    throw InputError("the checkpoint holds a state in " + other + " precision: resume with run.precision: " + other +
                     ", or run without --resume to start over");
  }
  Index nodes = 0, elements = 0, cohesive = 0;
  for (Index* count : {&nodes, &elements, &cohesive}) from.value(*count);
  if (elements != body.elements.count || nodes < body.nodes.count)
    throw InputError("the checkpoint belongs to another mesh: it has " + std::to_string(elements) + " elements, not " +
                     std::to_string(body.elements.count));
  const std::int64_t most_cohesive = body.cohesive_case ? most_interior_facets(body) : 0;
  require_in(nodes, body.nodes.count, std::max(body.nodes.count, most_nodes(body)), "the number of nodes");
  require_in(cohesive, 0, most_cohesive, "the number of cohesive elements");
  from.value(body.step);
  require_in(body.step, 0, std::int64_t{1} << std::numeric_limits<double>::digits, "the step");
  body.balance.load(from);
  from.value(body.seen.largest_load);
  make_room(nodes, cohesive);
  body.nodes.count = nodes;
  body.cohesive.count = cohesive;
  body.fields.load(from, body.row_counts());
  from.end();
  check_loaded_body(body);
  body.probes.start_after(body.step);
}

}  // namespace cleave::inline CLEAVE_PRECISION
