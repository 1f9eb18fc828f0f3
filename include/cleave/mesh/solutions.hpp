/// Values at the vertices of a mesh file in INRIA's formats .sol (ASCII) and .solb (binary).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Vectors that a solution file must begin with.
struct SolutionVectors {
  std::vector<std::string> names;    ///< for messages, such as "displacement", "velocity"
  std::vector<std::int64_t> counts;  ///< the numbers of vertices that it may have
};

/// Reads the first fields of a file, which must be vectors in the plane; further fields are passed over.
/// @return [name][vertex]
/// Throws InputError that names the file and the place (line or byte).
std::vector<std::vector<Point>> read_solution(const std::filesystem::path& file, const SolutionVectors& vectors);

/// A field at vertices in the plane.
struct SolutionField {
  enum class Type { vector = 2, symmetric_tensor = 3 };
  Type type = Type::vector;
  std::vector<double> values;  ///< [vertex][component]; components x, y or xx, xy, yy
};

/// Text of a .sol file, or bytes of a .solb file of version 3, with at least one field.
std::string solution_file(const std::vector<SolutionField>& fields, bool binary);

}  // namespace cleave
