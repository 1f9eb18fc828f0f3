/// Compressed blocks that successive frames share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace cleave {

/// Cache of compressed blocks. Points, connectivity and similar arrays change by insertion only, and then in few
/// blocks. For each block of such arrays in one series of frames, the cache keeps the last compressed bytes, so that
/// the next frame can reuse them. It never exceeds the size of these arrays in one frame. Thread-safe; frames may come
/// in any order.
class KeptBlocks {
 public:
  using Block = std::shared_ptr<const std::string>;
  using Compress = std::function<std::string(std::string_view)>;

  /// The result of `compress` for a block. If the block's bytes are unchanged since its last call, `compress` is not
  /// called. Blocks are compared by a hash of 128 bits (XXH3).
  Block compressed(const std::string& array, std::size_t number, std::string_view raw, const Compress& compress);

 private:
  struct Kept {
    std::array<std::uint64_t, 2> hash{};
    Block block;
  };
  std::mutex mutex_;
  std::map<std::pair<std::string, std::size_t>, Kept> blocks_;
};

}  // namespace cleave
