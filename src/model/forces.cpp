#include "model/forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cleave/force/force_laws.hpp"
#include "model/groups.hpp"

namespace cleave {

void apply_forces(Model& model, const Case& c, CaseReport& report) {
  model.forces = c.forces;
  for (std::size_t i = 0; i < c.forces.size(); ++i) {
    const double stiffness = model.forces[i].stiffness = squared_frequency(c.forces[i]);
    if (!(stiffness >= 0 && std::isfinite(stiffness)))
      report.add(
          c.forces[i].line, fmt::format("forces.{}", i),
          fmt::format("squared_frequency of the law `{}` must be 0 or more, it says {:g}", c.forces[i].law, stiffness));
  }
  const bool on_all = std::ranges::all_of(c.forces, [](const ForceCase& entry) { return entry.on.empty(); });
  if (on_all) return;
  model.forced.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < c.forces.size(); ++i) {
    const ForceCase& entry = c.forces[i];
    const auto add = [&](Index node) { model.forced[node] |= static_cast<std::uint8_t>(1u << i); };
    if (entry.on.empty()) {
      for (Index n = 0; n < model.mesh.node_count(); ++n) add(n);
    } else if (const Group* group = find_group(model.mesh, GroupParts::any, entry.on, report, entry.line,
                                               fmt::format("forces.{}.on", i))) {
      for (const Index n : nodes_of(model.mesh, *group)) add(n);
    }
  }
}

}  // namespace cleave
