/// Clouds of triangles that contact may see, for tests of its kernels.
#pragma once

#include <random>
#include <vector>

#include "backend/backend.hpp"
#include "terms/contact/contact_steps.hpp"

namespace cleave::test {

/// CloudOnHost of their own nodes: part 3 e + k is side k of triangle e.
struct ContactCloud {
  Index triangles;
  const Vec2 *x, *moved;        ///< [node]
  const std::uint8_t* exposed;  ///< [triangle]
  bool is_one_node = false;     ///< all nodes count as those of every triangle
  bool may_all_be = false;      ///< all triangles may be exposed later

  CLEAVE_HD Index parts() const { return 3 * triangles; }
  CLEAVE_HD Index points() const { return 9 * triangles; }
  CLEAVE_HD Index parts_in_use() const { return is_one_node ? parts() - 1 : parts(); }
  CLEAVE_HD Index points_in_use() const { return points(); }
  CLEAVE_HD Index node(Index part, int end) const { return part / 3 * 3 + (part % 3 + end) % 3; }
  CLEAVE_HD Index beside(Index part, int end) const { return part / 3 * 3 + (part % 3 + (end == 1 ? 1 : 2)) % 3; }
  CLEAVE_HD Index joined(Index part, int end) const { return beside(part, end); }
  CLEAVE_HD bool is_sharp(Index part, int end) const {
    const Vec2 t = line_of(*this, part).tangent, other = line_of(*this, beside(part, end)).tangent;
    return -dot(t, other) > sharp_cosine;
  }
  CLEAVE_HD Vec2 position(Index n) const { return x[n]; }
  CLEAVE_HD Vec2 motion(Index n) const { return moved[n]; }
  CLEAVE_HD PartSpan span(Index part) const { return span_between_nodes(*this, part); }
  CLEAVE_HD void set_place(Index, const PartSpan&) const {}
  CLEAVE_HD void begin_step(Index) const {}
  CLEAVE_HD void press(Index, Index) const {}
  CLEAVE_HD bool is_pressed(Index) const { return true; }
  CLEAVE_HD bool is_forced(Index) const { return true; }
  CLEAVE_HD bool may_have_part(Index) const { return true; }
  CLEAVE_HD Index element(Index part) const { return part / 3; }
  CLEAVE_HD bool has_node(Index e, Index n) const { return is_one_node || n / 3 == e; }
  CLEAVE_HD bool share_node(Index e, Index other) const { return e == other; }
  CLEAVE_HD Real limit(Index part) const {
    const Vec2 *corner = x + part / 3 * 3, a = corner[1] - corner[0], b = corner[2] - corner[0], c = b - a;
    return Real(0.25) * cross(a, b) / larger(length_of(a), larger(length_of(b), length_of(c)));
  }
  CLEAVE_HD bool is_exposed(Index part) const { return exposed[part / 3] != 0; }
  CLEAVE_HD bool has_point(Index point) const { return exposed[point / 9] != 0; }
  CLEAVE_HD bool may_be_exposed(Index part) const { return may_all_be || is_exposed(part); }
  CLEAVE_HD bool may_have_point(Index point) const { return may_all_be || has_point(point); }
  CLEAVE_HD PointPlace place(Index point) const {
    const Index part = point / 3, a = node(part, 0), b = node(part, 1), e = part / 3;
    if (point % 3 == 0) return {{a, a}, {{beside(part, 0), part}}, e};
    if (point % 3 == 1) return {{a, b}, {{part, part}}, e};
    return {{b, b}, {{part, beside(part, 1)}}, e};
  }
  CLEAVE_HD Vec2 point_at(Index point) const { return place(point).position(*this); }
  CLEAVE_HD Real stiffness(Index point, Index) const { return point % 3 == 1 ? 4 : 1; }
  CLEAVE_HD Real depth_limit(Index point) const { return limit(point / 3); }
  template <class Visit>
  CLEAVE_HD void for_each_point_at(Index part, int end, Visit visit) const {
    visit(3 * part + 2 * end, Real(1));
    visit(3 * part + 1, Real(0.5));
  }
  template <class Visit>
  CLEAVE_HD void for_each_point_at_ends(Index part, Visit visit) const {
    visit(3 * part);
    visit(3 * beside(part, 0) + 2);
    visit(3 * part + 2);
    visit(3 * beside(part, 1));
  }
};

/// A cloud on the host.
struct CloudOnHost {
  std::vector<Vec2> x, moved;
  std::vector<std::uint8_t> exposed;

  ContactCloud here() const { return {static_cast<Index>(exposed.size()), x.data(), moved.data(), exposed.data()}; }
};
/// Its copy on the device.
class CloudOnDevice {
 public:
  explicit CloudOnDevice(const CloudOnHost& cloud) : triangles_(static_cast<Index>(cloud.exposed.size())) {
    x_.upload(cloud.x);
    moved_.upload(cloud.moved);
    exposed_.upload(cloud.exposed);
  }
  ContactCloud there() { return {triangles_, x_.data(), moved_.data(), exposed_.data()}; }

 private:
  Index triangles_;
  Backend::Buffer<Vec2> x_, moved_;
  Backend::Buffer<std::uint8_t> exposed_;
};

/// CloudOnHost of sizes up to `size` in a box; one in eight is not exposed.
inline CloudOnHost random_cloud(int seed, Index count, double width, double height, double size) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  CloudOnHost cloud;
  while (static_cast<Index>(cloud.exposed.size()) < count) {
    const double r = uniform(0.2, 1) * size, cx = uniform(-width, width), cy = uniform(3, 3 + height);
    Vec2 corner[3];
    for (Vec2& c : corner) c = {Real(cx + uniform(-r, r)), Real(cy + uniform(-r, r))};
    if (cross(corner[1] - corner[0], corner[2] - corner[0]) < 0) std::swap(corner[1], corner[2]);
    cloud.x.insert(cloud.x.end(), corner, corner + 3);
    cloud.exposed.push_back(cloud.exposed.size() % 8 != 5);
  }
  cloud.moved.assign(cloud.x.size(), {0, 0});
  return cloud;
}

}  // namespace cleave::test
