#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/readers.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "model/regions.hpp"

namespace cleave {
namespace {

Mesh generate_or_read(const MeshCase& c) {
  if (c.shape == MeshShape::file) return read_mesh(c.file);
  const bool crossed = c.pattern == MeshPattern::crossed;
  const ElementType type = crossed ? c.element : ElementType::t3;
  Mesh mesh = c.shape == MeshShape::ring
                  ? ring(type, c.divisions, c.inner_radius, c.outer_radius)
                  : rectangle(type, c.divisions, c.size, c.origin, c.notch_length, c.notch_height);
  if (!crossed) mesh = delaunay(std::move(mesh), c.element, c.perturbation_seed);
  // Sizes that differ by many orders of magnitude can still collapse elements.
  check_mesh(mesh, "generated mesh");
  return mesh;
}

}  // namespace

Mesh make_mesh(const Case& c) {
  Mesh mesh = generate_or_read(c.mesh);
  perturb(mesh, c.mesh.perturbation_amplitude, c.mesh.perturbation_seed);
  add_regions(mesh, c);
  if (c.mesh.numbering == Numbering::hilbert) renumber_hilbert(mesh);
  return mesh;
}

}  // namespace cleave
