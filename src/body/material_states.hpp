/// The states of materials at Gauss points of bulk elements.
#pragma once

#include <cstring>
#include <type_traits>

#include "cleave/core/extremes.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/core/table.hpp"
#include "cleave/material/material_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// By element and Gauss point. Materials without a history have none in memory, those that dissipate nothing no sums of
/// it. States lie word by word, those of `width` elements side by side: threads and lanes read neighbouring words, and
/// arrays and matrices of a law are strided by it. The law sees none of this.
/// @tparam width  32 measured: BENCHMARKS.md, Material laws; `cleave_studies states` compares others
template <class Element, class Material, int width = 32>
struct MaterialStates {
  using State = typename Material::State;
  static constexpr bool kept = !std::is_empty_v<State>;
  static constexpr int words = kept ? static_cast<int>(sizeof(State) / sizeof(Real)) : 1;
  static_assert(!kept || (std::is_trivially_copyable_v<State> && sizeof(State) % sizeof(Real) == 0),
                "the state of a material must be a whole number of Real");
  using Words = Table<Real, words * Element::gauss_points, width>;
  static constexpr bool dissipates = requires { Material::dissipation; };
  static constexpr Quantity dissipation = [] {
    if constexpr (dissipates)
      return Material::dissipation;
    else
      return Quantity::strain_energy;  // not used
  }();
  Words states;
  double* dissipated;  ///< [element] so far, J

  CLEAVE_HD_INLINE State at(Index e, int q) const {
    State state{};
    if constexpr (kept) {
      Real word[words];
      CLEAVE_UNROLL
      for (int w = 0; w < words; ++w) word[w] = states(e, q * words + w);
      std::memcpy(&state, word, sizeof(State));
    }
    return state;
  }
  CLEAVE_HD_INLINE void set(Index e, int q, const State& state) const {
    if constexpr (kept) {
      Real word[words];
      std::memcpy(word, &state, sizeof(State));
      CLEAVE_UNROLL
      for (int w = 0; w < words; ++w) states(e, q * words + w) = word[w];
    }
  }
  /// Gives all Gauss points of an element the largest flag of any, if the law has one (SharesFlag). Its thread has all
  /// of them.
  CLEAVE_HD_INLINE void share_flag(Index e) const {
    if constexpr (SharesFlag<Material>) {
      static_assert(Material::element_flag % sizeof(Real) == 0 && Material::element_flag < sizeof(State),
                    "element_flag is the offset of a Real of State");
      constexpr int word = static_cast<int>(Material::element_flag / sizeof(Real));
      Real flag = 0;
      CLEAVE_UNROLL
      for (int q = 0; q < Element::gauss_points; ++q) flag = larger(flag, states(e, q * words + word));
      CLEAVE_UNROLL
      for (int q = 0; q < Element::gauss_points; ++q) states(e, q * words + word) = flag;
    }
  }
  /// The states of one element, for element_force.
  struct OfElement {
    const MaterialStates* all;
    Index e;
    CLEAVE_HD_INLINE State at(int q) const { return all->at(e, q); }
    CLEAVE_HD_INLINE void set(int q, const State& state) const { all->set(e, q, state); }
    CLEAVE_HD_INLINE void share_flag() const { all->share_flag(e); }
  };
  CLEAVE_HD_INLINE OfElement of(Index e) const { return {this, e}; }
  CLEAVE_HD_INLINE void add_dissipated(Index e, Real energy) const {
    if constexpr (dissipates)
      if (energy != 0) dissipated[e] += energy;
  }

  /// Values in memory for that many elements.
  static std::size_t extent(Index elements) { return kept ? Words::extent(elements) : 0; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
