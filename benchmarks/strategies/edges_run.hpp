/// Neighbours of elements and edges of a mesh, by the host and by sorting on a backend.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "cleave/core/error.hpp"
#include "cleave/mesh/connectivity.hpp"
#include "cleave/mesh/topology.hpp"
#include "strategies/kernels/edges.hpp"
#include "strategies/study.hpp"

namespace cleave {

/// Neighbours and edges in solver memory. Throws InputError when more than two elements share a facet.
template <class Backend>
class SortedEdges {
 public:
  explicit SortedEdges(const Mesh& mesh)
      : facets_(3 * mesh.element_count()),
        of_{static_cast<int>(std::bit_width(static_cast<std::uint32_t>(mesh.node_count())))} {
    host_corners_.reserve(static_cast<std::size_t>(facets_));
    for (Index e = 0; e < mesh.element_count(); ++e)
      for (int i = 0; i < 3; ++i) host_corners_.push_back(mesh.node(e, i));
    const auto size = static_cast<std::size_t>(facets_);
    for (auto* keys : {&keys_, &keys_aside_}) keys->resize(size);
    for (auto* ids : {&codes_, &codes_aside_, &neighbours_, &before_}) ids->resize(size);
    edges_.resize(2 * size);
    upload();
  }
  void upload() { corners_.upload(host_corners_); }
  /// Returns the sorted keys.
  const EdgeKey* find_neighbours(Backend& backend) {
    counts_.upload({0, 0});
    backend.launch(KeysOfFacets{facets_ / 3, corners_.data(), of_, keys_.data(), codes_.data()});
    const auto [keys, codes] = backend.sort_pairs(facets_, keys_, codes_, keys_aside_, codes_aside_, of_.key_bits());
    backend.launch(LinkSortedFacets{facets_, keys, codes, neighbours_.data(), counts_.data() + 1});
    return keys;
  }
  void find(Backend& backend) {
    const EdgeKey* const keys = find_neighbours(backend);
    Index* const edges = counts_.data();
    backend.exclusive_scan(facets_, BeginsEdge{keys}, before_.data());
    backend.launch(CornersOfEdges{facets_, BeginsEdge{keys}, of_, before_.data(), edges_.data(), edges});
  }
  std::vector<Index> neighbours() { return neighbours_.download(static_cast<std::size_t>(facets_)); }
  std::vector<Index> edges() {
    const std::vector<Index> counts = counts_.download(2);
    if (counts[1] > 0) throw InputError("more than two elements share a facet");
    return edges_.download(2 * static_cast<std::size_t>(counts[0]));
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Index facets_;
  EdgeKeys of_;
  std::vector<Index> host_corners_;
  Buffer<EdgeKey> keys_, keys_aside_;
  Buffer<Index> corners_, codes_, codes_aside_, neighbours_, before_, edges_, counts_;
};

/// [2 edge] corners of the edges, from the neighbours that the host has found.
inline std::vector<Index> corners_of_edges(const Mesh& mesh) {
  const Edges edges(mesh);
  std::vector<Index> corners;
  corners.reserve(2 * static_cast<std::size_t>(edges.count()));
  for (Index i = 0; i < edges.count(); ++i)
    for (const Index n : edges.corners(i)) corners.push_back(n);
  return corners;
}

template <class Backend>
class EdgeStudy final : public KernelStudy {
 public:
  template <class... Args>
  EdgeStudy(const Mesh& mesh, Args&&... backend)
      : mesh_(mesh), backend_(std::forward<Args>(backend)...), sorted_(mesh) {}

  std::vector<Way> ways() override {
    const auto on_host = [this] {
      connect(mesh_, "mesh");
      edges_ = corners_of_edges(mesh_);
    };
    const auto in_memory = [this] {
      sorted_.find(backend_);
      backend_.synchronise();
    };
    const auto to_and_fro = [this] {
      sorted_.upload();
      sorted_.find(backend_);
      sorted_.neighbours();
      sorted_.edges();
    };
    const auto joined = [](const std::vector<Index>& neighbours, const std::vector<Index>& edges) {
      std::vector<double> all(neighbours.begin(), neighbours.end());
      all.insert(all.end(), edges.begin(), edges.end());
      return all;
    };
    const auto of_backend = [this, joined] { return joined(sorted_.neighbours(), sorted_.edges()); };
    const auto neighbours_on_host = [this] { connect(mesh_, "mesh"); };
    const auto neighbours_to_and_fro = [this] {
      sorted_.upload();
      sorted_.find_neighbours(backend_);
      sorted_.neighbours();
    };
    const char *const all = "neighbours and edges", *const some = "neighbours";
    return {way(all, "grouped by corner, on the host", on_host,
                [this, joined] { return joined(mesh_.neighbours, edges_); }),
            way(all, "sorted by corners", in_memory, of_backend),
            way(all, "the same, copied there and back", to_and_fro, of_backend),
            way(some, "grouped by corner, on the host", neighbours_on_host,
                [this, joined] { return joined(mesh_.neighbours, {}); }),
            way(some, "sorted by corners, there and back", neighbours_to_and_fro,
                [this, joined] { return joined(sorted_.neighbours(), {}); })};
  }

 private:
  template <class Once, class Result>
  static Way way(const std::string& task, const std::string& name, Once once, Result result) {
    Way w;
    w.task = task;
    w.name = name;
    w.run = [once](Step n) {
      for (Step i = 0; i < n; ++i) once();
    };
    w.result = [once, result] {
      once();
      return result();
    };
    return w;
  }

  Mesh mesh_;
  std::vector<Index> edges_;
  Backend backend_;
  SortedEdges<Backend> sorted_;
};

}  // namespace cleave
