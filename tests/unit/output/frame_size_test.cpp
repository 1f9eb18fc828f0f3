#include "cleave/output/frame_size.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/solutions.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

double bytes_of(const Grid& grid) {
  double bytes = static_cast<double>(grid.points.bytes() + grid.connectivity.bytes());
  for (const auto* arrays : {&grid.point_data, &grid.cell_data})
    for (const GridArray& array : *arrays) bytes += static_cast<double>(array.bytes());
  const double offset_and_type = 4 + 1;
  return bytes + static_cast<double>(grid.cells) * offset_and_type;
}

const std::vector<ProcessField> process_fields{{.name = "flux", .on = FieldOn::node, .width = 2},
                                               {.name = "heat", .on = FieldOn::element},
                                               {.name = "wear", .on = FieldOn::cohesive}};

}  // namespace

TEST_CASE("the estimated size of a frame is that of its arrays for any fields") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Precision real = GENERATE(Precision::single_precision, Precision::double_precision);
  Snapshot s = two_triangles(type);
  s.strength_scale = {};
  Mesh mesh = mesh_of(s);
  const bool touches = GENERATE(false, true);
  const FrameSize size{
      type, static_cast<double>(s.position.size()), 2, static_cast<double>(s.cohesive.size()), touches, process_fields};
  FrameSize uncracked = size;
  uncracked.cohesive = 0;
  for (const ProcessField& field : process_fields) {
    const std::size_t rows = field.on == FieldOn::node      ? s.position.size()
                             : field.on == FieldOn::element ? 2
                                                            : s.cohesive.size();
    s.process_fields.push_back({field.name, field.on, field.width, std::vector<double>(rows * field.width)});
  }
  if (touches) {
    s.contact_traction.resize(s.position.size());
    s.contact_depth.resize(s.position.size());
  }
  const auto fields = GENERATE(std::vector<std::string>{}, std::vector<std::string>{"velocity"},
                               std::vector<std::string>{"stress", "pressure", "strain", "fragment"},
                               std::vector<std::string>{"equivalent_strain", "strain_energy_density", "original_node"},
                               std::vector<std::string>{"contact_depth"}, std::vector<std::string>{"flux", "wear"});
  FrameChoice choice{real, {}, 1};
  if (!fields.empty()) choice.fields = fields;
  CHECK(frame_bytes(uncracked, choice) == bytes_of(bulk_grid(s, mesh, {0, 1}, choice)));
  choice.fields = output_fields();  // cracks are counted with all of theirs
  choice.fields->push_back("wear");
  const double cracks = frame_bytes(size, choice) - frame_bytes(uncracked, choice);
  CHECK(cracks == bytes_of(cracks_grid(s, choice)));
}

TEST_CASE("the estimated size of files in INRIA's formats is theirs") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool binary = GENERATE(false, true);
  const bool t6 = type == ElementType::t6;
  const Mesh mesh = rectangle(type, {60, 40}, {3, 2});
  const FrameSize size = size_of_intact(mesh, false);
  FrameChoice choice, grids;
  grids.fields = choice.fields = {"displacement", "stress", "damage"};
  choice.inria = binary ? InriaFrames::meshb : InriaFrames::mesh;
  SolutionField displacement, stress{SolutionField::Type::symmetric_tensor, {}};
  for (Index n = 0; n < mesh.node_count(); ++n) {
    for (int i = 0; i < 2; ++i) displacement.values.push_back(1e-3 * std::sin(7 * n + i));
    for (int i = 0; i < 3; ++i) stress.values.push_back(1e6 * std::cos(11 * n + i));
  }
  const auto files =
      static_cast<double>(inria_file(mesh, binary).size() + solution_file({displacement, stress}, binary).size());
  const double estimated = frame_bytes(size, choice) - frame_bytes(size, grids);
  CHECK(estimated > (binary ? 0.98 : 0.8) * files);
  CHECK(estimated < (binary ? 1.02 : 1.4) * files);
  const double fields = size.nodes * 9 * 8 + size.elements * (t6 ? 6 : 3) * 4;
  const double snapshot = size.nodes * 56 + size.elements * (t6 ? 28 : 16);
  const double tensors = (size.nodes + size.elements) * 32;
  CHECK(frame_memory(size, {}, choice) >= snapshot + tensors + fields + estimated);
}

TEST_CASE("the memory of a frame agrees with a count by hand") {
  // 100 T3 with 60 nodes, velocities in single precision.
  const FrameSize size{ElementType::t3, 60, 100, 0};
  FrameChoice choice;
  choice.fields = {"velocity"};
  // Snapshot: position, displacement, velocity, mass; element nodes and fragment. The same as copied, with slots beside
  // the mass. Files: position and velocity; type, offset, connectivity.
  const double snapshot = 60 * 7 * 8 + 100 * 16, copied = 60 * (6 * 8 + 16) + 100 * 16;
  const double files = 60 * (24 + 12) + 100 * (5 + 12), fragments = 100 * 12 + 60 * 8;
  CHECK(frame_memory(size, {}, choice) == snapshot + std::max(copied, fragments + 2 * files));
  // What a device has copied to stays, and has half as much room again.
  CHECK(frame_memory(size, {Precision::double_precision, true}, choice) ==
        snapshot + 1.5 * copied + fragments + 2 * files);
  CHECK(frame_memory(size, {Precision::single_precision, true}, choice) ==
        snapshot + 1.5 * (60 * (6 * 4 + 12) + 100 * 16) + fragments + 2 * files);
  // The snapshot of a body that touches has tractions and depths of nodes; these files have neither.
  CHECK(frame_memory({ElementType::t3, 60, 100, 0, true}, {}, choice) ==
        snapshot + 60 * 3 * 8 + std::max(copied, fragments + 2 * files));
  // Fields of processes are copied and shown as doubles, if they are selected.
  const FrameSize of_heat{ElementType::t3, 60, 100, 0, false, process_fields};
  CHECK(frame_memory(of_heat, {}, choice) == frame_memory(size, {}, choice));
  choice.fields = {"velocity", "flux"};
  CHECK(frame_memory(of_heat, {}, choice) ==
        snapshot + 60 * 2 * 8 + std::max(copied + 60 * 2 * 8, fragments + 2 * (files + 60 * 2 * 4)));
  choice.fields = {"velocity", "stress"};
  const double tensors = (60 + 100) * 6 * 4, stress = (60 + 100) * 32, copied_stress = 60 * 32 + 100 * 8;
  CHECK(frame_memory(size, {}, choice) ==
        snapshot + std::max({stress + copied + copied_stress, stress + fragments + files + tensors,
                             fragments + 2 * (files + tensors)}));
}
