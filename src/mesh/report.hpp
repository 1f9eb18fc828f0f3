/// Report of all problems of a mesh, and ids in the input numbering.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Collects problems. Only the first ten are shown, because a wrong export often breaks every element.
class Report {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    if (problems_++ < shown) lines_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  /// Adds the problems of another report after those of this one.
  void append(const Report& other) {
    const auto room = static_cast<std::size_t>(std::max(shown - problems_, 0L));
    for (std::size_t i = 0; i < std::min(room, other.lines_.size()); ++i) lines_.push_back(other.lines_[i]);
    problems_ += other.problems_;
  }

  bool empty() const { return problems_ == 0; }

  /// A text with the kind of problem, its count, advice and one line per problem; empty if there is none.
  std::string text(const std::string& what, const std::string& advice) const {
    if (empty()) return {};
    return fmt::format("\n  {}: {}; {}{}", what, problems_, advice, lines());
  }

  /// Throws InputError with the headline and one line per problem, if there are any.
  void throw_if_any(std::string headline) const {
    if (empty()) return;
    throw InputError(headline + lines());
  }

 private:
  std::string lines() const {
    std::string all;
    for (const std::string& line : lines_) all += "\n  " + line;
    return problems_ > shown ? all + fmt::format("\n  and {} more", problems_ - shown) : all;
  }
  static constexpr long shown = 10;
  long problems_ = 0;
  std::vector<std::string> lines_;
};

/// The report of f(begin, end, report) for pieces of [0, count), on all threads; problems in the order of the pieces.
template <class F>
Report parallel_report(std::size_t count, const F& f) {
  const auto report_of = [&](std::size_t begin, std::size_t end) {
    Report report;
    f(begin, end, report);
    return report;
  };
  Report all;
  for (const Report& report : parallel_results(threads_for(0), count, 65536, report_of)) all.append(report);
  return all;
}

/// Id of a node or an element in the input numbering, for messages.
inline Index node_label(const Mesh& mesh, Index node) {
  return mesh.original_nodes.empty() ? node : mesh.original_nodes[node];
}
inline Index element_label(const Mesh& mesh, Index element) {
  return mesh.original_elements.empty() ? element : mesh.original_elements[element];
}

}  // namespace cleave
