#include "model/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cleave/core/quantities.hpp"
#include "cleave/mesh/altitude.hpp"

namespace cleave {
namespace {

double least_altitude_of(const Mesh& mesh) {
  double least = std::numeric_limits<double>::infinity();
  for (Index e = 0; e < mesh.element_count(); ++e)
    least = std::min(
        least, least_altitude(mesh.nodes[mesh.node(e, 0)], mesh.nodes[mesh.node(e, 1)], mesh.nodes[mesh.node(e, 2)]));
  return least;
}

}  // namespace

void apply_processes(Model& model, const Case& c, CaseReport& report) {
  model.processes = c.processes;
  std::set<std::string> columns;
  for (const QuantityInfo& q : quantities) columns.insert(q.name);
  for (std::size_t i = 0; i < c.processes.size(); ++i) {
    const auto fail = [&](const std::string& text) {
      report.add(c.processes[i].line, fmt::format("processes.{}", i), text);
    };
    const ProcessType* const type = find_process(c.processes[i].law);
    if (type == nullptr) {
      fail(fmt::format("the program has no process `{}`", c.processes[i].law));
      report.throw_if_any();
    }
    for (const ProcessField& field : type->fields) {
      if (field.in_frames && std::ranges::count(output_fields(), std::string(field.name)) > 1)
        fail(
            fmt::format("the field `{}` has the name of another array of frames; rename it in its header", field.name));
      if (field.column != nullptr && !columns.insert(field.column).second)
        fail(fmt::format("the column `{}` has the name of another one in history.csv; rename it in its header",
                         field.column));
    }
  }
  if (process_columns(model).size() > most_process_columns)
    report.add(c.processes.front().line, "processes",
               fmt::format("they have {} columns of history.csv, there is room for {}", process_columns(model).size(),
                           most_process_columns));
}

std::vector<std::string> process_columns(const Model& model) {
  std::vector<std::string> names;
  for (const ProcessCase& entry : model.processes)
    for (const ProcessField& field : find_process(entry.law)->fields)
      if (field.column != nullptr) names.push_back(field.column);
  return names;
}

ProcessLimit largest_step_of_processes(const Model& model) {
  ProcessLimit limit{std::numeric_limits<double>::infinity(), {}};
  if (model.processes.empty()) return limit;
  ProcessMesh mesh{least_altitude_of(model.mesh), std::numeric_limits<double>::infinity()};
  for (const MaterialCase& material : model.materials)
    mesh.least_density = std::min(mesh.least_density, material.parameters.density);
  for (const ProcessCase& entry : model.processes) {
    const ProcessType& type = *find_process(entry.law);
    if (type.largest_step == nullptr) continue;
    const double step = type.largest_step(entry, mesh);
    if (!(step >= limit.step)) limit = {step, entry.law};
  }
  return limit;
}

}  // namespace cleave
