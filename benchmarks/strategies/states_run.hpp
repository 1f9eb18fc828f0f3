/// How wide the rows of materials' states should be, on a backend.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "body/material_states.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "laws/user_history_example.hpp"
#include "strategies/studied_mesh.hpp"
#include "strategies/study.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave {

/// Forces of every element by a law with 22 values a point, which lie `width` elements side by side.
template <int width>
struct ForcesWithStates {
  static constexpr KernelTraits traits{.name = "forces with states"};
  ElementTable<T6> elements;
  GeometryTable geometry;
  const Vec2* displacement;
  Spall law;
  MaterialStates<T6, Spall, width> states;
  Vec2* force;  ///< [element][node], N
  Real dt;      ///< s

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 u[T6::nodes], f[T6::nodes];
    elements.gather(e, displacement, u);
    element_force(law, geometry.of(e), u, states.of(e), dt, f);
    for (int i = 0; i < T6::nodes; ++i) force[e * T6::nodes + i] = f[i];
  }
};

template <class Backend>
class StateStudy final : public KernelStudy {
 public:
  template <class... Args>
  explicit StateStudy(const Model& model, Args&&... backend)
      : backend_(std::forward<Args>(backend)...),
        mesh_(model),
        law_(Spall::make({"spall", model.materials.front().parameters, {0, 1e300, 0}})) {
    std::vector<Vec2> wave(model.mesh.nodes.size());
    for (std::size_t n = 0; n < wave.size(); ++n)
      wave[n] = {Real(1e-6) * static_cast<Real>(n * 7919 % 2003), Real(-1e-6) * static_cast<Real>(n * 104729 % 1999)};
    displacement_.upload(wave);
    force_.resize(static_cast<std::size_t>(mesh_.elements) * T6::nodes);
    geometry_.resize(GeometryTable::Rows<Real>::extent(mesh_.elements));
    backend_.launch(StoreGeometry<T6>{mesh_.table(), mesh_.position.data(), {geometry_.data()}});
    backend_.synchronise();
  }

  std::vector<Way> ways() override {
    std::vector<Way> list;
    list.push_back(way<1>());
    list.push_back(way<8>());
    list.push_back(way<32>());
    list.push_back(way<128>());
    return list;
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  template <int width>
  Way way() {
    const auto words = std::make_shared<Buffer<Real>>();
    words->resize(MaterialStates<T6, Spall, width>::extent(mesh_.elements));
    const auto forces = [this, words] {
      const GeometryTable table{{geometry_.data()}, mesh_.thickness / (2 * T6::gauss_points)};
      backend_.launch(ForcesWithStates<width>{
          mesh_.table(), table, displacement_.data(), law_, {{words->data()}, nullptr}, force_.data(), Real(1e-9)});
    };
    Way w;
    w.task = "forces, 22 values a point";
    w.name = "rows of " + std::to_string(width) + (width == 1 ? " element" : " elements");
    w.run = repeated(backend_, forces);
    w.result = [this, words, forces] {
      backend_.launch(Fill<Real>{words->data(), static_cast<Index>(words->size()), Real(0)});
      forces();
      backend_.synchronise();
      std::vector<double> flat;
      for (const Vec2& f : force_.download(force_.size())) flat.insert(flat.end(), {f.x, f.y});
      return flat;
    };
    return w;
  }

  Backend backend_;
  StudiedMesh<Backend> mesh_;
  Spall law_;
  Buffer<Vec2> displacement_, force_;
  Buffer<Real> geometry_;
};

}  // namespace cleave
