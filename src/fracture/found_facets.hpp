/// Facets found by a check of several ranks: each rank judges those of its own elements, and all ranks that have a
/// facet cut it.
#pragma once

#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/fracture_filter.hpp"
#include "fracture/one_block_insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// An element with facets that break. The same in both precisions.
struct FoundFacets {
  Index element;                              ///< id in the body
  Index bits;                                 ///< bit k: facet k breaks
  double strength_scale[facets_per_element];  ///< of its facets, which a rate may have raised
};

/// A fault with the id that its element has in the body.
CLEAVE_HD inline FaultRecord in_body(FaultRecord fault, const PartIds& elements) {
  if (fault.code == 0 || fault.in_body != 0) return fault;
  if (fault.code != static_cast<Index>(FaultCode::healed_facet)) fault.element = elements.body_id(fault.element);
  fault.in_body = 1;
  return fault;
}

/// Elements with facets that break on one rank. Where more are found than fit here, ranks exchange them through the
/// host.
struct FoundByRank {
  static constexpr Index most = most_facets_of_one_block;
  Index facets = 0, elements = 0;
  Index has_room = 0;  ///< see NoteFound
  FaultRecord fault;
  LoadBits largest_load = 0;  ///< see FracturedFacets
  FoundFacets found[most] = {};
};

/// FoundByRank of all ranks, [rank], as words for an exchange: an item is a word.
struct FoundWords {
  using Value = unsigned long long;
  static_assert(sizeof(FoundByRank) % sizeof(Value) == 0);
  Value* words;
  CLEAVE_HD Value give(Index i) const { return words[i]; }
  CLEAVE_HD void take(Index i, Value word) const { words[i] = word; }
};

/// NearStrength for an exchange: a stress near the strength on one rank is one on all. A fault counts as one, so
/// that the exchange of found facets, which carries faults, takes place.
struct SharedNear {
  using Value = Index;
  Index* found;
  const FaultRecord* fault;
  CLEAVE_HD Value give(Index /*item*/) const {
    if (fault->code != 0) atomic_write(*found, 1);
    return atomic_read(*found);
  }
  CLEAVE_HD void take(Index /*item*/, Value value) const {
    if (value != 0) atomic_write(*found, 1);
  }
};

/// Results of a check.
struct CheckResult {
  Index* check_skipped;  ///< 1: facets of an earlier check are still to be cut, and this one does not count
  FacetCounts all;       ///< of all ranks
  FacetCounts here;      ///< of those that this rank has to cut; of one rank: the same numbers as `all`
  FaultRecord* fault;
  Index* found;            ///< [FoundByRank::most] those elements
  std::uint8_t* bits;      ///< [element] bit k: facet k breaks
  Real* strength_scale;    ///< [facet code] null: 1 everywhere
  LoadBits* largest_load;  ///< see FracturedFacets

  /// The facets of an element that break, for other ranks.
  CLEAVE_HD FoundFacets of(Index e, const PartIds& ids) const {
    FoundFacets found_here{ids.body_id(e), bits[e], {1, 1, 1}};
    for (int k = 0; k < facets_per_element && strength_scale != nullptr; ++k)
      found_here.strength_scale[k] = static_cast<double>(strength_scale[facet_code(e, k)]);
    return found_here;
  }
};

/// Takes over facets that any rank has found, as far as this rank has the elements on both sides.
template <class Element>
struct TakenFacets {
  CheckResult check;
  PartIds ids;  ///< of elements
  ElementTable<Element> table;

  /// Returns the element whose facets are to be cut; -1: none.
  CLEAVE_HD Index take(const FoundFacets& found) const {
    const Index e = ids.own_id(found.element);
    if (e < 0) return -1;
    Index bits = 0;
    int count = 0;
    for (int k = 0; k < Element::facets; ++k) {
      if ((found.bits >> k & 1) == 0 || table.neighbour(e, k) == boundary_facet) continue;
      bits |= Index{1} << k;
      ++count;
    }
    for (int k = 0; k < facets_per_element && check.strength_scale != nullptr; ++k)
      check.strength_scale[facet_code(e, k)] = Real(found.strength_scale[k]);
    check.bits[e] = static_cast<std::uint8_t>(bits);
    atomic_add(*check.here.facets, Index{count});
    return count > 0 ? e : -1;
  }
};

/// Copies the results of this rank into its place.
/// @tparam HasRoom  `bool operator()() const`: whether this rank has room to cut most_facets_of_one_block facets
template <class HasRoom>
struct NoteFound {
  static constexpr KernelTraits traits{.name = "found facets"};
  static constexpr int workers = 128;
  struct Shared {};
  CheckResult check;
  PartIds ids;
  HasRoom has_room;
  FoundByRank* own;

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    if (*check.check_skipped != 0) return;
    const Index elements = *check.all.elements;
    only_master(worker, [&] {
      own->facets = *check.all.facets;
      own->elements = elements;
      own->has_room = has_room() ? 1 : 0;
      own->fault = in_body(*check.fault, ids);
      own->largest_load = *check.largest_load;
    });
    ForEachIdx{worker}([&](Idx i) {
      for (Index entry = i; entry < elements && entry < FoundByRank::most; entry += workers)
        own->found[entry] = check.of(check.found[entry], ids);
    });
  }
};

/// Joins the results of all ranks. If they do not fit, only the numbers of all are right. If a rank lacks room, they
/// wait for the host on all ranks, as if an earlier check had found them.
template <class Element>
struct JoinFound {
  static constexpr KernelTraits traits{.name = "found facets of all"};
  static constexpr int workers = 128;
  struct Shared {};
  TakenFacets<Element> taken;
  const FoundByRank* of;  ///< [rank]
  int ranks;
  DeviceGate gate;  ///< that of the exchange before: closed where no stress is near the strength on any rank

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    const CheckResult& check = taken.check;
    if (*check.check_skipped != 0 || !gate.is_open()) return;
    Index facets = 0, elements = 0;
    bool has_room = true;
    for (int r = 0; r < ranks; ++r) {
      facets += of[r].facets;
      elements += of[r].elements;
      has_room = has_room && of[r].has_room != 0;
    }
    only_master(worker, [&] { *check.here.facets = *check.here.elements = 0; });
    worker.sync();
    if (elements <= FoundByRank::most) {
      for (int r = 0; r < ranks; ++r)
        ForEachIdx{worker}([&](Idx i) {
          for (Index entry = i; entry < of[r].elements; entry += workers)
            if (const Index e = taken.take(of[r].found[entry]); e >= 0)
              check.found[atomic_add(*check.here.elements, Index{1})] = e;
        });
    }
    worker.sync();
    only_master(worker, [&] {
      *check.all.facets = facets;
      *check.all.elements = elements;
      if (facets != 0 && !has_room) *check.check_skipped = 1;
      for (int r = 0; r < ranks; ++r)
        if (of[r].largest_load > *check.largest_load) *check.largest_load = of[r].largest_load;
      for (int r = ranks - 1; r >= 0; --r)
        if (of[r].fault.code != 0) *check.fault = of[r].fault;
    });
  }
};

/// Lists all elements of this rank that have facets which break, in any order. Bits of a check that found nothing on
/// this rank are those of an earlier one: its facet filter has not run.
struct ListFound {
  static constexpr KernelTraits traits{.name = "many found facets", .has_in_use = true};
  CheckResult check;
  PartIds ids;
  ElementRange range;      ///< of this rank
  const FoundByRank* own;  ///< what the check has found on this rank
  Index* count;            ///< 0 before; afterwards own->elements
  FoundFacets* found;      ///< [own->elements]

  CLEAVE_HD Index size() const { return range.size(); }
  CLEAVE_HD Index in_use() const { return own->elements == 0 ? 0 : size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = range.begin + i;
    if (check.bits[e] == 0) return;
    const Index at = atomic_add(*count, Index{1});
    if (at < own->elements) found[at] = check.of(e, ids);
  }
};

/// Takes over the elements that all ranks have listed. All bits are clear before.
template <class Element>
struct TakeFound {
  static constexpr KernelTraits traits{.name = "many found facets of all"};
  TakenFacets<Element> taken;
  const FoundFacets* found;
  Index count;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { taken.take(found[i]); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
