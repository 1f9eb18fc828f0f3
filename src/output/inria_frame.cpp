#include "output/inria_frame.hpp"

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/solutions.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/vtk.hpp"

namespace cleave {
namespace {

Mesh present_mesh(const Snapshot& s, const Mesh& mesh) {
  Mesh present;
  present.type = s.type;
  present.nodes = s.position;
  present.elements = s.elements;
  present.groups = mesh.groups;  // facets and triangles keep their ids
  return present;
}

SolutionField vectors(const std::vector<Point>& values) {
  SolutionField field{SolutionField::Type::vector, {}};
  field.values.reserve(2 * values.size());
  for (const Point& v : values) field.values.insert(field.values.end(), {v.x, v.y});
  return field;
}

SolutionField tensors(const std::vector<StressTensor>& values) {
  SolutionField field{SolutionField::Type::symmetric_tensor, {}};
  field.values.reserve(3 * values.size());
  for (const StressTensor& s : values) field.values.insert(field.values.end(), {s.xx, s.xy, s.yy});
  return field;
}

std::vector<SolutionField> fields_of(const Snapshot& s, const FrameChoice& choice) {
  std::vector<SolutionField> fields;
  if (choice.has("displacement")) fields.push_back(vectors(s.displacement));
  if (choice.has("velocity")) fields.push_back(vectors(s.velocity));
  if (choice.has("stress")) fields.push_back(tensors(s.nodal_stress));
  return fields;
}

}  // namespace

void write_inria_frame(const OutputDirectory& directory, std::int64_t number, const Snapshot& snapshot,
                       const Mesh& mesh, const FrameChoice& choice) {
  const bool binary = choice.inria == InriaFrames::meshb;
  std::filesystem::path name = frame_name("bulk", static_cast<std::size_t>(number));
  const auto write = [&](const char* extension, const std::string& text) {
    write_atomically(directory / name.replace_extension(extension).string(), text);
  };
  write(binary ? ".meshb" : ".mesh", inria_file(present_mesh(snapshot, mesh), binary));
  write(binary ? ".solb" : ".sol", solution_file(fields_of(snapshot, choice), binary));
}

}  // namespace cleave
