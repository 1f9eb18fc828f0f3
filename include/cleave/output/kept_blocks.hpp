/// Compressed blocks that frames share.
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

/// Points, connectivity and the like change by insertion only, and then in few blocks. Of each block of such an array,
/// of one series of frames, this keeps what it was last compressed to, so that the next frame need not do it again.
/// That is no more than one frame has of these arrays. Any thread may call it at any time, for frames in any order.
class KeptBlocks {
 public:
  using Block = std::shared_ptr<const std::string>;
  using Compress = std::function<std::string(std::string_view)>;

  /// What `compress` makes of the bytes; it is not called when they are those that this block had last. Blocks are
  /// known by a hash of 128 bits (XXH3).
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
