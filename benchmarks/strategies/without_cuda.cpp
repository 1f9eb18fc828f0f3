/// The studies that a program without CUDA refuses.
#include "cleave/core/error.hpp"
#include "cleave/solver/solver.hpp"
#include "strategies/strategy.hpp"
#include "strategies/study.hpp"

namespace cleave {
namespace {

[[noreturn]] void refuse() { throw InputError(why_no_cuda()); }

}  // namespace

std::unique_ptr<StrategyRun> make_cuda_strategy(const Model&, const Strategy&) { refuse(); }
std::unique_ptr<KernelStudy> make_cuda_colouring_study(const Model&) { refuse(); }
std::unique_ptr<KernelStudy> make_cuda_ladder(const Model&) { refuse(); }
std::unique_ptr<KernelStudy> make_cuda_state_study(const Model&) { refuse(); }
std::unique_ptr<KernelStudy> make_cuda_vector_study(const VectorSizes&) { refuse(); }
std::unique_ptr<KernelStudy> make_cuda_edge_study(const Mesh&) { refuse(); }

}  // namespace cleave
