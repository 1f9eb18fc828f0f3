#include <algorithm>
#include <set>
#include <span>

#include "mesh/io/abaqus.hpp"

namespace cleave {
namespace {

/// Number of sides of an element's shape; a line has none.
int sides_of(Shape shape) { return dimension_of(shape) < 2 ? 0 : is_quad(shape) ? 4 : 3; }

/// Ids with the positions of their owners, ascending.
using IdTable = std::vector<std::pair<std::int64_t, Index>>;

template <class Item>
IdTable table_of(const InputFile& file, const std::vector<Item>& items, const char* what) {
  IdTable table;
  table.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) table.emplace_back(items[i].id, static_cast<Index>(i));
  std::sort(table.begin(), table.end());
  const auto twice =
      std::adjacent_find(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != table.end())
    file.fail_at(items[(twice + 1)->second].place, fmt::format("{} {} is defined a second time, after line {}", what,
                                                               twice->first, items[twice->second].place));
  return table;
}

/// A node or an element, by the position of its body and its own there.
using Member = std::pair<Index, Index>;

/// A side of an element: its number from 1 on, 0 for all that no other element has.
struct Side {
  Member element;
  int side;
  Place place;
};

/// Looks up what sets and surfaces hold.
class AbaqusSets {
 public:
  AbaqusSets(const InputFile& file, const std::vector<AbaqusBody>& bodies) : file_(file), bodies_(bodies) {
    for (const AbaqusBody& body : bodies) {
      nodes_.push_back(table_of(file, body.nodes, "node"));
      elements_.push_back(table_of(file, body.elements, "element"));
      most_ += 100 * (body.nodes.size() + body.elements.size());
    }
  }

  /// The node of an element of that body.
  Index node(Index body, const AbaqusBody::Element& element, int slot) const {
    const std::int64_t id = bodies_[body].element_nodes[element.first + slot];
    const IdTable& table = nodes_[body];
    const auto found = std::lower_bound(table.begin(), table.end(), std::pair(id, Index{-1}));
    if (found == table.end() || found->first != id)
      file_.fail_at(element.place,
                    fmt::format("element {} refers to node {}, which is not among the nodes", element.id, id));
    return found->second;
  }

  /// The members of a set of nodes or elements, ascending, each once.
  const std::vector<Member>& members(Index body, const AbaqusSet& set) {
    const auto [entry, fresh] = known_.try_emplace(&set);
    if (!fresh) {
      if (open_.contains(&set)) file_.fail_at(set.members.front().place, fmt::format("set {} holds itself", set.name));
      return entry->second;
    }
    open_.insert(&set);
    std::vector<Member> found;
    for (const AbaqusMembers& m : set.members) {
      if (open_.size() > deepest) file_.fail_at(m.place, fmt::format("sets in sets, more than {} deep", deepest));
      add(body, set, m, found);
      if (held_ + found.size() > most_)
        file_.fail_at(m.place, fmt::format("the sets have more than {} members, 100 for each node and element", most_));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    held_ += found.size();
    open_.erase(&set);
    return known_[&set] = std::move(found);
  }

  std::vector<Side> sides(Index body, const AbaqusSet& surface) {
    std::vector<Side> sides;
    for (const AbaqusMembers& m : surface.members) {
      std::vector<Member> elements;
      const AbaqusSet as_elements{AbaqusKind::elements, surface.name};
      add(body, as_elements, m, elements);
      for (const Member& element : elements) sides.push_back({element, m.side, m.place});
    }
    return sides;
  }

 private:
  Index body_of(const std::string& instance, Index otherwise, Place place) const {
    if (instance.empty()) return otherwise;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (upper(bodies_[b].name) == instance) return static_cast<Index>(b);
    file_.fail_at(place, fmt::format("there is no instance {}", instance));
  }

  void add(Index body, const AbaqusSet& set, const AbaqusMembers& m, std::vector<Member>& found) {
    const Index owner = body_of(m.instance, body, m.place);
    const bool of_nodes = set.kind == AbaqusKind::nodes;
    if (m.set.empty()) return add_numbers(owner, of_nodes ? nodes_[owner] : elements_[owner], set, m, found);
    const AbaqusKind kind = of_nodes && !m.nodes_of_elements ? AbaqusKind::nodes : AbaqusKind::elements;
    const auto [other_body, other] = find(owner, kind, m);
    const std::vector<Member>& others = members(other_body, *other);
    if (!m.nodes_of_elements) {
      found.insert(found.end(), others.begin(), others.end());
      return;
    }
    for (const auto& [b, e] : others) {
      const AbaqusBody::Element& element = bodies_[b].elements[e];
      for (int slot = 0; slot < nodes_of(element.shape); ++slot) found.emplace_back(b, node(b, element, slot));
    }
  }

  /// Numbers that `generate` counts up to need not all be there.
  void add_numbers(Index owner, const IdTable& table, const AbaqusSet& set, const AbaqusMembers& m,
                   std::vector<Member>& found) const {
    auto at = std::lower_bound(table.begin(), table.end(), std::pair(m.first, Index{-1}));
    if (m.first == m.last && (at == table.end() || at->first != m.first))
      file_.fail_at(m.place,
                    fmt::format("{} {} of {} is not among the {}s", set.kind == AbaqusKind::nodes ? "node" : "element",
                                m.first, set.name, set.kind == AbaqusKind::nodes ? "node" : "element"));
    for (; at != table.end() && at->first <= m.last; ++at)
      if ((at->first - m.first) % m.step == 0) found.emplace_back(owner, at->second);
  }

  /// A set by its name, or by INSTANCE.NAME.
  std::pair<Index, const AbaqusSet*> find(Index owner, AbaqusKind kind, const AbaqusMembers& m) const {
    if (const AbaqusSet* set = bodies_[owner].find(kind, m.set)) return {owner, set};
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const std::string prefix = upper(bodies_[b].name) + '.';
      if (!m.set.starts_with(prefix)) continue;
      if (const AbaqusSet* set = bodies_[b].find(kind, m.set.substr(prefix.size())))
        return {static_cast<Index>(b), set};
    }
    file_.fail_at(m.place, fmt::format("there is no set of {} called {}",
                                       kind == AbaqusKind::nodes ? "nodes" : "elements", m.set));
  }

  const InputFile& file_;
  const std::vector<AbaqusBody>& bodies_;
  std::vector<IdTable> nodes_, elements_;  // [body]
  std::map<const AbaqusSet*, std::vector<Member>> known_;
  std::set<const AbaqusSet*> open_;  // being looked up
  // A short file cannot ask for much memory and many calls.
  static constexpr std::size_t deepest = 50;
  std::size_t most_ = 0, held_ = 0;  // members of all sets
};

/// Makes a mesh of bodies with their sets looked up.
class AbaqusMesh {
 public:
  AbaqusMesh(const InputFile& file, const std::vector<AbaqusBody>& bodies, FileMesh& mesh)
      : file_(file), bodies_(bodies), mesh_(mesh), sets_(file, bodies) {
    std::int64_t nodes = 0, elements = 0;
    for (const AbaqusBody& body : bodies) {
      node_shift_.push_back(nodes);
      element_shift_.push_back(elements);
      for (const AbaqusBody::Node& n : body.nodes) nodes = std::max(nodes, node_shift_.back() + n.id);
      for (const AbaqusBody::Element& e : body.elements) elements = std::max(elements, element_shift_.back() + e.id);
      groups_.emplace_back(body.elements.size());
      in_body_.emplace_back(body.nodes.size());
    }
  }

  void make() {
    number_groups();
    for (Index b = 0; b < count(); ++b)
      for (const AbaqusBody::Node& n : bodies_[b].nodes) mesh_.add_node(node_shift_[b] + n.id, n.at, n.z, n.place);
    find_elements();
    for (Index b = 0; b < count(); ++b)
      for (std::size_t e = 0; e < bodies_[b].elements.size(); ++e) add_element({b, static_cast<Index>(e)});
    for (const auto& [body, set, number] : groups_of_sets_) {
      if (set->kind == AbaqusKind::sides) add_sides(body, *set, number);
      if (set->kind == AbaqusKind::nodes) add_nodes(body, *set, number);
    }
    mesh_.add_names(names_);
  }

 private:
  struct SetGroup {
    Index body;
    const AbaqusSet* set;
    Index number;  // of its group, from 1 on
  };

  Index count() const { return static_cast<Index>(bodies_.size()); }
  const AbaqusBody::Element& element(const Member& m) const { return bodies_[m.first].elements[m.second]; }

  /// Gives the sets that are groups their numbers: sets of one name in one body are one group.
  void number_groups() {
    std::map<std::string, std::set<Index>> bodies_with;
    for (Index b = 0; b < count(); ++b)
      for (const AbaqusSet& set : bodies_[b].sets)
        if (!set.internal) bodies_with[upper(set.name)].insert(b);
    std::map<std::string, Index> number_of;
    for (Index b = 0; b < count(); ++b)
      for (const AbaqusSet& set : bodies_[b].sets) {
        if (set.internal) continue;
        const bool plain = bodies_[b].name.empty() || bodies_with[upper(set.name)].size() == 1;
        const std::string name = plain ? set.name : bodies_[b].name + '.' + set.name;
        const auto [entry, fresh] = number_of.try_emplace(upper(name), static_cast<Index>(names_.size()) + 1);
        if (fresh) names_.push_back(name);
        groups_of_sets_.push_back({b, &set, entry->second});
      }
  }

  void find_elements() {
    for (const auto& [body, set, number] : groups_of_sets_)
      if (set->kind == AbaqusKind::elements)
        for (const auto& [b, e] : sets_.members(body, *set)) groups_[b][e].push_back(number);
  }

  void add(const Member& of, Shape shape, std::span<const int> slots, std::span<const Index> groups, Place place) {
    const AbaqusBody::Element& e = element(of);
    FileNodes nodes{};
    for (std::size_t i = 0; i < slots.size(); ++i)
      nodes[i] = node_shift_[of.first] + bodies_[of.first].element_nodes[e.first + slots[i]];
    mesh_.add_element(element_shift_[of.first] + e.id, shape, std::span(nodes).first(slots.size()), groups, place);
  }

  void add_element(const Member& of) {
    constexpr int slots[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const AbaqusBody::Element& e = element(of);
    std::vector<Index> nodes;
    for (int slot = 0; slot < nodes_of(e.shape); ++slot) nodes.push_back(sets_.node(of.first, e, slot));
    const std::vector<Index>& groups = groups_[of.first][of.second];
    if (dimension_of(e.shape) == 2)
      for (const Index n : nodes) in_body_[of.first][n] = true;
    if (e.shape == Shape::line3) {
      const std::array<int, 3> order = ends_first(of.first, nodes);
      return add(of, e.shape, order, groups, e.place);
    }
    add(of, e.shape, std::span(slots).first(nodes.size()), groups, e.place);
  }

  /// Programs list the middle of a line of three nodes second or last: it is the one between the others.
  std::array<int, 3> ends_first(Index body, const std::vector<Index>& nodes) const {
    const auto length = [&](int i, int j) {
      return distance(bodies_[body].nodes[nodes[i]].at, bodies_[body].nodes[nodes[j]].at);
    };
    if (length(0, 2) >= length(0, 1) && length(0, 2) >= length(1, 2)) return {0, 2, 1};
    return length(0, 1) >= length(1, 2) ? std::array{0, 1, 2} : std::array{1, 2, 0};
  }

  /// Body and ends of a side, the smaller node first.
  using Ends = std::array<Index, 3>;
  Ends side_of(const Member& of, int side) const {
    const AbaqusBody::Element& e = element(of);
    const auto [low, high] =
        std::minmax({sets_.node(of.first, e, side), sets_.node(of.first, e, (side + 1) % sides_of(e.shape))});
    return {of.first, low, high};
  }
  /// Whether no other element has the side.
  bool is_free(const Ends& side) {
    if (sides_.empty()) {
      for (Index b = 0; b < count(); ++b)
        for (std::size_t e = 0; e < bodies_[b].elements.size(); ++e)
          for (int k = 0; k < sides_of(bodies_[b].elements[e].shape); ++k)
            sides_.push_back(side_of({b, static_cast<Index>(e)}, k));
      std::sort(sides_.begin(), sides_.end());
    }
    const auto [first, last] = std::equal_range(sides_.begin(), sides_.end(), side);
    return last - first == 1;
  }

  void add_sides(Index body, const AbaqusSet& surface, Index group) {
    for (const Side& s : sets_.sides(body, surface)) {
      const AbaqusBody::Element& e = element(s.element);
      const int sides = sides_of(e.shape);
      if (s.side > sides)
        file_.fail_at(s.place,
                      fmt::format("side {} of surface {}: element {} has {} sides", s.side, surface.name, e.id, sides));
      for (int side = 0; side < sides; ++side) {
        if (s.side == 0 ? !is_free(side_of(s.element, side)) : s.side != side + 1) continue;
        const bool linear = nodes_of(e.shape) == sides;
        const int slots[] = {side, (side + 1) % sides, sides + side};
        add(s.element, linear ? Shape::line2 : Shape::line3, std::span(slots).first(linear ? 2 : 3), {&group, 1},
            s.place);
      }
    }
  }

  void add_nodes(Index body, const AbaqusSet& set, Index group) {
    for (const auto& [b, n] : sets_.members(body, set)) {
      if (!in_body_[b][n]) continue;
      const AbaqusBody::Node& node = bodies_[b].nodes[n];
      const std::int64_t tag = node_shift_[b] + node.id;
      mesh_.add_element(tag, Shape::point, {&tag, 1}, {&group, 1}, node.place);
    }
  }

  const InputFile& file_;
  const std::vector<AbaqusBody>& bodies_;
  FileMesh& mesh_;
  AbaqusSets sets_;
  std::vector<std::int64_t> node_shift_, element_shift_;  // [body]
  std::vector<SetGroup> groups_of_sets_;
  std::vector<std::string> names_;                       // [group number - 1]
  std::vector<std::vector<std::vector<Index>>> groups_;  // [body][element] numbers of its groups
  std::vector<std::vector<bool>> in_body_;               // [body][node] whether a triangle or quad has it
  std::vector<Ends> sides_;                              // of all triangles and quads, ascending; empty until needed
};

}  // namespace

AbaqusSet& AbaqusBody::set(AbaqusKind kind, const std::string& set_name) {
  const auto [entry, fresh] = set_of_name_.try_emplace({kind, upper(set_name)}, sets.size());
  if (fresh) sets.push_back({kind, set_name});
  return sets[entry->second];
}

const AbaqusSet* AbaqusBody::find(AbaqusKind kind, const std::string& key) const {
  const auto found = set_of_name_.find({kind, key});
  return found == set_of_name_.end() ? nullptr : &sets[found->second];
}

void add_abaqus_bodies(const InputFile& file, const std::vector<AbaqusBody>& bodies, FileMesh& mesh) {
  AbaqusMesh(file, bodies, mesh).make();
}

}  // namespace cleave
