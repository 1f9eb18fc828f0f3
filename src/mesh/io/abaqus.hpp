/// Abaqus input files: keywords with parameters and data between commas; parts, instances and sets, and their
/// conversion to a mesh.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mesh/io/file_mesh.hpp"
#include "mesh/io/input_file.hpp"

namespace cleave {

/// The text in capitals; keywords, parameters and names of sets do not depend on case.
std::string upper(std::string_view text);

/// A keyword line such as `*Nset, nset=Left, generate`, with those that continue it.
struct AbaqusKeyword {
  std::string name;                                             ///< in capitals, without blanks: "NSET"
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name in capitals, value as it stands
  Place place = 0;

  bool has(std::string_view parameter) const;
  /// The value of a parameter; empty if it is absent.
  std::string value(std::string_view parameter) const;
};

class AbaqusLines {
 public:
  explicit AbaqusLines(InputFile& file) : file_(file) {}

  /// Advances to the next line that is neither blank nor a comment; false at the end of the file.
  bool next();
  /// Whether the line begins a keyword.
  bool is_keyword() const { return line_.starts_with('*'); }
  /// The keyword that begins on this line, with the lines that continue it.
  AbaqusKeyword keyword();

  /// The values of a data line, without blanks around them; views of the file's text.
  std::vector<std::string_view> values() const;
  /// Whether the line goes on in the next one.
  bool continues() const { return line_.ends_with(','); }

  /// A number of a node or an element, from 1 on.
  std::int64_t id(std::string_view value, std::string_view what) const;
  /// A real number; an empty value is 0.
  double real(std::string_view value, std::string_view what) const;

 private:
  InputFile& file_;
  std::string_view line_;
  bool peeked_ = false;  // `line_` is the next line
};

/// Members of a set or surface: numbers, or another set. All belong to an instance if one is named.
struct AbaqusMembers {
  std::string instance{};          ///< in capitals; empty: the body of the set
  std::string set{};               ///< in capitals; empty: numbers
  bool nodes_of_elements = false;  ///< `set` is one of elements, in a set of nodes
  std::int64_t first = 0, last = 0, step = 1;
  int side = 0;  ///< surface: S1 is 1; 0: sides of no other element
  Place place = 0;
};

enum class AbaqusKind { nodes, elements, sides };

struct AbaqusSet {
  AbaqusKind kind;
  std::string name;
  bool internal = false;  ///< no group of its own
  std::vector<AbaqusMembers> members{};
};

/// Contents of a part, of an instance or, outside of them, of the file itself.
class AbaqusBody {
 public:
  struct Node {
    std::int64_t id;
    Point at;
    double z;
    Place place;
  };
  struct Element {
    std::int64_t id;
    Shape shape;
    std::size_t first;  ///< of its nodes in element_nodes
    Place place;
  };

  explicit AbaqusBody(std::string instance = {}) : name(std::move(instance)) {}

  /// The set of that kind and name, a new one if there is none.
  AbaqusSet& set(AbaqusKind kind, const std::string& set_name);
  /// The same, or nullptr. @param key  name in capitals
  const AbaqusSet* find(AbaqusKind kind, const std::string& key) const;

  std::string name;  ///< of the instance; empty for the file itself
  std::vector<Node> nodes;
  std::vector<Element> elements;
  std::vector<std::int64_t> element_nodes;
  std::vector<AbaqusSet> sets;

 private:
  std::map<std::pair<AbaqusKind, std::string>, std::size_t> set_of_name_;
};

/// Adds all bodies to a mesh: nodes and elements of further bodies are numbered behind those before them. Sets and
/// surfaces become groups; a set of an instance is called INSTANCE.SET if another body has one of that name. Members of
/// sets that are no part of the body, as reference points, are left out, and so are sets of nothing else.
void add_abaqus_bodies(const InputFile& file, const std::vector<AbaqusBody>& bodies, FileMesh& mesh);

}  // namespace cleave
