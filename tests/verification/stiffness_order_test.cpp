/// Order of convergence of the elements' stiffness alone: statics with a manufactured load.
#include "modes.hpp"
#include "statics.hpp"

namespace cleave::verification {
namespace {

/// Nodal forces of the body force rho omega^2 u of a standing wave, under which its shape is the static displacement.
std::vector<Point> body_force(const Mesh& mesh, const StandingWave& wave) {
  const double omega = 2 * M_PI / wave.period();
  std::vector<Point> forces(mesh.nodes.size());
  for (Index e = 0; e < mesh.element_count(); ++e)
    wave.for_each_point(mesh, e, [&](Point at, double weight, const std::vector<double>& shape) {
      const Point u = wave.displacement(at, 0);
      for (std::size_t i = 0; i < shape.size(); ++i) {
        Point& force = forces[mesh.node(e, static_cast<int>(i))];
        force.x += weight * shape[i] * wave.material.density * omega * omega * u.x;
        force.y += weight * shape[i] * wave.material.density * omega * omega * u.y;
      }
    });
  return forces;
}

}  // namespace

TEST_CASE("static displacements converge in L2 with the order of the element", "[elasticity]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const StandingWave wave{StandingWave::Kind::longitudinal, 1, 1, 1e-4, material};
  std::vector<double> size, error;
  std::vector<std::vector<double>> rows;
  for (const int n : {4, 8, 16}) {
    const Model m = wave.model(type, n, 0.15);
    size.push_back(1.0 / n);
    error.push_back(wave.l2_error(m.mesh, equilibrium(m, body_force(m.mesh, wave)), 0));
    rows.push_back({size.back(), error.back()});
  }
  const double p = order(size, error), expected = type == ElementType::t3 ? 2 : 3;
  CAPTURE(error);
  CHECK(p == Approx(expected).margin(0.15));
  const std::string plane = material.plane == PlaneType::stress ? "_stress" : "_strain";
  record("order in space, statics", std::string(name_of(type)) + " " + name_of(material.plane), expected, p, "",
         "0.15");
  write_series("statics_" + std::string(name_of(type)) + plane, "h,l2_error", rows);
}

}  // namespace cleave::verification
