/// Energies, works and failures of cohesive elements.
#pragma once

#include "body/sums.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/cohesive/cohesive.hpp"
#include "terms/cohesive/face_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums of the cohesive elements of this rank, whose first triangle is its own. Nodes have booked the works of all
/// forces between faces as internal work: where cohesive elements keep these works, they are taken from it here.
template <class Element, class Law>
struct CohesiveEnergy {
  static constexpr KernelTraits traits{.name = "cohesive energy"};
  static constexpr int points = FacetGauss::points, elements = 32, workers = points * elements;
  using Sums = Joined<QuantityList<Quantity::recoverable_energy, Quantity::failed_elements, Quantity::crack_length,
                                   Quantity::cohesive_work, Quantity::cohesive_account, Quantity::law_dissipation>,
                      FaceForces::Sums>;
  struct Shared {
    double value[Sums::count][workers];
    bool dead[workers];
    FixedBlockSum<workers> sum;
  };
  Index capacity;                    ///< of cohesive elements
  const Index* live;                 ///< number in use
  const CohesiveRow<Element>* rows;  ///< [cohesive element]
  ElementRange own;                  ///< bulk elements of this rank
  Law law;
  CohesiveTable<Law> cohesive;
  Real thickness;                ///< m
  const double* work = nullptr;  ///< of the law, [cohesive element][Gauss point], J; null: not kept
  FaceForces forces{};
  std::uint8_t* failed;  ///< [cohesive element] 1 when dead at all Gauss points, for good
  FixedSum* sums;        ///< [quantity]
  FaultRecord* fault;    ///< told of laws that take failure back
  Index* failures;       ///< set to 0, see CountedFragments

  CLEAVE_HD Index blocks() const { return (capacity + elements - 1) / elements; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index count = *live, first = worker.block * elements;
    ForEachIdx each{worker};
    if (worker.block == 0) only_master(worker, [&] { *failures = 0; });
    each([&](Idx i) {
      const Index c = first + i / points;
      const int q = i % points;
      QuantityValues<Sums> sum;
      if (c < count && is_own(c)) {
        const typename Law::State state = read_record(cohesive.state(c, q));
        const double length = FacetGauss::weight(q) * cohesive.frame_of(c).jacobian, area = length * thickness;
        shared.dead[i] = law.failed(state);
        const double done = work != nullptr ? work[points * c + q] : 0;
        sum[Quantity::cohesive_account] = area * cohesive.account(c, q);
        sum[Quantity::recoverable_energy] =
            area * law.respond(cohesive.opening(c, q), cohesive.point(c, q), state).stored +
            sum[Quantity::cohesive_account];
        sum[Quantity::crack_length] = length / cohesive.factors[c].energy;
        sum[Quantity::cohesive_work] = done;
        sum[Quantity::internal_work] = -done;
        forces.add_works(points * c + q, sum);
        sum[Quantity::law_dissipation] = area * cohesive.dissipated(c, q);
      }
      for (int field = 0; field < Sums::count; ++field) shared.value[field][i] = sum.value[field];
    });
    worker.sync();
    each([&](Idx i) {
      const Index c = first + i;
      if (i >= elements || c >= count || !is_own(c)) return;
      bool dead = true;
      for (int q = 0; q < points; ++q) dead = dead && shared.dead[points * i + q];
      if (failed[c] && !dead) fault->report(FaultCode::healed_facet, c, FaultRecord::unknown_step);
      failed[c] = dead;
      shared.value[Sums::field_of(Quantity::failed_elements)][points * i] = dead ? 1 : 0;
    });
    shared.sum.add(
        Sums::count, elements,
        [&](int field, int e) {
          double sum = shared.value[field][points * e];
          for (int q = 1; q < points; ++q) sum += shared.value[field][points * e + q];
          return sum;
        },
        [&](int field) -> FixedSum& { return sums[static_cast<int>(Sums::at(field))]; }, worker);
  }

 private:
  CLEAVE_HD bool is_own(Index c) const { return own.has(element_of(rows[c].facets[0])); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
