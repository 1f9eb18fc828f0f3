/// The cohesive elements of a body in solver memory, with their traction law.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "backend/host_copy.hpp"
#include "body/body_state.hpp"
#include "body/placed_tables.hpp"
#include "cleave/material/traction_laws.hpp"
#include "cleave/solver/model.hpp"
#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Laws = TractionLaws>
class CohesiveState;

/// Arrays by cohesive element; `count` are in use. All have one law of the list: what needs it asks for it by
/// `with_law`, so that solvers are compiled once for all laws.
template <class Backend, class... Laws>
class CohesiveState<Backend, LawList<Laws...>> {
  /// A table of any law: tables differ only in their states.
  using AnyTable = CohesiveTable<std::variant_alternative_t<0, std::variant<Laws...>>>;

 public:
  template <class T>
  using Field = cleave::Field<Backend, T>;

  Index count = 0;
  Field<Real> frame, account;
  Field<FacetFactors> factors;
  Field<Vec2> stiffness, offset, opening, traction;
  Field<double> dissipated;
  Field<Step> insertion_step;
  Field<std::uint8_t> failed;

  explicit CohesiveState(const Model& model) : law_(law_of(model, tables_)) {}

  /// Calls f(law, table of the cohesive elements).
  template <class F>
  auto with_law(F f) {
    return std::visit([&]<class Law>(OfLaw<Law>& of) { return f(std::as_const(of.law), table(of)); }, law_);
  }
  /// Whether facets are judged by the stress of nodes, or by that of their elements' Gauss points.
  bool judged_by_nodes() const {
    return std::visit([]<class Law>(const OfLaw<Law>&) { return Law::insertion_stress == FacetStress::nodes; }, law_);
  }

  /// Rows not in use yet hold no opening and no dissipation, and have not failed: so cutting need not write them.
  /// @param corotational  faces turn: how long a facet has become is known to its owner alone
  void declare(Fields<Backend>& fields, bool corotational) {
    const auto use = [](int width, RowsOf rows_of = RowsOf::owner) {
      return FieldUse{.on = On::cohesive, .width = width, .saved = true, .rows_of = rows_of};
    };
    // Fixed at insertion, and known to all ranks that have the facet unless faces turn.
    const auto fixed = [&](int width) { return use(width, corotational ? RowsOf::owner : RowsOf::all_ranks); };
    frame = fields.template add<Real>("facet frames", fixed(fields_of(&AnyTable::frame)));
    factors = fields.template add<FacetFactors>("facet factors", fixed(1));
    stiffness = fields.template add<Vec2>("cohesive stiffnesses", fixed(fields_of(&AnyTable::stiffness)));
    offset = fields.template add<Vec2>("opening offsets", use(fields_of(&AnyTable::offset)));
    opening = fields.add_filled("openings", use(fields_of(&AnyTable::opening)), Vec2{});
    traction = fields.template add<Vec2>("tractions", use(fields_of(&AnyTable::traction)));
    std::visit(
        [&]<class Law>(OfLaw<Law>& of) {
          of.state = fields.template add<typename Law::State>("cohesive states", use(fields_of(&AnyTable::state)));
        },
        law_);
    account = fields.template add<Real>("cohesive accounts", use(fields_of(&AnyTable::account)));
    dissipated = fields.add_filled("cohesive dissipation", use(fields_of(&AnyTable::dissipated)), 0.0);
    insertion_step = fields.template add<Step>("insertion steps", use(1, RowsOf::all_ranks));
    failed = fields.add_filled("failed", {.on = On::cohesive}, std::uint8_t{0});
  }

  Index capacity() const { return static_cast<Index>(insertion_step.size()); }

  /// The law and its states as they were copied for output.
  template <class Law>
  struct CopiedLaw {
    Law law;
    typename HostCopy<Backend>::template Part<typename Law::State> states;  ///< [cohesive][q]
  };
  using Copied = std::variant<CopiedLaw<Laws>...>;
  /// @param elements  cohesive elements of the body
  Copied copy_law(HostCopy<Backend>& to, Index elements) const {
    const std::size_t points = AnyTable::points * static_cast<std::size_t>(elements);
    return std::visit(
        [&]<class Law>(const OfLaw<Law>& of) {
          return Copied(CopiedLaw<Law>{of.law, to.add(of.state, points)});
        },
        law_);
  }

 private:
  template <class Law>
  struct OfLaw {
    Law law;
    Field<typename Law::State> state;
  };
  using AnyLaw = std::variant<OfLaw<Laws>...>;
  PlacedTables<Backend> tables_;
  AnyLaw law_;

  /// The law of a case; one of any numbers if nothing breaks in it, which is never evaluated.
  static AnyLaw law_of(const Model& model, PlacedTables<Backend>& tables) {
    CohesiveCase none;
    none.parameters.normal = none.parameters.tangential = {1, 1, 2};
    const CohesiveCase& c = model.cohesive ? *model.cohesive : none;
    std::optional<AnyLaw> found;
    const auto look_at = [&]<class Law>() {
      if (c.law == Law::name)
        found.emplace(OfLaw<Law>{make_traction_law<Law>(tables.place(c.parameters), model.step), {}});
    };
    (look_at.template operator()<Laws>(), ...);
    if (!found) throw std::invalid_argument("no traction law has the name " + c.law);
    return std::move(*found);
  }

  template <class T>
  static constexpr int fields_of(T AnyTable::*) {
    return T::fields;
  }

  template <class Law>
  CohesiveTable<Law> table(OfLaw<Law>& of) {
    return {{frame.data()},    {stiffness.data()}, {offset.data()},     {opening.data()},      {traction.data()},
            {of.state.data()}, {account.data()},   {dissipated.data()}, insertion_step.data(), factors.data()};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
