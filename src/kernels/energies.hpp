/// Energies and counts of the whole body: one sum per block, then the sum of those, in the same order every time.
#pragma once

#include "kernels/cohesive.hpp"
#include "kernels/node_update.hpp"
#include "kernels/stress.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// 1/2 v.Mv and dt^2/8 a.Ma of each block of nodes, J.
struct KineticEnergy {
  static constexpr const char* name = "kinetic energy";
  static constexpr int workers = nodes_per_block;
  struct Shared {
    BlockSum<2, workers> sum;
  };
  NodeTable nodes;
  Real dt;                ///< s
  Table<double, 2> sums;  ///< [block]

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = worker.block * workers + i;
      const bool inside = n < nodes.count;
      shared.sum.value[0][i] = inside ? 0.5 * nodes.mass[n] * dot(nodes.velocity[n], nodes.velocity[n]) : 0;
      shared.sum.value[1][i] =
          inside ? 0.125 * dt * dt * nodes.mass[n] * dot(nodes.acceleration[n], nodes.acceleration[n]) : 0;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      for (int q = 0; q < 2; ++q) sums(worker.block, q) = shared.sum.total(q);
    });
  }
};

/// Strain energy of an element per reference volume at one Gauss point, J/m^3.
CLEAVE_HD inline Real energy_density(const LinearElastic& material, const DisplacementGradient& d) {
  const Sym2 s = material.stress(d.xx, d.yy, d.shear());
  return Real(0.5) * (s.xx * d.xx + s.yy * d.yy + s.xy * d.shear());
}

/// Strain energy of each block of bulk elements, J.
template <class Element>
struct StrainEnergy {
  static constexpr const char* name = "strain energy";
  static constexpr int workers = 128;
  struct Shared {
    BlockSum<1, workers> sum;
  };
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  LinearElastic material;
  Real thickness;                ///< m
  double* sums;                  ///< [block]
  FaultRecord* fault = nullptr;  ///< told of elements that have turned inside out

  CLEAVE_HD Index blocks() const { return (elements.bulk + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index e = worker.block * workers + i;
      double energy = 0;
      if (e < elements.bulk) {
        Vec2 x[Element::nodes], u[Element::nodes];
        elements.gather(e, position, x);
        elements.gather(e, displacement, u);
        for (int q = 0; q < Element::gauss_points; ++q) {
          const auto g = Element::gradients(x, q);
          const auto d = displacement_gradient(g, u);
          if (fault != nullptr && !(d.jacobian() > 0))
            fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
          energy += thickness * g.area * energy_density(material, d);
        }
      }
      shared.sum.value[0][i] = energy;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] { sums[worker.block] = shared.sum.total(0); });
  }
};

/// Of each block of cohesive elements: recoverable energy in J, number of failed ones, reference length in m, their
/// work in J as far as they keep it themselves, the part of the recoverable energy that is in their accounts, J, and
/// the work of pressure between their faces in J as far as they keep it.
template <class Law>
struct CohesiveEnergy {
  static constexpr const char* name = "cohesive energy";
  static constexpr int points = FacetGauss::points, elements = 32, workers = points * elements;
  static constexpr int quantities = 6;
  struct Shared {
    BlockSum<quantities, workers> sum;
    bool dead[workers];
  };
  Index capacity;     ///< of cohesive elements
  const Index* live;  ///< number in use
  Law law;
  CohesiveTable<Law> cohesive;
  Real thickness;                  ///< m
  const double* work;              ///< [cohesive element][Gauss point], J; null: not kept
  const double* crack_work;        ///< likewise, of pressure in cracks
  std::uint8_t* failed;            ///< [cohesive element] 1 when dead at all Gauss points
  Table<double, quantities> sums;  ///< [block]

  CLEAVE_HD Index blocks() const { return (capacity + elements - 1) / elements; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index count = *live, first = worker.block * elements;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index c = first + i / points;
      const int q = i % points;
      double energy = 0, length = 0, done = 0, account = 0, pressed = 0;
      if (c < count) {
        const typename Law::State state = read_record(cohesive.state(c, q));
        length = FacetGauss::weight(q) * cohesive.frame_of(c).jacobian;
        energy = length * thickness * law.respond(cohesive.opening(c, q), cohesive.point(c, q), state).stored;
        account = length * thickness * cohesive.account(c, q);
        shared.dead[i] = law.failed(state);
        if (work != nullptr) done = work[points * c + q];
        if (crack_work != nullptr) pressed = crack_work[points * c + q];
      }
      shared.sum.value[0][i] = energy + account;
      shared.sum.value[1][i] = 0;
      shared.sum.value[2][i] = length;
      shared.sum.value[3][i] = done;
      shared.sum.value[4][i] = account;
      shared.sum.value[5][i] = pressed;
    });
    worker.sync();
    each([&](Idx i) {
      if (i >= elements || first + i >= count) return;
      bool dead = true;
      for (int q = 0; q < points; ++q) dead = dead && shared.dead[points * i + q];
      failed[first + i] = dead;
      shared.sum.value[1][i] = dead ? 1 : 0;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      for (int q = 0; q < quantities; ++q) sums(worker.block, q) = shared.sum.total(q);
    });
  }
};

/// Adds up the rows of several tables of sums in one launch: a block for each of their fields.
struct SumTables {
  static constexpr const char* name = "sum of sums";
  static constexpr int workers = 256;
  static constexpr int capacity = 6;
  struct Shared {
    BlockSum<1, workers> sum;
  };
  struct Part {
    const double* sums;  ///< [rows][fields]
    Index rows;
    int fields;
  };
  Part parts[capacity];
  int count = 0;
  double* totals;  ///< the fields of all parts, one after the other
  int watched = 0;
  Index* changed = nullptr;  ///< set to 1 when the watched total is another than it was, else to 0

  void add(const double* sums, Index rows, int fields) { parts[count++] = {sums, rows, fields}; }
  CLEAVE_HD Index blocks() const {
    Index sum = 0;
    for (int p = 0; p < count; ++p) sum += parts[p].fields;
    return sum;
  }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    int part = 0, field = static_cast<int>(worker.block);
    while (field >= parts[part].fields) field -= parts[part++].fields;
    const Part table = parts[part];
    ForEachIdx each{worker};
    each([&](Idx i) {
      double sum = 0;
      for (Index row = i; row < table.rows; row += workers)
        sum += table.sums[static_cast<std::size_t>(row) * table.fields + field];
      shared.sum.value[0][i] = sum;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      const double total = shared.sum.total(0);
      if (changed != nullptr && worker.block == watched) *changed = totals[worker.block] != total;
      totals[worker.block] = total;
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
