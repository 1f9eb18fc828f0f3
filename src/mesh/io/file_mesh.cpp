#include "mesh/io/file_mesh.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/file_elements.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

constexpr std::int64_t largest_index = std::numeric_limits<Index>::max();

/// The tags as ids of the input numbering; positions from 1 if a tag does not fit or occurs twice.
std::vector<Index> ids_of(const std::vector<std::int64_t>& tags) {
  std::vector<Index> ids(tags.size());
  std::vector<std::int64_t> sorted = tags;
  std::sort(sorted.begin(), sorted.end());
  const bool fit = (sorted.empty() || (sorted.front() >= 0 && sorted.back() <= largest_index)) &&
                   std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  for (std::size_t i = 0; i < tags.size(); ++i)
    ids[i] = static_cast<Index>(fit ? tags[i] : static_cast<std::int64_t>(i) + 1);
  return ids;
}

/// The first number behind all of these such that `count` more can follow; 0 if there is none.
std::int64_t first_free(const std::vector<std::int64_t>& tags, std::size_t count) {
  const std::int64_t largest = *std::max_element(tags.begin(), tags.end());
  const bool fits = largest <= std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(count);
  return fits ? largest + 1 : 0;
}

}  // namespace

std::string FileMesh::text_of(const GroupKey& key) const {
  return fmt::format("{} {}", group_kinds_[key.first], key.second);
}

void FileMesh::expect_nodes(std::int64_t count) {
  const auto nodes = mesh_.nodes.size() + static_cast<std::size_t>(std::min(count, file_.bytes_left()));
  mesh_.nodes.reserve(nodes);
  z_.reserve(nodes);
  node_tags_.reserve(nodes);
  node_places_.reserve(nodes);
}

void FileMesh::expect_elements(std::int64_t count) {
  expected_elements_ = static_cast<std::size_t>(std::min(count, file_.bytes_left()));
}

void FileMesh::add_node(std::int64_t tag, Point at, double z, Place place) {
  if (mesh_.node_count() == largest_index)
    file_.fail_at(place, fmt::format("there are more than {} nodes, which cannot be numbered", largest_index));
  mesh_.nodes.push_back(at);
  z_.push_back(z);
  node_tags_.push_back(tag);
  node_places_.push_back(place);
}

/// Indexes the nodes by tag. Tags are mostly consecutive; otherwise they are sorted.
void FileMesh::index_nodes() {
  indexed_ = node_tags_.size();
  node_of_tag_.clear();
  bool consecutive = true;
  for (std::size_t i = 0; i + 1 < indexed_ && consecutive; ++i) consecutive = node_tags_[i] + 1 == node_tags_[i + 1];
  if (consecutive) return;
  node_of_tag_.reserve(indexed_);
  for (std::size_t i = 0; i < indexed_; ++i) node_of_tag_.emplace_back(node_tags_[i], static_cast<Index>(i));
  std::sort(node_of_tag_.begin(), node_of_tag_.end());
  const auto twice = std::adjacent_find(node_of_tag_.begin(), node_of_tag_.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice == node_of_tag_.end()) return;
  file_.fail_at(node_places_[(twice + 1)->second], fmt::format("node {} is defined a second time", twice->first));
}

Index FileMesh::find_node(std::int64_t element, std::int64_t tag, Place place) {
  if (indexed_ != node_tags_.size()) index_nodes();
  if (node_of_tag_.empty()) {
    // Unsigned, so that no difference of two tags overflows.
    const std::uint64_t position = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(node_tags_.front());
    if (position < node_tags_.size()) return static_cast<Index>(position);
  } else {
    const auto found = std::lower_bound(node_of_tag_.begin(), node_of_tag_.end(), std::pair(tag, Index{-1}));
    if (found != node_of_tag_.end() && found->first == tag) return found->second;
  }
  file_.fail_at(place, fmt::format("element {} refers to node {}, which is not among the nodes", element, tag));
}

void FileMesh::add_element(std::int64_t tag, Shape shape, std::span<const std::int64_t> nodes,
                           std::span<const Index> groups, Place place) {
  if (!has_nodes()) file_.fail_at(place, "the elements refer to nodes, but there are none before them");
  std::array<Index, 9> found{};
  for (std::size_t i = 0; i < nodes.size(); ++i) found[i] = find_node(tag, nodes[i], place);
  if (dimension_of(shape) == 2) return add_surface(tag, shape, std::span(found).first(nodes.size()), groups, place);
  for (const Index group : groups) {
    if (group == 0) continue;
    markers_.push_back(
        {{dimension_of(shape), group}, tag, place, {found[0], found[1], found[2]}, static_cast<int>(nodes.size())});
  }
}

/// Gmsh's format 2.2 repeats an element for each of its groups, one after the other.
bool FileMesh::repeats_last(std::span<const Index> nodes, std::span<const Index> groups) const {
  if (element_tags_.empty() || groups.empty() || groups.front() == 0) return false;
  if (!std::equal(nodes.begin(), nodes.end(), last_nodes_.begin(), last_nodes_.end())) return false;
  bool in_groups = false;
  for (auto member = surface_members_.rbegin(); member != surface_members_.rend() && member->second >= last_element_;
       ++member) {
    if (std::find(groups.begin(), groups.end(), member->first) != groups.end()) return false;
    in_groups = true;
  }
  return in_groups;
}

void FileMesh::add_surface(std::int64_t tag, Shape shape, std::span<const Index> nodes, std::span<const Index> groups,
                           Place place) {
  const bool linear = shape == Shape::triangle3 || shape == Shape::quad4;
  const ElementType type = linear ? ElementType::t3 : ElementType::t6;
  if (mesh_.elements.empty()) {
    mesh_.type = type;
    first_triangle_ = place;
    mesh_.elements.reserve(expected_elements_ * nodes_per_element(type));
    element_tags_.reserve(expected_elements_);
  } else if (type != mesh_.type) {
    file_.fail_at(place,
                  fmt::format("element {} has {} nodes, but element {}{} {}: use one element order throughout", tag,
                              nodes.size(), element_tags_.front(),
                              first_triangle_ == no_place ? "" : fmt::format(" ({})", file_.text_of(first_triangle_)),
                              linear ? "has mid-side nodes" : "has corners only"));
  }
  if (!repeats_last(nodes, groups)) {
    last_element_ = mesh_.element_count();
    last_nodes_.assign(nodes.begin(), nodes.end());
    is_quad(shape) ? add_quad(tag, nodes, place) : add_triangle(tag, nodes, place);
  }
  for (const Index group : groups)
    for (Index e = last_element_; group != 0 && e < mesh_.element_count(); ++e) surface_members_.emplace_back(group, e);
}

void FileMesh::add_triangle(std::int64_t tag, std::span<const Index> nodes, Place place) {
  if (mesh_.element_count() == most_elements)
    file_.fail_at(place, fmt::format("there are more than {} triangles, which cannot be numbered", most_elements));
  mesh_.elements.insert(mesh_.elements.end(), nodes.begin(), nodes.end());
  element_tags_.push_back(tag);
}

void FileMesh::add_quad(std::int64_t tag, std::span<const Index> nodes, Place place) {
  const auto corner = [&](int i) { return mesh_.nodes[nodes[i]]; };
  const auto halves = halves_of_quad({corner(0), corner(1), corner(2), corner(3)});
  const std::array<Index, 2> diagonal{nodes[halves[0][0]], nodes[halves[0][2]]};
  Index middle = -1;
  if (nodes.size() == 9) {
    const auto [a, b] = diagonal;
    middle = nodes[8];
    mesh_.nodes[middle] = {(mesh_.nodes[a].x + mesh_.nodes[b].x) / 2, (mesh_.nodes[a].y + mesh_.nodes[b].y) / 2};
  } else if (nodes.size() == 8) {
    diagonals_.push_back(diagonal);
    middle = -static_cast<Index>(diagonals_.size());
  }
  for (const std::array<int, 6>& half : halves) {
    std::array<Index, 6> own{};
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = half[i] == 8 ? middle : half[i] < static_cast<int>(nodes.size()) ? nodes[half[i]] : -1;
    add_triangle(tag, std::span(own).first(nodes_per_element(mesh_.type)), place);
  }
  second_halves_.push_back(mesh_.element_count() - 1);
}

/// Numbers what quads have brought behind the numbers of the file: second halves, and middles of diagonals.
void FileMesh::number_halves() {
  if (second_halves_.empty()) return;
  std::int64_t element = first_free(element_tags_, second_halves_.size());
  if (element != 0)
    for (const Index e : second_halves_) element_tags_[e] = element++;
  const Index first = mesh_.node_count();
  std::int64_t node = first_free(node_tags_, diagonals_.size());
  for (const auto& [a, b] : diagonals_) {
    const Point p = mesh_.nodes[a], q = mesh_.nodes[b];
    add_node(node == 0 ? 0 : node++, {(p.x + q.x) / 2, (p.y + q.y) / 2}, (z_[a] + z_[b]) / 2, node_places_[a]);
  }
  for (Index& id : mesh_.elements)
    if (id < 0) id = first + (-1 - id);
}

void FileMesh::add_name(GroupKey key, std::string_view name, Place place) {
  if (name.empty()) file_.fail_at(place, fmt::format("{} has an empty name: give it one", text_of(key)));
  for (const Name& other : names_) {
    if (other.key == key) {
      file_.fail_at(place, fmt::format("{} is called \"{}\" and, in {}, \"{}\": give it one name", text_of(key), name,
                                       file_.text_of(other.place), other.name));
    }
    if (other.name == name && other.key.first == key.first) {
      file_.fail_at(place,
                    fmt::format("{} and, in {}, {} have the same name \"{}\": rename one of them, or make them one",
                                text_of(key), file_.text_of(other.place), text_of(other.key), name));
    }
  }
  names_.push_back({key, std::string(name), place});
}

void FileMesh::add_names(const std::vector<std::string>& names) {
  for (const GroupKey& key : used_groups()) add_name(key, names[key.second - 1], no_place);
}

Mesh FileMesh::make(const std::string& no_triangles) {
  if (mesh_.elements.empty()) throw InputError(file_.name() + ": there are no triangles: " + no_triangles);
  file_.forget();
  const std::int64_t first = *std::min_element(node_tags_.begin(), node_tags_.end());
  const Index count = mesh_.node_count();
  number_halves();
  drop_unused_nodes();
  mesh_.original_nodes = ids_of(node_tags_);
  const bool are_tags = std::equal(node_tags_.begin(), node_tags_.end(), mesh_.original_nodes.begin());
  mesh_.input_nodes.first = are_tags ? static_cast<Index>(first) : 1;
  mesh_.input_nodes.count = are_tags ? count : mesh_.node_count();
  mesh_.original_elements = ids_of(element_tags_);
  turned_ = finish_mesh(mesh_, z_, how_, file_.name());
  make_groups();
  return std::move(mesh_);
}

/// Files also contain points of the geometry, such as centres of arcs.
void FileMesh::drop_unused_nodes() {
  constexpr Index unused = -1;
  std::vector<Index> new_id(mesh_.nodes.size(), unused);
  for (const Index node : mesh_.elements) new_id[node] = 0;
  Index kept = 0;
  for (Index& id : new_id)
    if (id != unused) id = kept++;
  for (Marker& marker : markers_) {
    for (int i = 0; i < marker.node_count; ++i) {
      Index& node = marker.nodes[i];
      if (new_id[node] == unused) {
        file_.fail_at(marker.place,
                      fmt::format("{} {} is in a group, but its node {} is of no triangle",
                                  marker.key.first == 0 ? "point" : "line", marker.tag, node_tags_[node]));
      }
      node = new_id[node];
    }
  }
  for (std::size_t node = 0; node < new_id.size(); ++node) {
    if (new_id[node] == unused) continue;
    mesh_.nodes[new_id[node]] = mesh_.nodes[node];
    node_tags_[new_id[node]] = node_tags_[node];
    z_[new_id[node]] = z_[node];
  }
  mesh_.nodes.resize(kept);
  node_tags_.resize(kept);
  z_.resize(kept);
  for (Index& node : mesh_.elements) node = new_id[node];
}

/// The facet of each line; empty for points and for lines without a triangle.
std::vector<std::optional<Index>> FileMesh::facets_of_markers() const {
  std::vector<std::pair<Index, Index>> ends;  // those of a point are no facet's
  for (const Marker& m : markers_) ends.emplace_back(m.nodes[0], m.nodes[m.key.first == 0 ? 0 : 1]);
  return facets_between(mesh_, ends);
}

void FileMesh::make_groups() {
  struct Members {
    std::vector<Index> facets, nodes, elements, inside;
  };
  std::vector<std::string> order;
  std::map<GroupKey, std::string> name_of_key;
  std::map<std::string, Members> members;
  const auto members_of = [&](const GroupKey& key) -> Members& {
    const auto [entry, unnamed] = name_of_key.try_emplace(key, std::to_string(key.second));
    if (unnamed && members.try_emplace(entry->second).second) order.push_back(entry->second);
    return members[entry->second];
  };
  for (const auto& [key, name, place] : names_) {
    name_of_key[key] = name;
    if (members.try_emplace(name).second) order.push_back(name);
  }

  const std::set<GroupKey> used = used_groups();
  check_names_are_used(used);
  check_numbers_are_no_names(used);
  const std::vector<std::optional<Index>> facets = facets_of_markers();
  for (std::size_t m = 0; m < markers_.size(); ++m) {
    const Marker& marker = markers_[m];
    check_marker(marker, facets[m]);
    Members& group = members_of(marker.key);
    group.nodes.insert(group.nodes.end(), marker.nodes.begin(), marker.nodes.begin() + marker.node_count);
    if (!facets[m]) continue;
    const bool inside = is_intact(mesh_.neighbours[*facets[m]]);
    (inside ? group.inside : group.facets).push_back(*facets[m]);
  }
  for (const auto& [number, element] : surface_members_) members_of({2, number}).elements.push_back(element);
  for (const std::string& name : order) {
    Members& group = members[name];
    mesh_.groups.push_back(make_group(mesh_, name, std::move(group.facets), std::move(group.nodes),
                                      std::move(group.elements), std::move(group.inside)));
  }
}

/// Groups with elements.
std::set<GroupKey> FileMesh::used_groups() const {
  std::set<GroupKey> used;
  for (const Marker& marker : markers_) used.insert(marker.key);
  for (const auto& [number, element] : surface_members_) used.insert({2, number});
  return used;
}

/// Refuses names of groups without elements, which would do nothing or less than intended.
void FileMesh::check_names_are_used(const std::set<GroupKey>& used) const {
  Report report;
  for (const Name& name : names_) {
    if (!used.contains(name.key)) report.add("{}: {}, \"{}\"", file_.text_of(name.place), text_of(name.key), name.name);
  }
  report.throw_if_any(file_.name() + ": groups without elements: remove them from the geometry, or give them some");
}

/// A condition on "2" would apply to both the group of that name and the one of that number.
void FileMesh::check_numbers_are_no_names(const std::set<GroupKey>& used) const {
  std::set<GroupKey> unnamed = used;
  for (const Name& name : names_) unnamed.erase(name.key);
  for (const GroupKey& key : unnamed) {
    for (const Name& name : names_) {
      if (name.key.first != key.first || name.name != std::to_string(key.second)) continue;
      file_.fail_at(name.place, fmt::format("{} and {}, which is called by its number, have the same name \"{}\": "
                                            "rename one of them, or make them one",
                                            text_of(name.key), text_of(key), name.name));
    }
  }
}

void FileMesh::check_marker(const Marker& marker, std::optional<Index> facet) const {
  if (marker.key.first == 0) return;
  if (!facet) {
    file_.fail_at(marker.place, fmt::format("line {} between nodes {} and {} is no side of a triangle", marker.tag,
                                            node_tags_[marker.nodes[0]], node_tags_[marker.nodes[1]]));
  }
  if (marker.node_count != nodes_per_facet(mesh_.type)) {
    file_.fail_at(marker.place,
                  fmt::format("line {} has {} nodes, but the sides of the triangles have {}: use one element order "
                              "throughout",
                              marker.tag, marker.node_count, nodes_per_facet(mesh_.type)));
  }
  if (marker.node_count < 3) return;
  const Index mid = mesh_.facet_node(*facet, 1);
  if (marker.nodes[2] != mid) {
    file_.fail_at(marker.place, fmt::format("the mid-side node of line {} is {}, but that of the triangle there is {}",
                                            marker.tag, node_tags_[marker.nodes[2]], node_tags_[mid]));
  }
}

}  // namespace cleave
