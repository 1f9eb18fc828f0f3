#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "output/deflate.hpp"

namespace cleave {

namespace {

/// Compresses the next `size` bytes of the stream's input.
void deflate_next(isal_zstream& stream, std::size_t size, std::uint16_t flush, bool last) {
  stream.avail_in = static_cast<std::uint32_t>(size);
  stream.flush = flush;
  stream.end_of_stream = last ? 1 : 0;
  if (isal_deflate(&stream) != COMP_OK || stream.avail_in > 0) throw std::logic_error("deflate: a block does not fit");
}

}  // namespace

/// Level 1: level 0 makes fields a quarter larger, higher levels are slower without gain. Small tables: codes are
/// rebuilt more often, which costs a sixth of the time and makes fields a fiftieth smaller. The bytes are the same with
/// AVX2 and AVX-512.
std::string deflated(std::string_view bytes) {
  constexpr std::size_t smallest_code_block = 8192, block_header = 5, frame = 64, most = std::size_t{1} << 30;
  if (bytes.size() > most) throw std::logic_error("deflate: a block is too large");  // its size must fit into 32 bits
  // The library reads bytes of earlier calls in its tables, and members that its init does not set; both would change
  // the result. They are therefore cleared.
  thread_local std::vector<std::uint8_t> tables, out;
  tables.assign(ISAL_DEF_LVL1_SMALL, 0);
  const std::size_t bound = bytes.size() + (bytes.size() / smallest_code_block + 2) * block_header + frame;
  if (out.size() < bound) out.resize(bound);
  isal_zstream stream{};
  isal_deflate_init(&stream);
  stream.level = 1;
  stream.level_buf = tables.data();
  stream.level_buf_size = static_cast<std::uint32_t>(tables.size());
  stream.gzip_flag = IGZIP_ZLIB;
  // The library does not modify what next_in points to.
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  stream.next_out = out.data();
  stream.avail_out = static_cast<std::uint32_t>(bound);
  // The first four bytes are compressed by themselves: igzip_icf_body_h1_gr_bt.asm (.write_first_byte) hashes the
  // address of the stream instead of the third byte of a longer piece, so that matches would depend on chance.
  const std::size_t first = std::min<std::size_t>(bytes.size(), 4);
  deflate_next(stream, first, SYNC_FLUSH, false);
  deflate_next(stream, bytes.size() - first, NO_FLUSH, true);
  if (stream.internal_state.state != ZSTATE_END) throw std::logic_error("deflate: a block does not fit");
  return {reinterpret_cast<const char*>(out.data()), stream.total_out};
}

}  // namespace cleave
