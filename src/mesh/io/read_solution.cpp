#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cleave/mesh/solutions.hpp"
#include "mesh/io/inria_sections.hpp"

namespace cleave {
namespace {

const char* name_of_type(Index type) {
  constexpr const char* names[] = {"a scalar", "a vector", "a symmetric tensor", "a tensor"};
  return names[type - 1];
}

class Solution {
 public:
  Solution(InputFile& file, const SolutionVectors& vectors)
      : file_(file), vectors_(vectors), numbers_(file), sections_(file, numbers_, inria::solution_names) {}

  std::vector<std::vector<Point>> read() {
    sections_.for_each([this](int) { read_values(); });
    if (fields_.empty()) file_.fail_at(no_place, "there are no values at vertices: expected a section SolAtVertices");
    return std::move(fields_);
  }

 private:
  void read_values() {
    if (!fields_.empty()) file_.fail("SolAtVertices stands here a second time: leave one");
    const Index dimension = sections_.dimension_before(inria::sol_at_vertices);
    const std::int64_t vertices = numbers_.count("the number of SolAtVertices");
    if (std::find(vectors_.counts.begin(), vectors_.counts.end(), vertices) == vectors_.counts.end())
      file_.fail(fmt::format("there are values at {} vertices, but the mesh has {}: write them for this mesh", vertices,
                             fmt::join(vectors_.counts, " or ")));
    const std::vector<int> components = read_types(dimension);
    fields_.resize(vectors_.names.size());
    for (std::int64_t vertex = 1; vertex <= vertices; ++vertex)
      for (std::size_t f = 0; f < components.size(); ++f) {
        if (f < fields_.size())
          fields_[f].push_back(read_vector(vectors_.names[f], vertex, dimension));
        else
          for (int i = 0; i < components[f]; ++i) numbers_.real("a value");
      }
  }

  /// Returns the numbers of components of all fields.
  std::vector<int> read_types(Index dimension) {
    const std::vector<std::string>& names = vectors_.names;
    const Index count = numbers_.small("the number of fields");
    if (count < static_cast<Index>(names.size()))
      file_.fail(fmt::format("expected a vector each for {}, found {} field{}", fmt::join(names, " and "), count,
                             count == 1 ? "" : "s"));
    std::vector<int> components;
    for (Index f = 0; f < count; ++f) {
      const Index type = numbers_.small("the type of a field");
      components.push_back(inria::components_of(type, dimension));
      if (components.back() == 0) file_.fail(fmt::format("expected the type of a field, 1 to 4, found {}", type));
      if (f < static_cast<Index>(names.size()) && type != inria::vector)
        file_.fail(fmt::format("field {} is the {} and must be a vector (type 2), found {} (type {})", f + 1, names[f],
                               name_of_type(type), type));
    }
    return components;
  }

  Point read_vector(const std::string& name, std::int64_t vertex, Index dimension) {
    const Point v{read_component(name, vertex), read_component(name, vertex)};
    if (dimension == 3 && read_component(name, vertex) != 0)
      file_.fail(
          fmt::format("the {} of vertex {} leads out of the plane: its third component must be 0", name, vertex));
    return v;
  }

  double read_component(const std::string& name, std::int64_t vertex) {
    const double value = numbers_.real(name);
    if (!std::isfinite(value))
      file_.fail(fmt::format("the {} of vertex {} is {}: values must be finite", name, vertex, value));
    return value;
  }

  InputFile& file_;
  const SolutionVectors& vectors_;
  InriaNumbers numbers_;
  InriaSections sections_;
  std::vector<std::vector<Point>> fields_;
};

}  // namespace

std::vector<std::vector<Point>> read_solution(const std::filesystem::path& path, const SolutionVectors& vectors) {
  InputFile file(path, "a solution");
  return Solution(file, vectors).read();
}

}  // namespace cleave
