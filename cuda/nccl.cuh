/// NCCL, which devices of several machines exchange by. It is looked up when it is wanted: the program has to start
/// where there is none.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cleave/partition/ranks.hpp"
#include "peer_memory.cuh"

namespace cleave {

/// Functions of NCCL's C interface, version 2, as far as ranks need them.
class NcclLibrary {
 public:
  struct Id {
    char bytes[128];
  };
  using Communicator = struct ncclComm*;

  static const NcclLibrary& get() {
    static const NcclLibrary library;
    return library;
  }
  /// Reason why NCCL cannot be used; empty if it can.
  std::string obstacle;
  int version = 0;  ///< 10000 times the major number, 100 times the minor one, and the last

  int (*get_id)(Id*) = nullptr;
  int (*init)(Communicator*, int count, Id, int rank) = nullptr;
  int (*destroy)(Communicator) = nullptr;
  int (*send)(const void*, std::size_t count, int type, int rank, Communicator, cudaStream_t) = nullptr;
  int (*receive)(void*, std::size_t count, int type, int rank, Communicator, cudaStream_t) = nullptr;
  int (*begin_group)() = nullptr;
  int (*end_group)() = nullptr;
  const char* (*text_of)(int status) = nullptr;
  const char* (*last_error)(Communicator) = nullptr;
  int (*error_so_far)(Communicator, int*) = nullptr;

  /// Throws std::runtime_error saying what failed and why.
  void check(int status, const char* what) const {
    if (status != 0)
      throw std::runtime_error(std::string("NCCL: ") + what + ": " + text_of(status) + ": " + last_error(nullptr));
  }

 private:
  NcclLibrary() {
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      obstacle = dlerror();
      return;
    }
    int (*get_version)(int*) = nullptr;
    find(library, "ncclGetVersion", get_version);
    find(library, "ncclGetUniqueId", get_id);
    find(library, "ncclCommInitRank", init);
    find(library, "ncclCommDestroy", destroy);
    find(library, "ncclSend", send);
    find(library, "ncclRecv", receive);
    find(library, "ncclGroupStart", begin_group);
    find(library, "ncclGroupEnd", end_group);
    find(library, "ncclGetErrorString", text_of);
    find(library, "ncclGetLastError", last_error);
    find(library, "ncclCommGetAsyncError", error_so_far);
    if (obstacle.empty()) get_version(&version);
  }
  template <class F>
  void find(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (function == nullptr) obstacle = std::string("libnccl.so.2 has no ") + name + ": it is too old";
  }
};

/// Messages between the devices of all ranks, one process a device. All ranks launch the same ones in the same order.
class NcclRanks {
 public:
  /// Called by all ranks, each with a device of its own.
  explicit NcclRanks(Ranks& ranks) {
    // NCCL's multicast serves sums over all ranks, which nobody asks for here, and takes memory.
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    // Messages lie in memory that may move before a recording is made anew: NCCL must not keep its addresses.
    setenv("NCCL_GRAPH_REGISTER", "0", 0);
    NcclLibrary::Id id{};
    if (ranks.is_first()) nccl_.check(nccl_.get_id(&id), "start");
    ranks.broadcast(&id, sizeof id);
    nccl_.check(nccl_.init(&communicator_, ranks.count(), id, ranks.rank()), "start");
  }
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;
  ~NcclRanks() { nccl_.destroy(communicator_); }

  /// Messages that are under way at the same time: f sends and receives them.
  template <class F>
  void together(const F& f) {
    nccl_.check(nccl_.begin_group(), "messages");
    f();
    nccl_.check(nccl_.end_group(), "messages");
  }
  void send(const std::byte* message, std::size_t bytes, int rank, cudaStream_t stream) {
    nccl_.check(nccl_.send(message, bytes, bytes_type, rank, communicator_, stream), "sending");
  }
  void receive(std::byte* message, std::size_t bytes, int rank, cudaStream_t stream) {
    nccl_.check(nccl_.receive(message, bytes, bytes_type, rank, communicator_, stream), "receiving");
  }

  /// Throws std::runtime_error if messages have failed, or if the host has waited for too long.
  void check_waiting(std::chrono::steady_clock::time_point since) const {
    int status = 0;
    nccl_.error_so_far(communicator_, &status);
    if (status != still_under_way) nccl_.check(status, "messages");
    if (std::chrono::steady_clock::now() - since > std::chrono::seconds(SilentRank::patience))
      throw std::runtime_error("NCCL: a rank has not answered for " + std::to_string(SilentRank::patience) + " s");
  }

 private:
  static constexpr int still_under_way = 7;  ///< ncclInProgress
  static constexpr int bytes_type = 1;       ///< ncclUint8
  const NcclLibrary& nccl_ = NcclLibrary::get();
  NcclLibrary::Communicator communicator_ = nullptr;
};

}  // namespace cleave
