#include "mesh/shapes/quad_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "mesh/report.hpp"

namespace cleave {
namespace {

QuadBlocks::BlockSide ordered(QuadBlocks::BlockSide side) {
  return {std::min(side.first, side.second), std::max(side.first, side.second)};
}

Point combine(double a, Point p, double b, Point q) { return {a * p.x + b * q.x, a * p.y + b * q.y}; }

}  // namespace

/// Assigns nodes to vertices, sides and blocks, and quads to sides.
class QuadBlocks::Builder {
 public:
  Builder(const QuadBlocks& blocks, QuadGrid& grid)
      : blocks_(blocks), grid_(grid), of_vertex_(blocks.vertices_.size(), none) {}

  void add(const Block& block) {
    const auto [nu, nv] = block.divisions;
    const std::vector<Index> nodes = nodes_of(block);
    const auto node = [&, nu = nu](int i, int j) { return nodes[static_cast<std::size_t>(j) * (nu + 1) + i]; };
    for (int j = 0; j < nv; ++j) {
      for (int i = 0; i < nu; ++i) {
        const std::array<Index, 4> corners{node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
        if (j == 0) quads_[ordered(side_of(block, south))].emplace_back(quads_in_all_, south);
        if (i == nu - 1) quads_[ordered(side_of(block, east))].emplace_back(quads_in_all_, east);
        if (j == nv - 1) quads_[ordered(side_of(block, north))].emplace_back(quads_in_all_, north);
        if (i == 0) quads_[ordered(side_of(block, west))].emplace_back(quads_in_all_, west);
        Point centre;
        for (const Index corner : corners) centre = combine(1, centre, 0.25, grid_.mesh.nodes[corner]);
        grid_.set_quad(quads_in_all_++, corners, Turn::left, new_node(centre), 0);
      }
    }
  }

  /// The quads along sides, of one block or of both.
  std::vector<std::pair<Index, Side>> quads_along(const std::vector<BlockSide>& sides) const {
    std::vector<std::pair<Index, Side>> all;
    for (const BlockSide& side : sides) {
      const auto& quads = quads_.at(ordered(side));
      all.insert(all.end(), quads.begin(), quads.end());
    }
    return all;
  }

 private:
  static constexpr Index none = -1;

  static BlockSide side_of(const Block& block, Side side) {
    return {block.corners[side], block.corners[(side + 1) % 4]};
  }

  Index new_node(Point at) {
    grid_.mesh.nodes.push_back(at);
    return grid_.mesh.node_count() - 1;
  }

  Index node_of_vertex(int vertex) {
    if (of_vertex_[vertex] == none) of_vertex_[vertex] = new_node(blocks_.vertices_[vertex]);
    return of_vertex_[vertex];
  }

  /// Nodes from the first to the second vertex of a side.
  std::vector<Index> nodes_along(BlockSide side, int divisions) {
    std::vector<Index>& nodes = of_side_[ordered(side)];
    if (nodes.empty()) {
      const BlockSide upwards = ordered(side);
      nodes.push_back(node_of_vertex(upwards.first));
      for (int i = 1; i < divisions; ++i)
        nodes.push_back(new_node(blocks_.place(upwards, static_cast<double>(i) / divisions)));
      nodes.push_back(node_of_vertex(upwards.second));
    }
    if (static_cast<int>(nodes.size()) != divisions + 1)
      throw std::logic_error("blocks of quads divide a side they share differently");
    return side == ordered(side) ? nodes : std::vector<Index>(nodes.rbegin(), nodes.rend());
  }

  /// [j][i] Nodes of a block, j along the sides 1-2.
  std::vector<Index> nodes_of(const Block& block) {
    const auto [nu, nv] = block.divisions;
    const auto& c = block.corners;
    const std::vector<Index> low = nodes_along({c[0], c[1]}, nu), high = nodes_along({c[3], c[2]}, nu);
    const std::vector<Index> left = nodes_along({c[0], c[3]}, nv), right = nodes_along({c[1], c[2]}, nv);
    const auto at = [&](Index node) { return grid_.mesh.nodes[node]; };
    std::vector<Index> nodes;
    for (int j = 0; j <= nv; ++j) {
      for (int i = 0; i <= nu; ++i) {
        if (j == 0 || j == nv) {
          nodes.push_back(j == 0 ? low[i] : high[i]);
        } else if (i == 0 || i == nu) {
          nodes.push_back(i == 0 ? left[j] : right[j]);
        } else {
          const double u = static_cast<double>(i) / nu, v = static_cast<double>(j) / nv;
          const Point across = combine(1 - v, at(low[i]), v, at(high[i]));
          const Point along = combine(1 - u, at(left[j]), u, at(right[j]));
          const Point bottom = combine(1 - u, at(low[0]), u, at(low[nu]));
          const Point top = combine(1 - u, at(high[0]), u, at(high[nu]));
          nodes.push_back(new_node(combine(1, combine(1, across, 1, along), -1, combine(1 - v, bottom, v, top))));
        }
      }
    }
    return nodes;
  }

  const QuadBlocks& blocks_;
  QuadGrid& grid_;
  Index quads_in_all_ = 0;
  std::vector<Index> of_vertex_;                                    ///< [vertex] node, or none yet
  std::map<BlockSide, std::vector<Index>> of_side_;                 ///< nodes of each side
  std::map<BlockSide, std::vector<std::pair<Index, Side>>> quads_;  ///< quads along each side
};

int QuadBlocks::add_vertex(Point at) {
  vertices_.push_back(at);
  return static_cast<int>(vertices_.size()) - 1;
}

void QuadBlocks::add_arc(BlockSide side, Point centre) { arcs_[ordered(side)] = centre; }

void QuadBlocks::add_block(const Corners& corners, std::array<int, 2> divisions) {
  blocks_.push_back({corners, divisions});
}

/// The point at a fraction of the way from the first to the second vertex of a side.
Point QuadBlocks::place(BlockSide side, double part) const {
  const Point a = vertices_[side.first], b = vertices_[side.second];
  const auto arc = arcs_.find(side);
  if (arc == arcs_.end()) return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
  const Point c = arc->second;
  const double start = std::atan2(a.y - c.y, a.x - c.x);
  const double turn = std::remainder(std::atan2(b.y - c.y, b.x - c.x) - start, 2 * std::numbers::pi);
  const double radius = std::hypot(a.x - c.x, a.y - c.y);
  return {c.x + radius * std::cos(start + part * turn), c.y + radius * std::sin(start + part * turn)};
}

Mesh QuadBlocks::mesh(ElementType type, const std::vector<SideGroup>& groups,
                      const std::vector<BlockSide>& slits) const {
  // Facet codes are the largest ids: 3 per triangle, 4 triangles per quad.
  constexpr double most = std::numeric_limits<Index>::max() / 12;
  double quads = 0;
  for (const Block& block : blocks_) quads += static_cast<double>(block.divisions[0]) * block.divisions[1];
  if (quads > most)
    throw InputError(
        fmt::format("{:.3g} quads are needed, and at most {:.0f} can be numbered: use larger ones", quads, most));
  QuadGrid grid(type, static_cast<std::size_t>(quads), static_cast<std::size_t>(quads));
  Builder builder(*this, grid);
  for (const Block& block : blocks_) builder.add(block);
  grid.mesh.structured_colours.clear();  // quads of several blocks do not alternate
  grid.finish(builder.quads_along(slits));
  for (const SideGroup& group : groups) grid.add_group(group.name, builder.quads_along(group.sides));
  return std::move(grid.mesh);
}

}  // namespace cleave
