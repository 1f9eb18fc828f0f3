/// Writers of Gmsh's formats 2.2 and 4.1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {
namespace {

/// The input numbering, starting at 1: Gmsh reserves 0.
std::vector<std::int64_t> tags_of(const std::vector<Index>& original, Index count) {
  std::vector<std::int64_t> tags(count);
  for (Index i = 0; i < count; ++i) tags[i] = original.empty() ? i : original[i];
  const std::int64_t least = tags.empty() ? 1 : *std::min_element(tags.begin(), tags.end());
  for (std::int64_t& tag : tags) tag += std::max<std::int64_t>(0, 1 - least);
  return tags;
}

/// A point, a line, or consecutive triangles, of the same groups.
struct Block {
  int dimension = 0;
  GroupSet groups;
  std::vector<Index> elements;              // triangles
  std::vector<std::vector<Index>> markers;  // nodes of points and lines
};

class GmshWriter {
 public:
  GmshWriter(const Mesh& mesh, bool binary)
      : mesh_(mesh),
        out_(binary),
        node_tags_(tags_of(mesh.original_nodes, mesh.node_count())),
        element_tags_(tags_of(mesh.original_elements, mesh.element_count())) {
    add_points();
    add_lines();
    add_triangles();
    number_markers();
  }

  std::string write(GmshVersion version) {
    out_.words(fmt::format("$MeshFormat\n{} {:d} 8\n", version == GmshVersion::v41 ? "4.1" : "2.2", out_.is_binary()));
    if (out_.is_binary()) {
      out_.put(Index{1});
      out_.words("\n");
    }
    out_.words("$EndMeshFormat\n");
    write_names();
    version == GmshVersion::v41 ? write_41() : write_22();
    return out_.take();
  }

 private:
  void add_points() {
    for (const auto& [node, groups] : groups_of_nodes(mesh_)) blocks_.push_back({0, groups, {}, {{node}}});
  }

  void add_lines() {
    std::map<GroupSet, Block> blocks;
    for (const auto& [code, groups] : groups_of_facets(mesh_)) {
      std::vector<Index> nodes;
      for (int i = 0; i < nodes_per_facet(mesh_.type); ++i) nodes.push_back(mesh_.facet_node(code, i));
      if (nodes.size() == 3) std::swap(nodes[1], nodes[2]);  // the mid-side node comes last
      Block& block = blocks[groups];
      block.dimension = 1;
      block.groups = groups;
      block.markers.push_back(std::move(nodes));
    }
    for (auto& [groups, block] : blocks) blocks_.push_back(std::move(block));
  }

  void add_triangles() {
    const std::vector<GroupSet> sets = groups_of_elements(mesh_);
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      if (e == 0 || sets[e] != sets[e - 1]) blocks_.push_back({2, sets[e], {}, {}});
      blocks_.back().elements.push_back(e);
    }
  }

  /// Points and lines get numbers that no triangle has.
  void number_markers() {
    std::int64_t markers = 0;
    for (const Block& block : blocks_) markers += static_cast<std::int64_t>(block.markers.size());
    const auto [least, most] = std::minmax_element(element_tags_.begin(), element_tags_.end());
    next_marker_ = *least > markers ? 1 : *most + 1;
    smallest_tag_ = std::min(*least, next_marker_);
    largest_tag_ = std::max(*most, next_marker_ + markers - 1);
  }

  void write_names() {
    for (const Group& group : mesh_.groups)
      if (std::any_of(group.name.begin(), group.name.end(), [](char c) { return c == '\n' || c == '\r' || c == '"'; }))
        throw InputError(
            fmt::format("the name of the group \"{}\" has a line break or a quotation mark, which a .msh file "
                        "cannot hold; write .vtu or .vtk",
                        group.name));
    std::vector<std::set<int>> dimensions(mesh_.groups.size());
    for (const Block& block : blocks_)
      for (const Index g : block.groups) dimensions[g].insert(block.dimension);
    std::size_t count = 0;
    std::string lines;
    for (std::size_t g = 0; g < mesh_.groups.size(); ++g) {
      count += dimensions[g].size();
      for (const int d : dimensions[g]) lines += fmt::format("{} {} \"{}\"\n", d, g + 1, mesh_.groups[g].name);
    }
    if (count > 0) out_.words(fmt::format("$PhysicalNames\n{}\n{}$EndPhysicalNames\n", count, lines));
  }

  // Version 4.1.

  void write_41() {
    number_entities();
    out_.words("$Entities\n");
    const auto count = [&](int dimension) { return std::ssize(entities_[dimension]); };
    out_.line(count(0), count(1), count(2), std::int64_t{0});
    for (int d = 0; d < 3; ++d)
      for (std::size_t i = 0; i < entities_[d].size(); ++i) write_entity(d, i);
    end_section("Entities");
    write_nodes_41();
    write_elements_41();
  }

  /// Each point is an entity; so are all lines and all triangles of the same groups.
  void number_entities() {
    for (const Block& block : blocks_) {
      std::vector<GroupSet>& known = entities_[block.dimension];
      auto found = block.dimension == 0 ? known.end() : std::find(known.begin(), known.end(), block.groups);
      entity_of_.push_back(static_cast<Index>(found - known.begin()) + 1);
      if (found != known.end()) continue;
      known.push_back(block.groups);
      if (block.dimension == 0) points_.push_back(block.markers.front().front());
    }
  }

  void write_entity(int dimension, std::size_t i) {
    out_.put(static_cast<Index>(i) + 1);
    if (dimension == 0) {
      write_place(mesh_.nodes[points_[i]]);
    } else {
      const auto [left, right] = std::minmax_element(mesh_.nodes.begin(), mesh_.nodes.end(),
                                                     [](const Point& a, const Point& b) { return a.x < b.x; });
      const auto [bottom, top] = std::minmax_element(mesh_.nodes.begin(), mesh_.nodes.end(),
                                                     [](const Point& a, const Point& b) { return a.y < b.y; });
      write_place({left->x, bottom->y});
      write_place({right->x, top->y});
    }
    const GroupSet& groups = entities_[dimension][i];
    out_.put(std::ssize(groups));
    for (const Index g : groups) out_.put(g + 1);
    if (dimension > 0) out_.put(std::int64_t{0});
    out_.end_line();
  }

  void write_place(Point p) { out_.put(p.x, p.y, 0.0); }

  void write_nodes_41() {
    const auto [least, most] = std::minmax_element(node_tags_.begin(), node_tags_.end());
    const std::int64_t count = std::ssize(node_tags_);
    out_.words("$Nodes\n");
    out_.line(std::int64_t{1}, count, *least, *most);
    out_.line(Index{2}, Index{1}, Index{0}, count);  // the first surface, no parameters
    for (const std::int64_t tag : node_tags_) out_.line(tag);
    for (const Point p : mesh_.nodes) {
      write_place(p);
      out_.end_line();
    }
    end_section("Nodes");
  }

  void write_elements_41() {
    std::int64_t count = 0;
    for (const Block& block : blocks_) count += size_of(block);
    out_.words("$Elements\n");
    out_.line(std::ssize(blocks_), count, smallest_tag_, largest_tag_);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      out_.line(block.dimension, entity_of_[b], gmsh_type(block), size_of(block));
      for_each_element(block, [&](std::int64_t tag, auto nodes) {
        out_.put(tag);
        for (const Index node : nodes) out_.put(node_tags_[node]);
        out_.end_line();
      });
    }
    end_section("Elements");
  }

  // Version 2.2.

  void write_22() {
    out_.words(fmt::format("$Nodes\n{}\n", mesh_.node_count()));
    for (Index n = 0; n < mesh_.node_count(); ++n) {
      out_.put(static_cast<Index>(node_tags_[n]));
      write_place(mesh_.nodes[n]);
      out_.end_line();
    }
    end_section("Nodes");
    std::size_t count = 0;
    for (const Block& block : blocks_)
      count += static_cast<std::size_t>(size_of(block)) * std::max<std::size_t>(1, block.groups.size());
    out_.words(fmt::format("$Elements\n{}\n", count));
    for (const Block& block : blocks_) {
      for_each_element(block, [&](std::int64_t tag, auto nodes) {
        // An element of several groups is repeated for each.
        for (const Index g : block.groups.empty() ? GroupSet{-1} : block.groups)
          write_element_22(static_cast<Index>(tag), gmsh_type(block), g + 1, nodes);
      });
    }
    end_section("Elements");
  }

  template <class Nodes>
  void write_element_22(Index tag, int type, Index group, Nodes nodes) {
    constexpr Index one = 1, two = 2;
    out_.is_binary() ? out_.put(type, one, two, tag) : out_.put(tag, type, two);
    out_.put(group, one);
    for (const Index node : nodes) out_.put(static_cast<Index>(node_tags_[node]));
    out_.end_line();
  }

  // Both versions.

  static std::int64_t size_of(const Block& block) {
    return static_cast<std::int64_t>(block.markers.size() + block.elements.size());
  }

  int gmsh_type(const Block& block) const {
    const bool t3 = mesh_.type == ElementType::t3;
    return block.dimension == 0 ? 15 : block.dimension == 1 ? (t3 ? 1 : 8) : t3 ? 2 : 9;
  }

  /// Calls f(tag, nodes). Points and lines get the next numbers.
  template <class F>
  void for_each_element(const Block& block, F f) {
    for (const std::vector<Index>& nodes : block.markers) f(next_marker_++, std::span(nodes));
    const int width = nodes_per_element(mesh_.type);
    for (const Index e : block.elements)
      f(element_tags_[e], std::span(mesh_.elements).subspan(static_cast<std::size_t>(e) * width, width));
  }

  void end_section(const char* name) { out_.words(fmt::format("{}$End{}\n", out_.is_binary() ? "\n" : "", name)); }

  const Mesh& mesh_;
  NumberWriter out_;
  std::vector<std::int64_t> node_tags_, element_tags_;
  std::vector<Block> blocks_;
  std::int64_t next_marker_ = 1, smallest_tag_ = 1, largest_tag_ = 1;
  std::array<std::vector<GroupSet>, 3> entities_;  // [dimension]
  std::vector<Index> entity_of_;                   // [block] tag
  std::vector<Index> points_;                      // [point entity] node
};

}  // namespace

std::string gmsh_file(const Mesh& mesh, GmshVersion version, bool binary) {
  return GmshWriter(mesh, binary).write(version);
}

}  // namespace cleave
