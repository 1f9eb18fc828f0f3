/// Abaqus input files (.inp): nodes, elements, sets, surfaces, parts and instances. Everything else of a model is
/// skipped.
#include "mesh/io/abaqus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "cleave/core/machine.hpp"
#include "mesh/io/formats.hpp"

namespace cleave {
namespace {

/// Keywords that make or move parts of a mesh in ways that are not read.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> refused_keywords{
    {{"INCLUDE", "it names another file: put its content in its place"},
     {"SYSTEM", "nodes in another system of coordinates are not read: write them in x and y"},
     {"NGEN", "it makes nodes: write them all, as Abaqus/CAE does"},
     {"NFILL", "it makes nodes: write them all, as Abaqus/CAE does"},
     {"NCOPY", "it makes nodes: write them all, as Abaqus/CAE does"},
     {"NMAP", "it moves nodes: write them where they are, as Abaqus/CAE does"},
     {"ELGEN", "it makes elements: write them all, as Abaqus/CAE does"},
     {"ELCOPY", "it makes elements: write them all, as Abaqus/CAE does"}}};

std::optional<Shape> shape_of_surface(std::int64_t nodes) {
  switch (nodes) {
    case 3:
      return Shape::triangle3;
    case 4:
      return Shape::quad4;
    case 6:
      return Shape::triangle6;
    case 8:
      return Shape::quad8;
    case 9:
      return Shape::quad9;
    default:
      return {};
  }
}

/// The shape of CPE3, CPS6M, S4R, M3D3, STRI65, T2D2 and the like; empty for other types.
std::optional<Shape> shape_of_type(std::string_view type) {
  if (type == "STRI3") return Shape::triangle3;
  if (type == "STRI65") return Shape::triangle6;
  for (const std::string_view line : {"T2D", "T3D"})
    if (type.starts_with(line) && type.size() > 3)
      return type[3] == '2' ? std::optional(Shape::line2) : type[3] == '3' ? std::optional(Shape::line3) : std::nullopt;
  for (const std::string_view family : {"CPE", "CPS", "M3D", "S"}) {
    if (!type.starts_with(family) || type.size() == family.size()) continue;
    const std::string_view variant = type.substr(family.size() + 1);
    if (variant.find_first_not_of("MHRTIPSW5") != variant.npos) return {};
    return shape_of_surface(type[family.size()] - '0');
  }
  return {};
}

/// Why a type of elements is not read.
std::string reason_against(std::string_view type) {
  if (type.starts_with("COH"))
    return "cohesive elements. Cleave inserts its own where facets break: give the mesh from before they were inserted";
  if (type.starts_with("C3D")) return "solids; only triangles with 3 or 6 nodes in a plane are simulated";
  if (type.starts_with("CAX")) return "axisymmetric; only plane strain and plane stress are simulated";
  return "not simulated, only triangles with 3 or 6 nodes are (CPE, CPS, S): write the file without them";
}

class AbaqusReader {
 public:
  AbaqusReader(InputFile& file, const MeshReading& how) : file_(file), lines_(file), how_(how) {}

  std::vector<AbaqusBody> read() {
    if (!lines_.next() || !lines_.is_keyword())
      file_.fail("expected a keyword such as *Node: this is no Abaqus input file");
    bool more = true;
    while (more) {
      const AbaqusKeyword keyword = lines_.keyword();
      more = lines_.next();
      read(keyword, more);
      while (more && !lines_.is_keyword()) more = lines_.next();
    }
    if (bodies_.size() == 1 && !parts_.empty())
      file_.fail("there are parts, but no *Instance of one: write the assembly, too, or the mesh without parts");
    return std::move(bodies_);
  }

 private:
  /// The body whose data are being read.
  AbaqusBody& body() { return in_part_ ? parts_.back() : bodies_[in_instance_ ? bodies_.size() - 1 : 0]; }

  /// Reads what belongs to a keyword; `more` says whether a line follows, and afterwards whether one does that is not
  /// read yet.
  void read(const AbaqusKeyword& keyword, bool& more) {
    const std::string& name = keyword.name;
    for (const auto& [refused, why] : refused_keywords)
      if (name == refused.data()) file_.fail_at(keyword.place, fmt::format("*{}: {}", name, why));
    const bool reads = name == "NODE" || name == "ELEMENT" || name == "NSET" || name == "ELSET" || name == "SURFACE";
    if (reads && (keyword.has("INPUT") || keyword.has("LIBRARY")))
      file_.fail_at(keyword.place, fmt::format("*{}: it names another file: put its content in its place", name));
    if (name == "NODE") return read_nodes(keyword, more);
    if (name == "ELEMENT") return read_elements(keyword, more);
    if (name == "NSET") return read_set(keyword, AbaqusKind::nodes, more);
    if (name == "ELSET") return read_set(keyword, AbaqusKind::elements, more);
    if (name == "SURFACE") return read_surface(keyword, more);
    if (name == "INSTANCE") return begin_instance(keyword, more);
    if (name == "USERELEMENT") return read_user_element(keyword);
    if (name == "PART") {
      parts_.emplace_back(required(keyword, "NAME"));
      in_part_ = true;
    }
    if (name == "ENDPART") in_part_ = false;
    if (name == "ENDINSTANCE") in_instance_ = false;
  }

  std::string required(const AbaqusKeyword& keyword, const char* parameter) const {
    const std::string value = keyword.value(parameter);
    if (value.empty()) file_.fail_at(keyword.place, fmt::format("expected {}=... behind *{}", parameter, keyword.name));
    return value;
  }

  /// Calls f(values) for each data line.
  template <class F>
  void for_each_line(bool& more, const F& f) {
    for (; more && !lines_.is_keyword(); more = lines_.next()) f(lines_.values());
  }

  void read_nodes(const AbaqusKeyword& keyword, bool& more) {
    const std::string system = upper(keyword.value("SYSTEM"));
    if (!system.empty() && system != "R")
      file_.fail_at(keyword.place, fmt::format("*Node, system={}: only coordinates x and y are read", system));
    AbaqusSet* const set = keyword.has("NSET") ? &body().set(AbaqusKind::nodes, required(keyword, "NSET")) : nullptr;
    for_each_line(more, [&](const std::vector<std::string_view>& v) {
      if (v.size() < 2)
        file_.fail(fmt::format("expected the number of a node, x and y, found '{}'", file_.line().substr(0, 40)));
      const std::int64_t id = lines_.id(v[0], "the number of a node");
      const auto at = [&](std::size_t i) { return i < v.size() ? lines_.real(v[i], "a coordinate of a node") : 0; };
      body().nodes.push_back({id, {at(1), at(2)}, at(3), file_.place()});
      if (set != nullptr) add_id(*set, id);
    });
  }

  /// Adds a number to a set, to its last run of numbers if it is the next one.
  void add_id(AbaqusSet& set, std::int64_t id) const {
    if (!set.members.empty()) {
      AbaqusMembers& last = set.members.back();
      if (last.set.empty() && last.instance.empty() && last.step == 1 && last.last + 1 == id) {
        last.last = id;
        return;
      }
    }
    set.members.push_back({.first = id, .last = id, .place = file_.place()});
  }

  Shape shape_of(const AbaqusKeyword& keyword, const std::string& type) const {
    std::optional<Shape> shape = shape_of_type(type);
    if (const auto user = user_elements_.find(type); user != user_elements_.end()) {
      shape = shape_of_surface(user->second);
      if (!shape)
        file_.fail_at(keyword.place, fmt::format("elements of type {} have {} nodes; only triangles with 3 or 6 nodes "
                                                 "are simulated",
                                                 type, user->second));
    } else if (!shape && type.size() > 1 && type[0] == 'U' && type.find_first_not_of("0123456789", 1) == type.npos) {
      file_.fail_at(keyword.place, fmt::format("type {} is a user's: expected *User Element, type={}, nodes=... before "
                                               "its elements",
                                               type, type));
    }
    if (!shape) file_.fail_at(keyword.place, fmt::format("elements of type {} are {}", type, reason_against(type)));
    if (is_quad(*shape) && !how_.split_quads)
      file_.fail_at(keyword.place, fmt::format("elements of type {} are quads: {}", type, how_to_split));
    return *shape;
  }

  void read_elements(const AbaqusKeyword& keyword, bool& more) {
    const std::string type = upper(required(keyword, "TYPE"));
    const Shape shape = shape_of(keyword, type);
    AbaqusSet* const set =
        keyword.has("ELSET") ? &body().set(AbaqusKind::elements, required(keyword, "ELSET")) : nullptr;
    const std::size_t expected = nodes_of(shape);
    for (; more && !lines_.is_keyword(); more = lines_.next()) {
      const Place place = file_.place();
      std::vector<std::string_view> v = lines_.values();
      const std::int64_t id = lines_.id(v.empty() ? "" : v[0], "the number of an element");
      while (v.size() < expected + 1 && lines_.continues() && lines_.next() && !lines_.is_keyword())
        for (const std::string_view value : lines_.values()) v.push_back(value);
      if (v.size() != expected + 1)
        file_.fail_at(place,
                      fmt::format("element {} lists {} nodes, but type {} has {}", id, v.size() - 1, type, expected));
      body().elements.push_back({id, shape, body().element_nodes.size(), place});
      for (std::size_t i = 1; i < v.size(); ++i)
        body().element_nodes.push_back(lines_.id(v[i], "the number of a node"));
      if (set != nullptr) add_id(*set, id);
    }
  }

  void read_user_element(const AbaqusKeyword& keyword) {
    user_elements_[upper(required(keyword, "TYPE"))] = lines_.id(required(keyword, "NODES"), "a number of nodes");
  }

  /// Reads the members of *Nset and *Elset: numbers, names of sets, or first, last and step.
  void read_set(const AbaqusKeyword& keyword, AbaqusKind kind, bool& more) {
    AbaqusSet& set = body().set(kind, required(keyword, kind == AbaqusKind::nodes ? "NSET" : "ELSET"));
    set.internal = set.internal || keyword.has("INTERNAL");
    const std::string instance = upper(keyword.value("INSTANCE"));
    if (kind == AbaqusKind::nodes && keyword.has("ELSET"))
      set.members.push_back({.instance = instance,
                             .set = upper(required(keyword, "ELSET")),
                             .nodes_of_elements = true,
                             .place = keyword.place});
    for_each_line(more, [&](const std::vector<std::string_view>& v) {
      if (keyword.has("GENERATE")) return set.members.push_back(generated(v, instance));
      for (const std::string_view value : v) {
        if (!value.empty()) set.members.push_back(members_of(value, instance));
      }
    });
  }

  AbaqusMembers generated(const std::vector<std::string_view>& v, const std::string& instance) const {
    if (v.size() < 2 || v.size() > 3) file_.fail("expected 'first, last, step' behind generate");
    AbaqusMembers m{.instance = instance, .place = file_.place()};
    m.first = lines_.id(v[0], "the first number");
    m.last = lines_.id(v[1], "the last number");
    if (v.size() == 3) m.step = lines_.id(v[2], "the step");
    if (m.last < m.first) file_.fail(fmt::format("the last number, {}, is below the first, {}", m.last, m.first));
    return m;
  }

  /// A number, the name of a set, or INSTANCE.NUMBER.
  AbaqusMembers members_of(std::string_view value, const std::string& instance) const {
    AbaqusMembers m{.instance = instance, .place = file_.place()};
    const auto is_number = [](std::string_view text) {
      return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    };
    const auto dot = value.rfind('.');
    if (dot != value.npos && dot > 0 && is_number(value.substr(dot + 1))) {
      m.instance = upper(value.substr(0, dot));
      value.remove_prefix(dot + 1);
    }
    if (is_number(value))
      m.first = m.last = lines_.id(value, "a number");
    else
      m.set = upper(value);
    return m;
  }

  void read_surface(const AbaqusKeyword& keyword, bool& more) {
    const std::string type = keyword.has("TYPE") ? upper(keyword.value("TYPE")) : "ELEMENT";
    if ((type != "ELEMENT" && type != "NODE") || keyword.has("COMBINE")) return;  // analytical, or made of others
    const bool of_nodes = type == "NODE";
    AbaqusSet& surface = body().set(of_nodes ? AbaqusKind::nodes : AbaqusKind::sides, required(keyword, "NAME"));
    surface.internal = surface.internal || keyword.has("INTERNAL");
    for_each_line(more, [&](const std::vector<std::string_view>& v) {
      if (v.empty() || v[0].empty()) return;
      surface.members.push_back(members_of(v[0], ""));
      if (!of_nodes && v.size() > 1) surface.members.back().side = side_of(v[1]);
    });
  }

  /// S1 to S4, or E1 to E4 of a shell; empty: 0.
  int side_of(std::string_view value) const {
    const std::string side = upper(value);
    if (side.empty()) return 0;
    if (side.size() == 2 && (side[0] == 'S' || side[0] == 'E') && side[1] >= '1' && side[1] <= '4')
      return side[1] - '0';
    file_.fail(fmt::format("expected a side from S1 to S4, or E1 to E4 of a shell, found '{}'", value.substr(0, 40)));
  }

  /// An instance begins as its part, shifted and turned by up to two lines.
  void begin_instance(const AbaqusKeyword& keyword, bool& more) {
    const std::string name = required(keyword, "NAME"), part = upper(required(keyword, "PART"));
    const auto found =
        std::find_if(parts_.begin(), parts_.end(), [&](const AbaqusBody& p) { return upper(p.name) == part; });
    if (found == parts_.end())
      file_.fail_at(keyword.place, fmt::format("there is no part {} before this instance", part));
    copied_ += static_cast<double>(found->nodes.size() * sizeof(AbaqusBody::Node) +
                                   found->element_nodes.size() * sizeof(std::int64_t));
    if (copied_ > available_memory() / 4)
      file_.fail_at(keyword.place, "the instances so far do not fit into memory: place fewer, or coarser ones");
    AbaqusBody made = *found;
    made.name = name;
    std::vector<std::vector<double>> moves;
    for_each_line(more, [&](const std::vector<std::string_view>& v) {
      std::vector<double>& move = moves.emplace_back();
      for (const std::string_view value : v) move.push_back(lines_.real(value, "a number of the instance's place"));
      move.resize(moves.size() == 1 ? 3 : 7);
    });
    if (!moves.empty()) shift(made, moves[0]);
    if (moves.size() > 1) turn(made, moves[1]);
    bodies_.push_back(std::move(made));
    in_instance_ = true;
  }

  static void shift(AbaqusBody& body, const std::vector<double>& by) {
    for (AbaqusBody::Node& n : body.nodes) n = {n.id, {n.at.x + by[0], n.at.y + by[1]}, n.z + by[2], n.place};
  }

  /// Turns by Rodrigues' formula about the axis between two points.
  /// @param by  both points, and the angle in degrees
  void turn(AbaqusBody& body, const std::vector<double>& by) const {
    const std::array<double, 3> a{by[0], by[1], by[2]};
    std::array<double, 3> k{by[3] - by[0], by[4] - by[1], by[5] - by[2]};
    const double length = std::hypot(k[0], k[1], k[2]), angle = by[6] * std::numbers::pi / 180;
    if (!(length > 0)) file_.fail("the two points of the axis of rotation are the same");
    for (double& component : k) component /= length;
    const double c = std::cos(angle), s = std::sin(angle);
    for (AbaqusBody::Node& n : body.nodes) {
      const std::array<double, 3> v{n.at.x - a[0], n.at.y - a[1], n.z - a[2]};
      const double along = (1 - c) * (k[0] * v[0] + k[1] * v[1] + k[2] * v[2]);
      n.at.x = a[0] + c * v[0] + s * (k[1] * v[2] - k[2] * v[1]) + along * k[0];
      n.at.y = a[1] + c * v[1] + s * (k[2] * v[0] - k[0] * v[2]) + along * k[1];
      n.z = a[2] + c * v[2] + s * (k[0] * v[1] - k[1] * v[0]) + along * k[2];
    }
  }

  InputFile& file_;
  AbaqusLines lines_;
  const MeshReading& how_;
  std::vector<AbaqusBody> bodies_{AbaqusBody()};  // what lies outside of instances, then these
  std::vector<AbaqusBody> parts_;
  double copied_ = 0;                                  // bytes of all instances
  std::map<std::string, std::int64_t> user_elements_;  // number of nodes by type
  bool in_part_ = false, in_instance_ = false;
};

}  // namespace

Mesh read_abaqus(const std::filesystem::path& path, const MeshReading& how) {
  InputFile file(path);
  FileMesh mesh(file, {"set of nodes", "set of lines", "set of elements"}, how);
  add_abaqus_bodies(file, AbaqusReader(file, how).read(), mesh);
  return mesh.make("mesh the part, and write its elements, too");
}

}  // namespace cleave
