/// The solver memory of a body of the gather assembly and what its ranks send, for a backend that counts.
#pragma once

#include <mutex>

#define CLEAVE_TERM_LAUNCHES
#include "cleave/solver/intact_memory.hpp"
#include "step/gather_check.hpp"
#include "step/gather_output.hpp"
#include "step/gather_step.hpp"
#include "terms/cohesive/cohesive_term_impl.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
IntactMemory count_memory(const Model& model, Ranks& ranks) {
  const std::size_t before = Backend::memory.use().now;
  GatherBody<Backend, Element> body(model, ranks);
  IntactMemory counted;
  counted.solver = static_cast<double>(Backend::memory.use().now - before);
  counted.sent_in_step = body.backend.sent_by([&] { launch_step(body, 0, false); });
  counted.sent_in_check = body.backend.sent_by([&] { launch_fracture_check(body, false); });
  return counted;
}
template <class Backend>
IntactMemory count_memory(const Model& model, Ranks& ranks) {
  static std::mutex one_body;  // the meter is that of all bodies
  const std::lock_guard lock(one_body);
  return model.mesh.type == ElementType::t3 ? count_memory<Backend, T3>(model, ranks)
                                            : count_memory<Backend, T6>(model, ranks);
}

}  // namespace cleave::inline CLEAVE_PRECISION
