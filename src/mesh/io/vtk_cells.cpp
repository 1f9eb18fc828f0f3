#include "mesh/io/vtk_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "cleave/core/error.hpp"
#include "mesh/ids.hpp"
#include "mesh/io/file_mesh.hpp"
#include "mesh/io/split_quad.hpp"

namespace cleave {
namespace {

/// A kind of cell that is read.
struct CellKind {
  std::int64_t type;  ///< VTK's number
  Shape shape;
};
constexpr CellKind cell_kinds[] = {{1, Shape::point},      {3, Shape::line2}, {21, Shape::line3}, {5, Shape::triangle3},
                                   {22, Shape::triangle6}, {9, Shape::quad4}, {23, Shape::quad8}, {28, Shape::quad9}};

class CellReader {
 public:
  CellReader(const VtkGrid& grid, const MeshReading& how, const std::string& source)
      : grid_(grid), how_(how), source_(source) {}

  VtkCells read() {
    read_points();
    for (std::size_t cell = 0, begin = 0; cell < grid_.types.size(); ++cell) {
      const auto end = static_cast<std::size_t>(grid_.ends[cell]);
      read_cell(cell, std::span(grid_.connectivity).subspan(begin, end - begin));
      begin = end;
    }
    drop_unused_points();
    return std::move(made_);
  }

 private:
  void read_points() {
    const std::size_t count = grid_.points.size() / 3;
    if (count > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw InputError(fmt::format("{}: it has {} points, at most {} can be numbered", source_, count,
                                   std::numeric_limits<Index>::max()));
    given_ = static_cast<Index>(count);
    for (std::size_t i = 0; i < count; ++i) {
      mesh_.nodes.push_back({grid_.points[3 * i], grid_.points[3 * i + 1]});
      made_.z.push_back(grid_.points[3 * i + 2]);
    }
    mesh_.elements.reserve(grid_.connectivity.size());
  }

  Shape shape_of(std::size_t cell, std::size_t size) const {
    const std::int64_t type = grid_.types[cell];
    const auto* const kind =
        std::find_if(std::begin(cell_kinds), std::end(cell_kinds), [&](const CellKind& k) { return k.type == type; });
    if (kind == std::end(cell_kinds))
      throw InputError(
          fmt::format("{}: cell {} has VTK type {}: only triangles with 3 nodes (type 5) or 6 nodes (type 22) "
                      "are simulated",
                      source_, cell, type));
    if (is_quad(kind->shape) && !how_.split_quads)
      throw InputError(fmt::format("{}: cell {} has VTK type {}, a quadrangle: {}", source_, cell, type, how_to_split));
    const int expected = nodes_of(kind->shape);
    if (static_cast<std::int64_t>(size) != expected)
      throw InputError(
          fmt::format("{}: cell {} lists {} nodes, its VTK type {} has {}", source_, cell, size, type, expected));
    return kind->shape;
  }

  void read_cell(std::size_t cell, std::span<const std::int64_t> listed) {
    const Shape shape = shape_of(cell, listed.size());
    std::array<Index, 9> nodes{};
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (listed[i] < 0 || listed[i] >= given_)
        throw InputError(fmt::format("{}: cell {} lists node {}, which does not exist: there are {} nodes, from 0 on",
                                     source_, cell, listed[i], given_));
      nodes[i] = static_cast<Index>(listed[i]);
    }
    if (dimension_of(shape) < 2)
      made_.marks.push_back({static_cast<Index>(cell), {nodes[0], nodes[1], nodes[2]}, nodes_of(shape)});
    else
      read_surface(cell, shape, nodes);
  }

  void read_surface(std::size_t cell, Shape shape, std::array<Index, 9>& nodes) {
    const bool linear = shape == Shape::triangle3 || shape == Shape::quad4;
    const ElementType type = linear ? ElementType::t3 : ElementType::t6;
    if (made_.cell_of.empty()) mesh_.type = type;
    if (type != mesh_.type)
      throw InputError(fmt::format("{}: cell {} has {} nodes, but cell {} has {}: use one element order throughout",
                                   source_, cell, nodes_of(shape), made_.cell_of.front(),
                                   nodes_of_cell(made_.cell_of.front())));
    if (!is_quad(shape)) return add(cell, std::span(nodes).first(nodes_of(shape)));
    const auto corner = [&](int i) { return mesh_.nodes[nodes[i]]; };
    const auto halves = halves_of_quad({corner(0), corner(1), corner(2), corner(3)});
    if (!linear) put_in_the_middle(shape, nodes, nodes[halves[0][0]], nodes[halves[0][2]]);
    for (const std::array<int, 6>& half : halves) {
      std::array<Index, 6> own{};
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = nodes[half[i]];
      add(cell, std::span(own).first(nodes_per_element(type)));
    }
  }

  /// The last node of the quad goes to the middle of a and b; a quad without one gets it.
  void put_in_the_middle(Shape shape, std::array<Index, 9>& nodes, Index a, Index b) {
    if (shape == Shape::quad8) {
      nodes[8] = mesh_.node_count();
      mesh_.nodes.emplace_back();
      made_.z.push_back((made_.z[a] + made_.z[b]) / 2);
    }
    mesh_.nodes[nodes[8]] = {(mesh_.nodes[a].x + mesh_.nodes[b].x) / 2, (mesh_.nodes[a].y + mesh_.nodes[b].y) / 2};
  }

  void add(std::size_t cell, std::span<const Index> nodes) {
    if (mesh_.element_count() == most_elements)
      throw InputError(
          fmt::format("{}: there are more than {} triangles, which cannot be numbered", source_, most_elements));
    mesh_.elements.insert(mesh_.elements.end(), nodes.begin(), nodes.end());
    made_.cell_of.push_back(static_cast<Index>(cell));
  }
  std::int64_t nodes_of_cell(Index cell) const { return grid_.ends[cell] - (cell == 0 ? 0 : grid_.ends[cell - 1]); }

  /// Files also hold points of the geometry, such as centres of arcs, and points that mark nothing but these.
  void drop_unused_points() {
    constexpr Index unused = -1;
    std::vector<Index> new_id(mesh_.nodes.size(), unused);
    for (const Index node : mesh_.elements) new_id[node] = 0;
    Index kept = 0;
    for (std::size_t point = 0; point < new_id.size(); ++point) {
      if (new_id[point] == unused) continue;
      mesh_.nodes[kept] = mesh_.nodes[point];
      made_.z[kept] = made_.z[point];
      mesh_.original_nodes.push_back(static_cast<Index>(point));
      if (point < static_cast<std::size_t>(given_)) made_.from_points = kept + 1;
      new_id[point] = kept++;
    }
    mesh_.nodes.resize(kept);
    made_.z.resize(kept);
    for (Index& node : mesh_.elements) node = new_id[node];
    for (VtkMark& mark : made_.marks)
      for (int i = 0; i < mark.node_count; ++i) mark.nodes[i] = new_id[mark.nodes[i]];
    std::erase_if(made_.marks, [](const VtkMark& mark) { return mark.node_count == 1 && mark.nodes[0] == unused; });
    mesh_.original_elements = all_ids(static_cast<std::size_t>(mesh_.element_count()));
  }

  const VtkGrid& grid_;
  const MeshReading& how_;
  const std::string& source_;
  VtkCells made_;
  Mesh& mesh_ = made_.mesh;
  Index given_ = 0;  // number of points
};

}  // namespace

VtkCells cells_of_grid(const VtkGrid& grid, const MeshReading& how, const std::string& source) {
  return CellReader(grid, how, source).read();
}

}  // namespace cleave
