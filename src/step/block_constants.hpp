/// Constants of a block of elements, read from memory when they are needed, or early by a launch that waits.
#pragma once

#include "body/element_table.hpp"
#include "body/gather_table.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Constants of an element, which only insertion changes.
template <class Element>
struct KeptElement {
  ElementNode nodes[Element::nodes];
  AreaGradients at{};
  std::uint8_t flags = 0;

  CLEAVE_HD const ElementNode& node(int k) const { return nodes[k]; }
  CLEAVE_HD const AreaGradients& gradients() const { return at; }
  CLEAVE_HD bool has(ElementFlag flag) const { return flags & flag; }
};

/// The same in memory.
/// @tparam Step  BlockStep
template <class Element, class Step>
struct ElementInMemory {
  const Step* step;
  Index e;

  CLEAVE_HD_INLINE const ElementNode& node(int k) const { return step->elements.entry(e, k); }
  CLEAVE_HD_INLINE AreaGradients gradients() const { return step->geometry.gradients_of(e); }
  CLEAVE_HD_INLINE bool has(ElementFlag flag) const { return step->flags[e] & flag; }
  CLEAVE_HD KeptElement<Element> keep() const {
    KeptElement<Element> kept;
    if (e == Step::none) return kept;
    for (int k = 0; k < Element::nodes; ++k) kept.nodes[k] = read_record(node(k));
    kept.at = gradients();
    kept.flags = step->flags[e];
    return kept;
  }
};

/// Constants of the workers of a block: of each worker's element and of the first node that it steps.
template <class Element, class Step>
struct BlockInMemory {
  static constexpr Index none = Step::none;
  const Step* step;
  Index first, end;            ///< elements of the block
  Index node_begin, node_end;  ///< its interior nodes

  CLEAVE_HD_INLINE Index index(Idx i) const { return first + i < end ? first + i : none; }
  CLEAVE_HD_INLINE ElementInMemory<Element, Step> element(Idx i) const { return {step, first + i}; }
  CLEAVE_HD_INLINE Index first_node(Idx i) const { return node_begin + i < node_end ? node_begin + i : none; }
  CLEAVE_HD_INLINE NodeAssembly first_assembly(Idx i) const {
    const Index n = first_node(i);
    return read_record(step->step.assembly[n == none ? 0 : n]);
  }
};

/// The same of a worker, read early.
template <class Element>
struct KeptConstants {
  Index index;
  KeptElement<Element> element;
  Index first_node;
  NodeAssembly node;  ///< without a node, of another one: a choice would have to wait for what is read
};
template <class Values>
struct BlockReadEarly {
  const Values& values;

  CLEAVE_HD Index index(Idx i) const { return values[i].index; }
  CLEAVE_HD const auto& element(Idx i) const { return values[i].element; }
  CLEAVE_HD Index first_node(Idx i) const { return values[i].first_node; }
  CLEAVE_HD const NodeAssembly& first_assembly(Idx i) const { return values[i].node; }
};

/// Result of the element of a worker.
struct ElementResult {
  Real stored;   ///< energy, J; only with output
  bool pending;  ///< see BlockStep::is_skipped: read after values that take as long to come, and by every worker, or
                 ///< all would wait for it at once
};

}  // namespace cleave::inline CLEAVE_PRECISION
