/// The largest step of central differences on a mesh.
#pragma once

#include <vector>

#include "cleave/material/user_law.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// The damping time of a law (see Damps), s. Throws InputError if it is no finite number >= 0.
double checked_damping_time(const char* law, double time);

/// The damping time of a material by a law of the list, s; 0 if the law has none.
template <class Laws>
double damping_time(const MaterialCase& c) {
  double time = 0;
  Laws::for_each([&]<class Law>() {
    if constexpr (Damps<Law>)
      if (c.law == Law::name) time = checked_damping_time(Law::name, Law::damping_time(c));
  });
  return time;
}

/// Smallest 2 / omega_max(K_e, m_e) over the elements, each with its own material, s: a lower bound of the critical
/// step of the assembled mesh, and of every mesh made from it by splitting nodes (Rayleigh quotient element by
/// element). Needs the model's mesh, materials and supports only.
/// @param damping  [material] damping time, s, see Damps
double critical_step(const Model& model, const std::vector<double>& damping);

/// The same with the damping times of MaterialLaws.
double critical_step(const Model& model);

/// The element of the model's mesh that sets its critical step, which the model has; of several the first one. It looks
/// at all elements.
Index limiting_element(const Model& model);

/// Critical steps of a sample of the elements: up to 1,000, evenly spaced in the mesh. A critical step far below them
/// shows a sliver.
struct UsualSteps {
  double median = 0;  ///< s
  double low = 0;     ///< s, exceeded by all but 1 % of the sample, and by all but 2
};
UsualSteps usual_steps(const Model& model);

}  // namespace cleave
