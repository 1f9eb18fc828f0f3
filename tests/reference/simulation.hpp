/// A whole simulation in plain serial loops: what the solver should do, written from the formulas.
///
/// No colours, no tables, no stored stiffness; nodes are split by counting components of elements. Only the model's
/// input data are shared with the solver.
#pragma once

#include <functional>

#include "cleave/solver/model.hpp"
#include "reference/ppr.hpp"
#include "reference/topology.hpp"
#include "reference/triangle.hpp"

namespace cleave::reference {

class Simulation {
 public:
  /// Displacement history of a prescribed motion and pressure history of a load, by index in the model.
  using Path = std::function<double(double time)>;

  struct CohesivePoint {
    Frame frame;
    double kc = 0, kp = 0, y0 = 0, weight = 0;
    PprState state;
    double dn = 0, dt = 0, tn = 0, tt = 0, w = 0;
    bool failed = false;
  };
  struct Cohesive {
    InteriorFacet facet;
    Step step = 0;
    CohesivePoint point[3];
  };
  struct Energies {
    double kinetic = 0, correction = 0, strain = 0, internal = 0, cohesive = 0, external = 0, reaction = 0;
    double recoverable = 0;
  };

  Simulation(const Model& model, std::vector<Path> motions = {}, std::vector<Path> pressures = {})
      : model_(model),
        motions_(std::move(motions)),
        pressures_(std::move(pressures)),
        per_element_(nodes_per_element(model.mesh.type)),
        facets_(interior_facets(model.mesh)),
        d_(elasticity(model.material.young_modulus, model.material.poisson_ratio, model.material.plane)) {
    const Mesh& mesh = model.mesh;
    for (int e = 0; e < mesh.element_count(); ++e) {
      std::vector<int> ids;
      for (int i = 0; i < per_element_; ++i) ids.push_back(mesh.node(e, i));
      elements_.push_back(ids);
      reference_.push_back(positions(mesh, e));
      stiffness_.push_back(stiffness(reference_.back(), d_, model.thickness));
      element_mass_.push_back(model.material.density * model.thickness * area(reference_.back()));
    }
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      Node node;
      node.u = {model.displacement[n].x, model.displacement[n].y};
      node.v = {model.velocity[n].x, model.velocity[n].y};
      node.motion[0] = model.motion_x[n];
      node.motion[1] = model.motion_y[n];
      nodes_.push_back(node);
    }
    if (model.cohesive) {
      const CohesiveCase& c = *model.cohesive;
      law_ = {c.normal.energy,       c.tangential.energy, c.normal.strength,
              c.tangential.strength, c.normal.shape,      c.tangential.shape};
    }
    sum_mass();
    sum_forces(0);
    for (Node& node : nodes_)
      for (int a = 0; a < 2; ++a) node.a[a] = node.total(a) / node.mass;
    prescribe();
    for (Node& node : nodes_) note_old_forces(node);
  }

  void take_step() {
    const double dt = model_.step;
    for (Node& node : nodes_)
      for (int a = 0; a < 2; ++a) {
        node.du[a] = dt * node.v[a] + dt * dt / 2 * node.a[a];
        node.u[a] += node.du[a];
      }
    ++step_;
    if (model_.cohesive && step_ % model_.cohesive->insertion.every == 0) check_fracture();
    sum_forces(step_ * dt);
    for (Node& node : nodes_)
      for (int a = 0; a < 2; ++a) {
        const double fresh = node.total(a) / node.mass;
        node.v[a] += dt / 2 * (node.a[a] + fresh);
        node.a[a] = fresh;
      }
    prescribe();
    for (Node& node : nodes_) {
      const Node old = node;
      note_old_forces(node);
      for (int a = 0; a < 2; ++a) {
        work_.internal += 0.5 * (old.old_internal[a] + node.internal[a]) * node.du[a];
        work_.cohesive += 0.5 * (old.old_cohesive[a] + node.cohesive[a]) * node.du[a];
        work_.external += 0.5 * (old.old_external[a] + node.external[a]) * node.du[a];
        work_.reaction += 0.5 * (old.old_reaction[a] + node.old_reaction[a]) * node.du[a];
      }
    }
  }

  Energies energies() const {
    Energies e = work_;
    const double dt = model_.step;
    for (const Node& node : nodes_)
      for (int a = 0; a < 2; ++a) {
        e.kinetic += 0.5 * node.mass * node.v[a] * node.v[a];
        e.correction += dt * dt / 8 * node.mass * node.a[a] * node.a[a];
      }
    for (std::size_t el = 0; el < elements_.size(); ++el)
      for (const GaussPoint& at : gauss_points(per_element_)) {
        const auto eps = strain(reference_[el], displacement_of(el), at);
        const auto s = stress(d_, eps);
        e.strain += 0.5 * model_.thickness * strain_matrix(reference_[el], at).area *
                    (s[0] * eps[0] + s[1] * eps[1] + s[2] * eps[2]);
      }
    for (const Cohesive& c : cohesive_)
      for (const CohesivePoint& p : c.point) e.recoverable += p.weight * p.frame.jacobian * model_.thickness * p.w;
    return e;
  }

  const std::vector<Cohesive>& cohesive() const { return cohesive_; }
  int node_count() const { return static_cast<int>(nodes_.size()); }
  Vec displacement(int e, int slot) const { return nodes_[elements_[e][slot]].u; }
  Vec velocity(int e, int slot) const { return nodes_[elements_[e][slot]].v; }
  double mass(int e, int slot) const { return nodes_[elements_[e][slot]].mass; }

 private:
  struct Node {
    Vec u{}, v{}, a{}, du{};
    double mass = 0;
    Vec internal{}, cohesive{}, external{};
    Vec old_internal{}, old_cohesive{}, old_external{}, old_reaction{};
    int motion[2] = {0, 0};
    double total(int axis) const { return external[axis] - internal[axis] - cohesive[axis]; }
  };

  static void note_old_forces(Node& node) {
    node.old_internal = node.internal;
    node.old_cohesive = node.cohesive;
    node.old_external = node.external;
    for (int a = 0; a < 2; ++a) node.old_reaction[a] = node.motion[a] ? node.mass * node.a[a] - node.total(a) : 0;
  }

  std::vector<Vec> displacement_of(std::size_t e) const {
    std::vector<Vec> u;
    for (const int n : elements_[e]) u.push_back(nodes_[n].u);
    return u;
  }
  std::vector<Vec> facet_positions(int e, int k) const {
    std::vector<Vec> x;
    for (const int slot : facet_slots(per_element_, k)) x.push_back(reference_[e][slot]);
    return x;
  }

  void sum_mass() {
    for (Node& node : nodes_) node.mass = 0;
    for (std::size_t e = 0; e < elements_.size(); ++e)
      for (int i = 0; i < per_element_; ++i)
        nodes_[elements_[e][i]].mass += mass_share(per_element_, i) * element_mass_[e];
  }

  void prescribe() {
    const double dt = model_.step;
    const double t = step_ * dt;
    for (Node& node : nodes_)
      for (int axis = 0; axis < 2; ++axis) {
        if (node.motion[axis] == 0) continue;
        const Path& path = motions_[node.motion[axis] - 1];
        const double before = path(t - dt), here = path(t), after = path(t + dt);
        node.v[axis] = (after - before) / (2 * dt);
        node.a[axis] = ((after - here) - (here - before)) / (dt * dt);
      }
  }

  void sum_forces(double time) {
    for (Node& node : nodes_) node.internal = node.cohesive = node.external = Vec{};
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const int dofs = 2 * per_element_;
      const auto u = displacement_of(e);
      for (int r = 0; r < dofs; ++r)
        for (int c = 0; c < dofs; ++c)
          nodes_[elements_[e][r / 2]].internal[r % 2] += stiffness_[e][r * dofs + c] * u[c / 2][c % 2];
    }
    for (Cohesive& c : cohesive_) add_cohesive(c);
    for (std::size_t l = 0; l < model_.loads.size(); ++l)
      for (const Index code : model_.loads[l].facets) {
        const int e = code / 3, k = code % 3;
        const auto f = pressure_forces(facet_positions(e, k), pressures_[l](time), model_.thickness);
        const auto slots = facet_slots(per_element_, k);
        for (std::size_t i = 0; i < f.size(); ++i)
          for (int a = 0; a < 2; ++a) nodes_[elements_[e][slots[i]]].external[a] += f[i][a];
      }
  }

  void add_cohesive(Cohesive& c) {
    const auto sa = facet_slots(per_element_, c.facet.ka), sb = facet_slots(per_element_, c.facet.kb);
    const std::size_t n = sa.size();
    const auto gauss = line_points();
    for (int q = 0; q < 3; ++q) {
      CohesivePoint& p = c.point[q];
      const auto shape_at = facet_shape(static_cast<int>(n), gauss[q].r);
      Vec jump{};
      for (std::size_t i = 0; i < n; ++i)
        for (int a = 0; a < 2; ++a)
          jump[a] += shape_at[i] *
                     (nodes_[elements_[c.facet.b][sb[n - 1 - i]]].u[a] - nodes_[elements_[c.facet.a][sa[i]]].u[a]);
      p.dn = jump[0] * p.frame.n[0] + jump[1] * p.frame.n[1];
      p.dt = jump[0] * p.frame.s[0] + jump[1] * p.frame.s[1];
      const PprAnswer answer = respond(law_, p.state, p.dn, p.dt, p.kc, p.kp, p.y0);
      p.tn = answer.tn;
      p.tt = answer.tt;
      p.w = answer.w;
      p.failed = answer.failed;
      for (std::size_t i = 0; i < n; ++i)
        for (int a = 0; a < 2; ++a) {
          const double f = p.weight * p.frame.jacobian * model_.thickness * shape_at[i] *
                           (p.tn * p.frame.n[a] + p.tt * p.frame.s[a]);
          nodes_[elements_[c.facet.a][sa[i]]].cohesive[a] -= f;
          nodes_[elements_[c.facet.b][sb[n - 1 - i]]].cohesive[a] += f;
        }
    }
  }

  void check_fracture() {
    const InsertionCase& rule = model_.cohesive->insertion;
    std::vector<std::array<double, 3>> nodal(nodes_.size(), {0, 0, 0});
    std::vector<int> count(nodes_.size(), 0);
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      std::vector<std::array<double, 3>> at_points;
      for (const GaussPoint& at : gauss_points(per_element_))
        at_points.push_back(stress(d_, strain(reference_[e], displacement_of(e), at)));
      const auto at_nodes = to_nodes(per_element_, at_points);
      for (int i = 0; i < per_element_; ++i) {
        ++count[elements_[e][i]];
        for (int p = 0; p < 3; ++p) nodal[elements_[e][i]][p] += at_nodes[i][p];
      }
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (double& s : nodal[n]) s /= count[n];

    const auto ratio = [&](double tn, double tt) {
      const double n = std::max(tn, 0.0) / law_.sigma, t = tt / law_.tau;
      return std::sqrt(n * n + t * t);
    };
    std::vector<std::pair<InteriorFacet, std::vector<Vec>>> breaking;
    for (const InteriorFacet& f : facets_) {
      if (broken_.count(f.code())) continue;
      const auto x = facet_positions(f.a, f.ka);
      const auto slots = facet_slots(per_element_, f.ka);
      const int n = static_cast<int>(slots.size());
      if (rule.box) {
        const Vec mid{(x.front()[0] + x.back()[0]) / 2, (x.front()[1] + x.back()[1]) / 2};
        const auto& box = *rule.box;
        if (mid[0] < box[0] || mid[1] < box[1] || mid[0] > box[2] || mid[1] > box[3]) continue;
      }
      std::vector<Vec> traction;  // normal, tangential at the facet's nodes
      Vec mean{};
      double largest = 0;
      for (int i = 0; i < n; ++i) {
        const Frame frame = facet_frame(x, facet_node_parents(n)[i]);
        const auto& s = nodal[elements_[f.a][slots[i]]];
        const Vec t{s[0] * frame.n[0] + s[2] * frame.n[1], s[2] * frame.n[0] + s[1] * frame.n[1]};
        traction.push_back({t[0] * frame.n[0] + t[1] * frame.n[1], t[0] * frame.s[0] + t[1] * frame.s[1]});
        for (int a = 0; a < 2; ++a) mean[a] += facet_weights(n)[i] * traction.back()[a];
        largest = std::max(largest, ratio(traction.back()[0], traction.back()[1]));
      }
      const double r = rule.aggregate == Aggregate::max ? largest : ratio(mean[0], mean[1]);
      if (r >= 1) breaking.emplace_back(f, traction);
    }
    for (const auto& [facet, traction] : breaking) start_cohesive(facet, traction);
    if (!breaking.empty()) split_nodes(breaking);
  }

  void start_cohesive(const InteriorFacet& f, const std::vector<Vec>& traction) {
    const auto x = facet_positions(f.a, f.ka);
    const int n = static_cast<int>(x.size());
    const auto gauss = line_points();
    double length = 0;
    for (const LinePoint& at : gauss) length += at.weight * facet_frame(x, at.r).jacobian;
    double lightest = 1e300;
    for (int i = 0; i < n; ++i)
      for (const auto& [e, k] : {std::pair{f.a, f.ka}, std::pair{f.b, f.kb}})
        lightest = std::min(lightest, mass_share(per_element_, facet_slots(per_element_, k)[i]) * element_mass_[e] /
                                          (facet_weights(n)[i] * length * model_.thickness));
    Cohesive c{f, step_, {}};
    for (int q = 0; q < 3; ++q) {
      CohesivePoint& p = c.point[q];
      p.frame = facet_frame(x, gauss[q].r);
      p.weight = gauss[q].weight;
      p.kc = 2 * model_.cohesive->stiffness_safety * lightest / (model_.step * model_.step);
      p.kp = std::min(p.kc, model_.cohesive->contact_penalty * model_.material.young_modulus / length);
      double tt0 = 0;
      for (int i = 0; i < n; ++i) tt0 += facet_shape(n, gauss[q].r)[i] * traction[i][1];
      p.y0 = std::clamp(tt0, -law_.tau, law_.tau) / p.kc;
      p.state = {0, std::abs(p.y0)};
    }
    cohesive_.push_back(c);
    broken_.insert(f.code());
  }

  /// Every component of element corners keeps a node of its own; the first of those that share one keeps it.
  void split_nodes(const std::vector<std::pair<InteriorFacet, std::vector<Vec>>>& breaking) {
    const auto component = corner_components(model_.mesh, facets_, broken_);
    std::map<int, int> owner;                 // node -> component that keeps it
    std::map<std::pair<int, int>, int> copy;  // (node, component) -> its node
    for (std::size_t e = 0; e < elements_.size(); ++e)
      for (int c = 0; c < 3; ++c) {
        const int node = elements_[e][c], part = component[corner_id(static_cast<int>(e), c)];
        if (owner.try_emplace(node, part).first->second == part) continue;
        const auto [at, fresh] = copy.try_emplace({node, part}, node_count());
        if (fresh) duplicate(node);
        elements_[e][c] = at->second;
      }
    if (per_element_ == 6)
      for (const auto& [f, traction] : breaking) {
        int& mid = elements_[f.a][facet_slots(6, f.ka)[1]];
        duplicate(mid);
        mid = node_count() - 1;
      }
    sum_mass();
  }
  void duplicate(int node) {
    Node copy = nodes_[node];
    copy.old_internal = copy.old_cohesive = copy.old_external = copy.old_reaction = Vec{};
    nodes_.push_back(copy);
  }

  const Model& model_;
  std::vector<Path> motions_, pressures_;
  int per_element_;
  std::vector<InteriorFacet> facets_;
  Matrix3 d_;
  PprLaw law_{1, 1, 1, 1, 2, 2};
  std::vector<std::vector<int>> elements_;
  std::vector<std::vector<Vec>> reference_;
  std::vector<std::vector<double>> stiffness_;
  std::vector<double> element_mass_;
  std::vector<Node> nodes_;
  std::vector<Cohesive> cohesive_;
  std::set<int> broken_;
  Energies work_;
  Step step_ = 0;
};

}  // namespace cleave::reference
