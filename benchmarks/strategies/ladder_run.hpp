/// The ladder of internal forces on a backend.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "cleave/lockstep/kernel.hpp"
#include "strategies/kernels/force_ladder.hpp"
#include "strategies/kernels/layout.hpp"
#include "strategies/studied_mesh.hpp"
#include "strategies/study.hpp"
#if defined(__CUDACC__)
#include "strategies/textures.cuh"
#endif

namespace cleave {

template <class Backend>
class LadderStudy final : public KernelStudy {
 public:
  template <class... Args>
  LadderStudy(const Model& model, Args&&... backend) : backend_(std::forward<Args>(backend)...), mesh_(model) {
    offsets_ = model.colouring.offsets;
    list_.upload(model.colouring.order);
    displacement_.upload(to_vec2(model.displacement));
    force_.upload(std::vector<Vec2>(mesh_.nodes, Vec2{}));
    backend_.launch(mesh_.stiffness_into(matrices_));
    row_by_row_.resize(matrices_.size());
    using Rows = RowOrderTable<Real>;
    backend_.launch(CopyRows<T6::dofs * T6::dofs, StiffnessTable<T6>, Rows>{
        mesh_.elements, {matrices_.data()}, {row_by_row_.data()}});
    backend_.synchronise();
  }

  std::vector<Way> ways() override {
    std::vector<Way> list;
    const NodalVectors u{displacement_.data()};
    const RowByRow rows{row_by_row_.data()};
    list.push_back(way<NaiveForce>("naive", rows, u));
    list.push_back(way<SharedForce>("displacements in shared memory", rows, u));
    list.push_back(way<RowForce>("a thread a row", rows, u));
    list.push_back(way<RowForce>("transposed", Transposed{matrices_.data()}, u));
    list.push_back(way<RowForce>("read-only path", TransposedReadOnly{matrices_.data()},
                                 NodalVectorsReadOnly{displacement_.data()}));
#if defined(__CUDACC__)
    const auto* u_words = reinterpret_cast<const double*>(displacement_.data());
    list.push_back(
        way<RowForce>("texture objects", textures_.over_matrices(matrices_.data(), mesh_.elements),
                      NodalVectorsInTexture{textures_.over(u_words, 2 * static_cast<std::size_t>(mesh_.nodes))}));
#endif
    return list;
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  template <template <class, class> class Kernel, class Matrices, class Displacements>
  Way way(const std::string& name, Matrices matrices, Displacements displacements) {
    const auto kernel = [this](ElementList list, auto m, auto u) {
      return Kernel<decltype(m), decltype(u)>{mesh_.table(), list, m, u, force_.data()};
    };
    const auto forces = [=, this] {
      for (std::size_t c = 0; c + 1 < offsets_.size(); ++c)
        backend_.launch(kernel({list_.data() + offsets_[c], offsets_[c + 1] - offsets_[c]}, matrices, displacements));
    };
    Way w;
    w.task = "internal forces";
    w.name = name;
    w.threads = Kernel<Matrices, Displacements>::threads;
    w.run = repeated(backend_, forces);
    w.result = [=, this] {
      clear();
      forces();
      return flat_forces();
    };
    // Loads of some elements of the first colour.
    const Index counted = std::min<Index>(offsets_[1], 300);
    Buffer<Index> loads;
    loads.upload({0});
    backend_.launch(kernel({list_.data(), counted}, Counting<Matrices>{matrices, loads.data()},
                           Counting<Displacements>{displacements, loads.data()}));
    w.loads = static_cast<double>(loads.download(1)[0]) / counted;
    return w;
  }
  void clear() { backend_.launch(Fill<Vec2>{force_.data(), mesh_.nodes, Vec2{}}); }
  std::vector<double> flat_forces() {
    backend_.synchronise();
    std::vector<double> flat;
    for (const Vec2& f : force_.download(mesh_.nodes)) {
      flat.push_back(f.x);
      flat.push_back(f.y);
    }
    return flat;
  }

  Backend backend_;
  StudiedMesh<Backend> mesh_;
  std::vector<Index> offsets_;  ///< of the colours in list_
  Buffer<Index> list_;
  Buffer<Vec2> displacement_, force_;
  Buffer<Real> matrices_;    ///< transposed
  Buffer<Real> row_by_row_;  ///< not transposed
#if defined(__CUDACC__)
  Textures textures_;
#endif
};

}  // namespace cleave
