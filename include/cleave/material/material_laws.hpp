/// The laws that a material may have.
#pragma once

#include <string_view>

#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A list of laws; in case files they are known by their `name`.
template <class... Laws>
struct LawList {
  static constexpr int count = sizeof...(Laws);

  /// Calls f.operator()<Law>() for each law, in order.
  template <class F>
  static void for_each(F f) {
    (f.template operator()<Laws>(), ...);
  }
  /// The place of a law in the list; -1: it is not there.
  static int find(std::string_view name) {
    int found = -1, at = 0;
    for_each([&]<class Law>() {
      if (name == Law::name) found = at;
      ++at;
    });
    return found;
  }
};

using MaterialLaws = LawList<LinearElastic>;

}  // namespace cleave::inline CLEAVE_PRECISION
