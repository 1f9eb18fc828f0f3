/// The arrays of the coloured solver in solver memory.
#pragma once

#include <vector>

#include "body/body_state.hpp"
#include "cleave/mesh/colouring.hpp"
#include "published/energies.hpp"
#include "published/node_update.hpp"
#include "published/stiffness.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The order in which all elements are visited: in runs along their numbering, each colour by colour, so that what a
/// run reads and writes of its nodes stays in the cache of a GPU until the last colour. A small mesh is one run.
template <class Backend>
class Sweep {
 public:
  void list(const Colouring& colouring, Index elements_of_run) {
    const auto elements = static_cast<Index>(colouring.colour.size());
    std::vector<Index> order;
    order.reserve(elements);
    offsets_ = {0};
    std::vector<Index> next(colouring.offsets.begin(), colouring.offsets.end() - 1);  // of each colour, in its order
    for (Index end = elements_of_run; static_cast<Index>(order.size()) < elements; end += elements_of_run)
      for (int c = 0; c < colouring.count; ++c) {
        while (next[c] < colouring.offsets[c + 1] && colouring.order[next[c]] < end)
          order.push_back(colouring.order[next[c]++]);
        offsets_.push_back(static_cast<Index>(order.size()));
      }
    order_.upload(order);
  }
  int parts() const { return static_cast<int>(offsets_.size()) - 1; }
  /// Elements that share no node.
  ElementList part(int p) { return {order_.data() + offsets_[p], offsets_[p + 1] - offsets_[p]}; }

 private:
  typename Backend::template Buffer<Index> order_;
  std::vector<Index> offsets_;
};
/// Elements of a run: 19 MB of matrices a colour pass through the cache of an H200 beside the forces of their nodes;
/// ...
inline constexpr Index elements_of_force_run = 1 << 17;
/// ... stresses at Gauss points are less, and longer launches are worth more.
inline constexpr Index elements_of_stress_run = 1 << 19;

/// Arrays of the coloured solver besides those of the body.
template <class Backend, class Element>
struct ColouredState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Field<Backend, Vec2> cohesive_force, external_force;  ///< [node], N
  Field<Backend, Real> mass;                            ///< [node], kg
  Field<Backend, double> work;                          ///< WorkLedger
  Buffer<Real> stiffness;                               ///< StiffnessTable
  Buffer<int> colour;                                   ///< [element]
  Buffer<Index> order;                                  ///< element ids grouped by colour
  std::vector<Index> offsets;                           ///< [colours + 1] ranges in `order`
  Buffer<Index> cohesive_owners;                        ///< elements that touch cohesive elements, grouped by colour
  Buffer<Index> owner_offsets;                          ///< [colours + 1] their ranges
  Buffer<Index> insertion_offsets;                      ///< [colours + 1] ranges of the elements with facets that break
  Sweep<Backend> force_sweep;                           ///< of internal forces
  Sweep<Backend> stress_sweep;                          ///< of nodal stresses and masses
  Buffer<Index> stress_place;                           ///< [material] NodalStressRows; empty if there is one
  Buffer<Index> origin, used, rank;                     ///< scratch of an insertion pass, by copy slot
  Buffer<double> kinetic_sums, strain_sums;

  /// The facets of a load in groups that share no node.
  struct LoadGroups {
    Buffer<Index> facets;  ///< facet codes
    std::vector<Index> offsets;
  };
  std::vector<LoadGroups> loads;

  void declare(Fields<Backend>& fields) {
    const FieldUse force{.on = On::node, .saved = true, .split = Split::zero};
    cohesive_force = fields.template add<Vec2>("cohesive forces", force);
    external_force = fields.template add<Vec2>("external forces", force);
    mass = fields.template add<Real>("masses", {.on = On::node, .saved = true});
    work = fields.add_filled("works", {.on = On::work_row, .width = WorkLedger::Sums::count, .saved = true}, 0.0);
  }
  void reserve_copies(Index slots) {
    for (auto* b : {&origin, &used, &rank}) b->resize(slots + 1);  // one more, for how many are used
  }
  int colours() const { return static_cast<int>(offsets.size()) - 1; }
  Index elements_of_colour(int c) const { return offsets[c + 1] - offsets[c]; }
  /// @param most  owners there can be
  ColourOfList owners_of_colour(int c, Index most) { return {cohesive_owners.data(), owner_offsets.data(), c, most}; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
