/// Writers of INRIA's formats .mesh and .meshb.
#include <map>

#include "cleave/mesh/files.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/inria_writer.hpp"

namespace cleave {
namespace {

/// Numbers of sets of groups, starting at `first` in the order of occurrence; 0 for no group.
class SetNumbers {
 public:
  explicit SetNumbers(Index first) : next_(first) {}
  Index of(const GroupSet& set) {
    if (set.empty()) return 0;
    const auto [entry, added] = numbers_.try_emplace(set, next_);
    if (added) ++next_;
    return entry->second;
  }
  Index next() const { return next_; }
  const std::map<GroupSet, Index>& numbers() const { return numbers_; }

 private:
  Index next_;
  std::map<GroupSet, Index> numbers_;
};

/// References of facets and triangles; a number is used for one of both.
struct References {
  explicit References(const Mesh& mesh) {
    for (const auto& [code, set] : groups_of_facets(mesh)) facets.emplace_back(code, facet_sets.of(set));
    element_sets = SetNumbers(facet_sets.next());
    for (const GroupSet& set : groups_of_elements(mesh)) elements.push_back(element_sets.of(set));
  }

  SetNumbers facet_sets{1}, element_sets{1};
  std::vector<std::pair<Index, Index>> facets;  // code, reference
  std::vector<Index> elements;                  // [element]
};

class MeshWriter {
 public:
  MeshWriter(const Mesh& mesh, bool binary) : mesh_(mesh), references_(mesh), out_(binary) {}

  std::string write() {
    const bool t3 = mesh_.type == ElementType::t3;
    write_vertices();
    write_edges(t3 ? inria::edges : inria::edges_p2);
    write_triangles(t3 ? inria::triangles : inria::triangles_p2);
    return out_.finish();
  }

 private:
  void write_vertices() {
    const std::size_t count = mesh_.nodes.size();
    out_.begin_section(inria::vertices, count, count * (2 * sizeof(double) + sizeof(Index)));
    for (const Point p : mesh_.nodes) out_.line(p.x, p.y, Index{0});
  }

  void write_edges(inria::Keyword keyword) {
    if (references_.facets.empty()) return;
    const int width = nodes_per_facet(mesh_.type);
    const std::size_t count = references_.facets.size();
    out_.begin_section(keyword, count, count * (width + 1) * sizeof(Index));
    for (const auto& [code, reference] : references_.facets) {
      const auto node = [&, code = code](int i) { return mesh_.facet_node(code, i) + 1; };
      out_.put(node(0), node(width - 1));
      if (width == 3) out_.put(node(1));
      out_.line(reference);
    }
  }

  void write_triangles(inria::Keyword keyword) {
    const int width = nodes_per_element(mesh_.type);
    const std::size_t count = references_.elements.size();
    out_.begin_section(keyword, count, count * (width + 1) * sizeof(Index));
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      for (int i = 0; i < width; ++i) out_.put(mesh_.node(e, i) + 1);
      out_.line(references_.elements[e]);
    }
  }

  const Mesh& mesh_;
  References references_;
  InriaWriter out_;
};

}  // namespace

std::vector<InriaReference> inria_references(const Mesh& mesh) {
  const References references(mesh);
  std::map<Index, InriaReference> by_number;
  const auto add = [&](const SetNumbers& sets, int dimension) {
    for (const auto& [set, number] : sets.numbers()) {
      InriaReference reference{number, dimension, {}};
      for (const Index g : set) reference.groups.push_back(mesh.groups[g].name);
      by_number[number] = std::move(reference);
    }
  };
  add(references.facet_sets, 1);
  add(references.element_sets, 2);
  std::vector<InriaReference> all;
  for (auto& [number, reference] : by_number) all.push_back(std::move(reference));
  return all;
}

std::string inria_file(const Mesh& mesh, bool binary) { return MeshWriter(mesh, binary).write(); }

}  // namespace cleave
