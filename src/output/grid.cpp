#include "cleave/output/grid.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "cleave/core/parallel.hpp"
#include "output/array_names.hpp"
#include "output/measures.hpp"

namespace cleave {
namespace {

constexpr std::uint8_t vtk_line = 3, vtk_triangle = 5, vtk_quadratic_edge = 21, vtk_quadratic_triangle = 22;
constexpr std::size_t tuples_at_once = 16384;  ///< number of tuples that a thread fills at once
constexpr bool lasting = true;                 ///< see GridArray

/// Fills `values` [tuples][components]; value(i) is one of T or a std::array of them.
template <class T, class Value>
std::vector<T> filled(std::size_t tuples, int components, int threads, const Value& value) {
  std::vector<T> values = parallel_vector<T>(threads, tuples * components);
  parallel_for(threads, tuples, tuples_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto tuple = value(i);
      if constexpr (requires { tuple[0]; })
        for (int k = 0; k < components; ++k) values[i * components + k] = static_cast<T>(tuple[k]);
      else
        values[i] = static_cast<T>(tuple);
    }
  });
  return values;
}

/// Adds arrays with one tuple for each of `tuples` points or cells, if they are selected.
class ArrayList {
 public:
  ArrayList(std::vector<GridArray>& arrays, std::size_t tuples, const FrameChoice& choice)
      : arrays_(arrays), tuples_(tuples), choice_(choice) {}

  /// Adds numbers of a type that output.real does not change.
  template <class T, class Value>
  void exact(const std::string& name, const Value& value, bool lasts = false) {
    if (choice_.has(name)) add<T>(name, 1, value, lasts);
  }
  template <class Value>
  void reals(const std::string& name, int components, const Value& value, bool lasts = false) {
    if (!choice_.has(name)) return;
    if (choice_.real == Precision::double_precision)
      add<double>(name, components, value, lasts);
    else
      add<float>(name, components, value, lasts);
  }
  /// Adds vectors of the plane with z = 0.
  template <class Value>
  void vectors(const std::string& name, const Value& value) {
    reals(name, 3, [&](std::size_t i) {
      const Point p = value(i);
      return std::array<double, 3>{p.x, p.y, 0};
    });
  }
  // Symmetric tensors have ParaView's order of components: XX, YY, ZZ, XY, YZ, XZ.
  void strain(const std::vector<StrainTensor>& e) {
    const auto& [tensor, largest, equivalent] = strain_arrays;
    reals(tensor, 6, [&](std::size_t i) { return std::array<double, 6>{e[i].xx, e[i].yy, 0, e[i].xy, 0, 0}; });
    reals(largest, 1, [&](std::size_t i) { return principal_values(e[i]).largest; });
    reals(equivalent, 1, [&](std::size_t i) { return equivalent_strain(e[i]); });
  }
  void stress(const std::vector<StressTensor>& s) {
    const auto& [tensor, mises, largest, smallest, mean, shear] = stress_arrays;
    reals(tensor, 6, [&](std::size_t i) { return std::array<double, 6>{s[i].xx, s[i].yy, s[i].zz, s[i].xy, 0, 0}; });
    reals(mises, 1, [&](std::size_t i) { return von_mises(s[i]); });
    reals(largest, 1, [&](std::size_t i) { return principal_values(s[i]).largest; });
    reals(smallest, 1, [&](std::size_t i) { return principal_values(s[i]).smallest; });
    reals(mean, 1, [&](std::size_t i) { return pressure(s[i]); });
    reals(shear, 1, [&](std::size_t i) { return largest_shear(s[i]); });
  }

 private:
  template <class T, class Value>
  void add(const std::string& name, int components, const Value& value, bool lasts) {
    arrays_.push_back({name, components, filled<T>(tuples_, components, choice_.threads, value), lasts});
  }

  std::vector<GridArray>& arrays_;
  std::size_t tuples_;
  const FrameChoice& choice_;
};

template <class T>
auto values_of(const std::vector<T>& values) {
  return [&values](std::size_t i) { return values[i]; };
}

void add_process_fields(ArrayList& arrays, const Snapshot& s, FieldOn on) {
  for (const Snapshot::ProcessValues& field : s.process_fields) {
    if (field.on != on) continue;
    const auto width = static_cast<std::size_t>(field.width);
    arrays.reals(field.name, field.width, [&](std::size_t i) { return field.values.data() + i * width; });
  }
}

std::vector<double> points_at(const std::vector<Point>& positions, int threads) {
  return filled<double>(positions.size(), 3, threads, [&](std::size_t i) {
    return std::array<double, 3>{positions[i].x, positions[i].y, 0};
  });
}

Grid triangles(ElementType type, const std::vector<Point>& positions, const std::vector<Index>& elements, int threads) {
  Grid grid;
  grid.cell_type = type == ElementType::t3 ? vtk_triangle : vtk_quadratic_triangle;
  grid.points_per_cell = nodes_per_element(type);
  grid.cells = elements.size() / static_cast<std::size_t>(grid.points_per_cell);
  grid.points.values = points_at(positions, threads);
  grid.connectivity.values = elements;
  return grid;
}

/// [node] Original id. A copy has that of the node at the same place in its elements at the start. Copies have larger
/// ids than all other nodes.
std::vector<Index> original_nodes_of(const Snapshot& s, const Mesh& mesh) {
  std::vector<Index> ids = mesh.original_nodes;
  ids.resize(s.position.size());
  for (std::size_t i = 0; i < s.elements.size(); ++i)
    if (s.elements[i] >= mesh.node_count()) ids[s.elements[i]] = mesh.original_nodes[mesh.elements[i]];
  return ids;
}

}  // namespace

const void* GridArray::data() const {
  return std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, values);
}
std::size_t GridArray::size() const {
  return std::visit([](const auto& v) { return v.size(); }, values);
}
std::size_t GridArray::bytes() const {
  return std::visit([](const auto& v) { return v.size() * sizeof(v[0]); }, values);
}
bool FrameChoice::has(const std::string& name) const {
  return fields ? std::find(fields->begin(), fields->end(), name) != fields->end() : !is_named_only(name);
}
bool FrameChoice::has_any(std::span<const std::string> names) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return has(name); });
}
SnapshotParts FrameChoice::parts() const {
  const bool stress = has_any(stress_arrays);
  return {.neighbours = false,
          .nodal_stress = stress,
          .element_stress = stress,
          .energy_density = has(energy_array),
          .state_fields = has_any(state_fields()),
          .process_fields = fields};
}

FrameChoice choice_of(const OutputCase& output) { return {output.real, output.fields, 1, output.inria}; }

Grid bulk_grid(const Snapshot& s, const Mesh& mesh, const std::vector<Index>& fragments, const FrameChoice& choice) {
  Grid grid = triangles(s.type, s.position, s.elements, choice.threads);
  const Strains strains = choice.has_any(strain_arrays) ? strains_of(s, choice.threads) : Strains{};
  ArrayList points(grid.point_data, s.position.size(), choice);
  points.vectors("displacement", [&](std::size_t i) { return s.displacement[i]; });
  points.vectors("velocity", [&](std::size_t i) { return s.velocity[i]; });
  points.stress(s.nodal_stress);
  points.strain(strains.nodal);
  if (!s.contact_traction.empty()) {
    points.vectors("contact_traction", values_of(s.contact_traction));
    points.reals("contact_depth", 1, values_of(s.contact_depth));
  }
  add_process_fields(points, s, FieldOn::node);
  if (choice.has("original_node")) grid.point_data.push_back({"original_node", 1, original_nodes_of(s, mesh), lasting});

  ArrayList cells(grid.cell_data, grid.cells, choice);
  cells.stress(s.element_stress);
  cells.strain(strains.element);
  cells.reals(energy_array, 1, [&](std::size_t e) { return s.energy_density[e]; });
  for (const std::string& name : state_fields()) {
    const auto found = std::find_if(s.state_fields.begin(), s.state_fields.end(),
                                    [&](const Snapshot::StateField& field) { return field.name == name; });
    cells.reals(name, 1, [&](std::size_t e) { return found == s.state_fields.end() ? 0.0 : found->mean[e]; });
  }
  add_process_fields(cells, s, FieldOn::element);
  if (!s.strength_scale.empty()) cells.reals("strength_scale", 1, values_of(s.strength_scale), lasting);
  cells.exact<std::int32_t>("fragment", values_of(fragments), lasting);
  cells.exact<std::int32_t>("original_element", values_of(mesh.original_elements), lasting);
  return grid;
}

Grid cracks_grid(const Snapshot& s, const FrameChoice& choice) {
  // VTK lists both ends of a quadratic edge first and its mid-side node last.
  const int side = nodes_per_facet(s.type);
  const std::array<int, 3> order = side == 2 ? std::array{0, 1, 1} : std::array{0, 2, 1};
  Grid grid;
  grid.cell_type = side == 2 ? vtk_line : vtk_quadratic_edge;
  grid.points_per_cell = side;
  grid.cells = s.cohesive.size();

  const std::size_t nodes = s.cohesive.size() * static_cast<std::size_t>(side);
  const auto node = [&](std::size_t i, int face) {
    return static_cast<std::size_t>(s.cohesive[i / side].nodes[face * side + order[i % side]]);
  };
  const auto mean = [&](const std::vector<Point>& field, std::size_t i) {
    const Point a = field[node(i, 0)], b = field[node(i, 1)];
    return Point{(a.x + b.x) / 2, (a.y + b.y) / 2};
  };
  grid.points.values = filled<double>(nodes, 3, choice.threads, [&](std::size_t i) {
    const Point p = mean(s.position, i);
    return std::array<double, 3>{p.x, p.y, 0};
  });
  grid.connectivity.values = filled<std::int32_t>(nodes, 1, choice.threads, [](std::size_t i) { return i; });

  ArrayList points(grid.point_data, nodes, choice);
  points.vectors("displacement", [&](std::size_t i) { return mean(s.displacement, i); });
  points.vectors("displacement_a", [&](std::size_t i) { return s.displacement[node(i, 0)]; });
  points.vectors("displacement_b", [&](std::size_t i) { return s.displacement[node(i, 1)]; });

  ArrayList cells(grid.cell_data, grid.cells, choice);
  using Cohesive = Snapshot::Cohesive;
  const auto of_member = [&](auto member) { return [&s, member](std::size_t c) { return s.cohesive[c].*member; }; };
  cells.reals("opening_normal", 1, of_member(&Cohesive::opening_normal));
  cells.reals("opening_tangential", 1, of_member(&Cohesive::opening_tangential));
  cells.reals("traction_normal", 1, of_member(&Cohesive::traction_normal));
  cells.reals("traction_tangential", 1, of_member(&Cohesive::traction_tangential));
  cells.reals("damage", 1, of_member(&Cohesive::damage));
  cells.reals("strength_scale", 1, of_member(&Cohesive::strength_scale), lasting);
  cells.exact<std::uint8_t>("failed", of_member(&Cohesive::failed), lasting);
  cells.exact<std::int64_t>("insertion_step", of_member(&Cohesive::insertion_step), lasting);
  add_process_fields(cells, s, FieldOn::cohesive);
  return grid;
}

Grid mesh_grid(const Mesh& mesh, const Colouring& colouring) {
  const FrameChoice everything;
  Grid grid = triangles(mesh.type, mesh.nodes, mesh.elements, everything.threads);
  ArrayList points(grid.point_data, mesh.nodes.size(), everything);
  ArrayList cells(grid.cell_data, grid.cells, everything);
  const auto add_members = [](ArrayList& arrays, const Group& group, const std::vector<Index>& ids, std::size_t count) {
    std::vector<std::uint8_t> member(count, 0);
    for (const Index id : ids) member[id] = 1;
    arrays.exact<std::int32_t>("group:" + group.name, [&](std::size_t i) { return member[i]; });
  };
  for (const Group& group : mesh.groups) {
    if (!group.nodes.empty() || group.elements.empty()) add_members(points, group, group.nodes, mesh.nodes.size());
    if (!group.elements.empty()) add_members(cells, group, group.elements, grid.cells);
    if (group.facets.empty() && group.inside.empty()) continue;
    std::vector<std::uint8_t> sum(grid.cells, 0);
    for (const auto* codes : {&group.facets, &group.inside})
      for (const Index code : *codes) sum[element_of(code)] |= static_cast<std::uint8_t>(1 << facet_of(code));
    cells.exact<std::int32_t>("facets:" + group.name, [&](std::size_t e) { return sum[e]; });
  }
  cells.exact<std::int32_t>("colour", [&](std::size_t e) { return colouring.colour[e]; });
  points.exact<std::int32_t>("original_node", values_of(mesh.original_nodes));
  cells.exact<std::int32_t>("original_element", values_of(mesh.original_elements));
  return grid;
}

}  // namespace cleave
