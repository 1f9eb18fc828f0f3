/// The materials of a body in solver memory, and the states of its Gauss points.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "backend/host_copy.hpp"
#include "body/by_material.hpp"
#include "body/fields.hpp"
#include "body/material_states.hpp"
#include "body/placed_tables.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/partition/part.hpp"
#include "cleave/solver/model.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The materials of one law that a body has: `number` is a material's place among all, whose elements follow each
/// other.
template <class Material>
struct MaterialsOfLaw {
  struct Member {
    Index number;
    Material material;
    Index begin, end;  ///< its elements
  };
  int law = 0;  ///< its place in MaterialLaws
  std::vector<Member> members;
};

/// As they were copied for output.
template <class Backend, class Element, class... Laws>
class CopiedMaterials {
  template <class Material>
  struct Part {
    MaterialsOfLaw<Material> of;
    typename HostCopy<Backend>::template Part<Real> states;
  };
  std::tuple<Part<Laws>...> parts_;

 public:
  /// @param count  number of values
  template <class Material, class Buffer>
  void add(HostCopy<Backend>& copy, const MaterialsOfLaw<Material>& of, const Buffer& states, std::size_t count) {
    std::get<Part<Material>>(parts_) = {of, copy.add(states, count)};
  }
  /// Calls f(material, states, first element, end of its elements) for each material.
  template <class F>
  void for_each(HostCopy<Backend>& copy, F f) const {
    const auto call = [&]<class Material>(const Part<Material>& part) {
      const MaterialStates<Element, Material> states{{copy.data(part.states)}, nullptr};
      for (const auto& member : part.of.members) f(member.material, states, member.begin, member.end);
    };
    std::apply([&](const auto&... part) { (call(part), ...); }, parts_);
  }
};

template <class Backend, class Element, class Laws = MaterialLaws>
class MaterialSet;

/// Law by law: a launch has materials of one law.
template <class Backend, class Element, class... Laws>
class MaterialSet<Backend, Element, LawList<Laws...>> {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  template <class Material>
  struct OfLaw : MaterialsOfLaw<Material> {
    Buffer<Material> stored;            ///< [material of the body]; those of other laws are not used
    Field<Backend, Real> states;        ///< see MaterialStates
    Field<Backend, double> dissipated;  ///< likewise

    using States = MaterialStates<Element, Material>;
    States view() { return {{states.data()}, dissipated.data()}; }
    /// Rows end with the elements of the law's last material.
    /// @param ranges  of elements of the body, see Model::material_ranges
    void declare(Fields<Backend>& fields, const std::vector<Index>& ranges) {
      const Index end = this->members.back().end, end_in_body = ranges[this->members.back().number + 1];
      const auto use = [&]<class Layout>(Layout*) {
        FieldUse made = table_use<Layout>(On::element);
        made.rows = std::max(end, Index{1});  // 0 stands for a row of each element
        made.rows_of_body = std::max(end_in_body, Index{1});
        made.saved = true;
        made.rows_of = RowsOf::owner_only;
        return made;
      };
      if constexpr (States::dissipates)
        dissipated = fields.add_filled("dissipation of " + std::string(Material::name),
                                       use(static_cast<Table<double, 1>*>(nullptr)), 0.0);
      if constexpr (States::kept)
        states = fields.template add<Real>("states of " + std::string(Material::name),
                                           use(static_cast<typename States::Words*>(nullptr)));
    }
    /// States of all Gauss points at rest.
    void start() {
      if constexpr (States::kept && Backend::holds_values) {
        const Index end = this->members.back().end;
        std::vector<Real> words(States::extent(end), Real(0));
        const States at_rest{{words.data()}, nullptr};
        for (Index e = 0; e < end; ++e)
          for (int q = 0; q < Element::gauss_points; ++q) at_rest.set(e, q, typename Material::State{});
        states.upload(words);
      }
    }
  };

 public:
  using Copied = CopiedMaterials<Backend, Element, Laws...>;

  void upload(Fields<Backend>& fields, const Model& model) {
    const auto materials = static_cast<Index>(model.materials.size());
    if (materials > 1) of_element_.upload(model.element_material);
    int law = 0;
    const auto upload_law = [&]<class Material>(OfLaw<Material>& of) {
      of.law = law++;
      std::vector<Material> all(materials);
      for (Index m = 0; m < materials; ++m) {
        if (model.materials[m].law != Material::name) continue;
        all[m] = Material::make(tables_.place(model.materials[m]));
        of.members.push_back({m, all[m], model.material_ranges[m], model.material_ranges[m + 1]});
      }
      if (of.members.empty()) return;
      of.stored.upload(all);
      of.declare(fields, model.part ? model.part->material_ranges : model.material_ranges);
    };
    std::apply([&](auto&... of) { (upload_law(of), ...); }, laws_);
  }

  /// States of all Gauss points at rest, in arrays that have room.
  void start() {
    const auto start_law = [](auto& of) {
      if (!of.members.empty()) of.start();
    };
    std::apply([&](auto&... of) { (start_law(of), ...); }, laws_);
  }

  /// The material of each element; null if there is one.
  const Index* of_element() { return of_element_.data(); }
  template <class Material>
  ByMaterial<Material> by_material() {
    return {std::get<OfLaw<Material>>(laws_).stored.data(), of_element_.data()};
  }

  /// Calls f(materials of a law, how they are stored, states) for each law of the body.
  template <class F>
  void for_each_law(F f) {
    const auto call = [&]<class Material>(OfLaw<Material>& of) {
      if (of.members.empty()) return;
      f(static_cast<const MaterialsOfLaw<Material>&>(of), ByMaterial<Material>{of.stored.data(), of_element_.data()},
        of.view());
    };
    std::apply([&](auto&... of) { (call(of), ...); }, laws_);
  }
  /// Calls f(energy by element, J, end of the elements in it) for each law of the body that dissipates.
  template <class F>
  void for_each_dissipation(F f) {
    for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                     MaterialStates<Element, Material> states) {
      if constexpr (MaterialStates<Element, Material>::dissipates) f(states.dissipated, of.members.back().end);
    });
  }
  /// Whether elements of a material may erode.
  bool may_erode() {
    bool any = false;
    for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                     MaterialStates<Element, Material>) {
      if constexpr (Erodes<Material>)
        for (const auto& member : of.members) any = any || member.material.may_erode();
    });
    return any;
  }
  /// Calls f(BlockMaterials, MaterialStates) for all blocks of elements, a few materials of a law at a time.
  /// @param ranges  of blocks, one for each material; without blocks: none of it
  template <class F>
  void for_each_launch(const std::vector<BlockRange>& ranges, F f) {
    for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                     MaterialStates<Element, Material> states) {
      BlockMaterials<Material> group;
      for (const auto& member : of.members) {
        const BlockRange& range = ranges[member.number];
        if (range.blocks() == 0) continue;
        if (group.count == group.capacity || (group.count > 0 && group.end_block() != range.first_block)) {
          f(group, states);
          group.count = 0;
        }
        group.material[group.count] = member.material;
        group.range[group.count++] = range;
      }
      if (group.count > 0) f(group, states);
    });
  }
  /// Copies the states of the whole body.
  /// @param ranges  of its elements, see Model::material_ranges; empty: those of this rank
  Copied copy(HostCopy<Backend>& to, const std::vector<Index>& ranges) {
    Copied copied;
    const auto add = [&]<class Material>(OfLaw<Material>& of) {
      if (of.members.empty()) return;
      MaterialsOfLaw<Material> of_body = of;
      for (auto& member : of_body.members)
        if (!ranges.empty()) {
          member.begin = ranges[member.number];
          member.end = ranges[member.number + 1];
        }
      using States = typename OfLaw<Material>::States;
      copied.add(to, of_body, of.states, States::kept ? States::extent(of_body.members.back().end) : 0);
    };
    std::apply([&](auto&... of) { (add(of), ...); }, laws_);
    return copied;
  }

 private:
  PlacedTables<Backend> tables_;
  std::tuple<OfLaw<Laws>...> laws_;
  Buffer<Index> of_element_;  ///< [element]; empty if there is one material
};

}  // namespace cleave::inline CLEAVE_PRECISION
