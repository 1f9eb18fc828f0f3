/// Energies, works and failures of cohesive elements: one row of sums per block.
#pragma once

#include "body/sums.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Works of Gauss points, [cohesive element][Gauss point], J; null: not kept.
struct CohesiveWorks {
  const double* cohesive = nullptr;
  const double* cracks = nullptr;  ///< of pressure in cracks
  const double* friction = nullptr;
};

/// Sums of each block of cohesive elements. Nodes have booked the works of all forces between faces as internal work:
/// where cohesive elements keep these works, they are taken from it here.
template <class Law>
struct CohesiveEnergy {
  static constexpr KernelTraits traits{.name = "cohesive energy"};
  static constexpr int points = FacetGauss::points, elements = 32, workers = points * elements;
  using Sums = QuantityList<Quantity::recoverable_energy, Quantity::failed_elements, Quantity::crack_length,
                            Quantity::cohesive_work, Quantity::cohesive_account, Quantity::external_work,
                            Quantity::internal_work, Quantity::law_dissipation, Quantity::friction_energy>;
  struct Shared {
    QuantitySum<Sums, workers> sum;
    bool dead[workers];
  };
  Index capacity;     ///< of cohesive elements
  const Index* live;  ///< number in use
  Law law;
  CohesiveTable<Law> cohesive;
  Real thickness;  ///< m
  CohesiveWorks works;
  std::uint8_t* failed;  ///< [cohesive element] 1 when dead at all Gauss points, for good
  SumRows<Sums> sums;
  FaultRecord* fault;  ///< told of laws that take failure back

  CLEAVE_HD Index blocks() const { return (capacity + elements - 1) / elements; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index count = *live, first = worker.block * elements;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index c = first + i / points;
      const int q = i % points;
      double energy = 0, length = 0, done = 0, account = 0, pressed = 0, rubbed = 0;
      if (c < count) {
        const typename Law::State state = read_record(cohesive.state(c, q));
        length = FacetGauss::weight(q) * cohesive.frame_of(c).jacobian;
        energy = length * thickness * law.respond(cohesive.opening(c, q), cohesive.point(c, q), state).stored;
        account = length * thickness * cohesive.account(c, q);
        shared.dead[i] = law.failed(state);
        if (works.cohesive != nullptr) done = works.cohesive[points * c + q];
        if (works.cracks != nullptr) pressed = works.cracks[points * c + q];
        if (works.friction != nullptr) rubbed = works.friction[points * c + q];
      }
      shared.sum[Quantity::recoverable_energy][i] = energy + account;
      shared.sum[Quantity::failed_elements][i] = 0;
      shared.sum[Quantity::crack_length][i] = c < count ? length / cohesive.factors[c].energy : 0;
      shared.sum[Quantity::cohesive_work][i] = done;
      shared.sum[Quantity::cohesive_account][i] = account;
      shared.sum[Quantity::external_work][i] = pressed;
      shared.sum[Quantity::internal_work][i] = pressed - done - rubbed;
      shared.sum[Quantity::friction_energy][i] = rubbed;
      shared.sum[Quantity::law_dissipation][i] = c < count ? length * thickness * cohesive.dissipated(c, q) : 0;
    });
    worker.sync();
    each([&](Idx i) {
      if (i >= elements || first + i >= count) return;
      bool dead = true;
      for (int q = 0; q < points; ++q) dead = dead && shared.dead[points * i + q];
      if (failed[first + i] && !dead) fault->report(FaultCode::healed_facet, first + i, FaultRecord::unknown_step);
      failed[first + i] = dead;
      shared.sum[Quantity::failed_elements][i] = dead ? 1 : 0;
    });
    shared.sum.store(sums, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
