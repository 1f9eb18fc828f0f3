#include <cstdio>
#include <stdexcept>

#include "backend/bandwidth.hpp"
#include "cleave/solver/model.hpp"
#include "cuda_backend.cuh"

namespace cleave {

// Each precision has a source file of its own: cuda_double.cu and cuda_single.cu.
inline namespace double_precision {
std::unique_ptr<Solver> make_on_cuda(const Model& model, Ranks& ranks);
}
namespace single_precision {
std::unique_ptr<Solver> make_on_cuda(const Model& model, Ranks& ranks);
}

#ifdef CLEAVE_CUDA_COMPILES_ONLY
std::unique_ptr<Solver> single_precision::make_on_cuda(const Model&, Ranks&) { throw std::logic_error(why_no_cuda()); }
#endif

std::unique_ptr<Solver> make_cuda_solver(const Model& model) { return make_cuda_solver(model, one_rank()); }

std::unique_ptr<Solver> make_cuda_solver(const Model& model, Ranks& ranks) {
  return model.precision == Precision::single_precision ? single_precision::make_on_cuda(model, ranks)
                                                        : double_precision::make_on_cuda(model, ranks);
}

double cuda_copy_bandwidth() {
  CudaBackend backend;
  return copy_bandwidth(backend, 256'000'000);
}

bool built_with_cuda() { return true; }

std::string why_no_cuda() {
#ifdef CLEAVE_CUDA_COMPILES_ONLY
  return "scripts/test has built this program where there is no GPU, to check that it compiles; build it again here";
#else
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count == 0 ? "no CUDA device" : "";
#endif
}

namespace {

Transport chosen_transport = Transport::peer;

int cores_of(const cudaDeviceProp& p) {
  const bool half =
      p.major == 7 || (p.major % 2 == 0 && p.major < 10 && p.minor == 0);  // 6.0, 7.x, 8.0: 64 a multiprocessor
  return p.multiProcessorCount * (half ? 64 : 128);
}

double attribute(cudaDeviceAttr name, int id) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, name, id), "device attributes");
  return value;
}

/// Flop/s: a multiplication and an addition a clock for each core, less where there are fewer for double precision.
double double_precision_rate(const cudaDeviceProp& p, int id) {
  const double hertz = 1e3 * attribute(cudaDevAttrClockRate, id);
  return 2 * cores_of(p) * hertz / attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, id);
}

/// Bytes/s: two transfers a clock over the width of the bus.
double memory_bandwidth(int id) {
  return 2 * 1e3 * attribute(cudaDevAttrMemoryClockRate, id) * attribute(cudaDevAttrGlobalMemoryBusWidth, id) / 8;
}

}  // namespace

std::vector<std::string> cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return {};
  std::vector<std::string> devices;
  for (int id = 0; id < count; ++id) {
    cudaDeviceProp p{};
    check_cuda(cudaGetDeviceProperties(&p, id), "device properties");
    char rates[64];
    std::snprintf(rates, sizeof rates, "FP64 %.1f Tflop/s, memory %.0f GB/s", 1e-12 * double_precision_rate(p, id),
                  1e-9 * memory_bandwidth(id));
    devices.push_back(std::string(p.name) + ", " + std::to_string(p.totalGlobalMem >> 20) +
                      " MiB, compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) + ", " +
                      rates);
  }
  return devices;
}

void use_cuda_device(int device, Transport transport) {
  check_cuda(cudaSetDevice(device), "choosing a device");
  chosen_transport = transport;
}
Transport transport() { return chosen_transport; }
std::string why_no_nccl() { return NcclLibrary::get().obstacle; }
std::string nccl_version() {
  const auto number = [](int of) { return std::to_string(NcclLibrary::get().version / of % 100); };
  return number(10000) + "." + number(100) + "." + number(1);
}

int cuda_cores() {
  int id = 0;
  cudaDeviceProp p{};
  check_cuda(cudaGetDevice(&id), "no device");
  check_cuda(cudaGetDeviceProperties(&p, id), "device properties");
  return cores_of(p);
}

std::size_t cuda_memory_size() {
  std::size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "device memory");
  return total;
}

}  // namespace cleave
