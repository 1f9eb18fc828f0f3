/// Facets found by a check of several ranks: each rank judges those of its own elements, and all ranks cut all of them.
#pragma once

#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/fracture_filter.hpp"
#include "fracture/one_block_insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// An element with facets that break. The same in both precisions.
struct FoundFacets {
  Index element;
  Index bits;                                 ///< bit k: facet k breaks
  double strength_scale[facets_per_element];  ///< of its facets, which a rate may have raised
};

/// Elements with facets that break on one rank. Where more are found than fit here, ranks exchange them through the
/// host.
struct FoundByRank {
  static constexpr Index most = most_facets_of_one_block;
  Index facets = 0, elements = 0;
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
  Index* facets;         ///< how many break
  Index* elements;       ///< how many have any of them
  FaultRecord* fault;
  Index* found;            ///< [FoundByRank::most] those elements
  std::uint8_t* bits;      ///< [element] bit k: facet k breaks
  Real* strength_scale;    ///< [facet code] null: 1 everywhere
  LoadBits* largest_load;  ///< see FracturedFacets

  /// The facets of an element that break, for other ranks.
  CLEAVE_HD FoundFacets of(Index e) const {
    FoundFacets here{e, bits[e], {1, 1, 1}};
    for (int k = 0; k < facets_per_element && strength_scale != nullptr; ++k)
      here.strength_scale[k] = static_cast<double>(strength_scale[facet_code(e, k)]);
    return here;
  }
  /// Stores an element that another rank has found.
  CLEAVE_HD void take(const FoundFacets& found_there) const {
    bits[found_there.element] = static_cast<std::uint8_t>(found_there.bits);
    for (int k = 0; k < facets_per_element && strength_scale != nullptr; ++k)
      strength_scale[facet_code(found_there.element, k)] = Real(found_there.strength_scale[k]);
  }
};

/// Copies the results of this rank into its place.
struct NoteFound {
  static constexpr KernelTraits traits{.name = "found facets"};
  static constexpr int workers = 128;
  struct Shared {};
  CheckResult check;
  FoundByRank* own;

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    if (*check.check_skipped != 0) return;
    only_master(worker, [&] {
      own->facets = *check.facets;
      own->elements = *check.elements;
      own->fault = *check.fault;
      own->largest_load = *check.largest_load;
    });
    ForEachIdx{worker}([&](Idx i) {
      for (Index entry = i; entry < *check.elements && entry < FoundByRank::most; entry += workers)
        own->found[entry] = check.of(check.found[entry]);
    });
  }
};

/// Joins the results of all ranks. If they do not fit, only the numbers are right.
struct JoinFound {
  static constexpr KernelTraits traits{.name = "found facets of all"};
  static constexpr int workers = 128;
  struct Shared {};
  CheckResult check;
  const FoundByRank* of;  ///< [rank]
  int ranks;
  DeviceGate gate;  ///< that of the exchange before: closed where no stress is near the strength on any rank

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    if (*check.check_skipped != 0 || !gate.is_open()) return;
    Index facets = 0, elements = 0;
    for (int r = 0; r < ranks; ++r) {
      facets += of[r].facets;
      elements += of[r].elements;
    }
    if (elements <= FoundByRank::most) {
      Index first = 0;
      for (int r = 0; r < ranks; first += of[r++].elements)
        ForEachIdx{worker}([&](Idx i) {
          for (Index entry = i; entry < of[r].elements; entry += workers) put(first + entry, of[r].found[entry]);
        });
    }
    worker.sync();
    only_master(worker, [&] {
      *check.facets = facets;
      *check.elements = elements;
      for (int r = 0; r < ranks; ++r)
        if (of[r].largest_load > *check.largest_load) *check.largest_load = of[r].largest_load;
      for (int r = ranks - 1; r >= 0; --r)
        if (of[r].fault.code != 0) *check.fault = of[r].fault;
    });
  }
  CLEAVE_HD void put(Index entry, const FoundFacets& found) const {
    check.found[entry] = found.element;
    check.take(found);
  }
};

/// Lists all elements of this rank that have facets which break, in any order. Bits of a check that found nothing on
/// this rank are those of an earlier one: its facet filter has not run.
struct ListFound {
  static constexpr KernelTraits traits{.name = "many found facets", .has_in_use = true};
  CheckResult check;
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
    if (at < own->elements) found[at] = check.of(e);
  }
};

/// Makes the elements that all ranks have listed the result of the check. All bits are clear before.
struct TakeFound {
  static constexpr KernelTraits traits{.name = "many found facets of all"};
  CheckResult check;
  const FoundFacets* found;
  Index count;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { check.take(found[i]); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
