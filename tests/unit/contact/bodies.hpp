/// A small explicit program with bodies of linear triangles (St. Venant-Kirchhoff, leapfrog) whose contact points are
/// those of src/terms/contact. Candidates are all parts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "cleave/mesh/altitude.hpp"
#include "terms/contact/contact_point.hpp"

namespace cleave::test {

using Triangle = std::array<Index, 3>;

/// The surface of bodies, as src/terms/contact sees it.
struct BodySurface {
  std::vector<Vec2> x, dx;                                  ///< [node] present place, motion of this step
  std::vector<std::array<Index, 2>> nodes, besides, sharp;  ///< [part][end]
  std::vector<Index> owner;                                 ///< [part] element
  std::vector<double> limits, length;                       ///< [part]; length at rest
  std::vector<Triangle> triangles;

  Index parts() const { return static_cast<Index>(nodes.size()); }
  Index node(Index part, int end) const { return nodes[part][end]; }
  Index beside(Index part, int end) const { return besides[part][end]; }
  Index joined(Index part, int end) const { return beside(part, end); }
  bool is_sharp(Index part, int end) const { return sharp[part][end] != 0; }
  Vec2 position(Index n) const { return x[n]; }
  Vec2 motion(Index n) const { return dx[n]; }
  PartSpan span(Index part) const { return span_between_nodes(*this, part); }
  double limit(Index part) const { return limits[part]; }
  Index element(Index part) const { return owner[part]; }
  bool has_node(Index e, Index n) const { return std::count(triangles[e].begin(), triangles[e].end(), n) > 0; }
  bool share_node(Index e, Index other) const {
    return std::any_of(triangles[e].begin(), triangles[e].end(), [&](Index n) { return has_node(other, n); });
  }
};

/// The part that begins at a node.
inline Index part_from(const BodySurface& surface, Index node) {
  Index part = 0;
  while (surface.nodes[part][0] != node) ++part;
  return part;
}

/// Which ends of a part are sharp.
inline std::array<Index, 2> sharp_ends(const BodySurface& surface, Index part) {
  std::array<Index, 2> sharp{};
  const PartLine line = line_of(surface, part);
  for (int end = 0; end < 2; ++end) {
    const PartLine beside = line_of(surface, surface.beside(part, end));
    // The interior angle is pi less the turn.
    sharp[end] = turns_convex(line, beside, end) && -dot(line.tangent, beside.tangent) > sharp_cosine;
  }
  return sharp;
}

struct Elasticity {
  double young = 1, poisson = 0, density = 1;
  double speed() const { return std::sqrt(young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson)) / density); }
};

inline double area_of(Vec2 a, Vec2 b, Vec2 c) { return 0.5 * cross(b - a, c - a); }

class Bodies {
 public:
  BodySurface surface;
  std::vector<Vec2> v, force;        ///< [node]
  std::vector<double> mass;          ///< [node]
  std::vector<Index> body;           ///< [element]
  std::vector<PointPlace> places;    ///< [point] three a side: start, middle, end
  std::vector<ContactPoint> points;  ///< [point]
  Elasticity material;
  double dt = 0, friction = 0, fraction = 0.5;
  double given_stiffness = 0;  ///< k of all points, Pa/m; 0: by mesh and step
  bool with_contact = true;
  double booked = 0, heat = 0, deepest = 0;  ///< deepest: over the limit
  double internal_work = 0;
  int steps = 0;

  /// @param body_of  [triangle]; triangles of a body share nodes
  Bodies(std::vector<Vec2> nodes, std::vector<Triangle> triangles, std::vector<Index> body_of,
         Elasticity elasticity = {}, double step_fraction = 0.5)
      : body(std::move(body_of)), material(elasticity), fraction(step_fraction) {
    surface.x = std::move(nodes);
    surface.triangles = std::move(triangles);
    surface.dx.assign(surface.x.size(), {0, 0});
    v.assign(surface.x.size(), {0, 0});
    force = v;
    make_elements();
    make_surface();
    make_points();
  }

  /// Velocity of a body.
  void set_velocity(Index b, Vec2 velocity) {
    for (std::size_t e = 0; e < body.size(); ++e)
      if (body[e] == b)
        for (const Index n : surface.triangles[e]) v[n] = velocity;
  }
  double stiffness(std::size_t point, Index part) const {
    const Index own = static_cast<Index>(point / 3);
    const double s = std::min(0.3, 0.8 * (1 - fraction * fraction)),
                 penalty = 10 * material.young / surface.length[own];
    double k = penalty;
    for (const Index n : {places[point].node[0], places[point].node[1], surface.node(part, 0), surface.node(part, 1)})
      k = std::min(k, 2 * s * mass[n] / (dt * dt * tributary_[n]));
    if (given_stiffness > 0) k = given_stiffness;
    return k * (point % 3 == 1 ? 4.0 / 6 : 1.0 / 6) * surface.length[own] / 2;
  }
  /// The contact points of one step, after the nodes have moved.
  void contact_step() {
    std::vector<FloatBox> boxes;
    for (Index part = 0; part < surface.parts(); ++part) {
      const PartSpan span = surface.span(part);
      boxes.push_back(box_around(span.start, span.end, surface.limit(part) + largest_motion_of(surface, part)));
    }
    std::vector<Index> candidates;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vec2 now = places[i].position(surface);
      const FloatBox swept = box_around(now, now - places[i].motion(surface), 0);
      candidates.clear();
      for (Index part = 0; part < surface.parts(); ++part)
        if (swept.meets(boxes[part])) candidates.push_back(part);
      for (int contact = 0; contact < contacts_of_point; ++contact) step_contact(i, contact, candidates);
    }
  }
  void step_contact(std::size_t point, int contact, const std::vector<Index>& candidates) {
    ContactPoint& mine = points[contacts_of_point * point + contact];
    const ContactPoint& second = points[contacts_of_point * point + 1 - contact];
    const Index other = second.touching ? second.part : -1;
    if (contact == 1 && other < 0 && mine.part < 0) return;
    const ContactStep step = step_contact_point(
        surface, places[point], NearParts::all(candidates.data(), static_cast<Index>(candidates.size())), other,
        [&](Index part) { return stiffness(point, part); }, friction, mine);
    booked += step.booked;
    heat += step.dissipated;
    if (step.sunk > 0) deepest = std::max(deepest, step.sunk / std::min(surface.limit(mine.part), own_limit_[point]));
  }
  void add_contact_forces() {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ContactPoint& p = points[i];
      if (p.part < 0) continue;
      for (const Index n : places[i / contacts_of_point].node) force[n] += 0.5 * p.acting.on_point;
      force[surface.node(p.part, 0)] += p.acting.on_start;
      force[surface.node(p.part, 1)] += p.acting.on_end;
    }
  }
  /// x(n+1) = x(n) + dt v(n+1/2); v(n+3/2) = v(n+1/2) + dt a(n+1). The first step starts with v(1/2).
  void step() {
    for (std::size_t n = 0; n < v.size(); ++n) {
      surface.dx[n] = dt * v[n];
      surface.x[n] += surface.dx[n];
    }
    std::fill(force.begin(), force.end(), Vec2{0, 0});
    add_element_forces();
    if (with_contact) {
      contact_step();
      add_contact_forces();
    }
    for (std::size_t n = 0; n < v.size(); ++n) v[n] += dt / mass[n] * force[n];
    ++steps;
  }
  /// Energy of the points: stored and accounts.
  double contact_energy() const {
    double sum = 0;
    for (const ContactPoint& p : points) sum += p.state.energy();
    return sum;
  }
  double accounts() const {
    double sum = 0;
    for (const ContactPoint& p : points) sum += p.state.account;
    return sum;
  }
  int touching() const {
    return static_cast<int>(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.touching; }));
  }
  double strain_energy() const {
    double sum = 0;
    for (std::size_t e = 0; e < body.size(); ++e) sum += rest_[e].area * energy_density(e);
    return sum;
  }
  double kinetic_energy() const {  ///< of velocities in the middle of a step
    double sum = 0;
    for (std::size_t n = 0; n < v.size(); ++n) sum += 0.5 * mass[n] * dot(v[n], v[n]);
    return sum;
  }
  Vec2 momentum(Index b) const {
    Vec2 sum{0, 0};
    for_each_node_of(b, [&](Index n) { sum += mass[n] * v[n]; });
    return sum;
  }
  /// About the origin, of places in the middle between two steps' velocities.
  double angular_momentum() const {
    double sum = 0;
    for (std::size_t n = 0; n < v.size(); ++n) sum += mass[n] * cross(surface.x[n], v[n]);
    return sum;
  }
  double mass_of(Index b) const {
    double sum = 0;
    for_each_node_of(b, [&](Index n) { sum += mass[n]; });
    return sum;
  }
  /// Area that triangles of different bodies share.
  double overlap() const;

 private:
  struct Rest {
    double area, inverse[4];
  };
  std::vector<Rest> rest_;
  std::vector<double> tributary_, own_limit_;

  template <class Visit>
  void for_each_node_of(Index b, Visit visit) const {
    std::set<Index> seen;
    for (std::size_t e = 0; e < body.size(); ++e)
      if (body[e] == b)
        for (const Index n : surface.triangles[e])
          if (seen.insert(n).second) visit(n);
  }
  void make_elements() {
    mass.assign(v.size(), 0);
    double least = 1e300;
    for (const Triangle& t : surface.triangles) {
      const Vec2 a = surface.x[t[0]], b = surface.x[t[1]], c = surface.x[t[2]], p = b - a, q = c - a;
      const double twice = cross(p, q);
      rest_.push_back({twice / 2, {q.y / twice, -q.x / twice, -p.y / twice, p.x / twice}});
      for (const Index n : t) mass[n] += material.density * twice / 6;
      least = std::min(least, least_altitude(a, b, c));
    }
    dt = fraction * 0.7 * least / material.speed();
  }
  void make_surface() {
    std::map<std::array<Index, 2>, Index> sides;
    for (Index e = 0; e < static_cast<Index>(body.size()); ++e)
      for (int k = 0; k < 3; ++k) sides[{surface.triangles[e][k], surface.triangles[e][(k + 1) % 3]}] = e;
    std::map<Index, Index> begins, ends;
    for (const auto& [nodes, e] : sides) {
      if (sides.count({nodes[1], nodes[0]})) continue;
      begins[nodes[0]] = ends[nodes[1]] = surface.parts();
      surface.nodes.push_back(nodes);
      surface.owner.push_back(e);
      surface.length.push_back(length_of(surface.x[nodes[1]] - surface.x[nodes[0]]));
    }
    tributary_.assign(v.size(), 0);
    for (Index p = 0; p < surface.parts(); ++p) {
      surface.besides.push_back({ends[surface.nodes[p][0]], begins[surface.nodes[p][1]]});
      double least = 1e300;
      for (const Triangle& t : surface.triangles)
        for (const Index n : surface.triangles[surface.owner[p]])
          if (std::count(t.begin(), t.end(), n)) least = std::min(least, altitude(t));
      surface.limits.push_back(0.25 * least);
      for (const Index n : surface.nodes[p]) tributary_[n] += surface.length[p] / 2;
    }
    for (Index p = 0; p < surface.parts(); ++p) surface.sharp.push_back(sharp_ends(surface, p));
  }
  double altitude(const Triangle& t) const { return least_altitude(surface.x[t[0]], surface.x[t[1]], surface.x[t[2]]); }
  void make_points() {
    for (Index p = 0; p < surface.parts(); ++p) {
      const Index a = surface.nodes[p][0], b = surface.nodes[p][1], e = surface.owner[p];
      places.push_back({{a, a}, {{surface.besides[p][0], p}}, e});
      places.push_back({{a, b}, {{p, p}}, e});
      places.push_back({{b, b}, {{p, surface.besides[p][1]}}, e});
      for (int j = 0; j < 3; ++j) own_limit_.push_back(0.25 * altitude(surface.triangles[e]));
    }
    points.assign(contacts_of_point * places.size(), {});
  }
  /// Deformation gradient: columns of present sides over those at rest.
  std::array<double, 4> gradient(std::size_t e) const {
    const Triangle& t = surface.triangles[e];
    const Vec2 p = surface.x[t[1]] - surface.x[t[0]], q = surface.x[t[2]] - surface.x[t[0]];
    const double* g = rest_[e].inverse;
    return {p.x * g[0] + q.x * g[2], p.x * g[1] + q.x * g[3], p.y * g[0] + q.y * g[2], p.y * g[1] + q.y * g[3]};
  }
  std::array<double, 3> strain(const std::array<double, 4>& f) const {
    return {0.5 * (f[0] * f[0] + f[2] * f[2] - 1), 0.5 * (f[1] * f[1] + f[3] * f[3] - 1),
            0.5 * (f[0] * f[1] + f[2] * f[3])};
  }
  double energy_density(std::size_t e) const {
    const auto s = strain(gradient(e));
    const double lambda = material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson)),
                 mu = material.young / (2 * (1 + material.poisson)), trace = s[0] + s[1];
    return 0.5 * lambda * trace * trace + mu * (s[0] * s[0] + s[1] * s[1] + 2 * s[2] * s[2]);
  }
  void add_element_forces() {
    const double lambda = material.young * material.poisson / ((1 + material.poisson) * (1 - 2 * material.poisson)),
                 mu = material.young / (2 * (1 + material.poisson));
    for (std::size_t e = 0; e < body.size(); ++e) {
      const auto f = gradient(e);
      const auto s = strain(f);
      const double trace = s[0] + s[1], xx = lambda * trace + 2 * mu * s[0], yy = lambda * trace + 2 * mu * s[1],
                   xy = 2 * mu * s[2];
      const double p[4] = {f[0] * xx + f[1] * xy, f[0] * xy + f[1] * yy, f[2] * xx + f[3] * xy, f[2] * xy + f[3] * yy};
      const double* g = rest_[e].inverse;
      Vec2 sum{0, 0};
      for (int i = 0; i < 2; ++i) {  // nodes 1 and 2: P times the gradient of their shape functions
        const double gx = g[2 * i], gy = g[2 * i + 1];
        const Vec2 pull = -rest_[e].area * Vec2{p[0] * gx + p[1] * gy, p[2] * gx + p[3] * gy};
        force[surface.triangles[e][i + 1]] += pull;
        sum += pull;
        internal_work -= dot(pull, surface.dx[surface.triangles[e][i + 1]]);
      }
      force[surface.triangles[e][0]] += Real(-1) * sum;
    }
  }
};

/// Area that two triangles share: one is cut by the sides of the other.
inline double shared_area(const std::array<Vec2, 3>& subject, const std::array<Vec2, 3>& clip) {
  std::vector<Vec2> polygon(subject.begin(), subject.end());
  for (int k = 0; k < 3; ++k) {
    const PartLine line = line_between(clip[k], clip[(k + 1) % 3]);
    std::vector<Vec2> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      const double da = line.inwards(a), db = line.inwards(b);
      if (da >= 0) kept.push_back(a);
      if ((da >= 0) != (db >= 0)) kept.push_back(a + da / (da - db) * (b - a));
    }
    polygon = std::move(kept);
  }
  double area = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) area += area_of(polygon[0], polygon[i - 1], polygon[i]);
  return area;
}

inline double Bodies::overlap() const {
  double sum = 0;
  const auto corners = [&](std::size_t e) {
    const Triangle& t = surface.triangles[e];
    return std::array<Vec2, 3>{surface.x[t[0]], surface.x[t[1]], surface.x[t[2]]};
  };
  for (std::size_t a = 0; a < body.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (body[a] != body[b]) sum += shared_area(corners(a), corners(b));
  return sum;
}

/// Nodes and triangles of a bar of crossed quads, appended.
inline void add_bar(std::vector<Vec2>& nodes, std::vector<Triangle>& triangles, std::vector<Index>& body, Index number,
                    Vec2 origin, Vec2 size, int nx, int ny) {
  const Index first = static_cast<Index>(nodes.size());
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) nodes.push_back(origin + Vec2{size.x * i / nx, size.y * j / ny});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const Index a = first + j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1,
                  m = static_cast<Index>(nodes.size());
      nodes.push_back(0.25 * (nodes[a] + nodes[b] + nodes[c] + nodes[d]));
      for (const Triangle& t : {Triangle{a, b, m}, Triangle{b, c, m}, Triangle{c, d, m}, Triangle{d, a, m}}) {
        triangles.push_back(t);
        body.push_back(number);
      }
    }
}

}  // namespace cleave::test
