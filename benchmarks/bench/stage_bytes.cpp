#include "bench/stage_bytes.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace cleave::benchmark {
namespace {

constexpr double real = sizeof(Real), vec2 = sizeof(Vec2), sym2 = sizeof(Sym2), id = sizeof(Index);

/// Sizes of a mesh, by element.
struct Shares {
  double width;   ///< nodes of an element
  double points;  ///< Gauss points
  double nodes;   ///< of the mesh, per element

  explicit Shares(const Mesh& mesh) {
    const double elements = mesh.element_count();
    width = nodes_per_element(mesh.type);
    points = mesh.type == ElementType::t6 ? 3 : 1;
    nodes = mesh.node_count() / elements;
  }
};

std::map<std::string, StageBytes> gather_stages(const Model& model) {
  const Mesh& mesh = model.mesh;
  const Shares m(mesh);
  const std::vector<BlockRange> ranges = cut_blocks(model.material_ranges);
  const Index first_interface = first_nodes_of_blocks(mesh, ranges).back();
  const double elements = mesh.element_count();
  const double shared = (mesh.node_count() - first_interface) / elements, interior = m.nodes - shared;
  const auto in_memory =
      std::count_if(mesh.elements.begin(), mesh.elements.end(), [&](Index n) { return n >= first_interface; });
  const double slots = static_cast<double>(in_memory) / elements;
  const double ids_and_slots = m.width * 2 * id, packed_nodes = m.width / 3 * 2 * id, slots_of_row = id / 2;
  const double border = border_rows(mesh, ranges, first_interface);
  const double node = 4 * vec2 + 2 * id + real;  // u and v both ways, constants
  const double stress_at_node = 2 * id + real + 4 * real + 1;
  return {
      {"element blocks",
       {packed_nodes + 4 * real + 1 + interior * (node + slots_of_row) + shared * vec2 +
        border * (slots_of_row + 2 * id + vec2)}},
      {"interface nodes", {shared * node + border * vec2}},
      // Half a corner an element: its position.
      {"stress blocks", {ids_and_slots + vec2 / 2 + m.nodes * vec2 + interior * stress_at_node + slots * sym2}},
      {"interface node stress", {shared * stress_at_node + slots * sym2}},
      {"resumption", {m.nodes * (3 * vec2 + 2 + vec2 + 2 * vec2)}},  // v(n+1/2), two forces, motions; v; u
  };
}

std::map<std::string, StageBytes> scatter_stages(const Mesh& mesh, bool coloured) {
  const Shares m(mesh);
  // Elements of one colour share no node, so every launch reads and writes all nodes of its elements.
  const double touched = coloured ? m.width : m.nodes;
  const double entries = m.width * 2 * id;  // nodes of an element, with room for slots between them
  const double listed = id + entries;
  const double gauss = m.points * sym2;
  return {
      {"displacement", {m.nodes * (2 * vec2 + 2 * vec2 + 6 * vec2 + 2)}},  // v, a; u; three forces read, cleared
      {"internal force", {listed + 4 * m.width * m.width * real + touched * 3 * vec2, true}},
      {"velocity", {m.nodes * (4 * vec2 + 3 * vec2 + real)}},
      {"velocity and displacement", {m.nodes * (6 * vec2 + 6 * vec2 + real)}},
      {"Gauss-point stress", {entries + m.nodes * 2 * vec2 + gauss}},
  };
}

}  // namespace

std::optional<StageBytes> stage_bytes(const Model& model, const std::string& stage) {
  const auto stages = model.assembly == Assembly::gather
                          ? gather_stages(model)
                          : scatter_stages(model.mesh, model.assembly == Assembly::coloured);
  const auto found = stages.find(stage);
  return found == stages.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace cleave::benchmark
