/// Internal forces of bulk elements.
#pragma once

#include <cmath>

#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "published/stiffness.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Node of the row of a matrix that worker i of a block has; -1: none.
/// @param first  of the block's elements in the list
template <class Element>
CLEAVE_HD Index node_of_row(const ElementTable<Element>& elements, const ElementList& list, Index first, int i) {
  const Index member = first + i / Element::dofs;
  return member < list.count ? elements.node(list[member], i % Element::dofs / 2) : -1;
}

/// A row of a matrix times a vector, from its first column to its last with one fma each.
/// @param row, vector  functions of the column
template <int Columns, class Row, class Vector>
CLEAVE_HD_INLINE Real row_times(const Row& row, const Vector& vector) {
  Real sum = 0;
  for (int column = 0; column < Columns; ++column) sum = std::fma(row(column), vector(column), sum);
  return sum;
}

/// f += K u for listed elements: 12 threads an element (T3: 6), each with one row of the matrix
/// (A. Alhadeff et al., IJNME 103 (2015) 859).
template <class Element, class Scatter, class Matrices = Table<const Real, Element::dofs * Element::dofs>>
struct InternalForce {
  static constexpr KernelTraits traits{.name = "internal force", .reads_early = true};
  static constexpr int elements_at_once = 16;
  static constexpr int workers = elements_at_once * Element::dofs;
  struct Shared {
    Real displacement[elements_at_once][Element::dofs];
  };
  ElementTable<Element> elements;
  ElementList list;
  Matrices stiffness;        ///< transposed, N/m
  const Vec2* displacement;  ///< [node], m
  Vec2* force;               ///< [node], N

  CLEAVE_HD Index blocks() const { return (list.count + elements_at_once - 1) / elements_at_once; }

  /// Values that no step changes: a worker reads them before the launches that it depends on have ended.
  struct Fixed {
    Index node;               ///< whose displacement component it loads, and to whose force it adds; -1: none
    Real row[Element::dofs];  ///< of the matrix, N/m
  };
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared&) const {
    return ForEachIdx{worker}([&](Idx i) {
      Fixed fixed{node_of(worker, i), {}};
      if (fixed.node < 0) return fixed;
      for (int column = 0; column < Element::dofs; ++column) fixed.row[column] = entry(worker, i, column);
      return fixed;
    });
  }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const auto node = ForEachIdx{worker}([&](Idx i) { return node_of(worker, i); });
    add(
        worker, shared, [&](Idx i) { return node[i]; }, [&](Idx i, int column) { return entry(worker, i, column); });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& fixed) const {
    add(
        worker, shared, [&](Idx i) { return fixed[i].node; }, [&](Idx i, int column) { return fixed[i].row[column]; });
  }

 private:
  template <class Worker>
  CLEAVE_HD Index node_of(Worker const& worker, int i) const {
    return node_of_row(elements, list, worker.block * elements_at_once, i);
  }
  template <class Worker>
  CLEAVE_HD Real entry(Worker const& worker, int i, int column) const {
    const Index e = list[worker.block * elements_at_once + i / Element::dofs];
    return read_once(stiffness(e, column * Element::dofs + i % Element::dofs));
  }

  template <class Worker, class Node, class Entry>
  CLEAVE_HD void add(Worker const& worker, Shared& shared, Node node, Entry entry) const {
    ForEachIdx each{worker};
    const auto before = each([&](Idx i) -> Real {
      if (node(i) < 0) return 0;
      const Vec2 u = displacement[node(i)];
      shared.displacement[i / Element::dofs][i % Element::dofs] = component(u, i);
      return Scatter::fetch(component(force[node(i)], i));
    });
    worker.sync();
    each([&](Idx i) {
      if (node(i) < 0) return;
      const Real* const u = shared.displacement[i / Element::dofs];
      const Real sum =
          row_times<Element::dofs>([&](int column) { return entry(i, column); }, [&](int column) { return u[column]; });
      Scatter::put(component(force[node(i)], i), before[i], before[i] + sum);
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
