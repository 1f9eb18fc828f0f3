/// The study of colourings on a backend.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cleave/lockstep/block_counter.hpp"
#include "cleave/mesh/colouring.hpp"
#include "published/internal_force.hpp"
#include "published/stiffness.hpp"
#include "strategies/kernels/colouring.hpp"
#include "strategies/kernels/nodal_strain.hpp"
#include "strategies/studied_mesh.hpp"
#include "strategies/study.hpp"

namespace cleave {

template <class Backend>
class ColouringStudy final : public KernelStudy {
 public:
  template <class... Args>
  ColouringStudy(const Model& model, Args&&... backend);

  std::vector<Way> ways() override {
    std::vector<Way> list;
    add_masses(list);
    add_forces(list);
    add_checks(list);
    add_strains(list);
    for (const int every : {1000, 100, 10}) add_few(list, every);
    add_numbers(list);
    return list;
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// A colouring in solver memory.
  struct Coloured {
    std::string name;
    std::vector<Index> offsets;
    std::shared_ptr<Buffer<Index>> order;

    std::size_t count() const { return offsets.size() - 1; }
    ElementList list(std::size_t c) const { return {order->data() + offsets[c], offsets[c + 1] - offsets[c]}; }
  };

  void add_masses(std::vector<Way>& list);
  void add_forces(std::vector<Way>& list);
  void add_checks(std::vector<Way>& list);
  void add_strains(std::vector<Way>& list);
  void add_few(std::vector<Way>& list, int every);
  void add_numbers(std::vector<Way>& list);
  void sum_stresses(const Coloured& colours, const Buffer<Vec2>& displacement);
  void split_check(const Coloured& colours);
  void make_load(const Model& model);

  ElementList everything() { return {colourings_.front().order->data(), mesh_.elements}; }
  Around around() { return {first_.data(), incident_.data()}; }
  template <class Value, class T>
  void fill(Buffer<Value>& buffer, std::size_t count, T value) {
    backend_.launch(Fill<Value>{buffer.data(), static_cast<Index>(count), static_cast<Value>(value)});
  }
  /// A way whose result is a buffer of reals, or of vectors as pairs.
  template <class Launches, class Value>
  Way way(const std::string& task, const std::string& name, Launches launches, Buffer<Value>& result,
          std::size_t count) {
    Way w;
    w.task = task;
    w.name = name;
    w.run = repeated(backend_, launches);
    w.result = [this, launches, &result, count] {
      launches();
      backend_.synchronise();
      std::vector<double> flat;
      for (const Value& v : result.download(count)) append(flat, v);
      return flat;
    };
    return w;
  }
  template <class T>
  static void append(std::vector<double>& flat, const T& value) {
    flat.push_back(static_cast<double>(value));
  }
  static void append(std::vector<double>& flat, const Vec2& value) {
    flat.push_back(value.x);
    flat.push_back(value.y);
  }
  static void append(std::vector<double>& flat, const StressAndStrain& value) {
    for (const Sym2& part : {value.strain, value.stress})
      for (const Real component : {part.xx, part.yy, part.xy}) flat.push_back(component);
  }

  Backend backend_;
  StudiedMesh<Backend> mesh_;
  std::vector<Coloured> colourings_;
  Buffer<Index> first_, incident_;
  Buffer<Vec2> displacement_, force_;
  Buffer<Vec2> swirl_;  ///< displacement with strains of every direction
  Buffer<Real> nodal_mass_, stiffness_, scratch_;
  Buffer<Real> stress_, stress_sum_, strain_, strain_sum_;
  Buffer<StressAndStrain> means_;
  Buffer<std::uint8_t> flagged_, fractured_;
  std::vector<std::shared_ptr<Buffer<std::uint8_t>>> few_;
  Buffer<Index> counts_;  ///< of flagged nodes, fractured facets and elements, selected items
  Buffer<Index> selected_;
  Buffer<Index> numbers_;  ///< [element] the first of its new numbers, then how many there are
  Buffer<FaultRecord> fault_;
  Buffer<LiveCounts> live_;
  FractureCriterion criterion_;
};

template <class Backend>
template <class... Args>
ColouringStudy<Backend>::ColouringStudy(const Model& model, Args&&... backend)
    : backend_(std::forward<Args>(backend)...), mesh_(model) {
  using Method = ColouringMethod;
  const std::pair<const char*, Method> methods[] = {{"Welsh-Powell", Method::welsh_powell},
                                                    {"by id", Method::by_id},
                                                    {"balanced", Method::balanced},
                                                    {"structured", Method::structured}};
  for (const auto& [name, method] : methods) {
    if (method == Method::structured && !has_structured_colours(model.mesh)) continue;
    const Colouring c = colour_elements(model.mesh, method);
    colourings_.push_back({name, c.offsets, std::make_shared<Buffer<Index>>()});
    colourings_.back().order->upload(c.order);
  }
  const NodeLists lists(model.mesh);
  first_.upload(lists.first);
  incident_.upload(lists.incident);
  const auto nodes = static_cast<std::size_t>(mesh_.nodes), elements = static_cast<std::size_t>(mesh_.elements);
  force_.resize(nodes);
  nodal_mass_.resize(nodes);
  stress_.resize(elements * 3 * T6::gauss_points);
  stress_sum_.resize(NodalStressTable::extent(mesh_.nodes));
  strain_.resize(stress_.size());
  strain_sum_.resize(stress_sum_.size());
  means_.resize(nodes);
  flagged_.resize(nodes);
  fractured_.resize(elements);
  selected_.resize(elements);
  numbers_.resize(elements + 1);
  counts_.upload(std::vector<Index>(4, 0));
  fault_.upload({FaultRecord{}});
  live_.upload({LiveCounts{.nodes = mesh_.nodes}});
  mesh_.weigh(backend_);
  backend_.launch(mesh_.stiffness_into(stiffness_));
  scratch_.resize(stiffness_.size());
  fill(scratch_, scratch_.size(), 0);
  make_load(model);
  backend_.synchronise();
}

/// Waves along x, and a strength that only their crests reach; and waves in both directions.
template <class Backend>
void ColouringStudy<Backend>::make_load(const Model& model) {
  constexpr double waves = 12, strain = 1e-3;
  double low = model.mesh.nodes.front().x, high = low;
  for (const Point& p : model.mesh.nodes) low = std::min(low, p.x), high = std::max(high, p.x);
  const double k = 2 * 3.14159265358979 * waves / (high - low);
  std::vector<Vec2> along_x, swirl;
  for (const Point& p : model.mesh.nodes) {
    along_x.push_back({static_cast<Real>(strain / k * std::sin(k * (p.x - low))), Real(0)});
    swirl.push_back({static_cast<Real>(strain / k * std::sin(k * (p.x + 2 * p.y))),
                     static_cast<Real>(strain / k * std::cos(k * (p.y - p.x)))});
  }
  displacement_.upload(along_x);
  swirl_.upload(swirl);
  criterion_.strength_n = criterion_.strength_t = static_cast<Real>(0.95 * strain) * mesh_.material.d11;
}

/// Sums by colour, with atomic adds, and gathered by the nodes: each in another order.
template <class Backend>
void ColouringStudy<Backend>::add_masses(std::vector<Way>& list) {
  const auto nodes = static_cast<std::size_t>(mesh_.nodes);
  const auto add = [&](const std::string& name, auto launches) {
    list.push_back(way("nodal mass", name, launches, nodal_mass_, nodes));
    list.back().same_bits = false;
  };
  for (const Coloured& colours : colourings_)
    add("by colour, " + colours.name, [=, this] {
      fill(nodal_mass_, nodes, 0);
      for (std::size_t c = 0; c < colours.count(); ++c)
        backend_.launch(NodalMass<T6, ColouredScatter>{mesh_.table(), colours.list(c), nodal_mass_.data()});
    });
  add("atomic adds", [=, this] {
    fill(nodal_mass_, nodes, 0);
    backend_.launch(NodalMass<T6, AtomicScatter>{mesh_.table(), everything(), nodal_mass_.data()});
  });
  add("gather", [=, this] {
    backend_.launch(GatherMass<T6>{mesh_.nodes, around(), mesh_.mass.data(), nodal_mass_.data()});
  });
}

template <class Backend>
void ColouringStudy<Backend>::add_forces(std::vector<Way>& list) {
  const auto nodes = static_cast<std::size_t>(mesh_.nodes);
  const auto add = [&](const std::string& name, auto launches) {
    list.push_back(way("internal force", name, launches, force_, nodes));
    list.back().same_bits = false;
  };
  const auto forces = [this](ElementList elements, auto scatter) {
    return InternalForce<T6, decltype(scatter)>{
        mesh_.table(), elements, {stiffness_.data()}, displacement_.data(), force_.data()};
  };
  for (const Coloured& colours : colourings_)
    add("by colour, " + colours.name, [=, this] {
      fill(force_, nodes, Vec2{});
      for (std::size_t c = 0; c < colours.count(); ++c) backend_.launch(forces(colours.list(c), ColouredScatter{}));
    });
  add("atomic adds", [=, this] {
    fill(force_, nodes, Vec2{});
    backend_.launch(forces(everything(), AtomicScatter{}));
  });
}

/// Stresses at Gauss points and, summed up, at nodes: a kernel each.
template <class Backend>
void ColouringStudy<Backend>::sum_stresses(const Coloured& colours, const Buffer<Vec2>& displacement) {
  fill(stress_sum_, stress_sum_.size(), 0);
  backend_.launch(GaussStress<T6, LinearElastic>{mesh_.table(),
                                                 mesh_.position.data(),
                                                 displacement.data(),
                                                 mesh_.by_material(),
                                                 {stress_.data()},
                                                 fault_.data(),
                                                 live_.data(),
                                                 0});
  for (std::size_t c = 0; c < colours.count(); ++c)
    backend_.launch(
        NodalStress<T6, ColouredScatter>{mesh_.table(), colours.list(c), {stress_.data()}, {stress_sum_.data()}});
}

/// The check as the published pipeline does it: a kernel each for stresses, their means, nodes and facets.
template <class Backend>
void ColouringStudy<Backend>::split_check(const Coloured& colours) {
  fill(counts_, 4, 0);
  sum_stresses(colours, displacement_);
  Index* const counts = counts_.data();
  backend_.launch(
      NodeFilter{mesh_.nodes, &live_.data()->nodes, {stress_sum_.data()}, criterion_, flagged_.data(), counts});
  backend_.launch(FacetFilter<T6>{{mesh_.table(),
                                   {0, mesh_.elements},
                                   mesh_.position.data(),
                                   {{stress_sum_.data()}},
                                   flagged_.data(),
                                   counts,
                                   criterion_},
                                  {fractured_.data(), counts + 1, counts + 2}});
}

/// Nodal strains beside nodal stresses, as the published pipeline has them in each check, and what the stresses take
/// alone.
template <class Backend>
void ColouringStudy<Backend>::add_strains(std::vector<Way>& list) {
  const Coloured colours = colourings_.back();
  const auto nodes = static_cast<std::size_t>(mesh_.nodes);
  list.push_back(way(
      "nodal stresses", "without strains, " + colours.name, [=, this] { sum_stresses(colours, swirl_); }, stress_sum_,
      stress_sum_.size()));
  const auto add = [&](const char* name, auto launches) {
    list.push_back(way("nodal stresses and strains", name, launches, means_, nodes));
    list.back().same_bits = false;
  };
  const auto strains = [this](Real* stress) {
    return GaussStrain<T6>{mesh_.table(),  mesh_.position.data(), swirl_.data(),
                           mesh_.material, {strain_.data()},      {stress}};
  };
  const auto means = [=, this] {
    backend_.launch(
        MeanOfBoth{mesh_.nodes, {stress_sum_.data()}, {strain_sum_.data()}, mesh_.material.d11, means_.data()});
  };
  add("a kernel for both", [=, this] {
    fill(stress_sum_, stress_sum_.size(), 0);
    fill(strain_sum_, strain_sum_.size(), 0);
    backend_.launch(strains(stress_.data()));
    for (std::size_t c = 0; c < colours.count(); ++c)
      backend_.launch(NodalStressAndStrain<T6, ColouredScatter>{mesh_.table(),
                                                                colours.list(c),
                                                                {stress_.data()},
                                                                {strain_.data()},
                                                                {stress_sum_.data()},
                                                                {strain_sum_.data()}});
    means();
  });
  add("a kernel each", [=, this] {
    sum_stresses(colours, swirl_);
    fill(strain_sum_, strain_sum_.size(), 0);
    backend_.launch(strains(nullptr));
    for (std::size_t c = 0; c < colours.count(); ++c)
      backend_.launch(
          NodalStress<T6, ColouredScatter>{mesh_.table(), colours.list(c), {strain_.data()}, {strain_sum_.data()}});
    means();
  });
  add("strains from stresses", [=, this] {
    sum_stresses(colours, swirl_);
    backend_.launch(StrainOfStress{mesh_.nodes, {stress_sum_.data()}, mesh_.material, means_.data()});
  });
}

template <class Backend>
void ColouringStudy<Backend>::add_checks(std::vector<Way>& list) {
  const auto elements = static_cast<std::size_t>(mesh_.elements);
  const Coloured colours = colourings_.back();
  list.push_back(way(
      "fracture check", "split kernels, " + colours.name, [this, colours] { split_check(colours); }, fractured_,
      elements));
  list.push_back(way(
      "fracture check", "fused kernel",
      [this] {
        backend_.launch(FusedCheck<T6>{mesh_.table(), around(), mesh_.position.data(), displacement_.data(),
                                       mesh_.material, criterion_, fractured_.data()});
      },
      fractured_, elements));
}

/// One element in `every`, each of which makes its stiffness matrix: work for a thread, as an insertion has.
template <class Backend>
void ColouringStudy<Backend>::add_few(std::vector<Way>& list, int every) {
  std::vector<std::uint8_t> flags(mesh_.elements);
  for (std::uint32_t e = 0; e < flags.size(); ++e) flags[e] = (e * 2654435761u >> 8) % every == 0;
  few_.push_back(std::make_shared<Buffer<std::uint8_t>>());
  few_.back()->upload(flags);
  const std::uint8_t* const flagged = few_.back()->data();
  const Stiffness<T6> matrices{
      mesh_.table(), mesh_.position.data(), mesh_.by_material(), mesh_.thickness, {scratch_.data()}};
  const std::string task = "work for 1 element in " + std::to_string(every);
  const auto select = [this, flagged] {
    backend_.select(colourings_.front().order->data(), mesh_.elements, selected_.data(), counts_.data() + 3,
                    IsFlagged{flagged});
  };
  const std::size_t compared = std::min<std::size_t>(scratch_.size(), 144'000);
  const auto add = [&](const char* name, auto launches) {
    list.push_back(way(task, name, launches, scratch_, compared));
    list.back().result = [this, result = list.back().result] {
      fill(scratch_, scratch_.size(), 0);
      return result();
    };
  };
  select();  // takes its scratch memory, which it could not in a recording
  add("idle threads", [=, this] { backend_.launch(OfFlagged{matrices, flagged}); });
  add("compaction, count on the device", [=, this] {
    select();
    backend_.launch(OfList{matrices, selected_.data(), counts_.data() + 3, mesh_.elements});
  });
  const auto asking = [=, this] {
    select();
    const Index count = counts_.download(4)[3];
    backend_.launch(OfList{matrices, selected_.data(), counts_.data() + 3, count});
  };
  add("compaction, count to the host", asking);
  list.back().run = [=, this](Step n) {  // the host's part cannot be recorded
    for (Step i = 0; i < n; ++i) asking();
    backend_.synchronise();
  };
}

/// New numbers for each element, as insertion gives ids to new nodes. Their order differs, so what a way leaves is how
/// many elements have each number: one.
template <class Backend>
void ColouringStudy<Backend>::add_numbers(std::vector<Way>& list) {
  const Index elements = mesh_.elements;
  const NumbersAsked asked{elements};
  const auto add = [&](const char* name, auto launches) {
    list.push_back(way("new numbers", name, launches, numbers_, static_cast<std::size_t>(elements) + 1));
    list.back().result = [asked, elements, result = list.back().result] {
      const std::vector<double> first = result();
      std::vector<double> holders(static_cast<std::size_t>(first.back()), 0);
      for (Index e = 0; e < elements; ++e)
        for (Index n = 0; n < asked(e); ++n) ++holders.at(static_cast<std::size_t>(first[e]) + n);
      return holders;
    };
  };
  const auto by_counter = [=, this](bool counter) {
    number_requests(Launches{backend_}, counter, elements, asked, numbers_.data());
  };
  by_counter(false);  // takes its scratch memory, which it could not in a recording
  add("in order, by a scan", [=] { by_counter(false); });
  add("counter, a block at once", [=] { by_counter(true); });
  add("counter, each by itself", [=, this] {
    Index* const counter = numbers_.data() + elements;
    backend_.launch(Fill<Index>{counter, 1, Index{0}});
    backend_.launch(GlobalCounter<NumbersAsked, Index>{elements, asked, numbers_.data(), counter});
  });
}

}  // namespace cleave
