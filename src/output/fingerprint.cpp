#include <vector>

#include "cleave/output/checkpoint.hpp"
#include "output/checksum.hpp"

namespace cleave {
namespace {

/// Hashes the length of a list too, so that a value that moves to the next list changes the hash.
template <class T>
void add(Checksum& sum, const std::vector<T>& values) {
  const std::uint64_t size = values.size();
  sum.add(&size, sizeof size);
  sum.add(values.data(), size * sizeof(T));
}

}  // namespace

std::uint64_t fingerprint(const Mesh& mesh) {
  Checksum sum;
  add(sum, mesh.nodes);
  add(sum, mesh.elements);
  add(sum, mesh.original_nodes);
  add(sum, mesh.original_elements);
  for (const Group& group : mesh.groups) {
    sum.add(group.name);
    for (const auto* ids : {&group.facets, &group.nodes, &group.elements, &group.inside}) add(sum, *ids);
  }
  return sum.value();
}

std::uint64_t fingerprint(const std::vector<Point>& values) {
  Checksum sum;
  add(sum, values);
  return sum.value();
}

std::uint64_t fingerprint(std::string_view text) {
  Checksum sum;
  sum.add(text);
  return sum.value();
}

}  // namespace cleave
