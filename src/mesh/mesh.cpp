#include "cleave/mesh/mesh.hpp"

namespace cleave {

const Group* Mesh::find_group(const std::string& name) const {
  for (const Group& group : groups) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

}  // namespace cleave
