/// The laws that a material may have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cleave/material/hyperelastic.hpp"
#include "cleave/material/j2.hpp"
#include "cleave/material/kelvin_voigt.hpp"
#include "cleave/material/linear_elastic.hpp"

// CMake writes it: the headers of users, and their laws with a comma before each.
#if __has_include(<cleave_user_laws.hpp>)
#include <cleave_user_laws.hpp>
#else
#define CLEAVE_USER_MATERIALS
#endif

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
  static constexpr bool names_differ() {
    const std::string_view names[] = {Laws::name...};
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j)
        if (names[i] == names[j]) return false;
    return true;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for_each([&]<class Law>() { all.push_back(Law::name); });
    return all;
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
  /// Whether a law of the list is for finite strains.
  static bool is_finite(std::string_view name) {
    bool finite = false;
    for_each([&]<class Law>() { finite = finite || (name == Law::name && Law::finite); });
    return finite;
  }
};

using MaterialLaws = LawList<LinearElastic, KelvinVoigt, J2, StVenantKirchhoff, NeoHookean CLEAVE_USER_MATERIALS>;
static_assert(MaterialLaws::names_differ(), "two material laws have one name");

}  // namespace cleave::inline CLEAVE_PRECISION
