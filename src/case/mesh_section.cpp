#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "case/sections.hpp"

namespace cleave::case_file {
namespace {

using Path = std::filesystem::path;

constexpr std::int64_t most_quads(ElementType type) { return most_elements_of_body(type) / 4; }

/// Keys that only some shapes have, with these shapes.
const std::vector<std::pair<std::string, std::vector<MeshShape>>>& keys_of_shapes() {
  using enum MeshShape;
  static const std::vector<std::pair<std::string, std::vector<MeshShape>>> keys{
      {"divisions", {rectangle, ring}},
      {"cell_size", {disc, plate_with_hole, kalthoff, compact_tension, compact_compression}},
      {"size", {rectangle, plate_with_hole, kalthoff, compact_compression}},
      {"origin", {rectangle, plate_with_hole, kalthoff, compact_compression}},
      {"notch", {rectangle, kalthoff, compact_tension, compact_compression}},
      {"inner_radius", {ring}},
      {"outer_radius", {ring}},
      {"radius", {disc}},
      {"hole", {plate_with_hole, compact_compression}},
      {"width", {compact_tension}},
      {"platen", {disc, compact_compression}}};
  return keys;
}

/// All keys that only some shapes have.
std::vector<std::string> keys_of_any_shape() {
  std::vector<std::string> keys{"element", "pattern"};
  for (const auto& [key, shapes] : keys_of_shapes()) keys.push_back(key);
  return keys;
}

void exclude_keys_of_other_shapes(Section& mesh, MeshShape shape) {
  for (const auto& [key, shapes] : keys_of_shapes()) {
    if (std::find(shapes.begin(), shapes.end(), shape) != shapes.end()) continue;
    std::vector<std::string> names;
    for (const MeshShape other : shapes) names.push_back(name_of(other, shape_names));
    mesh.exclude({key}, fmt::format("only the shape{} {} {} it", names.size() == 1 ? "" : "s", fmt::join(names, ", "),
                                    names.size() == 1 ? "has" : "have"));
  }
}

bool read_divisions(Section& mesh, MeshCase& c) {
  if (!mesh.required("divisions", c.divisions,
                     {"number of quads along x and y; for a ring radial and circumferential, at least 3"}, at_least(1)))
    return false;
  const std::int64_t quads = static_cast<std::int64_t>(c.divisions[0]) * c.divisions[1];
  if (const std::int64_t most = most_quads(c.element); quads > most)
    mesh.fail("divisions", fmt::format("at most {} quads, found {}", most, quads));
  return true;
}

void read_cell_size(Section& mesh, MeshCase& c) {
  mesh.required("cell_size", c.cell_size, {"approximate length of the sides of quads", "m"}, above(0));
}

/// @return whether the size is given and valid
bool read_box(Section& mesh, MeshCase& c) {
  mesh.optional("origin", c.origin, {"lower left corner", "m"});
  return mesh.required("size", c.size, {"width and height of the shape", "m"}, above(0));
}

const Meaning of_notch{"slit from the left side to the right; its nodes are doubled except at the tip"};

bool read_notch_length(Section& notch, MeshCase& c, const Range& range) {
  return notch.required("length", c.notch_length,
                        {"length of the notch, for `compact_tension` from the load line, for `compact_compression` "
                         "from the hole; it ends inside",
                         "m"},
                        range);
}

bool read_hole_radius(Section& hole, MeshCase& c, const Range& range) {
  return hole.required("radius", c.hole_radius, {"radius of the hole", "m"}, range);
}

void read_rectangle(Section& mesh, MeshCase& c) {
  const bool divided = read_divisions(mesh, c);
  const bool sized = read_box(mesh, c);
  Section notch = mesh.optional_section("notch", of_notch, no_notch);
  const bool cut = read_notch_length(notch, c, sized ? between(0, c.size[0]) : above(0));
  notch.optional("height", c.notch_height,
                 {"height of a rectangle's notch above the bottom side, less than that of the rectangle", "m"},
                 mid_height, sized ? between(0, c.size[1]) : above(0));
  notch.exclude({"spacing"}, "only the shape kalthoff has it");
  if (cut && !c.notch_height && divided && c.divisions[1] % 2 != 0) {
    mesh.fail("divisions",
              fmt::format("a notch at mid-height needs an even number of quads along y, found {}", c.divisions[1]));
  }
}

void read_ring(Section& mesh, MeshCase& c) {
  if (read_divisions(mesh, c) && c.divisions[1] < 3) {
    mesh.fail("divisions", fmt::format("the circumference needs at least 3 quads, found {}", c.divisions[1]));
  }
  const bool inner = mesh.required("inner_radius", c.inner_radius, {"inner radius of a ring", "m"}, above(0));
  mesh.required("outer_radius", c.outer_radius, {"outer radius of a ring, larger than the inner one", "m"},
                above(inner ? c.inner_radius : 0));
}

const Meaning of_platen{"platens above and below, with the groups `upper_platen` and `lower_platen`"};

void read_platen_length(Section& platen, MeshCase& c, const Range& range) {
  platen.required("length", c.platen_length,
                  {"length of the pressed sides: for a disc the arcs about its top and bottom, for "
                   "`compact_compression` from the right side, short of the hole",
                   "m"},
                  range);
}

void read_disc(Section& mesh, MeshCase& c) {
  read_cell_size(mesh, c);
  const bool round = mesh.required("radius", c.radius, {"radius of a disc", "m"}, above(0));
  Section platen = mesh.optional_section("platen", of_platen, no_platen);
  read_platen_length(platen, c, round ? above_to(0, 3 * c.radius) : above(0));
}

void read_plate_with_hole(Section& mesh, MeshCase& c) {
  read_cell_size(mesh, c);
  const bool sized = read_box(mesh, c);
  Section hole = mesh.required_section("hole", {"round hole"});
  read_hole_radius(hole, c, sized ? between(0, std::min(c.size[0], c.size[1])) : above(0));
  hole.optional("centre", c.hole_centre,
                {"centre of the hole; on a side or a corner of the plate it gives a half or a quarter of a hole", "m"},
                mid_plate);
}

void read_kalthoff(Section& mesh, MeshCase& c) {
  read_cell_size(mesh, c);
  const bool sized = read_box(mesh, c);
  Section notch = mesh.required_section("notch", of_notch);
  read_notch_length(notch, c, sized ? between(0, c.size[0]) : above(0));
  notch.required("spacing", c.notch_spacing,
                 {"distance between the two notches of `kalthoff`, symmetric about mid-height", "m"},
                 sized ? between(0, c.size[1]) : above(0));
  notch.exclude({"height"}, "only the shape rectangle has it");
}

void read_compact_tension(Section& mesh, MeshCase& c) {
  read_cell_size(mesh, c);
  const bool wide = mesh.required(
      "width", c.width,
      {"W of the specimen, from the load line at x = 0 to the right side; gives all other lengths", "m"}, above(0));
  Section notch = mesh.required_section("notch", of_notch);
  read_notch_length(notch, c, wide ? between(0.25 * c.width, c.width) : above(0));
  notch.exclude({"height"}, "only the shape rectangle has it");
  notch.exclude({"spacing"}, "only the shape kalthoff has it");
}

void read_compact_compression(Section& mesh, MeshCase& c) {
  read_cell_size(mesh, c);
  const bool sized = read_box(mesh, c);
  Section hole = mesh.required_section("hole", {"round hole"});
  const bool cut =
      read_hole_radius(hole, c, sized ? between(0, std::min(c.size[0], c.size[1] / 2)) : above(0)) && sized;
  hole.exclude({"centre"}, "only the shape plate_with_hole has it");
  const Range behind_hole = cut ? between(0, c.size[0] - c.hole_radius) : above(0);
  Section notch = mesh.required_section("notch", of_notch);
  read_notch_length(notch, c, behind_hole);
  notch.exclude({"height"}, "only the shape rectangle has it");
  notch.exclude({"spacing"}, "only the shape kalthoff has it");
  Section platen = mesh.required_section("platen", of_platen);
  read_platen_length(platen, c, behind_hole);
}

void read_shape(Section& s, MeshCase& c) {
  s.optional("element", c.element, {"triangles with 3 or 6 nodes; a mesh file brings its own"}, element_names);
  s.optional("pattern", c.pattern, {"quads cut by both diagonals, or as many triangles with random nodes inside"},
             pattern_names);
  switch (c.shape) {
    case MeshShape::rectangle:
      read_rectangle(s, c);
      break;
    case MeshShape::ring:
      read_ring(s, c);
      break;
    case MeshShape::disc:
      read_disc(s, c);
      break;
    case MeshShape::plate_with_hole:
      read_plate_with_hole(s, c);
      break;
    case MeshShape::kalthoff:
      read_kalthoff(s, c);
      break;
    case MeshShape::compact_tension:
      read_compact_tension(s, c);
      break;
    case MeshShape::compact_compression:
      read_compact_compression(s, c);
      break;
    case MeshShape::file:
      break;
  }
  exclude_keys_of_other_shapes(s, c.shape);
  s.exclude({"straighten"}, "only a mesh file has curved sides");
  s.exclude({"split_quads"}, "only a mesh file has quads");
  s.exclude({"scale"}, "only a mesh file has it, lengths of a shape are in metres");
}

void read_mesh_file(Section& mesh, MeshCase& c, const Path& folder) {
  std::string name;
  if (mesh.required("file", name,
                    {"`.msh` (Gmsh 4.1 or 2.2), `.inp` (Abaqus), `.mesh`, `.meshb` (INRIA), `.vtu` or `.vtk` file, "
                     "relative to the case file"})) {
    c.file = mesh.from_root("file", folder / name);
    std::error_code ignored;
    if (!std::filesystem::exists(c.file, ignored)) mesh.fail("file", fmt::format("no such file: {}", c.file.string()));
  }
  mesh.optional("scale", c.scale, {"coordinates of a mesh file times this are metres: `1.0e-3` for millimetres"},
                above(0));
  c.scale_given = mesh.has("scale");
  mesh.optional(
      "split_quads", c.split_quads,
      {"`true`: each quad of a mesh file becomes two triangles, cut along the diagonal that makes them less flat; "
       "`false`: quads are errors"},
      truth_names);
  c.line_of_straighten = mesh.line("straighten");
  mesh.optional(
      "straighten", c.straighten,
      {"`true`: curved sides of a mesh file are straightened and the log reports the change; `false`: they are errors"},
      truth_names);
  mesh.exclude(keys_of_any_shape(), "only a generated mesh has it, a mesh file brings its own");
}

void read_corners(Section& s, std::array<double, 4>& box, const std::string& inside) {
  if (s.required("box", box, {"[x0, y0, x1, y1]: " + inside, "m"}) && !(box[0] < box[2] && box[1] < box[3]))
    s.fail("box", "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1");
}

RegionCase read_region(const std::string& name, Section s, int line) {
  RegionCase c{name, {}, line};
  read_corners(s, c.box, "triangles with their centroid inside, after any perturbation");
  return c;
}

void read_sides(Section s, PlaceCase& c) {
  const std::string rule = s.exactly_one({"box", "normal", "circle"});
  const Meaning of_within{
      "largest angle between a side's normal and `normal`, degrees; largest distance of a side's ends "
      "from `circle`, m",
      "° or m", "`normal`: `10`; `circle`: required"};
  if (rule == "box") {
    c.rule = PlaceCase::Rule::sides_in_box;
    read_corners(s, c.box, "sides with both ends inside");
    s.exclude({"within"}, "only `normal` and `circle` have it");
  } else if (rule == "normal") {
    c.rule = PlaceCase::Rule::sides_facing;
    if (s.required("normal", c.normal, {"direction of the outward normal of the sides, of any length"}) &&
        c.normal[0] == 0 && c.normal[1] == 0)
      s.fail("normal", "expected a direction, such as [0, 1], found [0, 0]");
    c.within = 10;
    s.optional("within", c.within, of_within, from_to(0, 180));
  } else if (rule == "circle") {
    c.rule = PlaceCase::Rule::sides_on_circle;
    if (s.required("circle", c.circle, {"[x, y, radius]: sides with both ends near this circle", "m"}) &&
        c.circle[2] <= 0)
      s.fail("circle", fmt::format("expected [x, y, radius] with a radius > 0, found {}", number_text(c.circle[2])));
    s.required("within", c.within, of_within, above(0));
  } else {
    s.allow({"within"});
  }
}

void read_nodes(Section s, PlaceCase& c) {
  const std::string rule = s.exactly_one({"near", "box"});
  if (rule == "near") {
    c.rule = PlaceCase::Rule::nearest_node;
    s.required("near", c.near, {"[x, y]: the one node nearest to this point", "m"});
  } else if (rule == "box") {
    c.rule = PlaceCase::Rule::nodes_in_box;
    read_corners(s, c.box, "nodes inside");
  }
}

PlaceCase read_place(const std::string& name, Section s, int line) {
  PlaceCase c;
  c.name = name;
  c.line = line;
  if (name == outside_group) s.fail("", "this group is always there, it holds all boundary sides: choose another name");
  read_sides(
      s.optional_section("sides", {"boundary sides, as they are before `cracks` are opened", "-", "this or `nodes`"}),
      c);
  read_nodes(s.optional_section("nodes", {"nodes", "-", "this or `sides`"}), c);
  if (s.given() && s.has("sides") == s.has("nodes"))
    s.fail("", fmt::format("expected exactly one of sides, nodes, found {}", s.has("sides") ? "both" : "none"));
  return c;
}

void write_place(Writer& w, const PlaceCase& c) {
  using enum PlaceCase::Rule;
  const bool sides = c.rule == sides_in_box || c.rule == sides_facing || c.rule == sides_on_circle;
  w.section(sides ? "sides" : "nodes", [&] {
    if (c.rule == sides_in_box || c.rule == nodes_in_box) w.key("box", c.box);
    if (c.rule == sides_facing) w.key("normal", c.normal);
    if (c.rule == sides_on_circle) w.key("circle", c.circle);
    if (c.rule == sides_facing || c.rule == sides_on_circle) w.key("within", c.within);
    if (c.rule == nearest_node) w.key("near", c.near);
  });
}

/// Reads a list of distinct names.
void read_names(const Node& list, std::vector<std::string>& c) {
  for (const Node& item : list.items()) {
    std::string name;
    if (!item.read(name)) continue;
    if (std::find(c.begin(), c.end(), name) != c.end()) item.fail(fmt::format("{} is given twice", name));
    c.push_back(name);
  }
}

void read_perturbation(Section s, MeshCase& c) {
  s.optional("amplitude", c.perturbation_amplitude,
             {"largest displacement of interior corner nodes, as a fraction of the cell size"}, from_to(0, 0.4));
  s.optional("seed", c.perturbation_seed,
             {"seed of the random numbers of the perturbation and of the pattern `delaunay`"}, at_least(0));
}

GradingCase read_grading_point(Section& s) {
  GradingCase c{.growth = 0.25};
  s.required("at", c.at, {"centre of the refinement, in the bounding box of the body", "m"});
  s.required("size", c.size, {"longest side of triangles at the point", "m"}, above(0));
  s.optional("growth", c.growth, {"increase of the longest side per distance from the point"}, from_to(0, 100));
  c.line = s.line("at");
  return c;
}

/// Reads a map, or a list of maps.
void read_grading(const Node& node, std::vector<GradingCase>& c) {
  const std::vector<Node> points = node.is_list() ? node.items() : std::vector<Node>{node.or_word("a list of them")};
  for (const Node& point : points) {
    Section s(point);
    c.push_back(read_grading_point(s));
    c.back().entry = node.is_list() ? static_cast<int>(c.size()) - 1 : -1;
  }
}

void write_box(Writer& w, const MeshCase& c) {
  w.key("size", c.size);
  w.key("origin", c.origin);
}

void write_hole(Writer& w, const MeshCase& c) {
  w.section("hole", [&] {
    w.key("radius", c.hole_radius);
    if (c.shape == MeshShape::plate_with_hole)
      c.hole_centre ? w.key("centre", *c.hole_centre) : w.key("centre", mid_plate);
  });
}

void write_notch(Writer& w, const MeshCase& c) {
  w.section("notch", [&] {
    w.key("length", c.notch_length);
    if (c.shape == MeshShape::rectangle)
      c.notch_height ? w.key("height", *c.notch_height) : w.key("height", mid_height);
    if (c.shape == MeshShape::kalthoff) w.key("spacing", c.notch_spacing);
  });
}

void write_platen(Writer& w, const MeshCase& c) {
  w.section("platen", [&] { w.key("length", c.platen_length); });
}

void write_shape(Writer& w, const MeshCase& c) {
  w.key("shape", name_of(c.shape, shape_names));
  w.key("element", name_of(c.element, element_names));
  w.key("pattern", name_of(c.pattern, pattern_names));
  const bool divided = c.shape == MeshShape::rectangle || c.shape == MeshShape::ring;
  divided ? w.key("divisions", c.divisions) : w.key("cell_size", c.cell_size);
  switch (c.shape) {
    case MeshShape::rectangle:
      write_box(w, c);
      c.notch_length > 0 ? write_notch(w, c) : w.key("notch", no_notch);
      break;
    case MeshShape::ring:
      w.key("inner_radius", c.inner_radius);
      w.key("outer_radius", c.outer_radius);
      break;
    case MeshShape::disc:
      w.key("radius", c.radius);
      c.platen_length > 0 ? write_platen(w, c) : w.key("platen", no_platen);
      break;
    case MeshShape::plate_with_hole:
      write_box(w, c);
      write_hole(w, c);
      break;
    case MeshShape::kalthoff:
      write_box(w, c);
      write_notch(w, c);
      break;
    case MeshShape::compact_tension:
      w.key("width", c.width);
      write_notch(w, c);
      break;
    case MeshShape::compact_compression:
      write_box(w, c);
      write_hole(w, c);
      write_notch(w, c);
      write_platen(w, c);
      break;
    case MeshShape::file:
      break;
  }
}

}  // namespace

void read_mesh(Section s, MeshCase& c, const Path& folder) {
  const std::string source = s.exactly_one({"shape", "file"});
  if (source == "file") {
    c.shape = MeshShape::file;
    read_mesh_file(s, c, folder);
  } else if (source == "shape" &&
             s.required("shape", c.shape, {"generated mesh, see [Shapes](#shapes)"}, shape_names)) {
    read_shape(s, c);
  } else {
    s.allow(keys_of_any_shape());
    s.allow({"scale", "split_quads", "straighten"});
  }
  c.line_of_refine = s.line("refine");
  s.optional("refine", c.refine,
             {"number of times that each triangle is divided into four; original ids are then new positions"},
             from_to(0, 15));
  if (const auto grading = s.optional_node(
          "grading",
          {"refinement around a point: triangles are halved until they are small; or a list of such maps", "-", "none"},
          either(any_map(), list_of(any_map()))))
    read_grading(*grading, c.grading);
  c.line_of_cracks = s.line("cracks");
  if (const auto cracks = s.optional_node("cracks",
                                          {"groups of lines inside the body that are opened as cracks before the run: "
                                           "their nodes are doubled, except tips inside",
                                           "-", "none"},
                                          list_of(any_text())))
    read_names(*cracks, c.cracks);
  read_perturbation(s.optional_section("perturbation", {"random displacement of nodes of the mesh"}), c);
  s.optional("thickness", c.thickness, {"thickness of the body; only energies depend on it, in proportion", "m"},
             above(0));
  s.optional("numbering", c.numbering,
             {"order of the triangles: along a Hilbert curve, or in blocks by halving the body, for [several "
              "ranks](#several-ranks); several materials are sorted by material first"},
             numbering_names);
  c.line_of_colouring = s.line("colouring");
  s.optional("colouring", c.colouring,
             {"colours of the triangles for `assembly: coloured`; `auto`: `structured` if generated quads have it, "
              "else `welsh_powell`"},
             colouring_names);
  c.line_of_doubled = s.line("doubled");
  if (const auto doubled = s.optional_node(
          "doubled",
          {"groups of facets whose nodes may coincide with other nodes, as on the faces of a crack", "-", "none"},
          list_of(any_text())))
    read_names(*doubled, c.doubled);
  Section regions = s.optional_section("regions", {"groups of triangles by position, on any mesh"});
  for (const std::string& name : regions.all_keys()) {
    c.regions.push_back(
        read_region(name, regions.required_section(name, {"a group with this name", "-", "-"}), regions.line(name)));
  }
  Section groups = s.optional_section("groups", {"groups of boundary sides or nodes by position, on any mesh"});
  for (const std::string& name : groups.all_keys()) {
    c.groups.push_back(
        read_place(name, groups.required_section(name, {"a group with this name", "-", "-"}), groups.line(name)));
  }
}

void write_mesh(Writer& w, const MeshCase& c) {
  if (c.shape == MeshShape::file) {
    w.key("file", c.file.string());
    w.key("scale", c.scale);
    w.key("split_quads", name_of(c.split_quads, truth_names));
    w.key("straighten", name_of(c.straighten, truth_names));
  } else {
    write_shape(w, c);
  }
  w.key("refine", c.refine);
  w.list("grading", c.grading, [&](const GradingCase& point) {
    w.key("at", point.at);
    w.key("size", point.size);
    w.key("growth", point.growth);
  });
  w.words("cracks", c.cracks);
  w.section("perturbation", [&] {
    w.key("amplitude", c.perturbation_amplitude);
    w.key("seed", c.perturbation_seed);
  });
  w.key("thickness", c.thickness);
  w.key("numbering", name_of(c.numbering, numbering_names));
  w.key("colouring", name_of(c.colouring, colouring_names));
  w.words("doubled", c.doubled);
  w.section("regions", [&] {
    for (const RegionCase& region : c.regions) w.section(region.name, [&] { w.key("box", region.box); });
  });
  w.section("groups", [&] {
    for (const PlaceCase& place : c.groups) w.section(place.name, [&] { write_place(w, place); });
  });
}

}  // namespace cleave::case_file
