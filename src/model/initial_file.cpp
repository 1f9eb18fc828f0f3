#include "model/initial_file.hpp"

#include "cleave/mesh/solutions.hpp"

namespace cleave {
namespace {

/// The place of the value of each node in a file that goes by the input numbering.
class ValuePlaces {
 public:
  explicit ValuePlaces(const Mesh& mesh)
      : mesh_(mesh),
        input_(mesh.input_nodes),
        copies_(static_cast<Index>(input_.copied.size())),
        nodes_(input_.count > 0 ? input_.count : mesh.node_count() - copies_) {}

  /// The numbers of values that fit the mesh: without and with those of copies.
  std::vector<std::int64_t> counts() const {
    return copies_ == 0 ? std::vector<std::int64_t>{nodes_} : std::vector<std::int64_t>{nodes_, nodes_ + copies_};
  }
  /// The place among so many values; -1 if there is none.
  Index of(Index node, std::size_t values) const {
    const Index id = mesh_.original_nodes.empty() ? node : mesh_.original_nodes[node];
    const bool is_copy = copies_ > 0 && id >= input_.first_copy;
    if (is_copy && values > static_cast<std::size_t>(nodes_)) return nodes_ + id - input_.first_copy;
    const Index place = (is_copy ? input_.copied[id - input_.first_copy] : id) - input_.first;
    return place < nodes_ ? place : -1;
  }

 private:
  const Mesh& mesh_;
  const InputNodes& input_;
  Index copies_, nodes_;
};

}  // namespace

std::vector<std::vector<Point>> initial_vectors(const InitialCase& state, const Mesh& mesh, CaseReport& report) {
  const auto refuse = [&](const std::string& why) {
    report.add(state.line_of_file, state.key_of_file, why);
    return std::vector<std::vector<Point>>{};
  };
  const ValuePlaces places(mesh);
  std::vector<std::vector<Point>> read;
  try {
    read = read_solution(state.file, {state.fields, places.counts()});
  } catch (const InputError& error) {
    return refuse(error.what());
  }
  std::vector<std::vector<Point>> by_node(read.size(), std::vector<Point>(mesh.nodes.size()));
  for (Index node = 0; node < mesh.node_count(); ++node) {
    const std::size_t values = read.front().size();
    const Index place = places.of(node, values);
    if (place < 0)
      return refuse(
          fmt::format("{}: node {} of the mesh has no value: the file has {}, for nodes {} to {}; number the "
                      "nodes of the mesh without gaps, as `cleave mesh` does that writes .mesh",
                      state.file.string(), mesh.original_nodes[node], values, mesh.input_nodes.first,
                      mesh.input_nodes.first + static_cast<std::int64_t>(values) - 1));
    for (std::size_t f = 0; f < read.size(); ++f) by_node[f][node] = read[f][place];
  }
  return by_node;
}

}  // namespace cleave
