/// Gmsh's format 2.2: one line of text per node or element, or binary records of integers and doubles.
#include <array>

#include "mesh/io/gmsh.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {
namespace {

class Gmsh2Sections final : public GmshSections {
 public:
  Gmsh2Sections(InputFile& file, FileMesh& mesh) : file_(file), numbers_(file), mesh_(mesh) {}

  bool read(std::string_view header) override {
    if (header == "$Nodes")
      read_nodes(false);
    else if (header == "$ParametricNodes")
      read_nodes(true);
    else if (header == "$Elements")
      read_elements();
    else
      return false;
    return true;
  }

 private:
  /// Reads a line of text, also in binary files.
  Index read_count(std::string_view what) {
    Index count = 0;
    Words words(file_.require(fmt::format("the number of {}s", what)));
    if (!words.read(count) || count < 0) {
      file_.fail_numbers(words, fmt::format("expected the number of {}s, found '{}'", what, file_.line()));
    }
    return count;
  }

  void read_nodes(bool parametric) {
    const Index count = read_count("node");
    numbers_.check_count(count, "the number of nodes", 28);
    mesh_.expect_nodes(count);
    for (Index i = 0; i < count; ++i) file_.is_binary() ? read_binary_node(parametric) : read_text_node(i, count);
  }

  void read_elements() {
    if (!mesh_.has_nodes()) file_.fail("the elements refer to nodes, but there is no $Nodes before them");
    const Index count = read_count("element");
    if (count > most_elements) {
      file_.fail(fmt::format("there are {} elements: at most {} can be numbered", count, most_elements));
    }
    numbers_.check_count(count, "the number of elements", 8);
    mesh_.expect_elements(count);
    if (file_.is_binary()) return read_binary_elements(count);
    for (Index i = 0; i < count; ++i) read_text_element(i, count);
  }

  /// Advances to entry i of count; reports a section that ends early.
  Words entry(std::string_view what, Index i, Index count) {
    const std::string_view line = file_.require(fmt::format("{} {} of {}", what, i + 1, count));
    if (line.starts_with('$')) {
      file_.fail(fmt::format("expected {} {} of {}, found '{}': the section is truncated", what, i + 1, count, line));
    }
    return Words(line);
  }

  void read_text_node(Index i, Index count) {
    Words words = entry("node", i, count);
    std::int64_t tag = 0;
    Point p;
    double z = 0;
    if (!(words.read(tag) && words.read(p.x) && words.read(p.y) && words.read(z))) {
      file_.fail_numbers(words,
                         fmt::format("node {} of {}: expected 'tag x y z', found '{}'", i + 1, count, file_.line()));
    }
    mesh_.add_node(tag, p, z, file_.place());
  }

  void read_text_element(Index i, Index count) {
    Words words = entry("element", i, count);
    std::int64_t tag = 0;
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
      file_.fail_numbers(
          words, fmt::format("element {} of {}: expected 'number type tag-count tags... nodes...', found '{}'", i + 1,
                             count, file_.line()));
    }
    const Shape shape = gmsh_shape(file_, type, mesh_.splits_quads(), fmt::format("element {} has", tag));
    FileNodes nodes{};
    for (int n = 0; n < nodes_of(shape); ++n) {
      if (words.read(nodes[n])) continue;
      file_.fail_numbers(
          words, fmt::format("element {}: expected {} node numbers, found '{}'", tag, nodes_of(shape), file_.line()));
    }
    add(tag, shape, nodes, physical, file_.place());
  }

  /// A parametric node is followed by the dimension and tag of its entity and as many parameters.
  void read_binary_node(bool parametric) {
    const Index tag = numbers_.integer("a node's number");
    const Place place = file_.place();
    const Point p{numbers_.real("a node's x"), numbers_.real("a node's y")};
    mesh_.add_node(tag, p, numbers_.real("a node's z"), place);
    if (!parametric) return;
    const Index dimension = numbers_.integer("the dimension of an entity");
    numbers_.integer("the tag of an entity");
    for (Index i = 0; i < dimension && dimension < 3; ++i) numbers_.real("a node's parameter");
  }

  /// Elements of one type and number of tags follow a header.
  void read_binary_elements(Index count) {
    for (Index done = 0; done < count;) {
      const int type = numbers_.integer("the type of elements");
      const Shape shape = gmsh_shape(file_, type, mesh_.splits_quads(), "elements have");
      const Index follow = numbers_.integer("a number of elements");
      if (follow < 1 || follow > count - done)
        file_.fail(fmt::format("{} elements of type {} must not follow: the section has {}, {} of them before", follow,
                               type, count, done));
      const Index tag_count = numbers_.integer("a number of tags");
      numbers_.check_count(tag_count, "the number of tags of an element", 4);
      for (Index i = 0; i < follow; ++i) read_binary_element(shape, tag_count);
      done += follow;
    }
  }

  void read_binary_element(Shape shape, Index tag_count) {
    const Index tag = numbers_.integer("an element's number");
    const Place place = file_.place();
    Index physical = 0;
    for (Index t = 0; t < tag_count; ++t) {
      const Index value = numbers_.integer("a tag of an element");
      if (t == 0) physical = value;
    }
    FileNodes nodes{};
    for (int n = 0; n < nodes_of(shape); ++n) nodes[n] = numbers_.integer("a node of an element");
    add(tag, shape, nodes, physical, place);
  }

  void add(std::int64_t tag, Shape shape, const FileNodes& nodes, Index physical, Place place) {
    mesh_.add_element(tag, shape, std::span(nodes).first(nodes_of(shape)), {&physical, 1}, place);
  }

  InputFile& file_;
  NumberReader numbers_;
  FileMesh& mesh_;
};

}  // namespace

std::unique_ptr<GmshSections> gmsh2_sections(InputFile& file, FileMesh& mesh) {
  return std::make_unique<Gmsh2Sections>(file, mesh);
}

}  // namespace cleave
