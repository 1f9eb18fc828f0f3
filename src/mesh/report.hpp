/// One report of all problems of a mesh, and ids as the user knows them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Collects problems; only the first ten are put into words, because a wrong export often breaks every element.
class Report {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    if (problems_++ < shown) lines_ += "\n  " + fmt::format(text, std::forward<Args>(args)...);
  }

  bool empty() const { return problems_ == 0; }

  /// What is wrong, how often, what to do, and one line per problem; nothing if there is none.
  std::string text(const std::string& what, const std::string& advice) const {
    if (empty()) return {};
    return fmt::format("\n  {}: {}; {}{}", what, problems_, advice, lines());
  }

  /// Throws InputError with the headline and one line per problem, if there is any.
  void throw_if_any(std::string headline) const {
    if (empty()) return;
    throw InputError(headline + lines());
  }

 private:
  std::string lines() const {
    return problems_ > shown ? lines_ + fmt::format("\n  and {} more", problems_ - shown) : lines_;
  }
  static constexpr long shown = 10;
  long problems_ = 0;
  std::string lines_;
};

/// Id of a node or an element in the input numbering, for messages.
inline Index node_label(const Mesh& mesh, Index node) {
  return mesh.original_nodes.empty() ? node : mesh.original_nodes[node];
}
inline Index element_label(const Mesh& mesh, Index element) {
  return mesh.original_elements.empty() ? element : mesh.original_elements[element];
}

}  // namespace cleave
