/// The probes in solver memory, and their rows on the way to the host.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "cleave/material/material_laws.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/snapshot.hpp"
#include "parts/halo.hpp"
#include "terms/probes/probes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ProbeState {
 public:
  void upload(const Model& model) {
    std::vector<Probe<Element>> probes;
    for (const ProbePoint& point : model.probes) {
      Probe<Element>& probe = probes.emplace_back();
      probe.element = point.element;
      probe.facet = point.facet;
      probe.law = MaterialLaws::find(model.materials[model.element_material[point.element]].law);
      for (int i = 0; i < Element::nodes; ++i) {
        probe.shape[i] = Real(point.shape[i]);
        probe.gradients.x[i] = Real(point.gradient[i].x);
        probe.gradients.y[i] = Real(point.gradient[i].y);
      }
      for (int q = 0; q < Element::gauss_points; ++q) probe.gauss_weight[q] = Real(point.gauss_weight[q]);
      every_ = std::gcd(every_, point.every);
      strength_scales_.push_back(point.strength_scale);
      elements_.push_back(point.elsewhere ? -1 : point.element);
    }
    count_ = static_cast<Index>(probes.size());
    if (count_ == 0) return;
    probes_.upload(probes);
    rows_ = std::clamp(most_samples / count_, fewest_rows, most_rows);
    ring_.resize(static_cast<std::size_t>(rows_) * count_);
  }

  bool any() const { return count_ > 0; }
  bool due(Step step) const { return any() && step % every_ == 0; }
  /// Steps from `step` to the first, at least 0, with a row; `limit` when there is none before.
  int steps_until_due(Step step, int limit) const {
    if (!any()) return limit;
    const Step wait = (every_ - step % every_) % every_;
    return wait < limit ? static_cast<int>(wait) : limit;
  }

  const Probe<Element>* probes() const { return probes_.data(); }
  /// @param later  steps from the one that `live` says is present
  ProbeRing ring(const LiveCounts* live, DeviceGate gate, Step later) {
    return {ring_.data(), count_, rows_, every_, live, later, gate};
  }

  /// The rows until `step` have been handed over before.
  void start_after(Step step) {
    fetched_ = step;
    ready_.clear();
  }
  /// Whether steps until that one could write over rows that are not fetched.
  bool is_full(Step step) const { return any() && (step - fetched_) / every_ >= rows_ - 1; }
  /// Waits for the launches so far and fetches the rows until `step`.
  void fetch(Halo<Backend>& halo, Step step, double dt) {
    if (!any() || step <= fetched_) return;
    const Step first = (fetched_ + every_) / every_ * every_;
    fetched_ = step;
    if (first > step) return;
    bring_samples(halo);
    const std::vector<ProbeSample> samples = ring_.download(ring_.size());
    for (Step n = first; n <= step; n += every_) {
      ProbeRow& row = ready_.emplace_back(ProbeRow{n, static_cast<double>(n) * dt, {}});
      const auto* sample = samples.data() + static_cast<std::size_t>(n / every_ % rows_) * count_;
      for (Index p = 0; p < count_; ++p) row.probes.push_back(values_of(sample[p], strength_scales_[p]));
    }
  }
  std::vector<ProbeRow> take() { return std::exchange(ready_, {}); }

 private:
  /// Each sample comes to rank 0 from the rank of its element.
  void bring_samples(Halo<Backend>& halo) {
    if (halo.is_alone()) return;
    if (owners_.empty()) find_owners(halo);
    OwnedRows<Backend> samples;
    samples.in_body.resize(halo.rank_count());
    for (Index row = 0; row < rows_; ++row)
      for (Index p = 0; p < count_; ++p) {
        const Index sample = row * count_ + p;
        samples.in_body[owners_[p]].add(sample);
        if (owners_[p] == halo.rank()) samples.own.add(sample);
      }
    halo.home().add(ring_, 1, samples);
    halo.home().send();
  }
  void find_owners(const Halo<Backend>& halo) {
    std::vector<Index> own;
    for (Index p = 0; p < count_; ++p)
      if (halo.own_elements().has(elements_[p])) own.push_back(p);
    const auto of_ranks = halo.records_by_rank(own);
    owners_.resize(count_);
    for (std::size_t r = 0; r < of_ranks.size(); ++r)
      for (const Index p : of_ranks[r]) owners_[p] = static_cast<int>(r);
  }
  static ProbeValues values_of(const ProbeSample& s, double strength_scale) {
    return {s.displacement.x, s.displacement.y, s.velocity.x,   s.velocity.y,      s.stress.xx,
            s.stress.yy,      s.stress.xy,      strength_scale, s.contact_pressure};
  }

  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  // Many points have fewer rows, so that the ring stays small; but more rows than two segments have steps.
  static constexpr Index most_samples = 1 << 16, fewest_rows = 64, most_rows = 2048;
  Index count_ = 0;
  Index rows_ = 0;
  Step every_ = 0;  ///< greatest common divisor of all periods
  Buffer<Probe<Element>> probes_;
  Buffer<ProbeSample> ring_;
  std::vector<double> strength_scales_;  ///< [probe]
  std::vector<Index> elements_;          ///< [probe] that it lies in; -1: the rank's part lacks it
  std::vector<int> owners_;              ///< [probe] rank of that element; of several ranks, once it is asked for
  Step fetched_ = -1;
  std::vector<ProbeRow> ready_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
