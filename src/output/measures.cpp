#include "output/measures.hpp"

#include "cleave/core/parallel.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave {
namespace {

/// Displacement gradient for node displacements u and gradients g of the shape functions.
template <int Nodes>
StrainTensor strain_at(const ShapeGradients<Nodes>& g, const Vec2 (&u)[Nodes], bool finite) {
  double xx = 0, xy = 0, yx = 0, yy = 0;  // du_x/dx, du_x/dy, du_y/dx, du_y/dy
  for (int i = 0; i < Nodes; ++i) {
    xx += g.x[i] * u[i].x;
    xy += g.y[i] * u[i].x;
    yx += g.x[i] * u[i].y;
    yy += g.y[i] * u[i].y;
  }
  if (!finite) return {xx, yy, (xy + yx) / 2};
  return {xx + (xx * xx + yx * yx) / 2, yy + (xy * xy + yy * yy) / 2, (xy + yx + xx * xy + yx * yy) / 2};
}

void add(StrainTensor& sum, double weight, const StrainTensor& strain) {
  sum.xx += weight * strain.xx;
  sum.yy += weight * strain.yy;
  sum.xy += weight * strain.xy;
}

/// [element][Gauss point] Strain.
template <class Element>
std::vector<StrainTensor> gauss_strains(const Snapshot& s, int threads) {
  constexpr std::size_t grain = 4096;  // number of elements that a thread computes at once
  const std::size_t elements = s.elements.size() / Element::nodes;
  std::vector<StrainTensor> at = parallel_vector<StrainTensor>(threads, elements * Element::gauss_points);
  parallel_for(threads, elements, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      Vec2 x[Element::nodes], u[Element::nodes];
      for (int i = 0; i < Element::nodes; ++i) {
        const auto n = static_cast<std::size_t>(s.elements[e * Element::nodes + i]);
        x[i] = {s.position[n].x, s.position[n].y};
        u[i] = {s.displacement[n].x, s.displacement[n].y};
      }
      for (int q = 0; q < Element::gauss_points; ++q)
        at[e * Element::gauss_points + q] = strain_at(Element::gradients(x, q), u, s.finite);
    }
  });
  return at;
}

template <class Element>
Strains strains_of(const Snapshot& s, int threads) {
  constexpr int points = Element::gauss_points;
  const std::vector<StrainTensor> at = gauss_strains<Element>(s, threads);
  Strains strains{parallel_vector<StrainTensor>(threads, s.position.size()),
                  parallel_vector<StrainTensor>(threads, at.size() / points)};
  std::vector<int> elements_at(s.position.size(), 0);
  for (std::size_t e = 0; e < strains.element.size(); ++e) {
    for (int i = 0; i < Element::nodes; ++i) {
      const auto n = static_cast<std::size_t>(s.elements[e * Element::nodes + i]);
      ++elements_at[n];
      for (int q = 0; q < points; ++q) add(strains.nodal[n], Element::extrapolation(i, q), at[e * points + q]);
    }
    for (int q = 0; q < points; ++q) add(strains.element[e], 1.0 / points, at[e * points + q]);
  }
  for (std::size_t n = 0; n < strains.nodal.size(); ++n) {
    StrainTensor mean;
    add(mean, 1.0 / elements_at[n], strains.nodal[n]);
    strains.nodal[n] = mean;
  }
  return strains;
}

}  // namespace

Strains strains_of(const Snapshot& snapshot, int threads) {
  return snapshot.type == ElementType::t3 ? strains_of<T3>(snapshot, threads) : strains_of<T6>(snapshot, threads);
}

}  // namespace cleave
