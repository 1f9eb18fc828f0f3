/// A T6 mesh of one material in solver memory, for studies.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "body/element_mass.hpp"
#include "body/element_table.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/model.hpp"
#include "published/stiffness.hpp"

namespace cleave {

inline std::vector<Vec2> to_vec2(const std::vector<Point>& points) {
  std::vector<Vec2> out;
  for (const Point& p : points) out.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y)});
  return out;
}

template <class Backend>
struct StudiedMesh {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Index elements;
  Index nodes;
  Real thickness;  ///< m
  LinearElastic material;
  Buffer<ElementNode> rows;
  Buffer<Index> neighbours;
  Buffer<Real> mass;  ///< [element], kg, once `weigh` has been called
  Buffer<Vec2> position;
  Buffer<LinearElastic> stored_material;

  explicit StudiedMesh(const Model& model)
      : elements(model.mesh.element_count()),
        nodes(model.mesh.node_count()),
        thickness(static_cast<Real>(model.thickness)),
        material(LinearElastic::make(model.materials.front().parameters)) {
    std::vector<ElementNode> host_rows(ElementTable<T6>::Nodes::extent(elements));
    const ElementTable<T6> host = table_of(host_rows.data());
    for (Index e = 0; e < elements; ++e)
      for (int i = 0; i < T6::nodes; ++i) host.node(e, i) = model.mesh.node(e, i);
    rows.upload(host_rows);
    neighbours.upload(model.mesh.neighbours);
    mass.resize(elements);
    position.upload(to_vec2(model.mesh.nodes));
    stored_material.upload({material});
  }
  /// @param of  rows in solver memory or on the host
  ElementTable<T6> table_of(ElementNode* of) {
    return {.nodes = {of}, .neighbours = {neighbours.data()}, .masses = mass.data(), .bulk = elements};
  }
  ElementTable<T6> table() { return table_of(rows.data()); }
  ByMaterial<LinearElastic> by_material() { return {stored_material.data(), nullptr}; }

  void weigh(Backend& backend) {
    Buffer<Real> areal_density;
    areal_density.upload({material.density * thickness});
    backend.launch(ElementMass<T6>{table(), position.data(), {areal_density.data(), nullptr}});
    backend.synchronise();
  }
  Stiffness<T6> stiffness_into(Buffer<Real>& matrices) {
    matrices.resize(StiffnessTable<T6>::extent(elements));
    return {table(), position.data(), by_material(), thickness, {matrices.data()}};
  }
};

/// Elements at each node: where node i of element e stands, 6 e + i, in the order of element ids.
struct NodeLists {
  std::vector<Index> first;     ///< [node + 1]
  std::vector<Index> incident;  ///< [entry]

  explicit NodeLists(const Mesh& mesh) : first(mesh.nodes.size() + 1, 0), incident(mesh.elements.size()) {
    for (const Index n : mesh.elements) ++first[n + 1];
    for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (std::size_t at = 0; at < mesh.elements.size(); ++at)
      incident[next[mesh.elements[at]]++] = static_cast<Index>(at);
  }
};

/// Launches to be repeated, as Way::run wants them: ten at a time are recorded.
template <class Backend, class Launches>
std::function<void(Step)> repeated(Backend& backend, Launches launches) {
  constexpr int recorded = 10;
  const auto recording = std::make_shared<typename Backend::Recording>();
  return [&backend, recording, launches](Step n) {
    for (Step done = 0; done < n; done += recorded)
      backend.replay(*recording, [&] {
        for (int i = 0; i < recorded; ++i) launches();
      });
    backend.synchronise();
  };
}

}  // namespace cleave
