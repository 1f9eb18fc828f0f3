/// Forces of several terms on nodes.
#pragma once

#include <utility>
#include <vector>

#include "body/fields.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds up two forces of terms on every node.
struct AddNodalForces {
  static constexpr KernelTraits traits{.name = "nodal forces", .has_in_use = true};
  Index capacity;        ///< of nodes
  const Index* present;  ///< how many there are
  const Vec2* a;         ///< [node], N
  const Vec2* b;         ///< likewise
  Vec2* sum;             ///< likewise; may be one of them

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index n) const { sum[n] = a[n] + b[n]; }
};

/// The force of all terms on each node: that of the only one, or a sum.
template <class Backend>
class NodalForces {
 public:
  /// @param of_terms  the force of each term that has one, [node]
  void declare(Fields<Backend>& fields, std::vector<Field<Backend, Vec2>> of_terms) {
    of_terms_ = std::move(of_terms);
    if (of_terms_.size() > 1)
      sum_ = fields.add_filled("nodal forces", {.on = On::node, .saved = true, .split = Split::zero}, Vec2{});
  }
  /// [node] N; null without terms that have a force on nodes.
  const Vec2* data() const {
    return of_terms_.size() > 1 ? sum_.data() : of_terms_.empty() ? nullptr : of_terms_.front().data();
  }
  /// Adds up the forces of a step.
  /// @param nodes  that there is room for
  void launch_sum(Backend& backend, Index nodes, const Index* present) {
    for (std::size_t i = 1; i < of_terms_.size(); ++i)
      backend.launch(AddNodalForces{.capacity = nodes,
                                    .present = present,
                                    .a = i == 1 ? of_terms_[0].data() : sum_.data(),
                                    .b = of_terms_[i].data(),
                                    .sum = sum_.data()});
  }

 private:
  std::vector<Field<Backend, Vec2>> of_terms_;
  Field<Backend, Vec2> sum_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
