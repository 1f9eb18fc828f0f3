#include "cleave/mesh/solutions.hpp"

#include <cstring>
#include <random>

#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

using Vectors = std::vector<std::vector<Point>>;

const SolutionVectors displacement_and_velocity{{"displacement", "velocity"}, {3, 4}};

const std::string text =
    "MeshVersionFormatted 2\n\nDimension\n2\n\n# three vertices\nSolAtVertices\n3\n2 2 2\n\n"
    "1.5 -2 10 20\n0.1 0 30 40 # the second\n-3e-3 4 50 60\n\nEnd\n";

Vectors read(const std::string& name, const std::string& content,
             const SolutionVectors& vectors = displacement_and_velocity) {
  const TemporaryDirectory directory;
  return read_solution(directory.write(name, content), vectors);
}

/// The error without the folder of the file.
std::string error_in(const std::string& name, const std::string& content,
                     const SolutionVectors& vectors = displacement_and_velocity) {
  const TemporaryDirectory directory;
  const auto file = directory.write(name, content);
  const std::string folder = directory.path().string() + "/";
  const std::string error = input_error([&] { read_solution(file, vectors); });
  return error.starts_with(folder) ? error.substr(folder.size()) : error;
}

bool same(const std::vector<Point>& a, const std::vector<Point>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; });
}

template <class Number>
void put(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A displacement and a scalar at two vertices, in the widths of a version of the binary format; a section 112, which
/// no reader knows, stands between.
std::string binary_solution(int version) {
  std::string bytes;
  const auto place = [&](std::int64_t at) { version >= 3 ? put(bytes, at) : put(bytes, static_cast<Index>(at)); };
  const auto real = [&](double value) { version == 1 ? put(bytes, static_cast<float>(value)) : put(bytes, value); };
  const std::int64_t width = version >= 3 ? 8 : 4, count = version == 4 ? 8 : 4, size = version == 1 ? 4 : 8;
  put(bytes, Index{1});
  put(bytes, Index{version});
  put(bytes, Index{3});
  place(static_cast<std::int64_t>(bytes.size()) + width + 4);
  put(bytes, Index{2});
  put(bytes, Index{112});
  place(static_cast<std::int64_t>(bytes.size()) + width + 6);
  bytes += "noise!";
  put(bytes, Index{62});
  place(static_cast<std::int64_t>(bytes.size()) + width + count + 3 * 4 + 6 * size);
  version == 4 ? put(bytes, std::int64_t{2}) : put(bytes, Index{2});
  for (const Index n : {2, 2, 1}) put(bytes, n);
  for (const double value : {0.5, -0.25, 7.0, 1.5, 2.5, 8.0}) real(value);
  put(bytes, Index{54});
  place(0);
  return bytes;
}

}  // namespace

TEST_CASE("the vectors of a solution file are read in their order") {
  const Vectors found = read("a.sol", text);
  REQUIRE(found.size() == 2);
  CHECK(same(found[0], {{1.5, -2}, {0.1, 0}, {-3e-3, 4}}));
  CHECK(same(found[1], {{10, 20}, {30, 40}, {50, 60}}));
}

TEST_CASE("fields behind the vectors asked for are passed over") {
  const std::string more =
      with(with(text, "2 2 2\n", "4 2 1 3 4\n"), "1.5 -2 10 20\n0.1 0 30 40 # the second\n-3e-3 4 50 60",
           "1 2 9 9 9 9 9 9 9 9\n3 4 9 9 9 9 9 9 9 9\n5 6 9 9 9 9 9 9 9 9");
  const Vectors found = read("a.sol", more, {{"velocity"}, {3}});
  REQUIRE(found.size() == 1);
  CHECK(same(found[0], {{1, 2}, {3, 4}, {5, 6}}));
}

TEST_CASE("a solution in space lies in the plane") {
  const std::string space = with(text, "Dimension\n2", "Dimension 3");
  const std::string values = "1.5 -2 10 20\n0.1 0 30 40 # the second\n-3e-3 4 50 60";
  const Vectors found = read("a.sol", with(space, values, "1 2 0 3 4 0\n5 6 0 7 8 0\n9 1 0 2 3 0"));
  CHECK(same(found[0], {{1, 2}, {5, 6}, {9, 1}}));
  CHECK(same(found[1], {{3, 4}, {7, 8}, {2, 3}}));
  CHECK(error_in("a.sol", with(space, values, "1 2 0 3 4 0\n5 6 0 7 8 0.5\n9 1 0 2 3 0")) ==
        "a.sol:11: the velocity of vertex 2 leads out of the plane: its third component must be 0");
}

TEST_CASE("binary solutions of all versions are read, and unknown sections passed over") {
  for (int version = 1; version <= 4; ++version) {
    INFO("version " << version);
    const Vectors found = read("a.solb", binary_solution(version), {{"displacement"}, {2}});
    REQUIRE(found.size() == 1);
    CHECK(same(found[0], {{0.5, -0.25}, {1.5, 2.5}}));
  }
  CHECK_THAT(error_in("a.solb", binary_solution(5), {{"displacement"}, {2}}),
             Contains("expected the version 1, 2, 3 or 4, found 5"));
}

TEST_CASE("written solutions are read as they were, to the last bit") {
  const double third = 1.0 / 3, small = 5e-324, large = -1.7976931348623157e308;
  const std::vector<SolutionField> fields{{SolutionField::Type::vector, {third, 0.1, small, 0, large, -0.7}},
                                          {SolutionField::Type::vector, {1, 2, 3, 4, 5, 6}},
                                          {SolutionField::Type::symmetric_tensor, {1, 2, 3, 4, 5, 6, 7, 8, 9}}};
  for (const bool binary : {false, true}) {
    const Vectors found = read(binary ? "a.solb" : "a.sol", solution_file(fields, binary));
    REQUIRE(found.size() == 2);
    CHECK(same(found[0], {{third, 0.1}, {small, 0}, {large, -0.7}}));
    CHECK(same(found[1], {{1, 2}, {3, 4}, {5, 6}}));
  }
  const std::vector<SolutionField> few{{SolutionField::Type::vector, {0.5, -2}},
                                       {SolutionField::Type::symmetric_tensor, {1, 2, 3}}};
  CHECK(solution_file(few, false) ==
        "MeshVersionFormatted 2\nDimension\n2\nSolAtVertices\n1\n2 2 3\n0.5 -2 1 2 3\nEnd\n");
  CHECK(solution_file(few, true).size() == 4 + 4 + (4 + 8 + 4) + (4 + 8 + 4) + 3 * 4 + 5 * 8 + (4 + 8));
}

TEST_CASE("broken solution files are refused, each with its reason") {
  const SolutionVectors& both = displacement_and_velocity;
  const auto refused = [&](const std::string& content, const std::string& says) {
    INFO("should say: " << says);
    CHECK(error_in("a.sol", content, both) == says);
  };
  refused(with(text, "MeshVersionFormatted", "MeshVersion"),
          "a.sol:1: expected MeshVersionFormatted: this is no .sol file");
  refused(with(text, "MeshVersionFormatted 2", "MeshVersionFormatted 7"),
          "a.sol:1: expected the version 1, 2, 3 or 4, found 7");
  refused(with(text, "Dimension\n2\n", ""), "a.sol:5: expected Dimension before SolAtVertices");
  refused(with(text, "SolAtVertices", "SolAtEdges"),
          "a.sol: there are no values at vertices: expected a section SolAtVertices");
  refused(with(text, "Vertices\n3\n", "Vertices\n5\n"),
          "a.sol:8: there are values at 5 vertices, but the mesh has 3 or 4: write them for this mesh");
  refused(with(text, "Vertices\n3\n", "Vertices\n-3\n"), "a.sol:8: the number of SolAtVertices is -3, below 0");
  refused(with(text, "2 2 2\n", "1 2\n"),
          "a.sol:9: expected a vector each for displacement and velocity, found 1 field");
  refused(with(text, "2 2 2\n", "2 2 1\n"),
          "a.sol:9: field 2 is the velocity and must be a vector (type 2), found a scalar (type 1)");
  refused(with(text, "2 2 2\n", "2 3 2\n"),
          "a.sol:9: field 1 is the displacement and must be a vector (type 2), found a symmetric tensor (type 3)");
  refused(with(text, "2 2 2\n", "2 2 5\n"), "a.sol:9: expected the type of a field, 1 to 4, found 5");
  refused(with(text, "30 40", "nan 40"), "a.sol:12: the velocity of vertex 2 is nan: values must be finite");
  refused(with(text, "-3e-3 4", "-3e-3 inf"), "a.sol:13: the displacement of vertex 3 is inf: values must be finite");
  refused(with(text, "30 40", "30 4o"), "a.sol:12: expected velocity, found '4o'");
  refused(with(text, "50 60\n\nEnd\n", "50"),
          "a.sol:13: the file ends here, but velocity must follow: it is truncated");
  refused(with(text, "50 60\n", "50 60\n70 80 90 91\n"),
          "a.sol:14: SolAtVertices goes on with 70 behind its last row: its number of rows is too small");
  refused(with(text, "End\n", "SolAtVertices\n3\n1 2\n1 2 3 4 5 6\nEnd\n"),
          "a.sol:15: SolAtVertices stands here a second time: leave one");

  const std::string bytes = binary_solution(2);
  const SolutionVectors one{{"displacement"}, {2}};
  CHECK_THAT(error_in("a.solb", text, one), Contains("this is no .solb file"));
  CHECK_THAT(error_in("a.sol", bytes, one), Contains("this is no .sol file"));
  CHECK_THAT(error_in("a.solb", bytes.substr(0, bytes.size() - 20), one), Contains("truncated"));
  CHECK_THAT(error_in("a.solb", std::string{0, 0, 0, 1} + bytes.substr(4), one),
             Contains("the other order of bytes (endianness): save it as .sol there"));
  std::string wrong = bytes;
  const Index scalar = 1;  // of the first field: fewer bytes than the section says
  std::memcpy(wrong.data() + wrong.size() - 8 - 48 - 4, &scalar, sizeof scalar);
  std::memcpy(wrong.data() + wrong.size() - 8 - 48 - 12, &scalar, sizeof scalar);
  CHECK_THAT(error_in("a.solb", wrong, one), Contains("the section SolAtVertices ends at byte"));
}

TEST_CASE("a solution with wrong bytes is read or refused") {
  std::mt19937 random(5);
  int refused = 0;
  for (const auto& [name, content] : {std::pair<std::string, std::string>{"a.sol", text},
                                      std::pair<std::string, std::string>{"a.solb", binary_solution(3)}}) {
    const SolutionVectors vectors = name == "a.sol" ? displacement_and_velocity : SolutionVectors{{"velocity"}, {2}};
    for (int trial = 0; trial < 300; ++trial) {
      std::string wrong = content;
      for (int i = 0; i < 3; ++i) wrong[random() % wrong.size()] = static_cast<char>(random());
      refused += error_in(name, wrong, vectors).empty() ? 0 : 1;
    }
  }
  CHECK(refused > 100);
}
