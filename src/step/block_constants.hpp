/// Constants of a block of elements, read from memory when they are needed, or early by a launch that waits.
#pragma once

#include "body/element_table.hpp"
#include "body/packed_blocks.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Constants of an element, which only insertion changes.
template <class Element>
struct KeptElement {
  typename PackedBlocks<Element>::Nodes own_nodes{};
  std::uint8_t flags = 0;

  CLEAVE_HD const auto& nodes() const { return own_nodes; }
  CLEAVE_HD bool has(ElementFlag flag) const { return flags & flag; }
};

/// The same in memory.
/// @tparam Step  BlockStep
template <class Element, class Step>
struct ElementInMemory {
  const Step* step;
  Index e;

  CLEAVE_HD_INLINE auto nodes() const { return step->packed.nodes_of(e); }
  CLEAVE_HD_INLINE bool has(ElementFlag flag) const { return step->flags[e] & flag; }
  CLEAVE_HD KeptElement<Element> keep() const {
    if (e == Step::none) return {};
    return {nodes(), step->flags[e]};
  }
};

/// Constants of the workers of a block: of each worker's elements, and the first border row that it fetches.
template <class Element, class Step>
struct BlockInMemory {
  static constexpr Index none = Step::none;
  const Step* step;
  Index first, end;  ///< elements of the block
  BlockHeader own_header;

  CLEAVE_HD_INLINE const BlockHeader& header() const { return own_header; }
  /// The p-th element of a worker.
  CLEAVE_HD_INLINE Index index(Idx i, int p) const {
    const Index e = first + i + p * Step::workers;
    return e < end ? e : none;
  }
  CLEAVE_HD_INLINE ElementInMemory<Element, Step> element(Idx i, int p) const { return {step, index(i, p)}; }
  CLEAVE_HD_INLINE BorderRow first_border(Idx i) const {
    const int j = Step::first_border_of(i);
    return j < own_header.border() ? read_record(step->packed.border[own_header.first_border + j]) : BorderRow{};
  }
};

/// The same of a worker, read early.
template <class Element, int elements>
struct KeptConstants {
  Index index[elements];
  KeptElement<Element> element[elements];
  BlockHeader header;
  BorderRow border;
};
template <class Values>
struct BlockReadEarly {
  const Values& values;
  Idx own;  ///< a worker that asks for the header

  CLEAVE_HD const BlockHeader& header() const { return values[own].header; }
  CLEAVE_HD Index index(Idx i, int p) const { return values[i].index[p]; }
  CLEAVE_HD const auto& element(Idx i, int p) const { return values[i].element[p]; }
  CLEAVE_HD const BorderRow& first_border(Idx i) const { return values[i].border; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
