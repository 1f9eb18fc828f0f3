/// The solver memory of a body of the gather assembly, for a backend that counts.
#pragma once

#include <mutex>

#define CLEAVE_TERM_LAUNCHES
#include "cleave/solver/intact_memory.hpp"
#include "step/gather_output.hpp"
#include "terms/cohesive/cohesive_term_impl.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
IntactMemory count_memory(const Model& model, Ranks& ranks) {
  Backend::given_to_host = 0;
  const std::size_t before = Backend::memory.use().now;
  const GatherBody<Backend, Element> body(model, ranks);
  return {static_cast<double>(Backend::memory.use().now - before), static_cast<double>(Backend::given_to_host)};
}
template <class Backend>
IntactMemory count_memory(const Model& model, Ranks& ranks) {
  static std::mutex one_body;  // the meter is that of all bodies
  const std::lock_guard lock(one_body);
  return model.mesh.type == ElementType::t3 ? count_memory<Backend, T3>(model, ranks)
                                            : count_memory<Backend, T6>(model, ranks);
}

}  // namespace cleave::inline CLEAVE_PRECISION
