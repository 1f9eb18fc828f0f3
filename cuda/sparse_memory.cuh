/// Device memory with holes: a range of addresses of which only parts have memory of the device.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/value_range.hpp"
#include "check_cuda.cuh"

namespace cleave {

/// Bytes [begin, end).
struct ByteRange {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

/// The driver's functions for addresses and memory. They are looked up in the driver that is there, as the program has
/// to start where there is none.
class DriverMemory {
 public:
  static const DriverMemory& get() {
    static const DriverMemory functions;
    return functions;
  }
  decltype(&cuMemGetAllocationGranularity) granularity;
  decltype(&cuMemAddressReserve) reserve;
  decltype(&cuMemAddressFree) free;
  decltype(&cuMemCreate) create;
  decltype(&cuMemRelease) release;
  decltype(&cuMemMap) map;
  decltype(&cuMemUnmap) unmap;
  decltype(&cuMemSetAccess) set_access;

 private:
  DriverMemory() {
    find("cuMemGetAllocationGranularity", granularity);
    find("cuMemAddressReserve", reserve);
    find("cuMemAddressFree", free);
    find("cuMemCreate", create);
    find("cuMemRelease", release);
    find("cuMemMap", map);
    find("cuMemUnmap", unmap);
    find("cuMemSetAccess", set_access);
  }
  template <class F>
  static void find(const char* name, F& function) {
    void* found = nullptr;
    check_cuda(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault), name);
    if (found == nullptr) throw std::runtime_error(std::string("CUDA: the driver has no ") + name);
    function = reinterpret_cast<F>(found);
  }
};

/// Throws std::bad_alloc where memory is lacking, std::runtime_error saying what failed else.
inline void check_driver(CUresult status, const char* what) {
  if (status == CUDA_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(std::string("CUDA: ") + what + ": driver error " + std::to_string(status));
}

/// Memory of the present device in whole granules.
class Granules {
 public:
  /// Bytes of a granule; 0 where there is no such memory.
  static std::size_t size() {
    static const std::size_t of_device = read_size();
    return of_device;
  }
  explicit Granules(std::size_t bytes) {
    const CUmemAllocationProp kind = kind_of_device();
    check_driver(DriverMemory::get().create(&handle_, bytes, &kind, 0), "memory in granules");
  }
  Granules(Granules&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  Granules& operator=(Granules&&) = delete;
  ~Granules() {
    if (handle_ != 0) DriverMemory::get().release(handle_);
  }
  CUmemGenericAllocationHandle handle() const { return handle_; }

  static CUmemLocation present_device() {
    CUmemLocation device{};
    device.type = CU_MEM_LOCATION_TYPE_DEVICE;
    check_cuda(cudaGetDevice(&device.id), "device");
    return device;
  }

 private:
  static CUmemAllocationProp kind_of_device() {
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = present_device();
    return kind;
  }
  static std::size_t read_size() {
    std::size_t size = 0;
    const CUmemAllocationProp kind = kind_of_device();
    const CUresult status = DriverMemory::get().granularity(&size, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    return status == CUDA_SUCCESS ? size : 0;
  }
  CUmemGenericAllocationHandle handle_ = 0;
};

/// A range of addresses with holes, which grows without moving. What is written into holes is lost, and what is read
/// there says nothing, and neither is an error: they are made of a small piece of memory, again and again, which all of
/// the program share.
class SparseMemory {
 public:
  /// Whether there can be such holes: not every device has them, nor every driver.
  static bool possible() {
    static const bool tried = try_one();
    return tried;
  }
  /// The granules that lie in these ranges: what of them can be a hole.
  static std::vector<ByteRange> whole_granules(const std::vector<ByteRange>& ranges) {
    std::vector<ByteRange> whole;
    for (const ByteRange& r : ranges) {
      const ByteRange inner{rounded(r.begin), r.end / granule() * granule()};
      if (inner.begin < inner.end) whole.push_back(inner);
    }
    return whole;
  }

  /// @param holes  whole granules, in order
  SparseMemory(std::size_t bytes, std::vector<ByteRange> holes)
      : SparseMemory(room_to_grow * rounded(bytes), std::move(holes), Reserved{}) {
    std::size_t at = 0;
    for (const ByteRange& hole : holes_) {
      own({at, hole.begin});
      share(hole);
      at = hole.end;
    }
    own({at, rounded(bytes)});
  }
  /// Memory behind what there is, up to so many bytes: nothing moves. Throws std::bad_alloc where memory or addresses
  /// are lacking, and has what it had.
  void extend(std::size_t bytes) {
    if (bytes > addresses_) throw std::bad_alloc();
    const std::size_t before = mapped_, pieces = own_.size();
    try {
      own({before, std::max(rounded(bytes), before)});
    } catch (...) {
      if (mapped_ > before) DriverMemory::get().unmap(begin_ + before, mapped_ - before);
      mapped_ = before;
      if (own_.size() > pieces) own_.pop_back();
      throw;
    }
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() {
    if (mapped_ > 0) DriverMemory::get().unmap(begin_, mapped_);
    DriverMemory::get().free(begin_, addresses_);
  }

  std::byte* data() const { return reinterpret_cast<std::byte*>(begin_); }
  /// The ranges between holes, of the first `bytes`.
  std::vector<ByteRange> kept(std::size_t bytes) const {
    std::vector<ByteRange> all;
    std::size_t at = 0;
    for (const ByteRange& hole : holes_) {
      all.push_back({at, hole.begin});
      at = hole.end;
    }
    all.push_back({at, bytes});
    return all;
  }

 private:
  /// Addresses cost next to nothing. A T3 body has half as many nodes as elements or more, and at most three an element
  /// when all facets are broken: six times as many.
  static constexpr std::size_t room_to_grow = 8;

  struct Reserved {};
  /// Addresses without memory. It is a constructor of its own, so that a fault in the other one ends with the
  /// destructor.
  SparseMemory(std::size_t addresses, std::vector<ByteRange> holes, Reserved)
      : addresses_(addresses), holes_(std::move(holes)) {
    check_driver(DriverMemory::get().reserve(&begin_, addresses_, 0, 0, 0), "addresses");
  }

  static bool try_one() {
    try {
      const std::size_t bytes = granule();
      if (bytes == 0) return false;
      SparseMemory(bytes, {{0, bytes}});
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
  static std::size_t granule() { return Granules::size(); }
  static std::size_t rounded(std::size_t bytes) { return (bytes + granule() - 1) / granule() * granule(); }
  /// Memory is mapped whole: large pieces make few calls, and one granule fills up the rest.
  void share(ByteRange range) {
    static const Granules large(rounded(64 << 20)), small(granule());
    while (range.size() > 0) {
      const bool fits = range.size() >= rounded(64 << 20);
      const std::size_t bytes = fits ? rounded(64 << 20) : granule();
      map({range.begin, range.begin + bytes}, fits ? large : small);
      range.begin += bytes;
    }
  }
  void own(ByteRange range) {
    if (range.size() == 0) return;
    own_.emplace_back(range.size());
    map(range, own_.back());
  }
  void map(ByteRange range, const Granules& memory) {
    check_driver(DriverMemory::get().map(begin_ + range.begin, range.size(), 0, memory.handle(), 0), "mapping memory");
    mapped_ = range.end;
    CUmemAccessDesc access{};
    access.location = Granules::present_device();
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check_driver(DriverMemory::get().set_access(begin_ + range.begin, range.size(), &access, 1), "access to memory");
  }

  CUdeviceptr begin_ = 0;
  std::size_t addresses_ = 0, mapped_ = 0;  ///< bytes
  std::vector<ByteRange> holes_;
  std::vector<Granules> own_;
};

}  // namespace cleave
