/// A whole simulation in plain serial loops: what the solver should do, written from the formulas.
///
/// No colours, no tables, no stored stiffness; nodes are split by counting components of elements. Only the model's
/// input data are shared with the solver.
#pragma once

#include <functional>
#include <memory>

#include "cleave/solver/model.hpp"
#include "reference/energy_account.hpp"
#include "reference/linear_irreversible.hpp"
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
    double weight = 0;
    AccountedPoint state;
    StepAnswer last;  // of the last step
  };
  struct Cohesive {
    InteriorFacet facet;
    Step step = 0;
    CohesivePoint point[3];
  };
  struct Energies {
    double kinetic = 0, correction = 0, strain = 0, internal = 0, cohesive = 0, external = 0, reaction = 0;
    /// Of the cohesive elements: w + A, the sum of A alone, and the sum of D since insertion.
    double recoverable = 0, account = 0, dissipated = 0;
  };

  Simulation(const Model& model, std::vector<Path> motions = {}, std::vector<Path> pressures = {})
      : model_(model),
        motions_(std::move(motions)),
        pressures_(std::move(pressures)),
        per_element_(nodes_per_element(model.mesh.type)),
        facets_(interior_facets(model.mesh)) {
    const Mesh& mesh = model.mesh;
    for (int e = 0; e < mesh.element_count(); ++e) {
      std::vector<int> ids;
      for (int i = 0; i < per_element_; ++i) ids.push_back(mesh.node(e, i));
      elements_.push_back(ids);
      reference_.push_back(positions(mesh, e));
      const ElasticParameters& material = material_of(e);
      d_.push_back(elasticity(material.young_modulus, material.poisson_ratio, material.plane));
      strain_.emplace_back();
      for (const GaussPoint& at : gauss_points(per_element_))
        strain_.back().push_back(strain_matrix(reference_.back(), at));
      element_mass_.push_back(material.density * model.thickness * area(reference_.back()));
    }
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      Node node;
      node.u = {model.displacement[n].x, model.displacement[n].y};
      node.v = {model.velocity[n].x, model.velocity[n].y};
      node.motion[0] = model.motion_x[n];
      node.motion[1] = model.motion_y[n];
      nodes_.push_back(node);
    }
    if (model.cohesive) law_ = make_law(*model.cohesive);
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
    sum_forces(static_cast<double>(step_) * dt);
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
      for (const StrainMatrix& m : strain_[el]) {
        const auto eps = strain(m, displacement_of(el));
        const auto s = stress(d_[el], eps);
        e.strain += 0.5 * model_.thickness * m.area * (s[0] * eps[0] + s[1] * eps[1] + s[2] * eps[2]);
      }
    for (const Cohesive& c : cohesive_)
      for (const CohesivePoint& p : c.point) {
        e.recoverable += area_of(p) * (p.last.w + p.last.account);
        e.account += area_of(p) * p.last.account;
      }
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

  using Stress = std::array<double, 3>;  // xx, yy, xy

  /// A facet that breaks, with its traction at its three Gauss points.
  struct Breaking {
    InteriorFacet facet;
    std::array<Pair, 3> traction;
  };

  const ElasticParameters& material_of(int element) const {
    return model_.materials[model_.element_material[element]].parameters;
  }

  static std::unique_ptr<CohesiveLaw> make_law(const CohesiveCase& c) {
    if (c.law == "exponential")
      return std::make_unique<ExponentialLaw>(c.parameters.normal.energy,
                                              c.parameters.tangential.strength / c.parameters.normal.strength,
                                              c.parameters.tangential.energy / c.parameters.normal.energy,
                                              c.parameters.normal.strength, c.parameters.values.at(0));
    if (c.law == "linear")
      return std::make_unique<LinearIrreversibleLaw>(c.parameters.normal.energy,
                                                     c.parameters.tangential.strength / c.parameters.normal.strength,
                                                     c.parameters.tangential.energy / c.parameters.normal.energy);
    return std::make_unique<PprCohesive>(PprLaw{c.parameters.normal.energy, c.parameters.tangential.energy,
                                                c.parameters.normal.strength, c.parameters.tangential.strength,
                                                c.parameters.normal.shape, c.parameters.tangential.shape});
  }
  bool judges_elements() const { return model_.cohesive->law != "ppr"; }

  static void note_old_forces(Node& node) {
    node.old_internal = node.internal;
    node.old_cohesive = node.cohesive;
    node.old_external = node.external;
    for (int a = 0; a < 2; ++a) node.old_reaction[a] = node.motion[a] ? node.mass * node.a[a] - node.total(a) : 0;
  }

  /// Of an element's nodes, less that of the first: what strains it, however far it has moved.
  std::vector<Vec> displacement_of(std::size_t e) const {
    const Vec first = nodes_[elements_[e][0]].u;
    std::vector<Vec> u;
    for (const int n : elements_[e]) u.push_back({nodes_[n].u[0] - first[0], nodes_[n].u[1] - first[1]});
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
    const double t = static_cast<double>(step_) * dt;
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
    for (std::size_t e = 0; e < elements_.size(); ++e) add_internal(e);
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

  /// t sum_q w_q det J B^T s. Not K u: of a body that has flown far, the rounding of K would brake or push it.
  void add_internal(std::size_t e) {
    for (const StrainMatrix& m : strain_[e]) {
      const Stress s = stress(d_[e], strain(m, displacement_of(e)));
      for (int i = 0; i < 2 * per_element_; ++i)
        for (int p = 0; p < 3; ++p)
          nodes_[elements_[e][i / 2]].internal[i % 2] += model_.thickness * m.area * m.b[p][i] * s[p];
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
      const Pair opening{jump[0] * p.frame.n[0] + jump[1] * p.frame.n[1],
                         jump[0] * p.frame.s[0] + jump[1] * p.frame.s[1]};
      p.last = move_point(*law_, p.state, opening);
      work_.dissipated += area_of(p) * p.last.dissipated;
      for (std::size_t i = 0; i < n; ++i)
        for (int a = 0; a < 2; ++a) {
          const double f = area_of(p) * shape_at[i] *
                           (p.last.traction.normal * p.frame.n[a] + p.last.traction.tangential * p.frame.s[a]);
          nodes_[elements_[c.facet.a][sa[i]]].cohesive[a] -= f;
          nodes_[elements_[c.facet.b][sb[n - 1 - i]]].cohesive[a] += f;
        }
    }
  }

  /// By node and material: mean of the stresses that the node's elements of the material extrapolate to it.
  using NodalStresses = std::map<std::pair<int, int>, Stress>;
  NodalStresses nodal_stresses() const {
    NodalStresses nodal;
    std::map<std::pair<int, int>, int> count;
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      std::vector<Stress> at_points;
      for (const GaussPoint& at : gauss_points(per_element_))
        at_points.push_back(stress(d_[e], strain(reference_[e], displacement_of(e), at)));
      const auto at_nodes = to_nodes(per_element_, at_points);
      for (int i = 0; i < per_element_; ++i) {
        const std::pair key{elements_[e][i], static_cast<int>(model_.element_material[e])};
        ++count[key];
        for (int p = 0; p < 3; ++p) nodal[key][p] += at_nodes[i][p];
      }
    }
    for (auto& [key, mean] : nodal)
      for (double& s : mean) s /= count[key];
    return nodal;
  }

  /// Stress of an element on its facet k, r from the facet's first corner (-1) to its second (1). That of a straight T6
  /// is linear, so it is the one that its Gauss points extrapolate to.
  Stress stress_on_facet(int e, int k, double r) const {
    const Vec corner[3] = {{0, 0}, {1, 0}, {0, 1}};
    const Vec from = corner[(k + 1) % 3], to = corner[(k + 2) % 3];
    const auto between = [&](int a) { return (1 - r) / 2 * from[a] + (1 + r) / 2 * to[a]; };
    return stress(d_[e], strain(reference_[e], displacement_of(e), {between(0), between(1), 1}));
  }

  static Pair traction_of(const Stress& s, const Frame& frame) {
    const Vec t{s[0] * frame.n[0] + s[2] * frame.n[1], s[2] * frame.n[0] + s[1] * frame.n[1]};
    return {t[0] * frame.n[0] + t[1] * frame.n[1], t[0] * frame.s[0] + t[1] * frame.s[1]};
  }

  /// Traction over strength: breaks at 1. With tau = beta sigma the ellipse's is sigma_eff / sigma of law `linear`,
  /// too.
  double ratio(Pair t) const {
    const double n = std::max(t.normal, 0.0) / model_.cohesive->parameters.normal.strength;
    const double s = t.tangential / model_.cohesive->parameters.tangential.strength;
    if (model_.cohesive->insertion.criterion == Criterion::max) return std::max(n, std::abs(s));
    return std::sqrt(n * n + s * s);
  }

  bool may_break(const InteriorFacet& f) const {
    if (broken_.count(f.code())) return false;
    if (!model_.cohesive->insertion.box) return true;
    const auto x = facet_positions(f.a, f.ka);
    const Vec mid{(x.front()[0] + x.back()[0]) / 2, (x.front()[1] + x.back()[1]) / 2};
    const auto& box = *model_.cohesive->insertion.box;
    return mid[0] >= box[0] && mid[1] >= box[1] && mid[0] <= box[2] && mid[1] <= box[3];
  }

  /// Law `ppr`: the traction at a node of the facet is the mean of those of both sides, each from the node's mean
  /// stress of that side's material. Judged is the weighted mean over the nodes, or the most loaded node.
  double judge_nodes(const InteriorFacet& f, const NodalStresses& nodal, std::array<Pair, 3>& at_gauss) const {
    const auto x = facet_positions(f.a, f.ka);
    const auto slots = facet_slots(per_element_, f.ka);
    const int n = static_cast<int>(slots.size());
    Pair mean;
    double largest = 0;
    at_gauss = {};
    for (int i = 0; i < n; ++i) {
      const int node = elements_[f.a][slots[i]];
      const Frame frame = facet_frame(x, facet_node_parents(n)[i]);
      const Pair t = 0.5 * (traction_of(nodal.at({node, model_.element_material[f.a]}), frame) +
                            traction_of(nodal.at({node, model_.element_material[f.b]}), frame));
      mean = mean + facet_weights(n)[i] * t;
      largest = std::max(largest, ratio(t));
      for (int q = 0; q < 3; ++q) at_gauss[q] = at_gauss[q] + facet_shape(n, line_points()[q].r)[i] * t;
    }
    return model_.cohesive->insertion.aggregate == Aggregate::max ? largest : ratio(mean);
  }

  /// Law `linear`: tractions of the mean stress of both elements at the Gauss points. Judged is the mean of their
  /// ratios, or the most loaded point.
  double judge_elements(const InteriorFacet& f, std::array<Pair, 3>& at_gauss) const {
    const auto x = facet_positions(f.a, f.ka);
    double mean = 0, largest = 0;
    for (int q = 0; q < 3; ++q) {
      const double r = line_points()[q].r;
      const Stress a = stress_on_facet(f.a, f.ka, r), b = stress_on_facet(f.b, f.kb, -r);
      at_gauss[q] = traction_of({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}, facet_frame(x, r));
      mean += ratio(at_gauss[q]) / 3;
      largest = std::max(largest, ratio(at_gauss[q]));
    }
    return model_.cohesive->insertion.aggregate == Aggregate::max ? largest : mean;
  }

  void check_fracture() {
    NodalStresses nodal;
    if (!judges_elements()) nodal = nodal_stresses();
    std::vector<Breaking> breaking;
    for (const InteriorFacet& f : facets_) {
      if (!may_break(f)) continue;
      Breaking b{f, {}};
      if ((judges_elements() ? judge_elements(f, b.traction) : judge_nodes(f, nodal, b.traction)) >= 1)
        breaking.push_back(b);
    }
    for (const Breaking& b : breaking) start_cohesive(b);
    if (!breaking.empty()) split_nodes(breaking);
  }

  double length_of(const InteriorFacet& f) const {
    double length = 0;
    for (const LinePoint& at : line_points())
      length += at.weight * facet_frame(facet_positions(f.a, f.ka), at.r).jacobian;
    return length;
  }
  double area_of(const CohesivePoint& p) const { return p.weight * p.frame.jacobian * model_.thickness; }

  /// m*: the least mass of an element at a node of the facet, over the node's share of the facet, kg/m^2.
  double lightest_side(const InteriorFacet& f) const {
    double lightest = 1e300;
    for (const auto& [e, k] : {std::pair{f.a, f.ka}, std::pair{f.b, f.kb}}) {
      const auto slots = facet_slots(per_element_, k);
      const int n = static_cast<int>(slots.size());
      for (int i = 0; i < n; ++i)
        lightest = std::min(lightest, mass_share(per_element_, slots[i]) * element_mass_[e] /
                                          (facet_weights(n)[i] * length_of(f) * model_.thickness));
    }
    return lightest;
  }

  /// s of kc = 2 s m* / dt^2: what the step leaves of the limit s + f^2 < 1, unless the case gives it.
  double stiffness_safety() const {
    const double f = model_.step / model_.critical_step;
    return model_.cohesive->stiffness_safety.value_or(std::min(0.6, 0.8 * (1 - f * f)));
  }

  void start_cohesive(const Breaking& b) {
    const InteriorFacet& f = b.facet;
    const double kc = 2 * stiffness_safety() * lightest_side(f) / (model_.step * model_.step);
    const double modulus = std::min(material_of(f.a).young_modulus, material_of(f.b).young_modulus);
    const double kp = std::min(kc, model_.cohesive->contact_penalty * modulus / length_of(f));
    Cohesive c{f, step_, {}};
    for (int q = 0; q < 3; ++q) {
      CohesivePoint& p = c.point[q];
      p.frame = facet_frame(facet_positions(f.a, f.ka), line_points()[q].r);
      p.weight = line_points()[q].weight;
      p.state = insert_point(*law_, kc, kp, b.traction[q]);
    }
    cohesive_.push_back(c);
    broken_.insert(f.code());
  }

  /// Every component of element corners keeps a node of its own; the first of those that share one keeps it.
  void split_nodes(const std::vector<Breaking>& breaking) {
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
      for (const Breaking& b : breaking) {
        int& mid = elements_[b.facet.a][facet_slots(6, b.facet.ka)[1]];
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
  std::unique_ptr<CohesiveLaw> law_;
  std::vector<std::vector<int>> elements_;
  std::vector<std::vector<Vec>> reference_;
  std::vector<Matrix3> d_;                         // [element]
  std::vector<std::vector<StrainMatrix>> strain_;  // [element][Gauss point]
  std::vector<double> element_mass_;
  std::vector<Node> nodes_;
  std::vector<Cohesive> cohesive_;
  std::set<int> broken_;
  Energies work_;
  Step step_ = 0;
};

}  // namespace cleave::reference
