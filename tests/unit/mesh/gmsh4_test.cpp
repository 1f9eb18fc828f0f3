#include <fmt/format.h>

#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// The unit square_of_entities of two triangles, as Gmsh writes it: an entity of two groups, nodes with parameters,
/// sparse tags.
const std::string square_of_entities =
    "$MeshFormat\n"                                    // 1
    "4.1 0 8\n"                                        // 2
    "$EndMeshFormat\n"                                 // 3
    "$PhysicalNames\n"                                 // 4
    "4\n"                                              // 5
    "0 9 \"origin\"\n"                                 // 6
    "1 1 \"bottom\"\n"                                 // 7
    "1 2 \"outline\"\n"                                // 8
    "2 4 \"body\"\n"                                   // 9
    "$EndPhysicalNames\n"                              // 10
    "$Entities\n"                                      // 11
    "2 3 1 0\n"                                        // 12
    "1 0 0 0 1 9 \n"                                   // 13
    "2 9 9 0 0 \n"                                     // 14: a point of the geometry only
    "1 0 0 0 1 0 0 2 1 2 2 1 -2 \n"                    // 15
    "2 0 0 0 1 1 0 1 -2 2 1 -2 \n"                     // 16: the group turns the curve around
    "3 0 0 0 1 1 0 1 7 0 \n"                           // 17: inside the body, without a name
    "1 0 0 0 1 1 0 1 4 4 1 2 3 4 \n"                   // 18
    "$EndEntities\n"                                   // 19
    "$Nodes\n"                                         // 20
    "3 5 10 50\n"                                      // 21
    "0 2 0 1\n50\n9 9 0\n"                             // 22 - 24
    "1 1 1 2\n10\n20\n0 0 0 0\n1 0 0 1\n"              // 25 - 29: parameters on a curve
    "2 1 1 2\n30\n40\n1 1 0 1 1\n0 1 0 0 1\n"          // 30 - 34: and on a surface
    "$EndNodes\n"                                      // 35
    "$Comments\nanything, $Nodes too\n$EndComments\n"  // 36 - 38
    "$Elements\n"                                      // 39
    "5 6 1 102\n"                                      // 40
    "0 1 15 1\n1 10 \n"                                // 41, 42
    "1 1 1 1\n2 20 10 \n"                              // 43, 44
    "1 2 1 1\n3 30 20 \n"                              // 45, 46
    "1 3 1 1\n4 10 30 \n"                              // 47, 48
    "2 1 2 2\n102 10 20 30 \n101 10 30 40 \n"          // 49 - 51
    "$EndElements\n";                                  // 52

}  // namespace

TEST_CASE("a Gmsh 4.1 file is read with the groups of its entities") {
  const Mesh mesh = read_text("plate.msh", square_of_entities);
  CHECK(mesh.type == ElementType::t3);
  CHECK(mesh.original_nodes == std::vector<Index>{10, 20, 30, 40});
  CHECK(mesh.original_elements == std::vector<Index>{102, 101});
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.nodes[2].x == 1);
  CHECK(mesh.nodes[3].y == 1);
  CHECK(neighbours_match(mesh));
  REQUIRE(mesh.groups.size() == 5);
  CHECK(mesh.find_group("origin")->nodes == std::vector<Index>{0});
  CHECK(mesh.find_group("bottom")->facets == std::vector<Index>{facet_code(0, 2)});
  CHECK(mesh.find_group("outline")->facets == std::vector<Index>{facet_code(0, 0), facet_code(0, 2)});
  CHECK(mesh.find_group("body")->elements == std::vector<Index>{0, 1});
  CHECK(mesh.find_group("7")->inside == std::vector<Index>{facet_code(0, 1)});
  CHECK(mesh.find_group("7")->nodes == std::vector<Index>{0, 2});
}

TEST_CASE("tags of a Gmsh 4.1 file may be sparse and have 64 bits") {
  const std::size_t nodes = square_of_entities.find("$Nodes\n3"), elements = square_of_entities.find("$Elements");
  std::string text = square_of_entities.substr(0, nodes) +
                     "$Nodes\n1 5 1 9000000000000000001\n2 1 0 5\n50\n9000000000000000001\n20\n7000000000\n40\n"
                     "9 9 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n" +
                     square_of_entities.substr(elements);
  text = with(with(text, "\n1 10 \n", "\n1 9000000000000000001 \n"), "20 10 \n", "20 9000000000000000001\n");
  text = with(with(text, "3 30 20", "3 7000000000 20"), "4 10 30", "4 9000000000000000001 7000000000");
  text = with(with(text, "10 20 30", "9000000000000000001 20 7000000000"), "10 30 40",
              "9000000000000000001 7000000000 40");
  const Mesh mesh = read_text("plate.msh", text);
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.original_nodes == std::vector<Index>{1, 2, 3, 4});
  CHECK(mesh.groups.size() == 5);
}

TEST_CASE("a Gmsh 4.1 file without entities has no groups") {
  const std::size_t begin = square_of_entities.find("$PhysicalNames"), end = square_of_entities.find("$Nodes\n3");
  const Mesh mesh = read_text("plate.msh", square_of_entities.substr(0, begin) + square_of_entities.substr(end));
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.groups.empty());
}

TEST_CASE("wrong Gmsh 4.1 files are refused with the line") {
  const auto check = [](const std::string& from, const std::string& to, int line, const std::string& says) {
    INFO(from << " -> " << to);
    CHECK_THAT(gmsh_error(with(square_of_entities, from, to)),
               StartsWith(fmt::format("plate.msh:{}: ", line)) && Contains(says));
  };
  check("4.1 0 8", "4.0 0 8", 2, "version 4.0");
  check("3 5 10 50", "3 6 10 50", 34, "the section has 6 nodes, but its blocks have 5");
  check("3 5 10 50", "3 4 10 50", 30, "a block of 2 nodes must not follow: the section has 4, 3 of them before");
  check("3 5 10 50", "4 5 10 50", 35,
        "expected the dimension of an entity, found '$EndNodes': the section is truncated");
  check("3 5 10 50", "2 5 10 50", 29, "the section has 5 nodes, but its blocks have 3");
  check("5 6 1 102", "5 7 1 102", 51, "the section has 7 elements, but its blocks have 6");
  check("5 6 1 102", "4 6 1 102", 48, "the section has 6 elements, but its blocks have 4");
  check("2 1 2 2\n", "2 1 3 2\n", 49, "elements of surface 1 have Gmsh type 3, a quadrangle");
  check("2 1 2 2\n", "3 1 4 2\n", 49, "which is not in $Entities");
  check("2 1 2 2\n", "2 8 2 2\n", 49, "elements belong to surface 8, which is not in $Entities");
  check("2 1 2 2\n", "2 1 99 2\n", 49, "Gmsh type 99, not known here");
  check("2 1 2 2\n", "2 1 1 2\n", 49, "Gmsh type 1, which has another dimension");
  check("2 1 2 2\n", "7 1 2 2\n", 49, "expected the dimension of an entity, 0 to 3, found 7");
  check("102 10 20 30", "102 10 20 31", 50, "element 102 refers to node 31");
  check("102 10 20 30", "102 10 20 x", 50, "expected a node of an element, found 'x'");
  check("\n10\n20\n", "\n10\n10\n", 27, "node 10 is defined a second time");
  check("1 1 1 2\n", "1 1 2 2\n", 25, "whether nodes have parameters, found 2");
  check("2 3 1 0\n", "2 3 -1 0\n", 12, "the number of surfaces of the geometry is -1");
  check("$Entities\n", "$PartitionedEntities\n", 11, "partitions");
  check("4 10 30 \n", "4 20 40 \n", 48, "line 4 between nodes 20 and 40 is no side of a triangle");
}

TEST_CASE("Gmsh 4.1 files truncated anywhere are refused") {
  for (std::size_t size = 0; size < square_of_entities.size() - 14; ++size) {
    INFO(square_of_entities.substr(0, size));
    CHECK_THAT(gmsh_error(square_of_entities.substr(0, size)), StartsWith("plate.msh"));
  }
}
