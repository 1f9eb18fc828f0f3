/// Lists of laws. A case file selects a law by its name.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A list of laws, each selected by its `name`.
template <class... Laws>
struct LawList {
  static constexpr int count = sizeof...(Laws);

  /// Calls `f.operator()<Law>()` for each law, in order.
  template <class F>
  static void for_each([[maybe_unused]] F f) {
    (f.template operator()<Laws>(), ...);
  }
  static constexpr bool names_differ() {
    const std::array<std::string_view, count> names{Laws::name...};
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
  /// Index of a law in the list; -1 if there is none of that name.
  static int find(std::string_view name) {
    int found = -1, at = 0;
    for_each([&]<class Law>() {
      if (name == Law::name) found = at;
      ++at;
    });
    return found;
  }
  /// Whether the law of that name is for finite strains.
  static bool is_finite(std::string_view name) {
    bool finite = false;
    for_each([&]<class Law>() { finite = finite || (name == Law::name && Law::finite); });
    return finite;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
