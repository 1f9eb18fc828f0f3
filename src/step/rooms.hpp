/// Room for nodes and cohesive elements that insertion adds: arrays grow together, with room to spare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cleave/core/error.hpp"
#include "step/body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// There are never more facets between two elements.
template <class Body>
std::int64_t most_interior_facets(const Body& body) {
  return std::int64_t{Body::Element::facets} * body.elements.count / 2;
}

/// For how many more facets room is made when arrays grow: to grow takes longer than to cut, and ends recordings.
/// @param cohesive  elements that there has to be room for
template <class Body>
Index facets_ahead(const Body& body, Index cohesive) {
  const std::int64_t most = most_interior_facets(body);
  const Index ahead = cohesive / 2 + body.elements.count / 32 + 4096;
  return static_cast<Index>(std::clamp<std::int64_t>(most - cohesive, 0, ahead));
}

/// There are never more nodes than one for each element and each of its nodes, and those without an element.
template <class Body>
Index most_nodes(const Body& body) {
  const std::int64_t of_elements = std::int64_t{Body::Element::nodes} * body.elements.count;
  return static_cast<Index>(std::min<std::int64_t>(of_elements + body.nodes.loose, std::numeric_limits<Index>::max()));
}
/// Nodes after cutting that many facets, at most.
/// @param pinched  see SplitPass
template <class Body>
Index most_nodes(const Body& body, Index facets, Index pinched) {
  return static_cast<Index>(std::min<std::int64_t>(
      body.nodes.count + std::int64_t{Body::copies_per_facet} * facets + pinched, most_nodes(body)));
}

/// The room that an array gets when arrays grow, at least what it has.
/// @param size   what it must hold
/// @param ahead  what it is to hold besides
/// @param most   what it can ever have to hold
/// @param room   what it has
inline Index room_for(Index size, std::int64_t ahead, std::int64_t most, Index room) {
  const std::int64_t wanted = std::max<std::int64_t>(size, std::min(size + ahead, most));
  // One that has less than half of what is to come grows with the others, instead of soon after them.
  return room < size + (wanted - size) / 2 ? static_cast<Index>(wanted) : room;
}
/// The same for nodes.
/// @param facets  that may be cut besides
template <class Body>
Index room_for_nodes(const Body& body, Index nodes, Index facets) {
  constexpr std::int64_t usual_copies = Body::Element::facet_nodes - 1;  // of a facet
  return room_for(nodes, usual_copies * facets, most_nodes(body), body.nodes.capacity());
}
/// Makes room for that many cohesive elements, and for those of more facets.
template <class Body>
void make_room_for_cohesive(Body& body, Index cohesive, Index facets) {
  const Index capacity = body.cohesive.capacity();
  const Index room = room_for(cohesive, facets, std::int64_t{cohesive} + facets, capacity);
  if (room <= capacity) return;
  body.fields.reserve(body.backend, On::cohesive, room);
}

/// Throws where there is no memory for so many. What one rank lacks, all fail for alike, while each of them still takes
/// part in what is done next.
template <class Body>
void need_room(Body& body, bool fits, Index nodes, Index cohesive) {
  std::vector<int> lacking;
  if (!fits) lacking.push_back(body.halo.rank());
  lacking = body.halo.records_of_all(lacking);
  if (lacking.empty()) return;
  const std::string whose = body.halo.rank_count() > 1 ? " on rank " + std::to_string(lacking.front()) : "";
  throw NumericalError("capacity: no memory" + whose + " for " + std::to_string(nodes) + " nodes and " +
                       std::to_string(cohesive) + " cohesive elements at step " + std::to_string(body.step) +
                       "; use a smaller mesh or a larger machine");
}

}  // namespace cleave::inline CLEAVE_PRECISION
