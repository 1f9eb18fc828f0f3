#include "cleave/mesh/blocks.hpp"

namespace cleave {
namespace {

constexpr Index nobody = -1, several = -2;

/// The block whose elements alone use a node, or `several`.
std::vector<Index> owners(const Mesh& mesh) {
  std::vector<Index> owner(mesh.nodes.size(), nobody);
  const int width = nodes_per_element(mesh.type);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Index block = e / elements_per_block;
    for (int i = 0; i < width; ++i) {
      Index& o = owner[mesh.node(e, i)];
      o = o == nobody || o == block ? block : several;
    }
  }
  return owner;
}

}  // namespace

std::vector<Index> block_node_order(const Mesh& mesh) {
  const std::vector<Index> owner = owners(mesh);
  std::vector<char> listed(mesh.nodes.size(), 0);
  std::vector<Index> interior, shared;
  for (const Index n : mesh.elements) {
    if (listed[n]) continue;
    listed[n] = 1;
    (owner[n] == several ? shared : interior).push_back(n);
  }
  interior.insert(interior.end(), shared.begin(), shared.end());
  return interior;
}

std::vector<Index> first_nodes_of_blocks(const Mesh& mesh) {
  const Index blocks = (mesh.element_count() + elements_per_block - 1) / elements_per_block;
  std::vector<Index> first(blocks + 1, 0);
  for (const Index o : owners(mesh))
    if (o >= 0) ++first[o + 1];
  for (Index b = 0; b < blocks; ++b) first[b + 1] += first[b];
  return first;
}

}  // namespace cleave
