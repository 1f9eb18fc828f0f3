/// How far a body is from small strains and small rotations: the largest of both, and where.
#pragma once

#include <cmath>

#include "body/displacement_gradient.hpp"
#include "body/element_table.hpp"
#include "body/norms.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/lockstep/lanes.hpp"
#include "cleave/material/material_point.hpp"
#include "terms/bulk/element_lanes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Largest deformation of some elements. Values that are not numbers do not count. Their order makes no difference: of
/// equal values that of the smallest element counts. Without initial values, for shared memory.
struct DeformationRow {
  double strain;  ///< largest magnitude of a principal strain, from the symmetric part of the gradient
  double turn;    ///< 1 - cos of the largest rotation
  Index strain_element, turn_element;

  CLEAVE_HD void include(const DeformationRow& other) {
    if (other.strain > strain || (other.strain == strain && other.strain_element < strain_element)) {
      strain = other.strain;
      strain_element = other.strain_element;
    }
    if (other.turn > turn || (other.turn == turn && other.turn_element < turn_element)) {
      turn = other.turn;
      turn_element = other.turn_element;
    }
  }
};

/// Deformation of one Gauss point, as in DeformationRow.
struct PointDeformation {
  Real strain, turn;
};
/// Additions, products and square roots only, which every machine rounds alike.
CLEAVE_HD_INLINE PointDeformation deformation_of(const Gradient& d) {
  const Real mean = (d.xx + d.yy) / 2, half = (d.xx - d.yy) / 2, shear = d.shear() / 2;
  const Real strain = (mean < 0 ? -mean : mean) + std::sqrt(half * half + shear * shear);
  const Real c = 2 + d.xx + d.yy, s = d.yx - d.xy;  // of the rotation, times a length
  const Real turn = 1 - c / std::sqrt(c * c + s * s);
  return {strain, turn};
}

/// The largest magnitude of a principal strain in each bulk element, for norms; 0 in eroded ones.
template <class Element>
struct NormsOfStrain {
  ElementTable<Element> elements;
  const Vec2* position;       ///< [node], m
  const Vec2* displacement;   ///< [node], m
  const std::uint8_t* flags;  ///< [element] ElementFlag

  CLEAVE_HD NormSums operator()(Index e) const {
    Vec2 x[Element::nodes], u[Element::nodes];
    elements.gather(e, position, x);
    elements.gather(e, displacement, u);
    double largest = 0;
    for (int q = 0; q < Element::gauss_points && !(flags[e] & ElementFlag::eroded); ++q) {
      const double strain = deformation_of(displacement_gradient(Element::gradients(x, q), u)).strain;
      if (!(strain - strain == 0)) return NormSums::of(strain);
      if (strain > largest) largest = strain;
    }
    return NormSums::of(largest);
  }
};

/// A row for each block of some bulk elements.
template <class Element>
struct LargestDeformation {
  static constexpr KernelTraits traits{.name = "largest deformation", .has_lanes = true};
  static constexpr int workers = 128;
  struct Shared {
    DeformationRow row[workers];
  };
  ElementTable<Element> elements;
  const Vec2* position;       ///< [node], m
  const Vec2* displacement;   ///< [node], m
  const std::uint8_t* flags;  ///< [element] ElementFlag: eroded ones do not count
  ElementRange range;         ///< those that are looked at
  DeformationRow* rows;       ///< [block]

  CLEAVE_HD Index blocks() const { return blocks_of(range.size()); }
  CLEAVE_HD static Index blocks_of(Index count) { return (count + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = range.begin + worker.block * workers;
    if constexpr (Worker::slots == 1)
      run(worker, shared, first);
    else
      run_lanes(first, first + workers < range.end ? first + workers : range.end, rows[worker.block]);
  }

 private:
  /// On a GPU: an element a worker.
  template <class Worker>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, Index first) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index e = first + i < range.end ? first + i : first;
      Vec2 x[Element::nodes], u[Element::nodes];
      elements.gather(e, position, x);
      elements.gather(e, displacement, u);
      DeformationRow row{0, 0, e, e};
      for (int q = 0; q < Element::gauss_points && !(flags[e] & ElementFlag::eroded); ++q) {
        const PointDeformation d = deformation_of(displacement_gradient(Element::gradients(x, q), u));
        row.include({d.strain, d.turn, e, e});
      }
      shared.row[i] = row;
    });
    worker.sync();
    only_master(worker, [&] {
      DeformationRow row = shared.row[0];
      for (int i = 1; i < workers; ++i) row.include(shared.row[i]);
      rows[worker.block] = row;
    });
  }
  /// The same by one CPU thread: elements in lanes.
  CLEAVE_HD_INLINE void run_lanes(Index first, Index end, DeformationRow& largest) const {
    constexpr int most = ElementLanes<Element>::most;
    largest = {0, 0, first, first};
    for (Index e = first; e < end; e += ElementLanes<Element>::count_from(e, end)) {
      ElementLanes<Element> lanes(e, end);
      Vec2 x[Element::nodes][most];
      Real strain[most], turn[most];
      lanes.fetch(elements, position, x);
      lanes.fetch(elements, displacement, lanes.u);
      for_lanes(lanes.count, [&](int lane) CLEAVE_LANE {
        Vec2 at[Element::nodes], u[Element::nodes];
        lanes.copy(lane, u);
        CLEAVE_UNROLL
        for (int k = 0; k < Element::nodes; ++k) at[k] = {x[k][lane].x, x[k][lane].y};
        strain[lane] = turn[lane] = 0;
        CLEAVE_UNROLL
        for (int q = 0; q < Element::gauss_points; ++q) {
          const PointDeformation d = deformation_of(displacement_gradient(Element::gradients(at, q), u));
          strain[lane] = d.strain > strain[lane] ? d.strain : strain[lane];
          turn[lane] = d.turn > turn[lane] ? d.turn : turn[lane];
        }
      });
      for (int lane = 0; lane < lanes.count; ++lane)
        if (!(flags[e + lane] & ElementFlag::eroded)) largest.include({strain[lane], turn[lane], e + lane, e + lane});
    }
  }
};

/// Joins rows into the first one.
struct LargestRow {
  static constexpr KernelTraits traits{.name = "largest deformation of all"};
  static constexpr int workers = 256;
  struct Shared {
    DeformationRow row[workers];
  };
  DeformationRow* rows;
  Index count;

  CLEAVE_HD Index blocks() const { return count > 1 ? 1 : 0; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx{worker}([&](Idx i) {
      DeformationRow row = rows[i < count ? Index{i} : 0];
      for (Index other = i + workers; other < count; other += workers) row.include(rows[other]);
      shared.row[i] = row;
    });
    worker.sync();
    only_master(worker, [&] {
      DeformationRow row = shared.row[0];
      for (int i = 1; i < workers; ++i) row.include(shared.row[i]);
      rows[0] = row;
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
