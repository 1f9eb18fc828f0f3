/// The functions for CUDA in a program that was built without it.
#include "cleave/core/error.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

std::unique_ptr<Solver> make_cuda_solver(const Model&) { throw InputError(why_no_cuda()); }
std::unique_ptr<Solver> make_cuda_solver(const Model& model, Ranks&) { return make_cuda_solver(model); }
double cuda_copy_bandwidth() { return 0; }
bool built_with_cuda() { return false; }
std::string why_no_cuda() {
  return "this program was built without CUDA; CLEAVE_CUDA=ON scripts/run adds it where there is nvcc";
}
std::vector<std::string> cuda_devices() { return {}; }
void use_cuda_device(int, Transport) {}
Transport transport() { return Transport::peer; }
std::string why_no_nccl() { return why_no_cuda(); }
std::string nccl_version() { return {}; }
int cuda_cores() { return 0; }
std::size_t cuda_memory_size() { return 0; }

}  // namespace cleave
