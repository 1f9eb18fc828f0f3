/// Gmsh's format 4.1: nodes and elements in blocks, one per entity of the geometry; entities have the groups.
#include <array>
#include <cstdlib>
#include <map>

#include "mesh/io/gmsh.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {
namespace {

constexpr const char* entity_names[] = {"point", "curve", "surface", "volume"};

class Gmsh4Sections final : public GmshSections {
 public:
  Gmsh4Sections(InputFile& file, FileMesh& mesh) : file_(file), numbers_(file), mesh_(mesh) {}

  bool read(std::string_view header) override {
    if (header == "$PartitionedEntities")
      file_.fail("the mesh is cut into partitions: save it as one (in Gmsh: Mesh > Unpartition)");
    if (header == "$Entities")
      read_entities();
    else if (header == "$Nodes")
      read_nodes();
    else if (header == "$Elements")
      read_elements();
    else
      return false;
    return true;
  }

 private:
  using Entity = std::pair<int, Index>;  // dimension, tag

  void read_entities() {
    has_entities_ = true;
    std::array<std::int64_t, 4> counts{};
    for (int d = 0; d < 4; ++d)
      counts[d] = numbers_.count(fmt::format("the number of {}s of the geometry", entity_names[d]), 4);
    for (int d = 0; d < 4; ++d)
      for (std::int64_t i = 0; i < counts[d]; ++i) read_entity(d);
  }

  /// Reads tag, point or bounding box, group numbers and bounding entities.
  void read_entity(int dimension) {
    const std::string of = fmt::format(" of a {}", entity_names[dimension]);
    const Index tag = numbers_.integer("the tag" + of);
    const int box = dimension == 0 ? 3 : 6;
    for (int i = 0; i < box; ++i) numbers_.real("the place" + of);
    std::vector<Index>& groups = groups_[{dimension, tag}];
    const std::int64_t group_count = numbers_.count("the number of groups" + of, 4);
    // Negative for a group with reversed orientation of the entity.
    for (std::int64_t i = 0; i < group_count; ++i) groups.push_back(std::abs(numbers_.integer("a group" + of)));
    if (dimension == 0) return;
    const std::int64_t bounds = numbers_.count("the number of bounds" + of, 4);
    for (std::int64_t i = 0; i < bounds; ++i) numbers_.integer("a bound" + of);
  }

  void read_nodes() {
    const std::int64_t blocks = numbers_.count("the number of blocks of nodes", 20);
    const std::int64_t count = numbers_.count("the number of nodes", 32);
    for (const char* end : {"smallest", "largest"}) numbers_.large(fmt::format("the {} tag of a node", end));
    mesh_.expect_nodes(count);
    std::int64_t done = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const int dimension = read_dimension();
      numbers_.integer("the tag of an entity");
      const Index parametric = numbers_.integer("whether nodes have parameters, 0 or 1");
      if (parametric != 0 && parametric != 1)
        file_.fail(fmt::format("expected 0 or 1, whether nodes have parameters, found {}", parametric));
      const std::int64_t in_block = read_block_size("nodes", count, done, 32);
      read_block_of_nodes(in_block, parametric == 1 ? dimension : 0);
      done += in_block;
    }
    check_total("nodes", count, done);
  }

  /// Tags come first, then positions, each followed by parameters.
  void read_block_of_nodes(std::int64_t count, int parameters) {
    std::vector<std::pair<std::int64_t, Place>> tags;
    tags.reserve(static_cast<std::size_t>(std::min(count, file_.bytes_left())));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t tag = numbers_.large("the tag of a node");
      tags.emplace_back(tag, file_.place());
    }
    for (const auto& [tag, place] : tags) {
      const Point at{numbers_.real("a node's x"), numbers_.real("a node's y")};
      mesh_.add_node(tag, at, numbers_.real("a node's z"), place);
      for (int p = 0; p < parameters; ++p) numbers_.real("a node's parameter");
    }
  }

  void read_elements() {
    if (!mesh_.has_nodes()) file_.fail("the elements refer to nodes, but there is no $Nodes before them");
    const std::int64_t blocks = numbers_.count("the number of blocks of elements", 20);
    const std::int64_t count = numbers_.count("the number of elements", 16);
    for (const char* end : {"smallest", "largest"}) numbers_.large(fmt::format("the {} tag of an element", end));
    mesh_.expect_elements(count);
    std::int64_t done = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const int dimension = read_dimension();
      const Entity entity{dimension, numbers_.integer("the tag of an entity")};
      const std::vector<Index>& groups = groups_of(entity);
      const int type = numbers_.integer("the type of elements");
      const Shape shape = gmsh_shape(file_, type, mesh_.splits_quads(),
                                     fmt::format("elements of {} {} have", entity_names[dimension], entity.second));
      if (dimension_of(shape) != dimension)
        file_.fail(fmt::format("elements of {} {} have Gmsh type {}, which has another dimension",
                               entity_names[dimension], entity.second, type));
      const std::int64_t in_block = read_block_size("elements", count, done, 8 * (1 + nodes_of(shape)));
      for (std::int64_t i = 0; i < in_block; ++i) read_element(shape, groups);
      done += in_block;
    }
    check_total("elements", count, done);
  }

  void read_element(Shape shape, const std::vector<Index>& groups) {
    const std::int64_t tag = numbers_.large("the tag of an element");
    const Place place = file_.place();
    FileNodes nodes{};
    for (int n = 0; n < nodes_of(shape); ++n) nodes[n] = numbers_.large("a node of an element");
    mesh_.add_element(tag, shape, std::span(nodes).first(nodes_of(shape)), groups, place);
  }

  /// Elements of files without $Entities, as written by other programs, are in no group.
  const std::vector<Index>& groups_of(const Entity& entity) {
    const auto found = groups_.find(entity);
    if (found != groups_.end()) return found->second;
    if (has_entities_)
      file_.fail(fmt::format("elements belong to {} {}, which is not in $Entities", entity_names[entity.first],
                             entity.second));
    static const std::vector<Index> none;
    return none;
  }

  int read_dimension() {
    const Index dimension = numbers_.integer("the dimension of an entity");
    if (dimension < 0 || dimension > 3)
      file_.fail(
          fmt::format("expected the dimension of an entity, 0 to 3, found {}: the numbers of the blocks are "
                      "wrong, or the file is damaged",
                      dimension));
    return dimension;
  }

  std::int64_t read_block_size(const char* what, std::int64_t count, std::int64_t done, std::int64_t least_bytes) {
    const std::int64_t size = numbers_.count(fmt::format("the number of {} of a block", what), least_bytes);
    if (size > count - done)
      file_.fail(fmt::format("a block of {} {} must not follow: the section has {}, {} of them before", size, what,
                             count, done));
    return size;
  }

  void check_total(const char* what, std::int64_t count, std::int64_t done) const {
    if (done != count) file_.fail(fmt::format("the section has {} {}, but its blocks have {}", count, what, done));
  }

  InputFile& file_;
  NumberReader numbers_;
  FileMesh& mesh_;
  std::map<Entity, std::vector<Index>> groups_;  // numbers of the groups of each entity
  bool has_entities_ = false;
};

}  // namespace

std::unique_ptr<GmshSections> gmsh4_sections(InputFile& file, FileMesh& mesh) {
  return std::make_unique<Gmsh4Sections>(file, mesh);
}

}  // namespace cleave
