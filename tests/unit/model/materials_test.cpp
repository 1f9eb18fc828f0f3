#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "cleave/core/error.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"

using namespace cleave;

namespace {

const MaterialCase steel{"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}};
const MaterialCase glass{"linear_elastic", {70e9, 0.2, 2500, PlaneType::strain}};
const MaterialCase rubber{"linear_elastic", {1e7, 0.45, 1100, PlaneType::strain}};

const RegionCase lower_right{"lower right", {1, 0, 2, 1}, 3};
const RegionCase upper_left{"upper left", {0, 1, 1, 2}, 4};

/// A square of 2 m, 8 x 8 quads, 256 triangles, 64 in each quarter. The Hilbert curve visits the quarters lower left,
/// upper left, upper right, lower right; the generator goes row by row from below.
Case square(std::vector<MaterialEntry> materials, ElementType type = ElementType::t6) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {8, 8};
  c.mesh.size = {2, 2};
  c.mesh.regions = {lower_right, upper_left};
  c.material = std::move(materials);
  c.time.steps = 1;
  return c;
}

bool inside(const RegionCase& region, Point p) {
  return p.x > region.box[0] && p.x < region.box[2] && p.y > region.box[1] && p.y < region.box[3];
}

std::string report_of(const Case& c) {
  try {
    make_model(c);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool same_numbering(const Mesh& a, const Mesh& b) {
  return a.elements == b.elements && a.original_elements == b.original_elements && a.original_nodes == b.original_nodes;
}

}  // namespace

TEST_CASE("one material leaves the numbering as it is") {
  for (const Assembly assembly : {Assembly::gather, Assembly::coloured}) {
    Case c = square({{"", steel}});
    c.run.assembly = assembly;
    const Model one = make_model(c);
    CHECK(one.materials == std::vector<MaterialCase>{steel});
    CHECK(one.material_ranges == std::vector<Index>{0, 256});
    CHECK(one.element_material == std::vector<Index>(256, 0));
    // Two groups of equal values, and one that a later entry covers.
    c.material = {{"", rubber}, {"", steel}, {"lower right", steel}};
    const Model merged = make_model(c);
    CHECK(merged.materials == one.materials);
    CHECK(merged.material_ranges == one.material_ranges);
    CHECK(same_numbering(merged.mesh, one.mesh));
    CHECK(merged.critical_step == one.critical_step);
  }
}

TEST_CASE("elements are sorted by material") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const Model model = make_model(square({{"", steel}, {"upper left", glass}, {"lower right", rubber}}, type));
    CHECK(model.materials == std::vector<MaterialCase>{steel, glass, rubber});
    CHECK(model.material_ranges == std::vector<Index>{0, 128, 192, 256});
    for (Index e = 0; e < 256; ++e) {
      const Point p = centroid(model.mesh, e);
      CHECK(model.element_material[e] == (e < 128 ? 0 : e < 192 ? 1 : 2));
      CHECK(model.element_material[e] == (inside(upper_left, p) ? 1 : inside(lower_right, p) ? 2 : 0));
    }
    Mesh connected = model.mesh;
    connect(connected);
    CHECK(connected.neighbours == model.mesh.neighbours);
    CHECK_NOTHROW(check_mesh(model.mesh, "sorted"));
    const std::vector<Index>& triangles = model.mesh.find_group("upper left")->elements;
    REQUIRE(triangles.size() == 64);
    CHECK((triangles.front() == 128 && triangles.back() == 191));
    for (const Index code : model.mesh.find_group("left")->facets) CHECK(model.mesh.neighbours[code] == boundary_facet);
  }
}

TEST_CASE("the order of materials does not depend on their names in the case") {
  const Model model = make_model(square({{"", steel}, {"upper left", glass}, {"lower right", rubber}}));
  Case other = square({{"", steel}, {"lower right", rubber}, {"upper left", glass}});
  std::swap(other.mesh.regions[0], other.mesh.regions[1]);
  const Model same = make_model(other);
  CHECK(same.materials == model.materials);
  CHECK(same.material_ranges == model.material_ranges);
  CHECK(same_numbering(same.mesh, model.mesh));

  other.mesh.numbering = Numbering::as_given;  // the lower row of quarters comes first
  const Model given = make_model(other);
  CHECK(given.materials == std::vector<MaterialCase>{steel, rubber, glass});
  for (std::size_t m = 0; m < 3; ++m)
    CHECK(std::is_sorted(given.mesh.original_elements.begin() + given.material_ranges[m],
                         given.mesh.original_elements.begin() + given.material_ranges[m + 1]));
}

TEST_CASE("materials of a mesh as given follow its original element ids") {
  // A unit square of two triangles, of which the second has the smaller id.
  const auto file = std::filesystem::temp_directory_path() / ("cleave_materials_" + std::to_string(getpid()) + ".msh");
  std::ofstream(file) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"a\"\n2 2 \"b\"\n"
                         "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                         "$Elements\n2\n102 2 2 1 1 1 2 3\n101 2 2 2 1 1 3 4\n$EndElements\n";
  Case c;
  c.mesh.shape = MeshShape::file;
  c.mesh.file = file;
  c.mesh.numbering = Numbering::as_given;
  c.material = {{"a", steel}, {"b", glass}};
  const Model model = make_model(c);
  std::filesystem::remove(file);
  CHECK(model.materials == std::vector<MaterialCase>{glass, steel});
  CHECK(model.mesh.original_elements == std::vector<Index>{101, 102});
}

TEST_CASE("the last entry that names a triangle counts") {
  Case c = square({{"upper left", glass}, {"", steel}});
  CHECK(make_model(c).materials == std::vector<MaterialCase>{steel});
  c.mesh.regions.push_back({"corner", {0, 1.5, 0.5, 2}, 5});
  c.material = {{"", steel}, {"upper left", glass}, {"corner", rubber}};
  const Model model = make_model(c);
  CHECK(model.materials == std::vector<MaterialCase>{steel, glass, rubber});
  CHECK(model.material_ranges == std::vector<Index>{0, 192, 240, 256});
}

TEST_CASE("no block of elements mixes materials") {
  Case c = square({{"", steel}, {"upper left", glass}, {"lower right", rubber}});
  c.mesh.divisions = {20, 20};  // 400 triangles in each quarter
  const Model model = make_model(c);
  const std::vector<BlockRange> ranges = cut_blocks(model.material_ranges);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].blocks() == 7);
  CHECK(ranges[1].blocks() == 4);
  CHECK(ranges[2].end_block() == 15);
  // Blocks of a material follow each other as their middle elements do along the curve; a short one comes last.
  Mesh curve = model.mesh;
  connect(curve);
  renumber_hilbert(curve);
  std::vector<Index> along_curve(curve.original_elements.size());
  for (Index e = 0; e < curve.element_count(); ++e) along_curve[curve.original_elements[e]] = e;
  for (const BlockRange& range : ranges) {
    Index before = -1;
    for (Index b = range.first_block; b < range.end_block() - 1; ++b) {
      std::vector<Index> places;
      for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
        places.push_back(along_curve[model.mesh.original_elements[e]]);
      std::nth_element(places.begin(), places.begin() + 64, places.end());
      CHECK(places[64] > before);
      before = places[64];
    }
  }
  // The mesh is numbered by these blocks: nodes between materials are after those of blocks.
  const std::vector<Index> first = first_nodes_of_blocks(model.mesh, ranges);
  std::vector<std::set<Index>> blocks_at(model.mesh.nodes.size());
  for (const BlockRange& range : ranges)
    for (Index e = range.first_element; e < range.end_element; ++e)
      for (int i = 0; i < 6; ++i) blocks_at[model.mesh.node(e, i)].insert(range.block_of(e));
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    const bool of_one = blocks_at[n].size() == 1;
    CHECK(of_one == (n < first.back()));
    if (of_one) CHECK((first[*blocks_at[n].begin()] <= n && n < first[*blocks_at[n].begin() + 1]));
  }
  for (Index e = 0; e < model.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index across = model.mesh.neighbour(e, k);
      if (!is_intact(across) || model.element_material[element_of(across)] == model.element_material[e]) continue;
      for (int i = 0; i < 3; ++i) CHECK(model.mesh.node(e, facet_node_slot(ElementType::t6, k, i)) >= first.back());
    }
}

TEST_CASE("every element counts in the critical step with its own material") {
  // What is soft beside the material in question cannot limit the step.
  const MaterialCase soft{"linear_elastic", {1, 0.3, 1000, PlaneType::strain}};
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const auto step = [&](const MaterialCase& rest, const MaterialCase& corner) {
      Case c = square({{"", rest}, {"lower right", corner}}, type);
      c.mesh.perturbation_amplitude = 0.2;
      return make_model(c).critical_step;
    };
    const double of_rest = step(steel, soft), of_corner = step(soft, glass);
    CHECK(of_rest != of_corner);
    CHECK(step(steel, glass) == std::min(of_rest, of_corner));
    CHECK(step(glass, steel) != step(steel, glass));
    CHECK(step(steel, steel) == std::min(of_rest, step(soft, steel)));
  }
  // Without perturbation all triangles are congruent, up to the power iteration's tolerance of 1e-10.
  const auto step = [&](const std::vector<MaterialEntry>& entries) {
    return make_model(square(entries)).critical_step;
  };
  CHECK(step({{"", glass}, {"lower right", steel}}) == Approx(step({{"", steel}})).epsilon(1e-8));
  CHECK(step({{"", soft}, {"lower right", glass}}) == Approx(step({{"", glass}})).epsilon(1e-8));
}

TEST_CASE("wrong materials of a mesh are explained") {
  Case c = square({{"upper left", steel, 6}, {"lower right", glass, 7}});
  c.line_of_material = 5;
  // Triangle 0 is the southern one of the first quad, 0.25 m wide.
  CHECK(
      report_of(c) ==
      "case.yaml:5: material: element 0 at (0.125, 0.0416667) has no material, nor have 127 others: name its group, or "
      "begin the list with a material without `on`, which holds for all triangles");
  c.material = {{"", steel, 6}, {"uper left", glass, 7}, {"top", glass, 8}};
  c.boundary.resize(2);
  c.boundary[0].on = "upper left";
  c.boundary[0].line = 9;
  c.boundary[1].on = "botom";
  c.boundary[1].line = 10;
  CHECK(report_of(c) ==
        "case.yaml:7: material.1.on: the mesh has no group \"uper left\"; did you mean \"upper left\"?\n"
        "case.yaml:8: material.2.on: group \"top\" holds no triangles; groups with triangles: lower right, upper left\n"
        "case.yaml:9: boundary.0.on: group \"upper left\" holds no nodes; groups with nodes: left, right, bottom, top, "
        "outside\n"
        "case.yaml:10: boundary.1.on: the mesh has no group \"botom\"; did you mean \"bottom\"?");
  c = square({{"all", steel, 6}});
  c.mesh.regions.clear();
  CHECK(report_of(c) ==
        "case.yaml:6: material.0.on: the mesh has no group \"all\"; no group of the mesh holds triangles");
}
