/// A strategy on a backend.
#pragma once

#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "body/element_mass.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/solver.hpp"
#include "published/internal_force.hpp"
#include "published/stiffness.hpp"
#include "strategies/kernels/element_forces.hpp"
#include "strategies/kernels/force_by_rows.hpp"
#include "strategies/kernels/force_ladder.hpp"
#include "strategies/kernels/layout.hpp"
#include "strategies/kernels/node_motion.hpp"
#include "strategies/kernels/parameters.hpp"
#include "strategies/strategy.hpp"

namespace cleave {

/// The gather assembly as the program runs it.
class SolverRun final : public StrategyRun {
 public:
  SolverRun(std::function<std::unique_ptr<Solver>()> make) : make_(std::move(make)) { restart(); }
  void restart() override { solver_ = make_(); }
  void advance(Step n) override { solver_->advance(n); }
  std::vector<Point> displacement() override { return solver_->snapshot().displacement; }

 private:
  std::function<std::unique_ptr<Solver>()> make_;
  std::unique_ptr<Solver> solver_;
};

/// All other strategies: forces, then nodes.
template <class Backend>
class KernelRun final : public StrategyRun {
 public:
  template <class... Args>
  KernelRun(const Model& model, const Strategy& strategy, Args&&... backend);

  void restart() override {
    displacement_.upload(initial_);
    velocity_.upload(std::vector<Vec2>(initial_.size()));
    // Half a step back, so that the first step brings v(1/2) = dt/2 a(0).
    forces_();
    nodes_(Real(-0.5) * dt_, Real(0));
    backend_.synchronise();
  }
  void advance(Step n) override {
    for (; n >= recorded_steps; n -= recorded_steps)
      backend_.replay(recording_, [&] {
        for (int i = 0; i < recorded_steps; ++i) take_step();
      });
    for (; n > 0; --n) take_step();
    backend_.synchronise();
  }
  std::vector<Point> displacement() override {
    std::vector<Point> points;
    for (const Vec2& u : displacement_.download(initial_.size())) points.push_back({u.x, u.y});
    return points;
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  static constexpr int recorded_steps = 20;
  static constexpr int matrix = T6::dofs * T6::dofs;

  void take_step() {
    forces_();
    nodes_(dt_, dt_);
  }
  void make_matrices() {
    backend_.launch(
        Stiffness<T6>{table(), position_.data(), {stored_material_.data(), nullptr}, thickness_, {stiffness_.data()}});
  }
  void upload(const Model& model);
  void list_incident(const Mesh& mesh, bool by_node);
  void choose_nodes(Strategy::Sum sum);
  void choose_forces(const Strategy& strategy);
  template <class Layout>
  void choose_stored(const Strategy& strategy);
  template <class Layout, class Parameters>
  void choose_matrix_free(const Strategy& strategy, Parameters parameters);
  template <class Force>
  void element_forces(Force force, Strategy::Sum sum);
  template <class Layout, int Fields>
  auto laid_out(Buffer<Real>& rows);

  /// Launches `kernel(list, scatter)` colour by colour.
  template <class Kernel>
  void by_colour(Kernel kernel) {
    for (std::size_t c = 0; c + 1 < offsets_.size(); ++c)
      backend_.launch(kernel(ElementList{list_.data() + offsets_[c], offsets_[c + 1] - offsets_[c]}));
  }
  /// @param rows  in solver memory or on the host
  ElementTable<T6> table_of(ElementNode* rows) {
    return {.nodes = {rows}, .masses = element_mass_.data(), .bulk = elements_};
  }
  ElementTable<T6> table() { return table_of(rows_.data()); }
  ElementList everything() { return {list_.data(), elements_}; }

  Backend backend_;
  Real dt_;
  Real thickness_;  ///< m
  LinearElastic material_;
  Index elements_;
  std::vector<Vec2> initial_;   ///< displacement
  std::vector<Index> offsets_;  ///< of the colours in list_
  Buffer<ElementNode> rows_;
  Buffer<Index> list_;
  Buffer<Real> element_mass_;
  Buffer<Vec2> position_, displacement_, velocity_, force_;
  Buffer<Vec2> stored_force_;  ///< [element][node], or in the order of nodes
  Buffer<Real> inverse_mass_, stiffness_, gradients_;
  Buffer<Real> moved_rows_;  ///< stiffness or gradients in another layout
  Buffer<Index> first_, incident_;
  Buffer<LinearElastic> stored_material_, parameters_;
  std::function<void()> forces_;
  std::function<void(Real kick, Real drift)> nodes_;
  typename Backend::Recording recording_;
};

template <class Backend>
template <class... Args>
KernelRun<Backend>::KernelRun(const Model& model, const Strategy& strategy, Args&&... backend)
    : backend_(std::forward<Args>(backend)...),
      dt_(static_cast<Real>(model.step)),
      thickness_(static_cast<Real>(model.thickness)),
      material_(LinearElastic::make(model.materials.front().parameters)),
      elements_(model.mesh.element_count()) {
  upload(model);
  Buffer<Real> mass;
  mass.upload(std::vector<Real>(initial_.size(), 0));
  Buffer<Real> areal_density;
  areal_density.upload({material_.density * thickness_});
  stored_material_.upload({material_});
  backend_.launch(ElementMass<T6>{table(), position_.data(), {areal_density.data(), nullptr}});
  by_colour([&](ElementList list) { return NodalMass<T6, ColouredScatter>{table(), list, mass.data()}; });
  std::vector<Real> inverse = mass.download(initial_.size());
  for (Real& m : inverse) m = 1 / m;
  inverse_mass_.upload(inverse);
  if (strategy.force != Strategy::Force::matrix_free) {
    stiffness_.resize(StiffnessTable<T6>::extent(elements_));
    make_matrices();
  } else {
    gradients_.resize(GeometryTable::Rows<Real>::extent(elements_));
    backend_.launch(StoreGeometry<T6>{table(), position_.data(), {gradients_.data()}});
  }
  if (strategy.sum == Strategy::Sum::fetched || strategy.sum == Strategy::Sum::node_order)
    list_incident(model.mesh, strategy.sum == Strategy::Sum::node_order);
  if (strategy.sum != Strategy::Sum::coloured) {
    std::vector<Index> all(elements_);
    std::iota(all.begin(), all.end(), 0);
    list_.upload(all);
  }
  choose_nodes(strategy.sum);
  choose_forces(strategy);
  restart();
}

template <class Backend>
void KernelRun<Backend>::upload(const Model& model) {
  const Mesh& mesh = model.mesh;
  std::vector<ElementNode> rows(ElementTable<T6>::Nodes::extent(elements_));
  const ElementTable<T6> host = table_of(rows.data());
  for (Index e = 0; e < elements_; ++e)
    for (int i = 0; i < T6::nodes; ++i) host.node(e, i) = mesh.node(e, i);
  rows_.upload(rows);
  element_mass_.resize(elements_);
  const auto to_vec2 = [](const std::vector<Point>& points) {
    std::vector<Vec2> out;
    for (const Point& p : points) out.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y)});
    return out;
  };
  position_.upload(to_vec2(mesh.nodes));
  initial_ = to_vec2(model.displacement);
  force_.upload(std::vector<Vec2>(initial_.size()));
  list_.upload(model.colouring.order);
  offsets_ = model.colouring.offsets;
}

/// The forces of each node in the order of element ids, and where they lie.
template <class Backend>
void KernelRun<Backend>::list_incident(const Mesh& mesh, bool by_node) {
  std::vector<Index> first(mesh.nodes.size() + 1, 0);
  for (const Index n : mesh.elements) ++first[n + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Index> next(first.begin(), first.end() - 1), incident(mesh.elements.size());
  std::vector<ElementNode> rows = rows_.download(ElementTable<T6>::Nodes::extent(elements_));
  const ElementTable<T6> host = table_of(rows.data());  // slots: for `by_node`
  for (Index e = 0; e < elements_; ++e)
    for (int i = 0; i < T6::nodes; ++i) {
      const Index at = next[mesh.node(e, i)]++;
      incident[at] = T6::nodes * e + i;
      host.slot(e, i) = Slot::of_interface(at);
    }
  first_.upload(first);
  if (by_node)
    rows_.upload(rows);
  else
    incident_.upload(incident);
  stored_force_.resize(mesh.elements.size());
}

template <class Backend>
void KernelRun<Backend>::choose_nodes(Strategy::Sum sum) {
  nodes_ = [this, sum](Real kick, Real drift) {
    const Index count = static_cast<Index>(initial_.size());
    const NodeMotion motion{displacement_.data(), velocity_.data(), inverse_mass_.data(), kick, drift};
    if (sum == Strategy::Sum::fetched)
      backend_.launch(FetchAndMove{count, motion, first_.data(), incident_.data(), stored_force_.data()});
    else if (sum == Strategy::Sum::node_order)
      backend_.launch(SumAndMove{count, motion, first_.data(), stored_force_.data()});
    else
      backend_.launch(MoveNodes{count, motion, force_.data()});
  };
}

template <class Backend>
void KernelRun<Backend>::choose_forces(const Strategy& strategy) {
  using Layout = Strategy::Layout;
  const bool matrix_free = strategy.force == Strategy::Force::matrix_free;
  if (!matrix_free) {
    if (strategy.layout == Layout::records) choose_stored<Records>(strategy);
    if (strategy.layout == Layout::row_order) choose_stored<RowOrder>(strategy);
    if (strategy.layout == Layout::interleaved) choose_stored<Interleaved>(strategy);
    if (strategy.layout == Layout::strided) choose_stored<Strided>(strategy);
  } else if (strategy.parameters == Strategy::Parameters::memory) {
    parameters_.upload({material_});
    choose_matrix_free<Interleaved>(strategy, InMemory{parameters_.data()});
  } else if (strategy.parameters == Strategy::Parameters::constant) {
#if defined(__CUDACC__)
    if (InConstantMemory::upload(material_) != cudaSuccess) throw std::runtime_error("CUDA: constant memory");
    choose_matrix_free<Interleaved>(strategy, InConstantMemory{});
#endif
  } else {
    if (strategy.layout == Layout::records) choose_matrix_free<Records>(strategy, InArguments{material_});
    if (strategy.layout == Layout::interleaved) choose_matrix_free<Interleaved>(strategy, InArguments{material_});
    if (strategy.layout == Layout::strided) choose_matrix_free<Strided>(strategy, InArguments{material_});
  }
  if (!forces_) throw std::logic_error("a strategy that is not in the study");
}

/// Puts rows from the layout in which they were made into another one.
template <class Backend>
template <class Layout, int Fields>
auto KernelRun<Backend>::laid_out(Buffer<Real>& rows) {
  using Made = std::conditional_t<Fields == matrix, StiffnessTable<T6>, GeometryTable::Rows<Real>>;
  using Wanted = decltype(Layout::template view<Real, Fields>(nullptr, 0));
  Real* data = rows.data();
  if constexpr (!std::is_same_v<Wanted, Made>) {
    moved_rows_.resize(Table<Real, Fields, 32>::extent(elements_));  // as much as any layout needs
    data = moved_rows_.data();
    backend_.launch(CopyRows<Fields, Made, Wanted>{elements_, Made{rows.data()},
                                                   Layout::template view<Real, Fields>(data, elements_)});
  }
  return Layout::template view<const Real, Fields>(data, elements_);
}

template <class Backend>
template <class Layout>
void KernelRun<Backend>::choose_stored(const Strategy& strategy) {
  const auto matrices = laid_out<Layout, matrix>(stiffness_);
  using Matrices = std::remove_const_t<decltype(matrices)>;
  if (strategy.threads == 1) {
    if constexpr (!std::is_same_v<Layout, RowOrder>) element_forces(StoredForce<T6, Matrices>{matrices}, strategy.sum);
    return;
  }
  const auto rows = [this, matrices](ElementList list, auto scatter) {
    return InternalForce<T6, decltype(scatter), Matrices>{table(), list, matrices, displacement_.data(), force_.data()};
  };
  if (strategy.sum == Strategy::Sum::atomic)
    forces_ = [=, this] { backend_.launch(rows(everything(), AtomicScatter{})); };
  if constexpr (std::is_same_v<Layout, Records>)
    if (strategy.sum == Strategy::Sum::coloured)
      forces_ = [=, this, rebuilt = strategy.force == Strategy::Force::rebuilt] {
        if (!rebuilt) return by_colour([&](ElementList list) { return rows(list, ColouredScatter{}); });
        make_matrices();  // InternalForce would read them before they are made
        by_colour([&](ElementList list) {
          return RowForce<Transposed, NodalVectors>{
              table(), list, {stiffness_.data()}, {displacement_.data()}, force_.data()};
        });
      };
}

template <class Backend>
template <class Layout, class Parameters>
void KernelRun<Backend>::choose_matrix_free(const Strategy& strategy, Parameters parameters) {
  const auto gradients = laid_out<Layout, 4>(gradients_);
  const Real depth = thickness_ / (2 * T6::gauss_points);
  if (strategy.threads == 1) {
    using Force = MatrixFreeForce<T6, std::remove_const_t<decltype(gradients)>, Parameters>;
    return element_forces(Force{gradients, depth, parameters}, strategy.sum);
  }
  const auto rows = [this, depth](ElementList list, auto scatter) {
    return MatrixFreeByRows<decltype(scatter)>{
        table(), list, {{gradients_.data()}, depth}, material_, displacement_.data(), force_.data()};
  };
  if (strategy.sum == Strategy::Sum::atomic)
    forces_ = [=, this] { backend_.launch(rows(everything(), AtomicScatter{})); };
  if (strategy.sum == Strategy::Sum::coloured)
    forces_ = [=, this] { by_colour([&](ElementList list) { return rows(list, ColouredScatter{}); }); };
}

/// Instantiates only the combinations of the study: compiling kernels takes its time.
template <class Backend>
template <class Force>
void KernelRun<Backend>::element_forces(Force force, Strategy::Sum sum) {
  using Base = MatrixFreeForce<T6, Table<const Real, 4, 32>, InArguments>;
  using Matrices = StoredForce<T6, Table<const Real, matrix, 32>>;
  const auto to = [this, force](ElementList list, auto destination) {
    return ElementForces<T6, Force, decltype(destination)>{table(), list, displacement_.data(), force, destination};
  };
  if (sum == Strategy::Sum::atomic)
    forces_ = [=, this] { backend_.launch(to(everything(), ToNodes<T6, AtomicScatter>{force_.data()})); };
  if constexpr (std::is_same_v<Force, Base> || std::is_same_v<Force, Matrices>)
    if (sum == Strategy::Sum::node_order)
      forces_ = [=, this] { backend_.launch(to(everything(), ToNodeOrder<T6>{table(), stored_force_.data()})); };
  if constexpr (std::is_same_v<Force, Base>) {
    if (sum == Strategy::Sum::coloured)
      forces_ = [=, this] {
        by_colour([&](ElementList list) { return to(list, ToNodes<T6, ColouredScatter>{force_.data()}); });
      };
    if (sum == Strategy::Sum::fetched)
      forces_ = [=, this] { backend_.launch(to(everything(), ToOwnRow<T6>{{stored_force_.data()}})); };
  }
}

}  // namespace cleave
