/// Writers of INRIA's formats .mesh and .meshb.
#include <map>

#include "cleave/mesh/files.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/inria_keywords.hpp"
#include "mesh/io/numbers.hpp"

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

class InriaWriter {
 public:
  InriaWriter(const Mesh& mesh, bool binary) : mesh_(mesh), references_(mesh), out_(binary) {}

  std::string write() {
    // Reals are double in both; a binary file of version 2 has positions of 32 bits, and some readers of text know
    // no 3.
    const Index version = out_.is_binary() ? 3 : 2;
    const bool t3 = mesh_.type == ElementType::t3;
    out_.is_binary() ? out_.put(Index{1}, version) : out_.words(fmt::format("MeshVersionFormatted {}\n", version));
    begin_section(inria::dimension, 4);
    out_.line(Index{2});
    write_vertices();
    write_edges(t3 ? inria::edges : inria::edges_p2);
    write_triangles(t3 ? inria::triangles : inria::triangles_p2);
    out_.is_binary() ? out_.put(Index{inria::end}, std::int64_t{0}) : out_.words("End\n");
    return out_.take();
  }

 private:
  /// In a binary file the position of the next section follows, `bytes` later.
  void begin_section(inria::Keyword keyword, std::size_t bytes) {
    if (!out_.is_binary()) return out_.words(fmt::format("{}\n", inria::name_of(keyword)));
    out_.put(Index{keyword});
    out_.put(static_cast<std::int64_t>(out_.size() + sizeof(std::int64_t) + bytes));
  }
  void begin_section(inria::Keyword keyword, std::size_t count, std::size_t bytes_each) {
    begin_section(keyword, sizeof(Index) + count * bytes_each);
    out_.line(static_cast<Index>(count));
  }

  void write_vertices() {
    begin_section(inria::vertices, mesh_.nodes.size(), 2 * sizeof(double) + sizeof(Index));
    for (const Point p : mesh_.nodes) out_.line(p.x, p.y, Index{0});
  }

  void write_edges(inria::Keyword keyword) {
    if (references_.facets.empty()) return;
    const int width = nodes_per_facet(mesh_.type);
    begin_section(keyword, references_.facets.size(), (width + 1) * sizeof(Index));
    for (const auto& [code, reference] : references_.facets) {
      const auto node = [&, code = code](int i) { return mesh_.facet_node(code, i) + 1; };
      out_.put(node(0), node(width - 1));
      if (width == 3) out_.put(node(1));
      out_.line(reference);
    }
  }

  void write_triangles(inria::Keyword keyword) {
    const int width = nodes_per_element(mesh_.type);
    begin_section(keyword, references_.elements.size(), (width + 1) * sizeof(Index));
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      for (int i = 0; i < width; ++i) out_.put(mesh_.node(e, i) + 1);
      out_.line(references_.elements[e]);
    }
  }

  const Mesh& mesh_;
  References references_;
  NumberWriter out_;
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

std::string inria_file(const Mesh& mesh, bool binary) { return InriaWriter(mesh, binary).write(); }

}  // namespace cleave
