#include "support.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>

#include "cleave/material/material_laws.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/facet.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"
#include "model/critical_step.hpp"

namespace cleave::verification {
namespace {

std::string folder() {
  const char* path = std::getenv("CLEAVE_VERIFICATION");
  return path == nullptr ? "" : path;
}

std::vector<std::string> find_backends() {
  std::vector<std::string> found{"cpu", "cpu gather"};
  if (!built_with_cuda()) return found;
  const std::string reason = why_no_cuda();
  if (reason.empty())
    found.insert(found.end(), {"cuda", "cuda gather"});
  else
    std::cerr << "\n*** NOT VERIFIED ON CUDA: " << reason << " ***\n\n";
  return found;
}

}  // namespace

const std::vector<std::string>& backends() {
  static const std::vector<std::string> found = find_backends();
  return found;
}

std::unique_ptr<Solver> make_solver(Model model, const std::string& backend, int threads) {
  if (backend.ends_with("gather")) model.assembly = Assembly::gather;
  return backend.starts_with("cuda") ? make_cuda_solver(model) : make_cpu_solver(model, threads);
}

void record(const std::string& claim, const std::string& quantity, double expected, double reached,
            const std::string& unit, const std::string& tolerance) {
  if (folder().empty()) return;
  std::filesystem::create_directories(folder());
  std::ofstream out(folder() + "/figures.csv", std::ios::app);
  out << claim << ';' << quantity << ';' << std::setprecision(8) << expected << ';' << reached << ';' << unit << ';'
      << tolerance << '\n';
}

void write_series(const std::string& name, const std::string& header, const std::vector<std::vector<double>>& rows) {
  if (folder().empty()) return;
  std::filesystem::create_directories(folder());
  std::ofstream out(folder() + "/" + name + ".csv");
  out << header << '\n' << std::setprecision(10);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) out << row[i] << (i + 1 < row.size() ? ',' : '\n');
}

Model make_model(const Mesh& mesh, const ElasticParameters& material, double fraction, double thickness) {
  return make_model(mesh, MaterialCase{.parameters = material}, fraction, thickness);
}

Model make_model(const Mesh& mesh, const MaterialCase& material, double fraction, double thickness) {
  Model m;
  m.mesh = mesh;
  std::vector<Index> elements(static_cast<std::size_t>(mesh.element_count()));
  std::iota(elements.begin(), elements.end(), 0);
  m.set_material(material);
  if (MaterialLaws::is_finite(material.law)) m.kinematics = Kinematics::finite;
  renumber(m.mesh, block_node_order(mesh, cut_blocks(m.material_ranges), elements), elements);
  m.colouring = colour_elements(m.mesh);
  m.thickness = thickness;
  m.assembly = Assembly::coloured;  // make_solver chooses gather
  m.critical_step = m.stable_step = critical_step(m);
  m.step = fraction * m.critical_step;
  m.displacement.resize(mesh.nodes.size());
  m.velocity.resize(mesh.nodes.size());
  m.motion_x.assign(mesh.nodes.size(), 0);
  m.motion_y.assign(mesh.nodes.size(), 0);
  return m;
}

void advance_to(Solver& solver, const Model& model, double t) {
  solver.advance(static_cast<Step>(std::lround(t / model.step)) - solver.step());
}

void set_displacement(Model& model, const Field& field) {
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) model.displacement[n] = field(model.mesh.nodes[n]);
}

void set_velocity(Model& model, const Field& field) {
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) model.velocity[n] = field(model.mesh.nodes[n]);
}

int add_motion(Model& model, double velocity, Curve curve) {
  model.motions.push_back({velocity, std::move(curve)});
  return static_cast<int>(model.motions.size());
}

namespace {
void move(const Mesh& mesh, std::vector<int>& motion, const char* group, int id) {
  if (group == nullptr) {
    motion.assign(motion.size(), id);
  } else {
    for (const Index n : mesh.find_group(group)->nodes) motion[n] = id;
  }
}
}  // namespace

void move_x(Model& model, const char* group, int id) { move(model.mesh, model.motion_x, group, id); }
void move_y(Model& model, const char* group, int id) { move(model.mesh, model.motion_y, group, id); }

double longitudinal_speed(const ElasticParameters& material) {
  return std::sqrt(LinearElastic::make(material).d11 / material.density);
}
double shear_speed(const ElasticParameters& material) {
  return std::sqrt(LinearElastic::make(material).d33 / material.density);
}

namespace {
/// Of a triangle on the first facet that may break, m.
double altitude_on_seam(const Model& model) {
  const auto& box = model.cohesive->insertion.box;
  for (Index e = 0; e < model.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Point a = model.mesh.nodes[model.mesh.node(e, (k + 1) % 3)];
      const Point b = model.mesh.nodes[model.mesh.node(e, (k + 2) % 3)];
      const double x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
      if (!is_intact(model.mesh.neighbour(e, k))) continue;
      if (!box || (x > (*box)[0] && y > (*box)[1] && x < (*box)[2] && y < (*box)[3]))
        return twice_area(model.mesh, e) / std::hypot(b.x - a.x, b.y - a.y);
    }
  return 0;
}
}  // namespace

double excess_dissipation(const Model& model) {
  // m* is the lightest mass of a node over its share of the facet: 1/3 over 1/2, or 1/19 over 1/6 of the triangle.
  const double lightest = model.mesh.type == ElementType::t3 ? 2.0 / 3 : 6.0 / 19;
  const double mass = lightest * model.materials.front().parameters.density * altitude_on_seam(model) / 2;
  const double cap = 2 * stiffness_safety(model) * mass / (model.step * model.step);
  const CohesiveMode& mode = model.cohesive->parameters.normal;
  return mode.strength * mode.strength / (2 * cap * mode.energy);
}

Mesh make_mesh(ElementType type, const std::vector<Point>& corners,
               const std::vector<std::array<Index, 3>>& triangles) {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = corners;
  for (const auto& t : triangles) mesh.elements.insert(mesh.elements.end(), t.begin(), t.end());
  connect(mesh);
  if (type == ElementType::t6) add_mid_sides(mesh);
  return mesh;
}

double order(const std::vector<double>& size, const std::vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(size.size());
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double x = std::log(size[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace cleave::verification
