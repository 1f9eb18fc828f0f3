#include "bench/stage_bytes.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace cleave::benchmark {
namespace {

constexpr double real = sizeof(Real), vec2 = sizeof(Vec2), sym2 = sizeof(Sym2), id = sizeof(Index);

/// Sizes of a mesh, by element.
struct Shares {
  double width;    ///< nodes of an element
  double points;   ///< Gauss points
  double nodes;    ///< of the mesh, per element
  double corners;  ///< among them

  explicit Shares(const Mesh& mesh) {
    const double elements = mesh.element_count();
    width = nodes_per_element(mesh.type);
    points = mesh.type == ElementType::t6 ? 3 : 1;
    nodes = mesh.node_count() / elements;
    std::vector<bool> is_corner(mesh.nodes.size());
    for (Index e = 0; e < mesh.element_count(); ++e)
      for (int k = 0; k < 3; ++k) is_corner[mesh.node(e, k)] = true;
    corners = static_cast<double>(std::count(is_corner.begin(), is_corner.end(), true)) / elements;
  }
};

std::map<std::string, StageBytes> gather_stages(const Model& model, bool on_gpu) {
  const Mesh& mesh = model.mesh;
  const Shares m(mesh);
  const std::vector<BlockRange> ranges = cut_blocks(model.material_ranges);
  const Index first_interface = first_nodes_of_blocks(mesh, ranges).back();
  const double elements = mesh.element_count();
  const double shared = (mesh.node_count() - first_interface) / elements, interior = m.nodes - shared;
  const auto in_memory =
      std::count_if(mesh.elements.begin(), mesh.elements.end(), [&](Index n) { return n >= first_interface; });
  const double slots = static_cast<double>(in_memory) / elements;
  const double ids_and_slots = m.width * 2 * id, slots_of_row = id / 2;
  const double border = border_rows(mesh, ranges, first_interface);
  const double motion = 4 * vec2 + real;  // u and v both ways, 1/m
  const double nodes_of_element = m.width * (on_gpu ? 2 * id / 3 : id + slots_of_row);
  const double shape = on_gpu ? m.corners * vec2 : 4 * real, interior_node = motion + (on_gpu ? slots_of_row : 2 * id);
  const double stress_at_node = 2 * id + real + 4 * real + 1;
  return {
      {"element blocks",
       {nodes_of_element + 1 + shape + interior * interior_node + shared * vec2 +
        border * (slots_of_row + 2 * id + vec2)}},
      {"interface nodes", {shared * (motion + 2 * id) + border * vec2}},
      {"stress blocks", {ids_and_slots + m.corners * vec2 + m.nodes * vec2 + interior * stress_at_node + slots * sym2}},
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

std::optional<StageBytes> stage_bytes(const Model& model, const std::string& stage, bool on_gpu) {
  const auto stages = model.assembly == Assembly::gather
                          ? gather_stages(model, on_gpu)
                          : scatter_stages(model.mesh, model.assembly == Assembly::coloured);
  const auto found = stages.find(stage);
  return found == stages.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace cleave::benchmark
