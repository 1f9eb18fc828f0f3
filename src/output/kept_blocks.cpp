#include "cleave/output/kept_blocks.hpp"

#include <xxhash.h>

namespace cleave {

KeptBlocks::Block KeptBlocks::compressed(const std::string& array, std::size_t number, std::string_view raw,
                                         const Compress& compress) {
  const XXH128_hash_t of_raw = XXH3_128bits(raw.data(), raw.size());
  const std::array<std::uint64_t, 2> hash{of_raw.low64, of_raw.high64};
  const std::pair key{array, number};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = blocks_.find(key); found != blocks_.end() && found->second.hash == hash)
      return found->second.block;
  }
  auto block = std::make_shared<const std::string>(compress(raw));
  const std::lock_guard lock(mutex_);
  blocks_[key] = {hash, block};
  return block;
}

}  // namespace cleave
