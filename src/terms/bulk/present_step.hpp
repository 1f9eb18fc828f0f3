/// How long a step the present shape of a body bears, as finite strains change stiffness: the fastest vibrations of
/// elements around where they are, with the tangents of their laws there.
#pragma once

#include <algorithm>
#include <cmath>

#include "body/gather_table.hpp"
#include "body/material_states.hpp"
#include "body/node_motion.hpp"
#include "terms/bulk/element_force.hpp"
#include "terms/bulk/largest_deformation.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The largest squared frequencies of some elements, 1/s^2. Of equal ones that of the smallest element counts, so that
/// the order in which rows are joined makes no difference.
struct FastestVibrations {
  double alone = 0;     ///< of elements by themselves: no vibration of the body is faster (docs/theory.md, section 1)
  double attached = 0;  ///< of elements whose nodes have all their mass: one of the body is as fast
  Index alone_element = 0, attached_element = 0;

  CLEAVE_HD friend FastestVibrations operator+(FastestVibrations a, const FastestVibrations& b) {
    if (b.alone > a.alone || (b.alone == a.alone && b.alone_element < a.alone_element)) {
      a.alone = b.alone;
      a.alone_element = b.alone_element;
    }
    if (b.attached > a.attached || (b.attached == a.attached && b.attached_element < a.attached_element)) {
      a.attached = b.attached;
      a.attached_element = b.attached_element;
    }
    return a;
  }
};

/// Derivative of a law's stress by the gradient, Pa: a column for each component of the gradient.
struct Tangent {
  Stress column[4];
};

/// The law linearised at a gradient, as element_force asks it: its state is the tangent.
struct LinearisedLaw {
  using State = Tangent;
  CLEAVE_HD_INLINE Response update(const Gradient& g, const Tangent& t, Real) const {
    const Real part[4] = {g.xx, g.xy, g.yx, g.yy};
    Stress s{0, 0, 0, 0};
    for (int c = 0; c < 4; ++c)
      s = {s.xx + part[c] * t.column[c].xx, s.xy + part[c] * t.column[c].xy, s.yx + part[c] * t.column[c].yx,
           s.yy + part[c] * t.column[c].yy};
    return {s};
  }
};

/// Strain (Green's) up to which no element reaches a step that is f times the critical one at the start: up to a strain
/// of 0.3, frequencies of hyperelastic laws grow by less than 4 times the strain. Beyond it they grow without bound, as
/// a squeezed element goes towards a strain of -0.5.
inline double carefree_strain(double f) {
  constexpr double proportional = 0.3;
  return f < 1 ? std::min((1 / f - 1) / 4, proportional) : 0;
}

/// The fastest vibrations of each element of a material, for a backend's `reduce`. Elements that are hardly strained
/// count for nothing; nor does `attached` where `alone` is below the limit.
template <class Element, class Material>
struct VibrationsOfElements {
  ElementTable<Element> elements;
  Index first;  ///< element
  Material material;
  MaterialStates<Element, Material> states;
  GeometryTable geometry;
  NodeMotion nodes;
  const Real* inverse_mass;   ///< [node] 1/kg
  const std::uint8_t* flags;  ///< [element] ElementFlag
  Real small_strain;          ///< largest principal strain (Green's) of elements that are left out
  Real dt;                    ///< s
  Real limit;                 ///< squared frequency for which the step is just stable, 1/s^2

  CLEAVE_HD FastestVibrations operator()(Index i) const {
    const Index e = first + i;
    FastestVibrations found{0, 0, e, e};
    if (flags[e] & ElementFlag::eroded) return found;
    Vec2 u[Element::nodes];
    elements.gather(e, nodes.displacement, u);
    const ElementGeometry at = geometry.of(e);
    Tangents tangents;
    Real strain = 0;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto [d1, d2] = corner_differences(u, q);
      const Gradient g = at.gradient(d1, d2);
      const Real here = green_strain(g);
      strain = here > strain ? here : strain;
    }
    if (!(strain > small_strain)) return found;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto [d1, d2] = corner_differences(u, q);
      tangents.of_point[q] = tangent(e, q, at.gradient(d1, d2));
    }
    Vec2 scale[Element::nodes];  // 1 / sqrt(mass) of each direction
    for (int k = 0; k < Element::nodes; ++k) {
      const Real own = 1 / std::sqrt(Element::mass_fraction(k) * elements.mass(e));
      scale[k] = {own, own};
    }
    found.alone = squared_frequency(at, tangents, scale);
    if (!(found.alone > limit)) return found;
    for (int k = 0; k < Element::nodes; ++k) {
      const Index n = elements.node(e, k);
      const Real all = std::sqrt(inverse_mass[n]);
      scale[k] = {nodes.motion_x[n] != 0 ? Real(0) : all, nodes.motion_y[n] != 0 ? Real(0) : all};
    }
    found.attached = squared_frequency(at, tangents, scale);
    return found;
  }

 private:
  /// Tangents at an element's Gauss points, as element_force asks for states.
  struct Tangents {
    Tangent of_point[Element::gauss_points];
    CLEAVE_HD_INLINE const Tangent& at(int q) const { return of_point[q]; }
    CLEAVE_HD_INLINE void set(int, const Tangent&) const {}
    CLEAVE_HD_INLINE void share_flag() const {}
  };

  CLEAVE_HD static Real green_strain(const Gradient& g) {
    const Real shear = Real(0.5) * (g.shear() + (g.xx * g.xy + g.yx * g.yy));
    return deformation_of({g.xx + Real(0.5) * (g.xx * g.xx + g.yx * g.yx), shear, shear,
                           g.yy + Real(0.5) * (g.xy * g.xy + g.yy * g.yy)})
        .strain;
  }
  /// By differences of the stresses of a next step.
  CLEAVE_HD Tangent tangent(Index e, int q, const Gradient& g) const {
    constexpr Real little = sizeof(Real) == sizeof(double) ? Real(0x1p-24) : Real(0x1p-11), inverse = 1 / little;
    const auto stress_at = [&](const Gradient& moved) {
      typename Material::State state = states.at(e, q);  // a copy: nothing happens
      return material.update(moved, state, dt).stress;
    };
    const Stress s = stress_at(g);
    Tangent t;
    for (int c = 0; c < 4; ++c) {
      Gradient moved = g;
      (c == 0 ? moved.xx : c == 1 ? moved.xy : c == 2 ? moved.yx : moved.yy) += little;
      const Stress m = stress_at(moved);
      t.column[c] = {inverse * (m.xx - s.xx), inverse * (m.xy - s.xy), inverse * (m.yx - s.yx),
                     inverse * (m.yy - s.yy)};
    }
    return t;
  }
  /// The largest one, 1/s^2, by power iteration: Rayleigh's quotients, none of which is above it. One that is far below
  /// the limit after some iterations is not followed further.
  /// @param scale  1 / sqrt(mass) of each direction of the nodes
  CLEAVE_HD Real squared_frequency(const ElementGeometry& at, const Tangents& tangents,
                                   const Vec2 (&scale)[Element::nodes]) const {
    constexpr int most = 60, few = 5;
    Vec2 x[Element::nodes];
    for (int k = 0; k < Element::nodes; ++k)  // no symmetry of the triangle
      x[k] = {static_cast<Real>(1 + 0.74 * k - 0.21 * (4 * k * k % 5)),
              static_cast<Real>(1.37 + 0.74 * k - 0.13 * (k * k % 7))};
    Real largest = 0, last = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
      Vec2 u[Element::nodes], f[Element::nodes];
      Real length = 0;
      for (int k = 0; k < Element::nodes; ++k) length += dot(x[k], x[k]);
      const Real unit = length > 0 ? 1 / std::sqrt(length) : Real(0);
      for (int k = 0; k < Element::nodes; ++k) {
        x[k] = unit * x[k];
        u[k] = {scale[k].x * x[k].x, scale[k].y * x[k].y};
      }
      element_force(LinearisedLaw{}, at, u, tangents, dt, f);
      Real quotient = 0;
      for (int k = 0; k < Element::nodes; ++k) {
        f[k] = {scale[k].x * f[k].x, scale[k].y * f[k].y};
        quotient += dot(x[k], f[k]);
        x[k] = f[k];
      }
      largest = quotient > largest ? quotient : largest;
      const Real change = quotient > last ? quotient - last : last - quotient;
      if (iteration >= few && (largest < Real(0.5) * limit || change <= Real(1e-4) * largest)) break;
      last = quotient;
    }
    return largest;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
