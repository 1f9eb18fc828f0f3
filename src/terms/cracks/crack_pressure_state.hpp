/// The arrays of loads that enter cracks in solver memory.
#pragma once

#include <vector>

#include "body/checkpoint_indices.hpp"
#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "terms/cracks/crack_pressure.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a load enters cracks.
template <class Backend>
struct CrackPressureState {
  template <class T>
  using Field = cleave::Field<Backend, T>;

  typename Backend::template Buffer<CrackMouth> mouths;
  Field<Index> parent, first_load;  ///< [node] scratch of CrackReach
  Field<Index> load;                ///< [cohesive] see CrackReach

  bool active() const { return mouths.size() > 0; }
  void list_mouths(const std::vector<PressureLoad>& loads) {
    std::vector<CrackMouth> list;
    for (std::size_t l = 0; l < loads.size(); ++l)
      if (loads[l].in_cracks)
        for (const Index facet : loads[l].facets) list.push_back({facet, static_cast<Index>(l)});
    mouths.upload(list);
  }
  void declare(Fields<Backend>& fields) {
    if (!active()) return;
    parent = fields.template add<Index>("crack parents", {.on = On::node});
    first_load = fields.template add<Index>("first loads", {.on = On::node});
    load = fields.add_filled("loads in cracks", {.on = On::cohesive, .saved = true, .rows_of = RowsOf::all_ranks},
                             no_load);
  }
  /// See Term::check_loaded.
  /// @param cohesive  elements in use
  /// @param loads     of the body
  void check_loaded(Index cohesive, std::size_t loads) {
    if (!active()) return;
    for (const Index of : load.download(cohesive))
      if (of != no_load) require_in(of, 0, static_cast<std::int64_t>(loads) - 1, "the load in a cohesive element");
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
