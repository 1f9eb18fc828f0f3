/// Internal forces of bulk elements.
#pragma once

#include <cmath>

#include "cleave/lockstep/lockstep.hpp"
#include "kernels/element_table.hpp"
#include "kernels/stiffness.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// f += K u for listed elements: 12 threads an element (T3: 6), each with one row of the matrix
/// (A. Alhadeff et al., IJNME 103 (2015) 859).
template <class Element, class Scatter, class Matrices = Table<const Real, Element::dofs * Element::dofs>>
struct InternalForce {
  static constexpr const char* name = "internal force";
  static constexpr int elements_per_block = 16;
  static constexpr int workers = elements_per_block * Element::dofs;
  struct Shared {
    Real displacement[elements_per_block][Element::dofs];
  };
  ElementTable<Element> elements;
  ElementList list;
  Matrices stiffness;        ///< transposed, N/m
  const Vec2* displacement;  ///< [node], m
  Vec2* force;               ///< [node], N

  CLEAVE_HD Index blocks() const { return (list.count + elements_per_block - 1) / elements_per_block; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * elements_per_block;
    ForEachIdx each{worker};

    // The node whose displacement component the worker loads is also the one whose force it adds to.
    auto node = each([&](Idx i) -> Index {
      const int member = i / Element::dofs, dof = i % Element::dofs;
      if (first + member >= list.count) return -1;
      const Index n = elements.node(list[first + member], dof / 2);
      shared.displacement[member][dof] = dof % 2 == 0 ? displacement[n].x : displacement[n].y;
      return n;
    });
    worker.sync();
    each([&](Idx i) {
      if (node[i] < 0) return;
      const int member = i / Element::dofs, row = i % Element::dofs;
      const Index e = list[first + member];
      Real sum = 0;
      for (int column = 0; column < Element::dofs; ++column)
        sum = std::fma(read_only(stiffness(e, column * Element::dofs + row)), shared.displacement[member][column], sum);
      Scatter::add(row % 2 == 0 ? force[node[i]].x : force[node[i]].y, sum);
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
