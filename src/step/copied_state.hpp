/// The state of a body as it was copied for output, and the fields that follow from it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "backend/host_copy.hpp"
#include "body/displacement_gradient.hpp"
#include "body/element_table.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/solver/snapshot.hpp"
#include "fracture/nodal_stress_table.hpp"
#include "terms/bulk/material_set.hpp"
#include "terms/cohesive/cohesive.hpp"
#include "terms/cohesive/cohesive_state.hpp"
#include "terms/contact/shown_contact.hpp"
#include "terms/processes/copied_field.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Copied arrays from which fields are made, except the masses. It needs no solver.
template <class Backend, class Element>
struct CopiedState {
  using Copy = HostCopy<Backend>;
  template <class T>
  using Part = typename Copy::template Part<T>;
  /// Nodes or elements that a thread takes at once: less is done before another has started.
  static constexpr std::size_t grain = 16384;

  using Scales = std::shared_ptr<const std::vector<double>>;
  CopiedState(Scales scales, const SnapshotParts& parts) : strength_scale(std::move(scales)), wanted(parts) {}

  Scales strength_scale;  ///< [element] see Snapshot
  SnapshotParts wanted;
  Step step = 0;
  double time = 0;      ///< s
  bool finite = false;  ///< kinematics
  Index nodes = 0, elements = 0, cohesive = 0;
  Point centre;  ///< that positions are counted from, m

  Copy copy;
  Part<Vec2> position, displacement, velocity;
  Part<Real> stress_sum;
  Index stress_rows = 1;  ///< of a node in it
  Part<ElementNode> element_nodes;
  Part<Index> neighbours, fragment;
  typename MaterialSet<Backend, Element>::Copied materials;
  Part<CohesiveRow<Element>> cohesive_rows;
  Part<Real> frame;
  Part<FacetFactors> factors;
  Part<Vec2> opening, traction;
  typename CohesiveState<Backend>::Copied law;
  Part<std::uint8_t> failed;
  Part<Step> insertion_step;
  ContactCopy<Backend> contact;
  std::vector<CopiedProcessField<Backend>> processes;

  /// The fields but the masses, on that many threads.
  Snapshot fields(int threads) {
    Snapshot s;
    s.step = step;
    s.time = time;
    s.finite = finite;
    s.type = Element::type;
    s.position = points(position, threads);
    if constexpr (sizeof(Real) < sizeof(double))  // in double they are not shifted, and keep their bits
      for (Point& p : s.position) p = {p.x + centre.x, p.y + centre.y};
    s.displacement = points(displacement, threads);
    s.velocity = points(velocity, threads);
    s.fragment.assign(copy.data(fragment), copy.data(fragment) + elements);
    s.strength_scale = *strength_scale;
    add_elements(s, threads);
    if (wanted.neighbours) add_neighbours(s, threads);
    if (wanted.any_stress()) add_stress(s, threads);
    if (wanted.state_fields) add_state_fields(s, threads);
    add_cohesive(s, threads);
    if (contact.sides > 0) add_contact(s);
    for (const auto& field : processes) s.process_fields.push_back(field.shown(copy));
    return s;
  }

 private:
  using Rows = ElementTable<Element>;
  Rows table() {
    return {.nodes = {copy.data(element_nodes)},
            .neighbours = {copy.data(neighbours)},
            .cohesive_rows = copy.data(cohesive_rows),
            .bulk = elements};
  }

  /// Calls f(i) for each i < count.
  template <class F>
  static void for_each(int threads, Index count, const F& f) {
    parallel_for(threads, static_cast<std::size_t>(count), grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(static_cast<Index>(i));
    });
  }

  std::vector<Point> points(Part<Vec2> part, int threads) {
    auto out = parallel_vector<Point>(threads, static_cast<std::size_t>(nodes));
    const Vec2* values = copy.data(part);
    for_each(threads, nodes, [&](Index n) { out[n] = {values[n].x, values[n].y}; });
    return out;
  }

  void add_elements(Snapshot& s, int threads) {
    s.elements = parallel_vector<Index>(threads, static_cast<std::size_t>(elements) * Element::nodes);
    const Rows rows = table();
    for_each(threads, elements, [&](Index e) {
      for (int i = 0; i < Element::nodes; ++i)
        s.elements[static_cast<std::size_t>(e) * Element::nodes + i] = rows.node(e, i);
    });
  }
  void add_neighbours(Snapshot& s, int threads) {
    s.neighbours = parallel_vector<Index>(threads, static_cast<std::size_t>(elements) * Element::facets);
    const Rows rows = table();
    for_each(threads, elements, [&](Index e) {
      for (int k = 0; k < Element::facets; ++k)
        s.neighbours[static_cast<std::size_t>(e) * Element::facets + k] = rows.neighbour(e, k);
    });
  }

  /// Adds the wanted fields that follow from the stresses at Gauss points.
  void add_stress(Snapshot& s, int threads) {
    const auto count = static_cast<std::size_t>(elements);
    if (wanted.element_stress) s.element_stress = parallel_vector<StressTensor>(threads, count);
    if (wanted.energy_density) s.energy_density = parallel_vector<double>(threads, count);
    std::vector<Real> across;  // the plane, [element][Gauss point], Pa
    if (wanted.nodal_stress) across = parallel_vector<Real>(threads, count * Element::gauss_points);
    materials.for_each(copy, [&](const auto& material, const auto& states, Index begin, Index end) {
      for_each(threads, end - begin, [&](Index i) {
        Real at_points[Element::gauss_points];
        const auto e = static_cast<std::size_t>(begin + i);
        add_element_stress(s, begin + i, material, states, at_points);
        if (wanted.nodal_stress) std::copy_n(at_points, Element::gauss_points, &across[e * Element::gauss_points]);
      });
    });
    if (wanted.nodal_stress) add_nodal_stress(s, across, threads);
  }
  /// Means over the Gauss points.
  /// @param[out] across  the stress across the plane at each, Pa
  template <class Material>
  void add_element_stress(Snapshot& s, Index e, const Material& material,
                          const MaterialStates<Element, Material>& states, Real* across) {
    constexpr int points_of_element = Element::gauss_points;
    Vec2 x[Element::nodes], u[Element::nodes];
    table().gather(e, copy.data(position), x);
    table().gather(e, copy.data(displacement), u);
    StressTensor mean;
    double energy = 0, area = 0;
    for (int q = 0; q < points_of_element; ++q) {
      const auto g = Element::gradients(x, q);
      typename Material::State state = states.at(e, q);
      const Gradient d = displacement_gradient(g, u);
      const Response r = material.update(d, state, 0);
      const Sym2 stress = true_stress<Material>(r, d);
      mean.xx += stress.xx / points_of_element;
      mean.yy += stress.yy / points_of_element;
      mean.xy += stress.xy / points_of_element;
      mean.zz += r.across / points_of_element;
      across[q] = r.across;
      energy += g.area * r.stored;
      area += g.area;
    }
    if (wanted.element_stress) s.element_stress[e] = mean;
    if (wanted.energy_density) s.energy_density[e] = energy / area;
  }

  /// Means over the Gauss points of what laws declare of their states.
  void add_state_fields(Snapshot& s, int threads) {
    materials.for_each(copy, [&]<class Material>(const Material&, const MaterialStates<Element, Material>& states,
                                                 Index begin, Index end) {
      if constexpr (requires { Material::fields; }) {
        for (const auto& field : Material::fields) {
          std::vector<double>& mean = state_field(s, field.name);
          for_each(threads, end - begin, [&](Index i) {
            for (int q = 0; q < Element::gauss_points; ++q)
              mean[begin + i] += static_cast<double>(field.of(states.at(begin + i, q))) / Element::gauss_points;
          });
        }
      }
    });
  }
  std::vector<double>& state_field(Snapshot& s, const char* name) {
    for (Snapshot::StateField& field : s.state_fields)
      if (field.name == name) return field.mean;
    s.state_fields.push_back({name, std::vector<double>(static_cast<std::size_t>(elements), 0.0)});
    return s.state_fields.back().mean;
  }

  /// Means over all elements at a node, of what is extrapolated from their Gauss points.
  void add_nodal_stress(Snapshot& s, const std::vector<Real>& across, int threads) {
    const NodalStressTable sums{copy.data(stress_sum)};
    s.nodal_stress = parallel_vector<StressTensor>(threads, static_cast<std::size_t>(nodes));
    const Rows rows = table();
    for (Index e = 0; e < elements; ++e) {
      const Real* at = &across[static_cast<std::size_t>(e) * Element::gauss_points];
      for (int i = 0; i < Element::nodes; ++i)
        for (int q = 0; q < Element::gauss_points; ++q)
          s.nodal_stress[rows.node(e, i)].zz += Element::extrapolation(i, q) * at[q];
    }
    for_each(threads, nodes, [&](Index n) {
      Real sum[NodalStressTable::fields] = {};
      for (Index row = stress_rows * n; row < stress_rows * (n + 1); ++row)
        for (int f = 0; f < NodalStressTable::fields; ++f) sum[f] += sums(row, f);
      const Sym2 mean = mean_stress({sum}, 0);
      s.nodal_stress[n] = {mean.xx, mean.yy, mean.xy, s.nodal_stress[n].zz / sum[stress_count]};
    });
  }

  void add_cohesive(Snapshot& s, int threads) {
    constexpr int gauss = FacetGauss::points;
    s.cohesive = parallel_vector<Snapshot::Cohesive>(threads, static_cast<std::size_t>(cohesive));
    const Rows rows = table();
    for_each(threads, cohesive, [&](Index c) {
      Snapshot::Cohesive& row = s.cohesive[c];
      row.facet_a = rows.cohesive_facet(c, 0);
      row.facet_b = rows.cohesive_facet(c, 1);
      for (int i = 0; i < 2 * Element::facet_nodes; ++i)
        row.nodes[i] = rows.cohesive_node(c, i / Element::facet_nodes, i % Element::facet_nodes);
      row.failed = copy.data(failed)[c] != 0;
      row.insertion_step = copy.data(insertion_step)[c];
      const FacetFactors of = copy.data(factors)[c];
      row.length = 2 * copy.data(frame)[FacetFrame::numbers * static_cast<std::size_t>(c) + 2] / of.energy;
      row.strength_scale = static_cast<double>(of.opening) * of.energy;
      for (int q = 0; q < gauss; ++q) {
        const std::size_t p = static_cast<std::size_t>(c) * gauss + q;
        const Vec2 o = copy.data(opening)[p], t = copy.data(traction)[p];
        row.opening_normal += o.x / static_cast<double>(of.opening) / gauss;
        row.opening_tangential += o.y / static_cast<double>(of.opening) / gauss;
        row.traction_normal += t.x * row.strength_scale / gauss;
        row.traction_tangential += t.y * row.strength_scale / gauss;
      }
    });
    std::visit([&](const auto& of) { add_damage(s, of.law, copy.data(of.states), threads); }, law);
  }
  /// Facet of a side of the surface.
  Index facet_of_side(Index side) {
    const Index of_cohesive = side - contact.boundary_sides;
    return of_cohesive < 0 ? copy.data(contact.boundary)[side]
                           : table().cohesive_facet(of_cohesive / 2, of_cohesive % 2);
  }
  void add_contact(Snapshot& s) {
    constexpr int parts = Surface<Element>::parts_of_side;
    const Rows rows = table();
    s.contact_traction.resize(static_cast<std::size_t>(nodes));
    s.contact_depth.resize(static_cast<std::size_t>(nodes));
    for (Index side = 0; side < contact.sides; ++side) {
      const Index code = facet_of_side(side);
      for (int i = 0; i < parts; ++i) {
        const NodalContact& at = copy.data(contact.shown)[parts * side + i];
        const Index n = rows.facet_node(element_of(code), facet_of(code), i);
        s.contact_traction[n] = {at.traction.x, at.traction.y};
        s.contact_depth[n] = at.depth;
      }
      add_touches(s, side, element_of(code));
    }
  }
  void add_touches(Snapshot& s, Index side, Index element) {
    constexpr int parts = Surface<Element>::parts_of_side, contacts = points_of_side * contacts_of_point;
    for (Index i = contacts * side; contact.of_body && i < contacts * (side + 1); ++i)
      if (copy.data(contact.touching)[i] != 0 && copy.data(contact.part)[i] >= 0)
        s.touches.push_back({element, element_of(facet_of_side(copy.data(contact.part)[i] / parts))});
    const auto of_side = static_cast<std::size_t>(points_of_side) * contact.obstacles;
    for (std::size_t i = 0; i < of_side; ++i)
      if (copy.data(contact.phase)[of_side * side + i] == PointPhase::touching)
        s.touches.push_back({element, -1 - static_cast<Index>(i % contact.obstacles)});
  }
  template <class Law>
  void add_damage(Snapshot& s, const Law& of, const typename Law::State* states, int threads) {
    constexpr int gauss = FacetGauss::points;
    for_each(threads, cohesive, [&](Index c) {
      const typename Law::State* at = states + static_cast<std::size_t>(c) * gauss;
      double sum = 0;
      for (int q = 0; q < gauss; ++q) sum += of.damage(at[q]);
      s.cohesive[c].damage = sum / gauss;
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
