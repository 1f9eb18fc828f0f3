/// A mesh in solver memory, for tests of single kernels, and small helpers to move data there and back.
#pragma once

#include <numeric>
#include <random>
#include <vector>

#include "backend/backend.hpp"
#include "body/by_material.hpp"
#include "body/element_table.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "reference/triangle.hpp"

namespace cleave::test {

template <class T>
using Buffer = typename Backend::template Buffer<T>;

template <class T>
Buffer<T> upload(const std::vector<T>& host) {
  Buffer<T> buffer;
  buffer.upload(host);
  return buffer;
}
template <class T>
Buffer<T> filled(std::size_t count, T value) {
  return upload(std::vector<T>(count, value));
}

inline constexpr Index kernel_sizes[] = {0, 1, 31, 33, 4000};

inline double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}
inline std::vector<Vec2> random_vectors(std::size_t count, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Vec2> v(count);
  for (Vec2& x : v) {
    x.x = uniform(random, -size, size);
    x.y = uniform(random, -size, size);
  }
  return v;
}
inline std::vector<double> random_numbers(std::size_t count, double low, double high, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> v(count);
  for (double& x : v) x = uniform(random, low, high);
  return v;
}

enum class Sides { straight, curved };
/// A value that all elements have, as kernels look it up by material.
template <class Value>
class OfAllElements {
 public:
  explicit OfAllElements(const Value& value) { value_.upload({value}); }
  operator ByMaterial<Value>() const { return {value_.data(), nullptr}; }

 private:
  Backend::Buffer<Value> value_;
};

/// A perturbed plate with a little more than 4000 elements. Curved: T6 mid-side nodes are off the middle of their
/// edges, so that no formula for straight edges passes where none is meant to.
inline Mesh large_mesh(ElementType type, Sides sides = Sides::curved) {
  Mesh mesh = rectangle(type, {40, 26}, {1.25, 1.0}, {-0.3, 0.2});
  perturb(mesh, 0.2, 11);
  if (type == ElementType::t6 && sides == Sides::curved) {
    std::mt19937 random(5);
    std::vector<char> mid(mesh.nodes.size(), 0);
    for (Index e = 0; e < mesh.element_count(); ++e)
      for (int i = 3; i < 6; ++i) mid[mesh.node(e, i)] = 1;
    for (std::size_t n = 0; n < mid.size(); ++n)
      if (mid[n]) {
        mesh.nodes[n].x += uniform(random, -5e-4, 5e-4);
        mesh.nodes[n].y += uniform(random, -5e-4, 5e-4);
      }
  }
  return mesh;
}

/// An element table on the host.
template <class Element>
struct HostRows {
  Index bulk;
  std::vector<ElementNode> nodes;
  std::vector<Index> neighbours;
  std::vector<Real> mass;
  std::vector<CohesiveRow<Element>> cohesive;

  /// Entries that nobody has written are -77, neighbours none.
  static HostRows make(Index bulk, Index cohesive) {
    using Table = ElementTable<Element>;
    CohesiveRow<Element> row;
    for (int side = 0; side < 2; ++side) {
      row.facets[side] = -77;
      for (Index& node : row.nodes[side]) node = -77;
    }
    return {bulk, std::vector<ElementNode>(Table::Nodes::extent(bulk), ElementNode{-77, {-77}}),
            std::vector<Index>(Table::Neighbours::extent(bulk), boundary_facet), std::vector<Real>(bulk, -77),
            std::vector<CohesiveRow<Element>>(cohesive, row)};
  }
  ElementTable<Element> table() { return {{nodes.data()}, {neighbours.data()}, mass.data(), cohesive.data(), bulk}; }
};

/// The same in solver memory.
template <class Element>
struct DeviceRows {
  Buffer<ElementNode> nodes;
  Buffer<Index> neighbours;
  Buffer<Real> mass;
  Buffer<CohesiveRow<Element>> cohesive;

  void upload(const HostRows<Element>& rows) {
    nodes.upload(rows.nodes);
    neighbours.upload(rows.neighbours);
    mass.upload(rows.mass);
    cohesive.upload(rows.cohesive);
  }
  HostRows<Element> download(Index bulk) const {
    return {bulk, nodes.download(nodes.size()), neighbours.download(neighbours.size()), mass.download(mass.size()),
            cohesive.download(cohesive.size())};
  }
  ElementTable<Element> table(Index bulk) {
    return {{nodes.data()}, {neighbours.data()}, mass.data(), cohesive.data(), bulk};
  }
};

template <class Element>
struct DeviceMesh {
  Mesh mesh;
  Colouring colouring;
  DeviceRows<Element> rows;
  Buffer<Vec2> position;

  explicit DeviceMesh(Mesh m, Index cohesive_rows = 0) : mesh(std::move(m)), colouring(colour_elements(mesh)) {
    const Index count = mesh.element_count();
    auto host = HostRows<Element>::make(count, cohesive_rows);
    const ElementTable<Element> t = host.table();
    for (Index e = 0; e < count; ++e) {
      for (int i = 0; i < Element::nodes; ++i) t.node(e, i) = mesh.node(e, i);
      for (int k = 0; k < 3; ++k) t.neighbour(e, k) = mesh.neighbour(e, k);
    }
    rows.upload(host);
    position.upload(points(mesh.nodes));
  }
  static std::vector<Vec2> points(const std::vector<Point>& p) {
    std::vector<Vec2> v;
    for (const Point& at : p) v.push_back({at.x, at.y});
    return v;
  }
  /// The table of the first `count` elements (all: -1).
  ElementTable<Element> table(Index count = -1) { return rows.table(count < 0 ? mesh.element_count() : count); }
  std::size_t nodes() const { return mesh.nodes.size(); }
};

/// `count` different elements in a random order; with colours apart, one list a colour.
inline std::vector<std::vector<Index>> random_lists(const Mesh& mesh, const Colouring& colouring, Index count,
                                                    bool by_colour, unsigned seed) {
  std::vector<Index> ids(mesh.element_count());
  std::iota(ids.begin(), ids.end(), 0);
  std::mt19937 random(seed);
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random() % i]);
  ids.resize(count);
  if (!by_colour) return {ids};
  std::vector<std::vector<Index>> lists(colouring.count);
  for (const Index e : ids) lists[colouring.colour[e]].push_back(e);
  return lists;
}

inline std::vector<reference::Vec> gathered(const Mesh& mesh, Index e, const std::vector<Vec2>& nodal) {
  std::vector<reference::Vec> v;
  for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
    const Vec2 at = nodal[mesh.node(e, i)];
    v.push_back({at.x, at.y});
  }
  return v;
}

/// Largest difference of two vectors, relative to the largest value.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double off = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    off = d > off || !(d == d) ? d : off;
    if (!(d == d)) return 1e300;
    scale = std::max(scale, std::abs(b[i]));
  }
  return scale > 0 ? off / scale : off;
}
inline std::vector<double> flat(const std::vector<Vec2>& v) {
  std::vector<double> out;
  for (const Vec2& x : v) {
    out.push_back(x.x);
    out.push_back(x.y);
  }
  return out;
}

}  // namespace cleave::test
