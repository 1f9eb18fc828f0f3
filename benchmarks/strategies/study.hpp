/// Studies of kernels: the same thing done in several ways, to be timed and compared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cleave/solver/model.hpp"

namespace cleave {

/// One way to do a task.
struct Way {
  std::string task;  ///< ways of one task leave the same result
  std::string name;
  std::function<void(Step n)> run;              ///< n times, and waits; n a multiple of 10
  std::function<std::vector<double>()> result;  ///< what it leaves, done once
  bool same_bits = true;                        ///< as the task's first way; else the same to rounding
  int threads = 1;                              ///< an element
  double loads = 0;                             ///< of values from memory, an element, as counted; 0: not counted
};

class KernelStudy {
 public:
  virtual ~KernelStudy() = default;
  virtual std::vector<Way> ways() = 0;
};

/// Nodal mass by colour, by gather, by atomic adds; forces with each colouring; fracture check split and fused; nodal
/// strains beside stresses; few elements by a list or by idle threads; numbers for new things by a scan and from a
/// counter.
/// @param model  T6, linear elastic, with structured colours
std::unique_ptr<KernelStudy> make_cpu_colouring_study(const Model& model, int threads);
std::unique_ptr<KernelStudy> make_cuda_colouring_study(const Model& model);

/// The ladder of kernels for internal forces, from the naive one up (A. Alhadeff's thesis chapter, section 3.2.5).
/// @param model  T6, linear elastic
std::unique_ptr<KernelStudy> make_cpu_ladder(const Model& model, int threads);
std::unique_ptr<KernelStudy> make_cuda_ladder(const Model& model);

/// States of materials in rows of 1 to 128 elements.
/// @param model  T6
std::unique_ptr<KernelStudy> make_cpu_state_study(const Model& model, int threads);
std::unique_ptr<KernelStudy> make_cuda_state_study(const Model& model);

/// Matrix-vector products of a matrix of that size, from a block per row to coalesced tiles, and norms of its values.
struct VectorSizes {
  Index rows;
  Index columns;
};
std::unique_ptr<KernelStudy> make_cpu_vector_study(const VectorSizes& sizes, int threads);
std::unique_ptr<KernelStudy> make_cuda_vector_study(const VectorSizes& sizes);

/// Neighbours of elements and edges of a mesh, by the host and by sorting on a device.
std::unique_ptr<KernelStudy> make_cpu_edge_study(const Mesh& mesh, int threads);
std::unique_ptr<KernelStudy> make_cuda_edge_study(const Mesh& mesh);

}  // namespace cleave
