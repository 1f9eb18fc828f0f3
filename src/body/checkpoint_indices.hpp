/// Checks of the indices in a checkpoint's state, which kernels follow without asking. A wrong state under a
/// right checksum, which a program can write but damage does not leave, is refused before anything is launched.
#pragma once

#include <cstdint>
#include <string>

#include "body/element_table.hpp"
#include "cleave/core/error.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Throws InputError unless `right`; `what()` gives a text such as "element 3 has node 90 of 50".
template <class What>
void require_of_state(bool right, const What& what) {
  if (!right)
    throw InputError("the state in the checkpoint was written wrongly: " + what() +
                     "; remove it and resume from an older one, or run without --resume");
}

/// Throws InputError unless a value is in [least, most].
inline void require_in(std::int64_t value, std::int64_t least, std::int64_t most, const char* name) {
  require_of_state(value >= least && value <= most, [&] {
    return std::string(name) + " " + std::to_string(value) + " is not from " + std::to_string(least) + " to " +
           std::to_string(most);
  });
}

/// Requires what the element table of a body has: nodes that there are, facets that agree with those behind them.
template <class Element>
class ElementTableCheck {
 public:
  ElementTableCheck(const ElementTable<Element>& table, Index nodes, Index cohesive)
      : table_(table), nodes_(nodes), cohesive_(cohesive) {}

  void operator()() const {
    for (Index e = 0; e < table_.bulk; ++e)
      for (int i = 0; i < Element::nodes; ++i) require_in(table_.node(e, i), 0, nodes_ - 1, "a node of an element");
    for (Index e = 0; e < table_.bulk; ++e)
      for (int k = 0; k < Element::facets; ++k)
        require_of_state(is_right(facet_code(e, k)), [&] {
          return "facet " + std::to_string(k) + " of element " + std::to_string(e) + " has " +
                 std::to_string(table_.neighbour(e, k)) + " behind it, which does not lead back";
        });
    for (Index c = 0; c < cohesive_; ++c)
      for (int side = 0; side < 2; ++side)
        require_of_state(leads_back(c, side), [&] {
          return "cohesive element " + std::to_string(c) + " has facet " +
                 std::to_string(table_.cohesive_facet(c, side)) + ", which does not lead back";
        });
  }

 private:
  bool is_facet(Index code) const { return code >= 0 && element_of(code) < table_.bulk; }
  Index behind(Index facet) const { return table_.neighbour(element_of(facet), facet_of(facet)); }

  bool is_right(Index facet) const {
    const Index code = behind(facet);
    if (code == boundary_facet) return true;
    if (is_cohesive(code))
      return cohesive_of(code) < cohesive_ && table_.cohesive_facet(cohesive_of(code), cohesive_side_of(code)) == facet;
    return is_facet(code) && behind(code) == facet && share_nodes(facet, code);
  }
  bool share_nodes(Index a, Index b) const {
    bool same = true;
    for (int i = 0; i < Element::facet_nodes; ++i)
      same = same && table_.facet_node(element_of(a), facet_of(a), i) ==
                         table_.facet_node(element_of(b), facet_of(b), Element::facet_nodes - 1 - i);
    return same;
  }
  bool leads_back(Index c, int side) const {
    const Index facet = table_.cohesive_facet(c, side);
    return is_facet(facet) && behind(facet) == cohesive_code(c, side);
  }

  const ElementTable<Element>& table_;
  Index nodes_, cohesive_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
