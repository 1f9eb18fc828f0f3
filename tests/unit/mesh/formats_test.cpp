#include "formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <random>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/io/file_elements.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr std::pair<GmshVersion, bool> gmsh_variants[] = {
    {GmshVersion::v22, false}, {GmshVersion::v22, true}, {GmshVersion::v41, false}, {GmshVersion::v41, true}};

/// Groups that overlap, of triangles, of facets inside the body and of nodes, and one that has it all.
void add_groups(Mesh& mesh) {
  const auto element = [&](Index e) { return e % mesh.element_count(); };
  mesh.groups.push_back({"some", {}, {}, {element(1), element(2), element(5)}});
  std::sort(mesh.groups.back().elements.begin(), mesh.groups.back().elements.end());
  mesh.groups.push_back({"others", {}, {}, {0, 2}});
  mesh.groups.push_back({"a point", {}, {3}});
  Group all{"of all kinds", {}, {}, {2}};
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()) && all.inside.size() < 2; ++code)
    if (mesh.neighbours[code] > code) all.inside.push_back(code);
  all.facets = mesh.groups.front().facets;
  std::vector<Index> nodes{mesh.node_count() - 1};
  for (const auto* codes : {&all.facets, &all.inside})
    for (const Index code : *codes)
      for (int i = 0; i < nodes_per_facet(mesh.type); ++i)
        nodes.push_back(mesh.node(element_of(code), facet_node_slot(mesh.type, facet_of(code), i)));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  all.nodes = nodes;
  mesh.groups.push_back(all);
}

std::vector<Mesh> meshes() {
  std::vector<Mesh> all;
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    all.push_back(rectangle(type, {8, 4}, {2, 1}, {0.1, 1.0 / 3}, 0.75));
    all.push_back(ring(type, {2, 16}, 0.5, 1));
    perturb(all.back(), 0.2, 7);
    all.push_back(read_mesh(mesh_file(type == ElementType::t3 ? "plate.msh" : "plate_t6.msh")));
  }
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    add_groups(all[i]);
    all.push_back(all[i]);
    renumber_hilbert(all.back());
  }
  return all;
}

}  // namespace

TEST_CASE("a written .msh file is read as the same mesh") {
  for (const Mesh& mesh : meshes()) {
    for (const auto& [version, binary] : gmsh_variants) {
      INFO("version " << (version == GmshVersion::v41 ? "4.1" : "2.2") << " binary " << binary);
      const Mesh read = read_text("mesh.msh", gmsh_file(mesh, version, binary));
      require_same(mesh, read);
      const Index shift = *std::min_element(mesh.original_nodes.begin(), mesh.original_nodes.end()) == 0 ? 1 : 0;
      std::vector<Index> ids = mesh.original_nodes;
      for (Index& id : ids) id += shift;
      CHECK(read.original_nodes == ids);
    }
  }
}

TEST_CASE("a written file in INRIA's formats is read as the same mesh, with references for groups") {
  for (const Mesh& mesh : meshes()) {
    for (const bool binary : {false, true}) {
      const Mesh read = read_text(binary ? "mesh.meshb" : "mesh.mesh", inria_file(mesh, binary));
      require_same_triangles(mesh, read);
      // Each group is made of the parts with the references that name it.
      for (const Group& group : mesh.groups) {
        std::vector<Index> facets, elements;
        for (const InriaReference& reference : inria_references(mesh)) {
          const auto& names = reference.groups;
          if (std::find(names.begin(), names.end(), group.name) == names.end()) continue;
          const Group& part = *read.find_group(std::to_string(reference.number));
          CHECK(part.elements.empty() == (reference.dimension == 1));
          for (const auto* codes : {&part.facets, &part.inside})
            facets.insert(facets.end(), codes->begin(), codes->end());
          elements.insert(elements.end(), part.elements.begin(), part.elements.end());
        }
        std::sort(facets.begin(), facets.end());
        std::sort(elements.begin(), elements.end());
        std::vector<Index> expected = group.facets;
        expected.insert(expected.end(), group.inside.begin(), group.inside.end());
        std::sort(expected.begin(), expected.end());
        CHECK(facets == expected);
        CHECK(elements == group.elements);
      }
    }
  }
}

TEST_CASE("a written .mesh file is of a version that other readers know") {
  CHECK_THAT(inria_file(meshes().front(), false), StartsWith("MeshVersionFormatted 2\nDimension"));
}

TEST_CASE("keywords of a .mesh file are read") {
  const std::string text =
      "MeshVersionFormatted 2 # a comment with Vertices\n"
      "Dimension\n3\n"
      "Vertices\n4\n0 0 0 1\n1 0 0 2\n1 1 0 0\n0 1 0 0\n"
      "Corners\n2\n1\n2\n"
      "Edges 3\n1 2 5\n2 3 0\n1 3 -4\n"
      "Quadrilaterals\n0\n"
      "Triangles\n2\n1 2 3 5\n1 3 4 6\n"
      "End\nrubbish\n";
  const Mesh mesh = read_text("plate.mesh", text);
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.original_nodes == std::vector<Index>{1, 2, 3, 4});
  REQUIRE(mesh.groups.size() == 3);
  CHECK(mesh.find_group("5")->facets == std::vector<Index>{facet_code(0, 2)});
  CHECK(mesh.find_group("5")->elements == std::vector<Index>{0});
  CHECK(mesh.find_group("-4")->inside == std::vector<Index>{facet_code(0, 1)});
  CHECK(mesh.find_group("6")->elements == std::vector<Index>{1});

  CHECK_THAT(error_of("plate.mesh", with(text, "Edges 3\n1 2 5", "Edges 3\n1 2 x")),
             StartsWith("plate.mesh:15: ") && Contains("expected an element's reference, found 'x'"));
  CHECK_THAT(error_of("plate.mesh", with(text, "Quadrilaterals\n0", "Quadrilaterals\n1\n1 2 3 4 0")),
             StartsWith("plate.mesh:19: ") && Contains("there are 1 Quadrilaterals"));
}

TEST_CASE("INRIA's binary versions have numbers of their own width") {
  const auto binary_file = [](std::int32_t version) {
    std::string text;
    const auto add = [&](auto value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); };
    const auto whole = [&](int value) { version == 4 ? add(std::int64_t{value}) : add(std::int32_t{value}); };
    const auto real = [&](double value) { version == 1 ? add(static_cast<float>(value)) : add(value); };
    const auto section = [&](std::int32_t keyword, const std::function<void()>& content) {
      add(keyword);
      const std::size_t at = text.size(), width = version < 3 ? 4 : 8;
      text.append(width, '\0');
      content();
      const auto next = static_cast<std::int64_t>(text.size());
      std::memcpy(text.data() + at, &next, width);
    };
    add(std::int32_t{1});
    add(version);
    section(3, [&] { add(std::int32_t{3}); });  // 32 bits in all versions
    section(4, [&] {
      whole(4);
      for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
        for (const double value : {static_cast<double>(x), static_cast<double>(y), 0.0}) real(value);
        whole(0);
      }
    });
    section(14, [&] { whole(0); });  // ridges are skipped
    section(6, [&] {
      whole(2);
      for (const int value : {1, 2, 3, 7, 1, 3, 4, 8}) whole(value);
    });
    add(std::int32_t{54});
    return text;
  };
  for (int version = 1; version <= 4; ++version) {
    INFO(version);
    const Mesh mesh = read_text("plate.meshb", binary_file(version));
    CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
    CHECK(mesh.nodes[2].x == 1);
    CHECK(mesh.find_group("8")->elements == std::vector<Index>{1});
  }
  CHECK_THAT(error_of("plate.meshb", binary_file(5)), Contains("expected the version 1, 2, 3 or 4, found 5"));
}

TEST_CASE("version 4 of INRIA's binary format is read as meshio writes it") {
  std::string text;
  const auto add = [&](auto value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto section = [&](std::int32_t keyword, std::int64_t next) {
    add(keyword);
    add(next);
  };
  const auto wholes = [&](std::initializer_list<std::int64_t> values) {
    for (const std::int64_t value : values) add(value);
  };
  add(std::int32_t{1});
  add(std::int32_t{4});
  section(3, 24);
  add(std::int32_t{2});
  section(4, 140);
  wholes({4});
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}}) {
    add(x);
    add(y);
    wholes({1});
  }
  section(5, 184);
  wholes({1, 1, 2, 5});
  section(6, 268);
  wholes({2, 1, 2, 3, 7, 1, 3, 4, 8});
  section(54, 0);
  CHECK(text.size() == 280);
  const Mesh mesh = read_text("plate.meshb", text);
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.nodes[2].y == 1);
  CHECK(mesh.find_group("5")->facets == std::vector<Index>{facet_code(0, 2)});
  CHECK(mesh.find_group("8")->elements == std::vector<Index>{1});
}

TEST_CASE("clockwise triangles are turned and counted in every format") {
  for (const Mesh& mesh : meshes()) {
    Mesh mirrored = mesh;  // along x, with every third triangle turned
    Index clockwise = 0;
    for (Point& p : mirrored.nodes) p.x = -p.x;
    for (Index e = 0; e < mesh.element_count(); ++e) {
      if (e % 3 != 0) {
        ++clockwise;
        continue;
      }
      const auto row = mirrored.elements.begin() + static_cast<std::ptrdiff_t>(e) * nodes_per_element(mesh.type);
      std::swap(row[1], row[2]);
      if (mesh.type == ElementType::t6) std::swap(row[3], row[5]);
    }
    mirrored.groups.clear();
    for (const auto& [name, text] : {std::pair{"a.msh", gmsh_file(mirrored, GmshVersion::v41, true)},
                                     std::pair{"a.mesh", inria_file(mirrored, false)}}) {
      const Mesh read = read_text(name, text);
      CHECK(read.turned == clockwise);
      for (Index e = 0; e < read.element_count(); ++e) CHECK(twice_area(read, e) > 0);
      CHECK(neighbours_match(read));
      if (mesh.type == ElementType::t6) CHECK(mid_sides_in_the_middle(read) == mid_sides_in_the_middle(mesh));
      CHECK(quality(read).area == Approx(quality(mesh).area));
    }
  }
  CHECK(read_mesh(mesh_file("plate.msh")).turned == 0);
}

TEST_CASE("a mesh file in millimetres is scaled to metres") {
  const Mesh plate = read_mesh(mesh_file("plate_t6.msh"));
  Mesh large = plate;
  for (Point& p : large.nodes) p = {1024 * p.x, 1024 * p.y};
  for (const auto& [name, text] :
       {std::pair{"a.msh", gmsh_file(large, GmshVersion::v22, false)}, std::pair{"a.meshb", inria_file(large, true)}})
    require_same_triangles(read_text(name, text, {CurvedSides::refused, 1.0 / 1024}), plate);
}

namespace {

/// Quads of a plate of 3 x 2 squares with a third of the middle line moved, in Gmsh's order of nodes.
struct QuadFile {
  int nodes_per_quad;
  int gmsh_type, vtk_type;
};

struct Quads {
  std::vector<Point> nodes;
  std::vector<std::vector<int>> quads;  // positions in nodes
};

Quads quads_of(int nodes_per_quad) {
  Quads made;
  std::map<std::pair<int, int>, int> at;  // by twice the place
  const auto node = [&](int i, int j) {
    const auto [entry, fresh] = at.try_emplace({i, j}, static_cast<int>(made.nodes.size()));
    if (fresh) made.nodes.push_back({0.5 * i, 0.5 * j});
    return entry->second;
  };
  for (int i = 0; i < 6; i += 2)
    for (int j = 0; j < 4; j += 2) {
      std::vector<int> quad{node(i, j), node(i + 2, j), node(i + 2, j + 2), node(i, j + 2)};
      if (nodes_per_quad >= 8)
        for (const auto& [a, b] : {std::pair{1, 0}, {2, 1}, {1, 2}, {0, 1}}) quad.push_back(node(i + a, j + b));
      if (nodes_per_quad == 9) quad.push_back(node(i + 1, j + 1));
      made.quads.push_back(quad);
    }
  return made;
}

std::string gmsh_of(const Quads& plate, int type) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", plate.nodes.size());
  for (std::size_t n = 0; n < plate.nodes.size(); ++n)
    text += fmt::format("{} {} {} 0\n", n + 1, plate.nodes[n].x, plate.nodes[n].y);
  text += fmt::format("$EndNodes\n$Elements\n{}\n", 2 * plate.quads.size());
  for (std::size_t q = 0; q < plate.quads.size(); ++q)
    for (const int group : {7, 8}) {  // an element of two groups stands there twice
      text += fmt::format("{} {} 2 {} 1", q + 1, type, group);
      for (const int node : plate.quads[q]) text += fmt::format(" {}", node + 1);
      text += "\n";
    }
  return text + "$EndElements\n";
}

std::string inria_of(const Quads& plate, const std::string& keyword) {
  std::string text = fmt::format("MeshVersionFormatted 2\nDimension 2\nVertices\n{}\n", plate.nodes.size());
  for (const Point& p : plate.nodes) text += fmt::format("{} {} 0\n", p.x, p.y);
  text += fmt::format("{}\n{}\n", keyword, plate.quads.size());
  for (const std::vector<int>& quad : plate.quads) {
    for (const int node : quad) text += fmt::format("{} ", node + 1);
    text += "7\n";
  }
  return text + "End\n";
}

std::string vtk_of(const Quads& plate, int type) {
  std::string text = fmt::format(
      "# vtk DataFile Version 3.0\nquads\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", plate.nodes.size());
  for (const Point& p : plate.nodes) text += fmt::format("{} {} 0\n", p.x, p.y);
  const std::size_t width = plate.quads.front().size();
  text += fmt::format("CELLS {} {}\n", plate.quads.size(), plate.quads.size() * (width + 1));
  for (const std::vector<int>& quad : plate.quads) text += fmt::format("{} {}\n", width, fmt::join(quad, " "));
  text += fmt::format("CELL_TYPES {}\n", plate.quads.size());
  for (std::size_t q = 0; q < plate.quads.size(); ++q) text += fmt::format("{}\n", type);
  text += fmt::format("CELL_DATA {}\nSCALARS group:7 int\nLOOKUP_TABLE default\n", plate.quads.size());
  for (std::size_t q = 0; q < plate.quads.size(); ++q) text += "1\n";
  return text;
}

}  // namespace

TEST_CASE("quads of every format become two triangles each, or are refused with what to do") {
  const MeshReading split{.split_quads = true};
  for (const auto& [nodes, gmsh_type, vtk_type] : {QuadFile{4, 3, 9}, {8, 16, 23}, {9, 10, 28}}) {
    const Quads plate = quads_of(nodes);
    std::vector<std::pair<std::string, std::string>> files{{"a.msh", gmsh_of(plate, gmsh_type)},
                                                           {"a.vtk", vtk_of(plate, vtk_type)}};
    if (nodes == 4) files.emplace_back("a.mesh", inria_of(plate, "Quadrilaterals"));
    if (nodes == 9) files.emplace_back("a.mesh", inria_of(plate, "QuadrilateralsQ2"));
    for (const auto& [name, text] : files) {
      CAPTURE(nodes, name);
      const Mesh mesh = read_text(name, text, split);
      CHECK(mesh.type == (nodes == 4 ? ElementType::t3 : ElementType::t6));
      CHECK(mesh.element_count() == 12);
      CHECK(mesh.node_count() == (nodes == 4 ? 12 : 35));
      CHECK(quality(mesh).area == Approx(6));
      CHECK(neighbours_match(mesh));
      CHECK(count(mesh).euler == 1);
      if (nodes > 4) CHECK(mid_sides_in_the_middle(mesh));
      CHECK(mesh.find_group("7")->elements.size() == 12);
      // Equal quads are cut alike, from the first corner to the third.
      for (Index e = 0; e < 12; e += 2) {
        CHECK(mesh.node(e, 0) == mesh.node(e + 1, 0));
        CHECK(mesh.node(e, 2) == mesh.node(e + 1, 1));
      }
      std::vector<Index> ids = mesh.original_elements;
      std::sort(ids.begin(), ids.end());
      CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
      ids = mesh.original_nodes;
      std::sort(ids.begin(), ids.end());
      CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
      if (name == "a.msh") {
        CHECK(mesh.find_group("8")->elements.size() == 12);
        CHECK(mesh.original_elements == std::vector<Index>{1, 7, 2, 8, 3, 9, 4, 10, 5, 11, 6, 12});
      }
      CHECK_THAT(error_of(name, text), Contains("mesh.split_quads: true makes two triangles of each quad"));
    }
  }
}

TEST_CASE("a quad is cut along the diagonal that makes the less flat triangles") {
  const auto cut_from_first = [](Point a, Point b, Point c, Point d) {
    const auto halves = halves_of_quad({a, b, c, d});
    CHECK(halves[0][2] == halves[1][1]);
    CHECK(halves[0][0] == halves[1][0]);
    return halves[0][0] == 0;
  };
  CHECK(cut_from_first({0, 0}, {1, 0}, {1, 1}, {0, 1}));
  CHECK(cut_from_first({0, 0}, {1 + 1e-12, 0}, {1, 1}, {0, 1 + 1e-12}));
  CHECK(!cut_from_first({0, 0}, {1, 0}, {2, 1}, {1, 1}));  // a rhomboid: the short diagonal
  CHECK(cut_from_first({1, 0}, {2, 1}, {1, 1}, {0, 0}));
  CHECK(!cut_from_first({0, 0}, {0.4, 0.4}, {1, 0}, {0.5, 1}));  // an arrow: from the corner that points inwards
  CHECK(cut_from_first({0.4, 0.4}, {1, 0}, {0.5, 1}, {0, 0}));
  CHECK(cut_from_first({0, 0}, {0, 1}, {1, 1}, {1, 0}));  // clockwise
  CHECK(!cut_from_first({0, 0}, {1, 1}, {2, 1}, {1, 0}));
}

TEST_CASE("curved sides are refused with element and distance, or straightened on request") {
  // A quarter of a disc of two elements: their outer mid-side nodes lie on the circle.
  const double c = std::cos(M_PI / 8), s = std::sin(M_PI / 8), h = std::sqrt(0.5);
  const std::string text = fmt::format(
      "MeshVersionFormatted 2\nDimension 2\nVertices\n9\n0 0 0\n1 0 0\n{0} {0} 0\n0 1 0\n0.5 0 0\n{1} {2} 0\n{3} {3} "
      "0\n"
      "{2} {1} 0\n0 0.5 0\nTrianglesP2\n2\n1 2 3 5 6 7 0\n1 3 4 7 8 9 0\nEnd\n",
      h, c, s, h / 2);
  const double off = 1 - std::cos(M_PI / 8);
  CHECK_THAT(error_of("disc.mesh", text), Contains("element 1: mid-side node 6") &&
                                              Contains(fmt::format("{:.3g} m", off)) &&
                                              Contains("element 2: mid-side node 8") && Contains("mesh.straighten"));
  const Mesh mesh = read_text("disc.mesh", text, {CurvedSides::straightened});
  CHECK(mid_sides_in_the_middle(mesh));
  CHECK(mesh.straightened.nodes == 2);
  CHECK(mesh.straightened.farthest == Approx(off));
  // Two segments of parabolas, each 2/3 of chord times height.
  CHECK(mesh.straightened.area_change == Approx(-2 * 2.0 / 3 * 2 * std::sin(M_PI / 8) * off));
  CHECK(quality(mesh).area == Approx(h));
  // A straight mesh stays as it is, and what is no mid-side node is not moved.
  const Mesh plate = read_mesh(mesh_file("plate_t6.msh"), {CurvedSides::straightened});
  CHECK(plate.straightened.area_change == Approx(0).margin(1e-15));
  const TemporaryDirectory directory;
  const auto wrong = directory.write("wrong.mesh", with(text, "1 2 3 5 6 7 0", "1 2 3 6 7 5 0"));
  CHECK_THAT(input_error([&] { read_mesh(wrong, {CurvedSides::straightened}); }), Contains("in the order corners"));
}

namespace {

/// A file as it should be, and ways to break it, each with words of the report.
struct Broken {
  std::string name, text, says;
};

std::string swapped(std::string text, std::size_t at, std::size_t size) {
  std::reverse(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(at + size));
  return text;
}

template <class T>
std::string put(std::string text, std::size_t at, T value) {
  std::memcpy(text.data() + at, &value, sizeof value);
  return text;
}

std::vector<Broken> broken_files() {
  const Mesh mesh = read_mesh(mesh_file("plate.msh"));
  std::vector<Broken> all;
  const auto add = [&](std::string name, std::string text, std::string says) {
    all.push_back({std::move(name), std::move(text), std::move(says)});
  };
  for (const auto& [version, binary] : gmsh_variants) {
    const std::string text = gmsh_file(mesh, version, binary);
    const std::string ends = version == GmshVersion::v41 ? "4.1" : "2.2";
    add("a.msh", text.substr(0, text.find("$Elements")), "there are no triangles");
    add("a.msh", text.substr(0, text.size() - 14), "truncated");
    add("a.msh", text.substr(0, text.find("$EndNodes") - 30), "truncated");
    add("a.msh", with(text, "$Nodes\n", "$Knots\n"), "$EndKnots");
    add("a.msh", with(text, "$MeshFormat\n" + ends, "$MeshFormat\n4.0"), "version 4.0");
    add("a.msh", with(text, "\"left\"", "\"right\""), "same name");
    add("a.msh", text + "rubbish", "expected the start of a section");
    if (binary) {
      add("a.msh", swapped(text, text.find(" 8\n") + 3, 4), "order of bytes");
      add("a.msh", put(text, text.find(" 8\n") + 3, 7), "order of bytes");
    }
  }
  const std::string old = gmsh_file(mesh, GmshVersion::v22, true), young = gmsh_file(mesh, GmshVersion::v41, true);
  const std::size_t old_elements = old.find("$Elements\n46\n") + 13, young_elements = young.find("$Elements\n") + 10;
  add("a.msh", put(old, old_elements, 3), "Gmsh type 3, a quadrangle");
  add("a.msh", put(old, old_elements, 4), "Gmsh type 4, a solid");
  add("a.msh", put(old, old_elements + 4, 1000), "1000 elements of type 1 must not follow");
  add("a.msh", put(old, old_elements + 24, 99), "refers to node 99");
  add("a.msh", put(young, young_elements, std::int64_t{1} << 40), "the number of blocks of elements is 1099511627776");
  add("a.msh", put(young, young_elements + 8, std::int64_t{45}), "a block of 30 elements must not follow");
  add("a.msh", put(young, young_elements + 32, 5), "expected the dimension of an entity, 0 to 3, found 5");
  add("a.msh", put(young, young_elements + 36, 77), "elements belong to curve 77");
  add("a.msh", put(young, young_elements + 40, 10), "Gmsh type 10, a quadrangle");

  const std::string text = inria_file(mesh, false), bytes = inria_file(mesh, true);
  add("a.mesh", text.substr(0, text.find("Triangles")), "there are no triangles");
  add("a.mesh", text.substr(0, text.size() - 20), "truncated");
  add("a.mesh", with(text, "Dimension\n2", "Dimension\n4"), "dimension 2 or 3, found 4");
  add("a.mesh", with(text, "MeshVersionFormatted", "MeshVersion"), "this is no .mesh file");
  add("a.mesh", "MFEM mesh v1.0\n\ndimension\n2\n", "this is a mesh of MFEM; write it as .vtu by MFEM's");
  add("a.mesh", with(text, "Triangles\n30\n", "Triangles\n31\n"), "expected a node of an element, found 'End'");
  add("a.mesh", with(text, "Triangles\n30\n", "Triangles\n29\n"), "Triangles goes on with ");
  add("a.mesh", with(text, "Triangles\n30\n", "Tetrahedra\n30\n"), "there are 30 Tetrahedra");
  add("a.mesh", with(text, "Dimension\n2\n", ""), "expected Dimension before Vertices");
  add("a.meshb", bytes.substr(0, bytes.size() - 13), "truncated");
  add("a.meshb", bytes.substr(0, bytes.size() - 100), "truncated");
  add("a.meshb", swapped(bytes, 0, 4), "endianness");
  add("a.meshb", put(bytes, 4, 9), "expected the version 1, 2, 3 or 4, found 9");
  add("a.meshb", put(bytes, 12, std::int64_t{4}), "must lie further on");
  add("a.meshb", put(bytes, 36, 23), "the section Vertices ends at byte");
  add("a.meshb", put(bytes, 36, -1), "the number of Vertices is -1");
  add("a.meshb", put(bytes, 24, 6), "there are none before them");
  return all;
}

}  // namespace

TEST_CASE("broken mesh files are refused, each with its reason") {
  const std::vector<Broken> files = broken_files();
  CHECK(files.size() >= 40);
  for (std::size_t i = 0; i < files.size(); ++i) {
    INFO(i << " " << files[i].name << ", should say: " << files[i].says);
    const std::string error = error_of(files[i].name, files[i].text);
    CHECK_THAT(error, StartsWith(files[i].name) && Contains(files[i].says));
    CHECK(std::all_of(error.begin(), error.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  }
}

TEST_CASE("a file with wrong bytes is read or refused") {
  const Mesh mesh = read_mesh(mesh_file("plate_t6.msh"));
  std::mt19937 random(3);
  std::vector<std::pair<std::string, std::string>> files{{"a.mesh", inria_file(mesh, false)},
                                                         {"a.meshb", inria_file(mesh, true)}};
  for (const auto& [version, binary] : gmsh_variants) files.emplace_back("a.msh", gmsh_file(mesh, version, binary));
  int refused = 0;
  for (const auto& [name, text] : files) {
    for (int trial = 0; trial < 200; ++trial) {
      std::string wrong = text;
      for (int i = 0; i < 3; ++i) wrong[random() % wrong.size()] = static_cast<char>(random());
      refused += error_of(name, wrong).empty() ? 0 : 1;
    }
  }
  CHECK(refused > 100);
}
