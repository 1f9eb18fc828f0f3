#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <random>

#include "cleave/mesh/topology.hpp"
#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Unit abaqus_square of two triangles; line numbers of the file on the right.
const std::string abaqus_square =
    "*Heading\n"                         // 1
    " a square, *not a keyword\n"        // 2
    "** a comment\n"                     // 3
    "*Node\n"                            // 4
    "10, 0., 0., 0.\n"                   // 5
    " 20,  1.0D0, 0\n"                   // 6
    "*NODE, NSET=Upper\n"                // 7
    "30, 1, 1\n"                         // 8
    "40, , 1.\n"                         // 9
    "99, 7, 7\n"                         // 10: a reference point
    "*Element, type=CPS3, elset=Body\n"  // 11
    "102, 10, 20, 30\n"                  // 12
    "101, 10,\n"                         // 13: goes on
    "30, 40\n"                           // 14
    "*Nset, nset=Left, unsorted\n"       // 15
    "10, 40\n"                           // 16
    "*nset, Nset = \"Both ends\"\n"      // 17
    "Left, 20, 99\n"                     // 18
    "*Nset, nset=Of body, elset=body\n"  // 19
    "*Elset, elset=Half, generate\n"     // 20
    "100, 101, 1\n"                      // 21
    "*Elset, elset=_Top_S2, internal\n"  // 22
    "101,\n"                             // 23
    "*Surface, type=ELEMENT,\n"          // 24
    " name=Top\n"                        // 25
    "_Top_S2, S2\n"                      // 26
    "*Surface, name=Around\n"            // 27
    "BODY,\n"                            // 28
    "*Nset, nset=Nothing\n"              // 29
    "99\n"                               // 30
    "*Material, name=Glass\n"            // 31
    "*Elastic\n"                         // 32
    "7.e10, 0.2\n";                      // 33

Mesh read_inp(const std::string& text, const MeshReading& how = {}) { return test::read_text("plate.inp", text, how); }
std::string inp_error(const std::string& text) { return error_of("plate.inp", text); }

const Group& group_of(const Mesh& mesh, const std::string& name) {
  const Group* found = mesh.find_group(name);
  INFO(name);
  REQUIRE(found != nullptr);
  return *found;
}

/// Original numbers of the nodes of a group.
std::vector<Index> numbers_of(const Mesh& mesh, const Group& of) {
  std::vector<Index> numbers;
  for (const Index n : of.nodes) numbers.push_back(mesh.original_nodes[n]);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void require_abaqus_square(const Mesh& mesh) {
  CHECK(mesh.type == ElementType::t3);
  CHECK(mesh.original_nodes == std::vector<Index>{10, 20, 30, 40});
  CHECK(mesh.original_elements == std::vector<Index>{102, 101});
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.nodes[3].x == 0);
  CHECK(mesh.nodes[3].y == 1);
  CHECK(neighbours_match(mesh));
}

}  // namespace

TEST_CASE("an Abaqus file is read with its sets and surfaces") {
  const Mesh mesh = read_inp(abaqus_square);
  require_abaqus_square(mesh);
  CHECK(mesh.groups.size() == 8);
  CHECK(numbers_of(mesh, group_of(mesh, "Upper")) == std::vector<Index>{30, 40});
  CHECK(numbers_of(mesh, group_of(mesh, "Left")) == std::vector<Index>{10, 40});
  CHECK(group_of(mesh, "Left").facets.empty());
  CHECK(numbers_of(mesh, group_of(mesh, "Both ends")) == std::vector<Index>{10, 20, 40});
  CHECK(numbers_of(mesh, group_of(mesh, "Of body")) == std::vector<Index>{10, 20, 30, 40});
  CHECK(group_of(mesh, "Body").elements == std::vector<Index>{0, 1});
  CHECK(group_of(mesh, "Body").nodes.empty());
  CHECK(group_of(mesh, "Half").elements == std::vector<Index>{1});
  CHECK(group_of(mesh, "Top").facets == std::vector<Index>{facet_code(1, 0)});
  CHECK(group_of(mesh, "Around").facets.size() == 4);
  CHECK(group_of(mesh, "Around").inside.empty());
}

TEST_CASE("Abaqus files in capitals, in small letters and with other line ends are read alike") {
  const auto changed = [](int (*letter)(int), const std::string& end) {
    std::string text;
    for (const char c : abaqus_square) text += c == '\n' ? end : std::string(1, static_cast<char>(letter(c)));
    return read_inp(text);
  };
  require_abaqus_square(changed(std::toupper, "\n"));
  require_abaqus_square(changed(std::tolower, "\r\n"));
  CHECK(changed(std::toupper, "\n").find_group("TOP") != nullptr);
  // Some programs end keyword lines with a comma.
  require_abaqus_square(read_inp(with(abaqus_square, "*Node\n", "*Node,\n")));
}

TEST_CASE("types of triangles of Abaqus are read") {
  for (const char* type : {"CPE3", "CPE3H", "cpe3t", "CPS3", "CPS3R", "S3", "S3R", "S3RS", "M3D3", "STRI3"})
    require_abaqus_square(read_inp(with(abaqus_square, "type=CPS3", std::string("type=") + type)));
  const std::string t6 =
      "*Node\n1, 0, 0\n2, 2, 0\n3, 0, 2\n4, 1, 0\n5, 1, 1\n6, 0, 1\n"
      "*Element, type=CPE6M\n1, 1, 2, 3, 4, 5, 6\n"
      "*Surface, name=Slope\n1, S2\n"
      "*Element, type=T2D3, elset=Bottom\n2, 1, 4, 2\n"
      "*Element, type=T3D3, elset=Side\n3, 1, 3, 6\n";
  for (const char* type : {"CPE6", "CPE6M", "CPE6MH", "CPS6MT", "STRI65"}) {
    const Mesh mesh = read_inp(with(t6, "CPE6M", type));
    CHECK(mesh.type == ElementType::t6);
    CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 3, 4, 5});
    CHECK(group_of(mesh, "Slope").facets == std::vector<Index>{facet_code(0, 0)});
    CHECK(group_of(mesh, "Bottom").facets == std::vector<Index>{facet_code(0, 2)});
    CHECK(group_of(mesh, "Side").facets == std::vector<Index>{facet_code(0, 1)});
    CHECK(numbers_of(mesh, group_of(mesh, "Side")) == std::vector<Index>{1, 3, 6});
  }
  const std::string user = "*User element, type=U7, nodes=3, coordinates=2, properties=4, variables=1\n1, 2\n";
  require_abaqus_square(read_inp(user + with(abaqus_square, "type=CPS3", "type=U7")));
  CHECK_THAT(inp_error(with(abaqus_square, "type=CPS3", "type=U7")),
             StartsWith("plate.inp:11: ") && Contains("*User Element, type=U7, nodes="));
  CHECK_THAT(inp_error(with(user, "nodes=3", "nodes=5") + with(abaqus_square, "type=CPS3", "type=U7")),
             StartsWith("plate.inp:13: elements of type U7 have 5 nodes"));
}

TEST_CASE("elements of Abaqus that are not simulated are refused with the reason") {
  const auto refused = [](const std::string& type, const std::string& why) {
    CHECK_THAT(inp_error(with(abaqus_square, "type=CPS3", "type=" + type)),
               StartsWith("plate.inp:11: elements of type ") && Contains(why));
  };
  refused("COH2D4", "Cleave inserts its own where facets break: give the mesh from before they were inserted");
  refused("COHAX4", "Cleave inserts its own");
  refused("C3D4", "solids");
  refused("CAX3", "axisymmetric");
  refused("CPEG3", "not simulated");
  refused("SPRINGA", "not simulated");
  refused("B21", "not simulated");
  refused("CPS4R", "quads: mesh.split_quads: true makes two triangles of each quad");
}

TEST_CASE("quads of Abaqus become triangles, and their sides stay") {
  const std::string plate =
      "*Node\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n5, 2, 0\n6, 2, 1\n"
      "*Element, type=CPE4R, elset=Body\n1, 1, 2, 3, 4\n2, 2, 5, 6, 3\n"
      "*Surface, name=Top\nBody, S3\n*Surface, name=Left\n1, S4\n*Surface, name=Right\n2, S2\n";
  const Mesh mesh = read_inp(plate, {.split_quads = true});
  CHECK(mesh.element_count() == 4);
  CHECK(mesh.original_elements == std::vector<Index>{1, 3, 2, 4});
  CHECK(group_of(mesh, "Body").elements.size() == 4);
  CHECK(group_of(mesh, "Top").facets.size() == 2);
  CHECK(numbers_of(mesh, group_of(mesh, "Top")) == std::vector<Index>{3, 4, 6});
  CHECK(numbers_of(mesh, group_of(mesh, "Left")) == std::vector<Index>{1, 4});
  CHECK(numbers_of(mesh, group_of(mesh, "Right")) == std::vector<Index>{5, 6});
}

TEST_CASE("clockwise triangles of Abaqus keep the sides of their surfaces") {
  const Mesh mesh = read_inp(with(abaqus_square, "101, 10,\n30, 40\n", "101, 10, 40,\n30\n"));
  CHECK(mesh.turned == 1);
  require_abaqus_square(mesh);
  CHECK(group_of(mesh, "Top").facets == std::vector<Index>{facet_code(1, 0)});  // S2 is between nodes 40 and 30
}

TEST_CASE("parts of Abaqus are placed by their instances") {
  const std::string assembly =
      "*Part, name=Brick\n*Node\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*Element, type=CPS3\n1, 1, 2, 3\n"
      "*Nset, nset=Foot\n1, 2\n*Elset, elset=All\n1\n*End Part\n"
      "*Part, name=Unused\n*Node\n1, 5, 5\n*End Part\n"
      "*Assembly, name=Wall\n*Node\n1, 9, 9\n"
      "*Instance, name=Brick-1, part=brick\n*End Instance\n"
      "*Instance, name=Brick-2, part=Brick\n2., 0.5\n2., 0.5, 0., 2., 0.5, 1., 90.\n*End Instance\n"
      "*Nset, nset=Both, instance=Brick-1\n3\n*Nset, nset=Both, instance=Brick-2\n3\n"
      "*Elset, elset=Second, instance=Brick-2, generate\n1, 1\n"
      "*Nset, nset=Point\nBrick-2.2\n*Surface, name=Slope\nBrick-1.All, S2\n*Surface, name=Feet, "
      "type=node\nBrick-2.Foot\n"
      "*End Assembly\n";
  const Mesh mesh = read_inp(assembly);
  REQUIRE(mesh.element_count() == 2);
  REQUIRE(mesh.node_count() == 6);
  // Nodes of the assembly come first, then the instances.
  CHECK(mesh.original_nodes == std::vector<Index>{2, 3, 4, 5, 6, 7});
  const auto at = [&](Index number, double x, double y) {
    const Index n = static_cast<Index>(std::find(mesh.original_nodes.begin(), mesh.original_nodes.end(), number) -
                                       mesh.original_nodes.begin());
    CHECK(mesh.nodes[n].x == Approx(x).margin(1e-15));
    CHECK(mesh.nodes[n].y == Approx(y).margin(1e-15));
  };
  at(3, 1, 0);
  at(4, 0, 1);
  at(5, 2, 0.5);
  at(6, 2, 1.5);
  at(7, 1, 0.5);
  CHECK(numbers_of(mesh, group_of(mesh, "Brick-1.Foot")) == std::vector<Index>{2, 3});
  CHECK(numbers_of(mesh, group_of(mesh, "Brick-2.Foot")) == std::vector<Index>{5, 6});
  CHECK(group_of(mesh, "Brick-2.All").elements == std::vector<Index>{1});
  CHECK(numbers_of(mesh, group_of(mesh, "Both")) == std::vector<Index>{4, 7});
  CHECK(group_of(mesh, "Second").elements == std::vector<Index>{1});
  CHECK(numbers_of(mesh, group_of(mesh, "Point")) == std::vector<Index>{6});
  CHECK(group_of(mesh, "Slope").facets == std::vector<Index>{facet_code(0, 0)});
  CHECK(numbers_of(mesh, group_of(mesh, "Feet")) == std::vector<Index>{5, 6});

  const std::size_t second = assembly.find("*Instance, name=Brick-2"), after = assembly.find("*Nset, nset=Both");
  std::string alone = assembly.substr(0, second) + "*End Assembly\n";
  CHECK(read_inp(alone).find_group("Foot") != nullptr);
  CHECK(after > second);
  CHECK_THAT(inp_error(assembly.substr(0, assembly.find("*Assembly"))), Contains("there are parts, but no *Instance"));
  CHECK_THAT(inp_error(with(alone, "part=brick", "part=stone")), Contains("there is no part STONE"));
  CHECK_THAT(inp_error(with(assembly, "Brick-2.2", "Brick-3.2")), Contains("there is no instance BRICK-3"));
}

TEST_CASE("an Abaqus file with wrong bytes is read or refused") {
  std::mt19937 random(5);
  std::ifstream stream(std::filesystem::path(CLEAVE_SOURCE_DIR) / "tests/fuzz/plate.inp");
  const std::string parts{std::istreambuf_iterator<char>(stream), {}};
  CHECK(read_inp(parts, {.split_quads = true}).element_count() == 6);
  const std::string letters = "*,=.-+19 \nSsE\"";
  int refused = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::string wrong = trial % 2 == 0 ? parts : abaqus_square;
    for (int i = 0; i < 3; ++i) wrong[random() % wrong.size()] = letters[random() % letters.size()];
    refused += input_error([&] { read_inp(wrong, {.split_quads = true}); }).empty() ? 0 : 1;
  }
  CHECK(refused > 200);
}

TEST_CASE("wrong Abaqus files are explained") {
  const auto check = [](const std::string& from, const std::string& to, int line, const std::string& says) {
    INFO(from << " -> " << to);
    CHECK_THAT(inp_error(with(abaqus_square, from, to)),
               StartsWith(line > 0 ? fmt::format("plate.inp:{}: ", line) : "plate.inp: ") && Contains(says));
  };
  CHECK_THAT(inp_error("solid cube\n"), StartsWith("plate.inp:1: expected a keyword") && Contains("no Abaqus input"));
  CHECK_THAT(inp_error("*Heading\n"), StartsWith("plate.inp: there are no triangles"));
  check("*Node\n", "*Node, system=C\n", 4, "only coordinates x and y are read");
  check("*Node\n", "*Node, input=nodes.txt\n", 4, "names another file");
  check("*Heading\n", "*Include, input=mesh.inp\n*Heading\n", 1, "put its content in its place");
  check("*Heading\n", "*Ngen\n*Heading\n", 1, "*NGEN: it makes nodes");
  check("10, 0., 0., 0.", "10, 0., zero", 5, "expected a coordinate of a node, a number, found 'zero'");
  check("10, 0., 0., 0.", "ten, 0., 0.", 5, "expected the number of a node, a whole number from 1 on, found 'ten'");
  check("10, 0., 0., 0.", "0, 0., 0.", 5, "found '0'");
  check("10, 0., 0., 0.", "10", 5, "expected the number of a node, x and y, found '10'");
  check("10, 0., 0., 0.", "99999999999, 0., 0.", 5, "the number 99999999999 is too large");
  check("99, 7, 7", "20, 7, 7", 10, "node 20 is defined a second time, after line 6");
  check("101, 10,\n", "102, 10,\n", 13, "element 102 is defined a second time, after line 12");
  check("102, 10, 20, 30\n", "102, 10, 20\n", 12, "element 102 lists 2 nodes, but type CPS3 has 3");
  check("102, 10, 20, 30\n", "102, 10, 20, 30, 40\n", 12, "element 102 lists 4 nodes");
  check("102, 10, 20, 30\n", "102, 10, 20, 31\n", 12, "element 102 refers to node 31, which is not among the nodes");
  check("type=CPS3, ", "", 11, "expected TYPE=... behind *ELEMENT");
  check("10, 40\n*nset", "10, 41\n*nset", 16, "node 41 of Left is not among the nodes");
  check("Left, 20, 99", "Lfet, 20, 99", 18, "there is no set of nodes called LFET");
  check("Left, 20, 99", "\"both ends\", 20, 99", 18, "set Both ends holds itself");
  check("100, 101, 1\n", "100\n", 21, "expected 'first, last, step'");
  check("100, 101, 1\n", "101, 100, 1\n", 21, "the last number, 100, is below the first, 101");
  check("101,\n*Surface", "103,\n*Surface", 23, "element 103 of _Top_S2 is not among the elements");
  check("_Top_S2, S2", "_Top_S2, SPOS", 26, "expected a side from S1 to S4, or E1 to E4 of a shell, found 'SPOS'");
  check("_Top_S2, S2", "_Top_S2, S4", 26, "side 4 of surface Top: element 101 has 3 sides");
  std::string deep = abaqus_square;
  for (int i = 0; i < 60; ++i) deep += fmt::format("*Nset, nset=s{}\ns{}\n", i, i + 1);
  CHECK_THAT(inp_error(deep + "*Nset, nset=s60\n10\n"), Contains("sets in sets, more than 50 deep"));
  std::string many = abaqus_square;
  for (int i = 0; i < 300; ++i) many += fmt::format("*Nset, nset=s{}\nLeft, Left, Left, Left\n", i);
  CHECK(inp_error(many).empty());  // few members, each once
  for (int i = 0; i < 300; ++i) many += fmt::format("*Nset, nset=t{}, generate\n1, 99\n", i);
  CHECK_THAT(inp_error(many), Contains("the sets have more than 700 members"));
}
