#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cleave/mesh/topology.hpp"
#include "mesh/formats.hpp"
#include "mesh/groups.hpp"
#include "mesh/line_reader.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

constexpr std::string_view how_to_export =
    "export it as version 2.2 ASCII (gmsh FILE.geo -2 -format msh22, or Mesh.MshFileVersion = 2.2 and Mesh.Binary = 0)";

enum GmshType { line2 = 1, triangle3 = 2, line3 = 8, triangle6 = 9, point = 15 };

int node_count_of(int type) {
  switch (type) {
    case line2:
      return 2;
    case triangle3:
      return 3;
    case line3:
      return 3;
    case triangle6:
      return 6;
    case point:
      return 1;
    default:
      return 0;
  }
}

std::string_view name_of(int type) {
  switch (type) {
    case 3:
      return "a quadrangle with 4 nodes: switch recombination off";
    case 10:
      return "a quadrangle with 9 nodes: switch recombination off";
    case 16:
      return "a quadrangle with 8 nodes: switch recombination off";
    case 4:
    case 5:
    case 6:
    case 7:
    case 11:
    case 12:
    case 13:
    case 14:
      return "a solid: mesh in 2D only (gmsh -2)";
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
    case 26:
    case 27:
    case 28:
      return "of order 3 or higher: set the element order to 1 or 2";
    default:
      return "not known here";
  }
}

/// A line or a point of the file that belongs to a physical group.
struct Marker {
  int dimension = 0;
  Index physical = 0;
  Index tag = 0;
  int line = 0;                  // in the file
  std::array<Index, 3> nodes{};  // ends, then the mid-side node
  int node_count = 0;
};

using PhysicalKey = std::pair<int, Index>;  // dimension, number

/// A line of $PhysicalNames.
struct PhysicalName {
  PhysicalKey key;
  std::string_view name;
  int line = 0;  // in the file
};

/// "physical line 3".
std::string text_of(const PhysicalKey& key) {
  constexpr const char* kinds[] = {"point", "line", "surface"};
  return fmt::format("physical {} {}", kinds[key.first], key.second);
}

/// Reads the sections of a .msh file into a mesh and its markers. Node ids are positions in the file until
/// drop_unused_nodes.
class GmshReader {
 public:
  explicit GmshReader(const std::filesystem::path& file) : lines_(file), source_(file.string()) {}

  Mesh read() {
    read_format();
    while (lines_.next()) read_section();
    if (mesh_.elements.empty()) {
      throw InputError(
          source_ +
          ": there are no triangles: mesh the surface (gmsh -2) and, if the file has physical groups, give "
          "the surface one too, because Gmsh writes nothing else");
    }
    drop_unused_nodes();
    check_plane(mesh_, z_, source_);
    check_mesh(mesh_, source_);
    connect(mesh_, source_);
    make_groups();
    return std::move(mesh_);
  }

 private:
  void read_format() {
    if (!lines_.next() || lines_.line() != "$MeshFormat") {
      lines_.fail("expected $MeshFormat: this is no Gmsh mesh, or one of version 1; " + std::string(how_to_export));
    }
    Words words(lines_.require("the version of the format"));
    const std::string_view version = words.next();
    const std::string_view file_type = words.next();
    if (version != "2.2" && version != "2.1" && version != "2") {
      lines_.fail(fmt::format("this is version {} of the Gmsh format: {}", version, how_to_export));
    }
    if (file_type != "0") lines_.fail(fmt::format("this is a binary file: {}", how_to_export));
    end_section("$EndMeshFormat");
  }

  void read_section() {
    const std::string_view header = lines_.line();
    if (header == "$PhysicalNames") {
      read_physical_names();
    } else if (header == "$Nodes") {
      read_nodes();
    } else if (header == "$Elements") {
      read_elements();
    } else if (header.starts_with('$') && !header.starts_with("$End")) {
      const std::string end = "$End" + std::string(header.substr(1));  // results and the like
      while (lines_.require(end) != end) continue;
    } else {
      lines_.fail(fmt::format("expected the start of a section such as $Nodes, found '{}'", header));
    }
  }

  void end_section(std::string_view end) {
    if (lines_.require(end) != end) lines_.fail(fmt::format("expected {}, found '{}'", end, lines_.line()));
  }

  Index read_count(std::string_view what) {
    Index count = 0;
    Words words(lines_.require(fmt::format("the number of {}s", what)));
    if (!words.read(count) || count < 0) {
      lines_.fail_numbers(words, fmt::format("expected the number of {}s, found '{}'", what, lines_.line()));
    }
    return count;
  }

  /// Goes to entry i of count; a section that ends early is reported as such.
  Words entry(std::string_view what, Index i, Index count) {
    const std::string_view line = lines_.require(fmt::format("{} {} of {}", what, i + 1, count));
    if (line.starts_with('$')) {
      lines_.fail(fmt::format("expected {} {} of {}, found '{}': the section is truncated", what, i + 1, count, line));
    }
    return Words(line);
  }

  void read_physical_names() {
    const Index count = read_count("physical name");
    for (Index i = 0; i < count; ++i) {
      Words words = entry("physical name", i, count);
      int dimension = 0;
      Index number = 0;
      const bool numbers = words.read(dimension) && words.read(number) && dimension >= 0;
      const std::string_view rest = words.rest();
      const auto open = rest.find('"');
      const auto close = rest.rfind('"');
      if (!numbers || open == close) {
        lines_.fail_numbers(words, fmt::format("expected 'dimension number \"name\"', found '{}'", lines_.line()));
      }
      if (dimension > 2) continue;
      add_physical_name({{dimension, number}, rest.substr(open + 1, close - open - 1), lines_.number()});
    }
    end_section("$EndPhysicalNames");
  }

  /// A name stands for one group of each dimension, and each has one name.
  void add_physical_name(const PhysicalName& added) {
    if (added.name.empty()) lines_.fail(fmt::format("{} has an empty name: give it one", text_of(added.key)));
    for (const PhysicalName& other : names_) {
      if (other.key == added.key) {
        lines_.fail(fmt::format("{} is called \"{}\" and, in line {}, \"{}\": give it one name", text_of(added.key),
                                added.name, other.line, other.name));
      }
      if (other.name == added.name && other.key.first == added.key.first) {
        lines_.fail(
            fmt::format("{} and, in line {}, {} have the same name \"{}\": rename one of them, or make them one",
                        text_of(added.key), other.line, text_of(other.key), added.name));
      }
    }
    names_.push_back(added);
  }

  void read_nodes() {
    const Index count = read_count("node");
    for (Index i = 0; i < count; ++i) {
      Words words = entry("node", i, count);
      Index tag = 0;
      Point p;
      double z = 0;
      if (!(words.read(tag) && words.read(p.x) && words.read(p.y) && words.read(z))) {
        lines_.fail_numbers(
            words, fmt::format("node {} of {}: expected 'tag x y z', found '{}'", i + 1, count, lines_.line()));
      }
      if (!node_of_tag_.emplace(tag, mesh_.node_count()).second) {
        lines_.fail(fmt::format("node {} is defined a second time", tag));
      }
      mesh_.nodes.push_back(p);
      mesh_.original_nodes.push_back(tag);
      z_.push_back(z);
    }
    end_section("$EndNodes");
  }

  void read_elements() {
    if (mesh_.nodes.empty()) lines_.fail("the elements refer to nodes, but there is no $Nodes before them");
    const Index count = read_count("element");
    if (count > most_elements) {
      lines_.fail(fmt::format("there are {} elements: at most {} can be numbered", count, most_elements));
    }
    for (Index i = 0; i < count; ++i) {
      Words words = entry("element", i, count);
      Index tag = 0;
      int type = 0;
      int tag_count = 0;
      Index physical = 0;
      bool good = words.read(tag) && words.read(type) && words.read(tag_count) && tag_count >= 0;
      for (int t = 0; good && t < tag_count; ++t) {
        Index value = 0;
        good = words.read(value);
        if (t == 0) physical = value;
      }
      if (!good) {
        lines_.fail_numbers(
            words, fmt::format("element {} of {}: expected 'number type tag-count tags... nodes...', found '{}'", i + 1,
                               count, lines_.line()));
      }
      add_element(tag, type, physical, words);
    }
    end_section("$EndElements");
  }

  void add_element(Index tag, int type, Index physical, Words& words) {
    const int count = node_count_of(type);
    if (count == 0) {
      lines_.fail(fmt::format("element {} has Gmsh type {}, {}; only triangles with 3 or 6 nodes are simulated", tag,
                              type, name_of(type)));
    }
    std::array<Index, 6> nodes{};
    for (int i = 0; i < count; ++i) nodes[i] = read_node(tag, count, words);
    if (type == triangle3 || type == triangle6) {
      add_triangle(tag, type == triangle3 ? ElementType::t3 : ElementType::t6, std::span(nodes).first(count));
      surface_of_element_.push_back(physical);
    } else if (physical != 0) {
      markers_.push_back(
          {type == point ? 0 : 1, physical, tag, lines_.number(), {nodes[0], nodes[1], nodes[2]}, count});
    }
  }

  Index read_node(Index element, int count, Words& words) {
    Index tag = 0;
    if (!words.read(tag)) {
      lines_.fail_numbers(
          words, fmt::format("element {}: expected {} node numbers, found '{}'", element, count, lines_.line()));
    }
    const auto found = node_of_tag_.find(tag);
    if (found == node_of_tag_.end()) {
      lines_.fail(fmt::format("element {} refers to node {}, which is not in $Nodes", element, tag));
    }
    return found->second;
  }

  void add_triangle(Index tag, ElementType type, std::span<const Index> nodes) {
    if (mesh_.elements.empty()) {
      mesh_.type = type;
      first_triangle_line_ = lines_.number();
    } else if (type != mesh_.type) {
      lines_.fail(fmt::format(
          "element {} has {} nodes, but element {} (line {}) has {}: use one element order throughout", tag,
          nodes.size(), mesh_.original_elements.front(), first_triangle_line_, nodes_per_element(mesh_.type)));
    }
    mesh_.elements.insert(mesh_.elements.end(), nodes.begin(), nodes.end());
    mesh_.original_elements.push_back(tag);
  }

  /// Gmsh also writes the points of the geometry, such as centres of arcs.
  void drop_unused_nodes() {
    constexpr Index unused = -1;
    std::vector<Index> new_id(mesh_.nodes.size(), unused);
    for (Index node : mesh_.elements) new_id[node] = 0;
    Index kept = 0;
    for (std::size_t node = 0; node < new_id.size(); ++node) {
      if (new_id[node] == unused) continue;
      mesh_.nodes[kept] = mesh_.nodes[node];
      mesh_.original_nodes[kept] = mesh_.original_nodes[node];
      z_[kept] = z_[node];
      new_id[node] = kept++;
    }
    for (Marker& marker : markers_) {
      for (int i = 0; i < marker.node_count; ++i) {
        Index& node = marker.nodes[i];
        if (new_id[node] == unused) {
          lines_.fail_at(marker.line,
                         fmt::format("{} {} is in a physical group, but its node {} is of no triangle",
                                     marker.dimension == 0 ? "point" : "line", marker.tag, mesh_original_tag(node)));
        }
        node = new_id[node];
      }
    }
    mesh_.nodes.resize(kept);
    mesh_.original_nodes.resize(kept);
    z_.resize(kept);
    for (Index& node : mesh_.elements) node = new_id[node];
  }

  /// Tag of the node at a position in the file, also after nodes have been moved.
  Index mesh_original_tag(Index position) const {
    const auto found = std::find_if(node_of_tag_.begin(), node_of_tag_.end(),
                                    [position](const auto& entry) { return entry.second == position; });
    return found->first;
  }

  /// A facet on each line, nothing where no triangle has one, and for points.
  std::vector<std::optional<Index>> facets_of_markers() {
    // Lines sorted by their corners; only facets from a marked smaller corner are looked up.
    struct Ends {
      Index low, high;
      std::size_t marker;
      bool operator<(const Ends& other) const { return std::pair(low, high) < std::pair(other.low, other.high); }
    };
    std::vector<Ends> ends;
    std::vector<bool> marked(mesh_.nodes.size());
    for (std::size_t m = 0; m < markers_.size(); ++m) {
      if (markers_[m].dimension == 0) continue;
      const auto [low, high] = std::minmax({markers_[m].nodes[0], markers_[m].nodes[1]});
      ends.push_back({low, high, m});
      marked[low] = true;
    }
    std::sort(ends.begin(), ends.end());

    std::vector<std::optional<Index>> facets(markers_.size());
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax({mesh_.node(e, (k + 1) % 3), mesh_.node(e, (k + 2) % 3)});
        if (!marked[low]) continue;
        const auto [first, last] = std::equal_range(ends.begin(), ends.end(), Ends{low, high, 0});
        for (auto found = first; found != last; ++found) facets[found->marker] = facet_code(e, k);
      }
    }
    return facets;
  }

  /// Groups in the order of $PhysicalNames, then those without a name, called by their number. Lines inside the body
  /// give their nodes only: a facet of a group lies on the boundary.
  void make_groups() {
    struct Members {
      std::vector<Index> facets, nodes, elements;
    };
    std::vector<std::string> order;
    std::map<PhysicalKey, std::string> name_of_key;
    std::map<std::string, Members> members;
    const auto members_of = [&](const PhysicalKey& key) -> Members& {
      const auto [entry, unnamed] = name_of_key.try_emplace(key, std::to_string(key.second));
      if (unnamed && members.try_emplace(entry->second).second) order.push_back(entry->second);
      return members[entry->second];
    };
    for (const auto& [key, name, line] : names_) {
      name_of_key[key] = name;
      if (members.try_emplace(std::string(name)).second) order.emplace_back(name);
    }

    check_names_are_used();
    const std::vector<std::optional<Index>> facets = facets_of_markers();
    for (std::size_t m = 0; m < markers_.size(); ++m) {
      const Marker& marker = markers_[m];
      check_marker(marker, facets[m]);
      Members& group = members_of({marker.dimension, marker.physical});
      group.nodes.insert(group.nodes.end(), marker.nodes.begin(), marker.nodes.begin() + marker.node_count);
      if (facets[m] && mesh_.neighbours[*facets[m]] == boundary_facet) group.facets.push_back(*facets[m]);
    }
    for (Index e = 0; e < mesh_.element_count(); ++e)
      if (surface_of_element_[e] != 0) members_of({2, surface_of_element_[e]}).elements.push_back(e);
    for (const std::string& name : order) {
      Members& group = members[name];
      mesh_.groups.push_back(
          make_group(mesh_, name, std::move(group.facets), std::move(group.nodes), std::move(group.elements)));
    }
  }

  /// A name without elements would stand for nothing, or for less than it says.
  void check_names_are_used() const {
    std::set<PhysicalKey> used;
    for (const Marker& marker : markers_) used.insert({marker.dimension, marker.physical});
    for (const Index surface : surface_of_element_) used.insert({2, surface});
    Report report;
    for (const PhysicalName& name : names_) {
      if (!used.contains(name.key)) report.add("line {}: {}, \"{}\"", name.line, text_of(name.key), name.name);
    }
    report.throw_if_any(source_ + ": groups without elements: remove them from the geometry, or give them some");
  }

  void check_marker(const Marker& marker, std::optional<Index> facet) const {
    if (marker.dimension == 0) return;
    if (!facet) {
      lines_.fail_at(marker.line,
                     fmt::format("line {} between nodes {} and {} is no side of a triangle", marker.tag,
                                 mesh_.original_nodes[marker.nodes[0]], mesh_.original_nodes[marker.nodes[1]]));
    }
    if (marker.node_count != nodes_per_facet(mesh_.type)) {
      lines_.fail_at(marker.line,
                     fmt::format("line {} has {} nodes, but the sides of the triangles have {}: use one element order "
                                 "throughout",
                                 marker.tag, marker.node_count, nodes_per_facet(mesh_.type)));
    }
  }

  LineReader lines_;
  std::string source_;
  Mesh mesh_;
  std::vector<double> z_;                         // [node] m
  std::unordered_map<Index, Index> node_of_tag_;  // position in the file
  std::vector<PhysicalName> names_;               // of points, lines and surfaces
  std::vector<Marker> markers_;
  std::vector<Index> surface_of_element_;  // [element] number of its physical surface, 0: none
  int first_triangle_line_ = 0;
};

}  // namespace

Mesh read_gmsh(const std::filesystem::path& file) { return GmshReader(file).read(); }

}  // namespace cleave
