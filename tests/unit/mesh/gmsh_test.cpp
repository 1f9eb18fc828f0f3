#include <algorithm>
#include <cmath>

#include "cleave/mesh/topology.hpp"
#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Unit square of two triangles; line numbers of the file on the right.
const std::string square =
    "$MeshFormat\n"           // 1
    "2.2 0 8\n"               // 2
    "$EndMeshFormat\n"        // 3
    "$PhysicalNames\n"        // 4
    "3\n"                     // 5
    "0 9 \"origin point\"\n"  // 6
    "1 3 \"bottom\"\n"        // 7
    "2 4 \"body\"\n"          // 8
    "$EndPhysicalNames\n"     // 9
    "$Nodes\n"                // 10
    "5\n"                     // 11
    "10 0 0 0\n"              // 12
    "20 1 0 0\n"              // 13
    "15 9 9 0\n"              // 14: a point of the geometry only
    "30 1 1 0\n"              // 15
    "40 0 1 0\n"              // 16
    "$EndNodes\n"             // 17
    "$Elements\n"             // 18
    "7\n"                     // 19
    "1 15 2 9 1 10\n"         // 20
    "2 1 2 3 1 20 10\n"       // 21
    "3 1 2 5 2 30 20\n"       // 22: physical line 5 has no name
    "4 1 2 0 3 30 40\n"       // 23: no physical line
    "5 1 2 6 3 10 30\n"       // 24: inside the body
    "102 2 2 4 1 10 20 30\n"  // 25
    "101 2 2 4 1 10 30 40\n"  // 26
    "$EndElements\n";         // 27

Mesh read_text(const std::string& text) { return test::read_text("plate.msh", text); }

void require_square(const Mesh& mesh) {
  CHECK(mesh.type == ElementType::t3);
  CHECK(mesh.original_nodes == std::vector<Index>{10, 20, 30, 40});
  CHECK(mesh.original_elements == std::vector<Index>{102, 101});
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.nodes[2].x == 1);
  CHECK(mesh.nodes[2].y == 1);
  CHECK(neighbours_match(mesh));
}

}  // namespace

TEST_CASE("a Gmsh file is read with its groups") {
  const Mesh mesh = read_text(square);
  require_square(mesh);
  REQUIRE(mesh.groups.size() == 5);
  CHECK(mesh.groups[0].name == "origin point");
  CHECK(mesh.groups[0].facets.empty());
  CHECK(mesh.groups[0].nodes == std::vector<Index>{0});
  CHECK(mesh.groups[1].name == "bottom");
  CHECK(mesh.groups[1].facets == std::vector<Index>{facet_code(0, 2)});
  CHECK(mesh.groups[1].nodes == std::vector<Index>{0, 1});
  CHECK(mesh.groups[1].elements.empty());
  CHECK(mesh.groups[2].name == "body");
  CHECK(mesh.groups[2].facets.empty());
  CHECK(mesh.groups[2].nodes.empty());
  CHECK(mesh.groups[2].elements == std::vector<Index>{0, 1});
  CHECK(mesh.groups[3].name == "5");
  CHECK(mesh.groups[3].facets == std::vector<Index>{facet_code(0, 0)});
  CHECK(mesh.groups[4].name == "6");
  CHECK(mesh.groups[4].facets.empty());
  CHECK(mesh.groups[4].nodes == std::vector<Index>{0, 2});
  CHECK(mesh.groups[4].inside == std::vector<Index>{facet_code(0, 1)});
}

TEST_CASE("physical surfaces of a Gmsh file are groups of triangles") {
  const auto elements = [](const Mesh& mesh, const std::string& name) {
    const Group* group = mesh.find_group(name);
    return group ? group->elements : std::vector<Index>{-1};
  };
  SECTION("one of them without a name") {
    const Mesh mesh = read_text(with(square, "101 2 2 4 1", "101 2 2 7 1"));
    CHECK(elements(mesh, "body") == std::vector<Index>{0});
    CHECK(elements(mesh, "7") == std::vector<Index>{1});
  }
  SECTION("a triangle in no physical surface") {
    const Mesh mesh = read_text(with(square, "102 2 2 4 1", "102 2 2 0 1"));
    CHECK(elements(mesh, "body") == std::vector<Index>{1});
    CHECK(mesh.groups.size() == 5);
  }
  SECTION("a surface and a line of one name are one group") {
    const Mesh mesh = read_text(with(square, "2 4 \"body\"", "2 4 \"bottom\""));
    REQUIRE(mesh.groups.size() == 4);
    CHECK(mesh.groups[1].nodes == std::vector<Index>{0, 1});
    CHECK(elements(mesh, "bottom") == std::vector<Index>{0, 1});
  }
}

TEST_CASE("Gmsh files with other line ends, sections and versions are read") {
  std::string windows;
  for (char c : square) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  require_square(read_text(windows));
  require_square(read_text(with(square, "$Nodes\n", "$Comments\nanything, $Nodes too\n$EndComments\n\n$Nodes\n")));
  require_square(read_text(with(square, "2.2 0 8", "2 0 8")));
  require_square(read_text(with(square, "20 1 0 0\n", "20  +1.0e0\t0 0 \n")));
}

TEST_CASE("the plates of the repository are read") {
  const Mesh t3 = read_mesh(mesh_file("plate.msh"));
  const Mesh t6 = read_mesh(mesh_file("plate_t6.msh"));
  CHECK(t3.type == ElementType::t3);
  CHECK(t6.type == ElementType::t6);
  for (const Mesh* mesh : {&t3, &t6}) {
    const MeshCounts counts = count(*mesh);
    CHECK(counts.elements == 30);
    CHECK(counts.corner_nodes == 24);
    CHECK(counts.interior_facets == 37);
    CHECK(counts.boundary_facets == 16);
    CHECK(counts.euler == 1);
    CHECK(counts.nodes == (mesh == &t6 ? 77 : 24));
    CHECK(quality(*mesh).area == Approx(0.006));
    CHECK(mesh->original_nodes.front() == 1);
    CHECK(mesh->original_elements.front() == 17);
    REQUIRE(mesh->groups.size() == 5);
    std::vector<std::string> names;
    for (const Group& group : mesh->groups) names.push_back(group.name);
    CHECK(names == std::vector<std::string>{"left", "right", "bottom", "top", "plate"});
    CHECK(mesh->find_group("plate")->elements.size() == 30);
    CHECK(mesh->find_group("plate")->nodes.empty());
    for (const auto& [name, facets, outward] : {std::tuple{"left", 3u, Point{-1, 0}},
                                                {"right", 3u, Point{1, 0}},
                                                {"bottom", 5u, Point{0, -1}},
                                                {"top", 5u, Point{0, 1}}}) {
      const Group& group = *mesh->find_group(name);
      CHECK(group.facets.size() == facets);
      CHECK(group.nodes.size() == facets * (nodes_per_facet(mesh->type) - 1) + 1);
      for (Index code : group.facets) {
        const FacetGeometry facet = facet_geometry(*mesh, code);
        CHECK(facet.normal.x == Approx(0.02 * outward.x).margin(1e-9));
        CHECK(facet.normal.y == Approx(0.02 * outward.y).margin(1e-9));
      }
    }
  }
}

TEST_CASE("files that are missing or no meshes are refused") {
  CHECK_THAT(input_error([] { read_mesh("/nowhere/plate.msh"); }),
             Contains("/nowhere/plate.msh: there is no such file"));
  CHECK_THAT(input_error([] { read_mesh("plate.stl"); }), Contains("'.stl'") && Contains(".msh") && Contains(".vtu"));
  CHECK_THAT(gmsh_error(""), StartsWith("plate.msh: the file is empty"));
  CHECK_THAT(gmsh_error("\n\n"), StartsWith("plate.msh:2: ") && Contains("$MeshFormat"));
  CHECK_THAT(gmsh_error("$NOD\n4\n"), StartsWith("plate.msh:1: ") && Contains("$MeshFormat"));
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "folder.msh");
  CHECK_THAT(input_error([&] { read_mesh(directory.path() / "folder.msh"); }), Contains("this is not a file"));
}

TEST_CASE("other Gmsh formats are named with a remedy") {
  for (const std::string version : {"4.0", "4", "1", "3.0", "5"})
    CHECK_THAT(gmsh_error(with(square, "2.2 0 8", version + " 0 8")),
               StartsWith("plate.msh:2: ") && Contains("version " + version) && Contains("msh41") && Contains("msh22"));
  CHECK_THAT(gmsh_error(with(square, "2.2 0 8", "2.2 1 8")), StartsWith("plate.msh: byte 20: ") && Contains("damaged"));
  CHECK_THAT(gmsh_error(with(square, "2.2 0 8", "2.2 2 8")), StartsWith("plate.msh:2: ") && Contains("file type"));
  CHECK_THAT(gmsh_error(with(square, "2.2 0 8", "2.2 0 4")), StartsWith("plate.msh:2: ") && Contains("real numbers"));
}

TEST_CASE("truncated Gmsh files are refused") {
  CHECK_THAT(gmsh_error("$MeshFormat\n"), StartsWith("plate.msh:1: ") && Contains("truncated"));
  CHECK_THAT(gmsh_error(square.substr(0, square.find("30 1 1"))),
             StartsWith("plate.msh:14: ") && Contains("node 4 of 5") && Contains("truncated"));
  CHECK_THAT(gmsh_error(with(square, "40 0 1 0\n", "")),
             StartsWith("plate.msh:16: ") && Contains("node 5 of 5") && Contains("found '$EndNodes'"));
  CHECK_THAT(gmsh_error(square.substr(0, square.find("101 2"))),
             StartsWith("plate.msh:25: ") && Contains("element 7 of 7"));
  CHECK_THAT(gmsh_error(with(square, "$Elements\n7\n", "$Elements\n6\n")),
             StartsWith("plate.msh:26: ") && Contains("expected $EndElements"));
  CHECK_THAT(gmsh_error(with(square, "$EndElements\n", "")), StartsWith("plate.msh:26: ") && Contains("$EndElements"));
  CHECK_THAT(gmsh_error(with(square, "$Nodes\n5\n", "$Nodes\nfive\n")),
             StartsWith("plate.msh:11: ") && Contains("number of nodes"));
  CHECK_THAT(gmsh_error(square + "rubbish\n"), StartsWith("plate.msh:28: ") && Contains("'rubbish'"));
  CHECK_THAT(gmsh_error(with(square, "1 3 \"bottom\"", "1 3 bottom")), StartsWith("plate.msh:7: "));
}

TEST_CASE("wrong lines of a Gmsh file are reported") {
  CHECK_THAT(gmsh_error(with(square, "20 1 0 0\n", "20 1 O 0\n")),
             StartsWith("plate.msh:13: ") && Contains("'20 1 O 0'"));
  CHECK_THAT(gmsh_error(with(square, "20 1 0 0\n", "20 1 0\n")), StartsWith("plate.msh:13: ") && Contains("tag x y z"));
  CHECK_THAT(gmsh_error(with(square, "30 1 1 0\n", "20 1 1 0\n")),
             StartsWith("plate.msh:15: ") && Contains("node 20 is defined a second time"));
  CHECK_THAT(gmsh_error(with(square, "10 20 30\n", "10 20 31\n")),
             StartsWith("plate.msh:25: ") && Contains("element 102 refers to node 31"));
  CHECK_THAT(gmsh_error(with(square, "10 20 30\n", "10 20\n")),
             StartsWith("plate.msh:25: ") && Contains("element 102: expected 3 node numbers"));
  CHECK_THAT(gmsh_error(with(square, "101 2 2 4 1", "101 2 x")), StartsWith("plate.msh:26: ") && Contains("tag-count"));
  CHECK_THAT(gmsh_error(with(square, "5 1 2 6 3 10 30", "5 1 2 6 3 20 40")),
             StartsWith("plate.msh:24: ") && Contains("line 5 between nodes 20 and 40 is no side"));
  CHECK_THAT(gmsh_error(with(square, "1 15 2 9 1 10", "1 15 2 9 1 15")),
             StartsWith("plate.msh:20: ") && Contains("point 1") && Contains("node 15"));
}

TEST_CASE("numbers of a Gmsh file that are too large are refused") {
  const auto check = [](const std::string& line, const std::string& from, std::string to, const std::string& number,
                        const std::string& largest) {
    to.replace(to.find('#'), 1, number);
    CHECK_THAT(gmsh_error(with(square, from, to)), StartsWith("plate.msh:" + line + ": ") &&
                                                       Contains("the number " + number + " is too large") &&
                                                       Contains(largest));
  };
  const std::string above_64 = "9223372036854775808", most_64 = "9223372036854775807";
  check("13", "20 1 0 0\n", "# 1 0 0\n", above_64, most_64);
  check("25", "102 2 2 4 1", "# 2 2 4 1", above_64, most_64);
  check("25", "10 20 30\n", "# 20 30\n", above_64, most_64);
  const std::string above_32 = "4294967306", most_32 = "2147483647";
  check("25", "102 2 2 4 1", "102 2 2 # 1", above_32, most_32);
  check("7", "1 3 \"bottom\"", "1 # \"bottom\"", above_32, most_32);
  check("11", "$Nodes\n5\n", "$Nodes\n#\n", above_32, most_32);
  CHECK_THAT(gmsh_error(with(square, "$Elements\n7\n", "$Elements\n715827883\n")),
             StartsWith("plate.msh:19: ") && Contains("715827883 elements") && Contains("715827882"));
}

TEST_CASE("numbers of nodes and elements with more than 32 bits are replaced by positions") {
  std::string text = with(square, "20 1 0 0\n", "4294967306 1 0 0\n");
  text = with(with(text, "3 1 20 10", "3 1 4294967306 10"), "5 2 30 20\n", "5 2 30 4294967306\n");
  text = with(text, "10 20 30\n", "10 4294967306 30\n");
  const Mesh nodes = read_text(text);
  CHECK(nodes.original_nodes == std::vector<Index>{1, 2, 3, 4});
  CHECK(nodes.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(nodes.original_elements == std::vector<Index>{102, 101});
  CHECK(read_text(with(square, "101 2 2 4 1", "-4294967306 2 2 4 1")).original_elements == std::vector<Index>{1, 2});
}

TEST_CASE("repeated or negative numbers of elements are replaced by positions") {
  CHECK(read_text(with(square, "101 2 2 4 1", "102 2 2 4 1")).original_elements == std::vector<Index>{1, 2});
  CHECK(read_text(with(square, "101 2 2 4 1", "-1 2 2 4 1")).original_elements == std::vector<Index>{1, 2});
  CHECK(read_text(with(square, "101 2 2 4 1", "0 2 2 4 1")).original_elements == std::vector<Index>{102, 0});
}

TEST_CASE("a name of a Gmsh file belongs to one group of a dimension, and a group has one name") {
  CHECK_THAT(gmsh_error(with(square, "2 4 \"body\"", "1 5 \"bottom\"")),
             StartsWith("plate.msh:8: ") && Contains("physical line 5 and, in line 7, physical line 3") &&
                 Contains("\"bottom\""));
  CHECK_THAT(gmsh_error(with(square, "2 4 \"body\"", "1 3 \"top\"")),
             StartsWith("plate.msh:8: ") && Contains("physical line 3 is called \"top\" and, in line 7, \"bottom\""));
  CHECK_THAT(gmsh_error(with(square, "2 4 \"body\"", "2 4 \"\"")),
             StartsWith("plate.msh:8: ") && Contains("physical surface 4 has an empty name"));
  CHECK_THAT(gmsh_error(with(square, "2 4 \"body\"", "-1 4 \"body\"")), StartsWith("plate.msh:8: "));
}

TEST_CASE("the number of a nameless group of a Gmsh file is not the name of another one") {
  CHECK_THAT(gmsh_error(with(square, "\"bottom\"", "\"5\"")), StartsWith("plate.msh:7: ") &&
                                                                  Contains("physical line 3 and physical line 5") &&
                                                                  Contains("have the same name \"5\""));
  CHECK_THAT(gmsh_error(with(with(square, "\"body\"", "\"7\""), "101 2 2 4 1", "101 2 2 7 1")),
             StartsWith("plate.msh:8: ") && Contains("physical surface 4 and physical surface 7"));
  // Of two dimensions they are one group, as those of one name are.
  const Mesh mesh = read_text(with(square, "\"body\"", "\"5\""));
  CHECK(mesh.find_group("5")->facets == std::vector<Index>{facet_code(0, 0)});
  CHECK(mesh.find_group("5")->elements == std::vector<Index>{0, 1});
  CHECK(read_text(with(square, "\"bottom\"", "\"3\"")).groups.size() == 5);
}

TEST_CASE("all groups of a Gmsh file without elements are reported at once") {
  CHECK_THAT(gmsh_error(with(with(square, "2 4 \"body\"", "2 8 \"body\""), "1 3 \"bottom\"", "1 4 \"bottom\"")),
             StartsWith("plate.msh: groups without elements") && Contains("line 7: physical line 4, \"bottom\"") &&
                 Contains("line 8: physical surface 8, \"body\"") && !Contains("origin"));
}

TEST_CASE("element types that are not simulated are refused") {
  CHECK_THAT(gmsh_error(with(square, "101 2 2 4 1 10 30 40", "101 3 2 4 1 10 20 30 40")),
             StartsWith("plate.msh:26: ") && Contains("element 101") && Contains("quadrangle"));
  CHECK_THAT(gmsh_error(with(square, "101 2 2 4 1 10 30 40", "101 4 2 4 1 10 20 30 40")),
             StartsWith("plate.msh:26: ") && Contains("solid"));
  CHECK_THAT(gmsh_error(with(square, "101 2 2 4 1 10 30 40", "101 21 2 4 1 1 2 3 4 5 6 7 8 9 10")),
             StartsWith("plate.msh:26: ") && Contains("order 3"));
  CHECK_THAT(gmsh_error(with(square, "101 2 2 4 1 10 30 40", "101 9 2 4 1 10 30 40 10 30 40")),
             StartsWith("plate.msh:26: ") && Contains("element 101 has 6 nodes") &&
                 Contains("element 102 (line 25) has corners only"));
  CHECK_THAT(gmsh_error(with(square, "2 1 2 3 1 20 10", "2 8 2 3 1 20 10 40")),
             StartsWith("plate.msh:21: ") && Contains("line 2 has 3 nodes"));
  std::string lines_only = square;
  lines_only = with(lines_only, "102 2 2 4 1 10 20 30\n101 2 2 4 1 10 30 40\n", "");
  CHECK_THAT(gmsh_error(with(lines_only, "$Elements\n7\n", "$Elements\n5\n")), Contains("no triangles"));
}

TEST_CASE("a line must have the mid-side node of its triangle") {
  std::ifstream stream(mesh_file("plate_t6.msh"));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto line = text.find("\n1 8 ");
  REQUIRE(line != std::string::npos);
  const auto end = text.find('\n', line + 1), word = text.rfind(' ', end - 2);
  text.replace(word, end - word, " 1");
  CHECK_THAT(gmsh_error(text), Contains("the mid-side node of line 1 is 1, but that of the triangle there is"));
}

TEST_CASE("checks of a Gmsh mesh report its tags") {
  CHECK_THAT(gmsh_error(with(square, "30 1 1 0\n", "30 1 nan 0\n")),
             StartsWith("plate.msh: ") && Contains("node 30 at (1, nan)"));
  CHECK_THAT(gmsh_error(with(square, "40 0 1 0\n", "40 0.5 0.5 0\n")), Contains("element 101") && Contains("no area"));
  CHECK_THAT(gmsh_error(with(square, "40 0 1 0\n", "40 0 1 0.5\n")), Contains("node 40 is at z = 0.5"));
  CHECK_THAT(gmsh_error(with(with(square, "101 2 2 4 1 10 30 40", "101 2 2 4 1 10 20 30"), "40 0 1 0\n", "40 0 1 0\n")),
             Contains("lie on the same side") && Contains("102") && Contains("101"));
}
