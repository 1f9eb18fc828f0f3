/// RFC 1951 is the format, RFC 1950 what stands around it. Bits of a byte are filled from the lowest one on.
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "output/deflate.hpp"

namespace cleave {
namespace {

constexpr std::size_t word_size = 4;
constexpr std::size_t piece_words = 32768;  ///< with codes of their own, so that these fit one part of the body
constexpr std::size_t longest_match = 64;   ///< words; the format has at most 258 bytes
constexpr int end_of_piece = 256, first_length = 257, symbols = 286;
constexpr int longest_code = 14;  ///< of the 15 that the format has: four codes and 7 bits before them fit into 64

std::uint32_t word_at(const char* bytes, std::size_t word) {
  std::uint32_t value;
  std::memcpy(&value, bytes + word * word_size, word_size);
  return value;
}

/// Bits that stand one after the other in the stream.
struct Bits {
  std::uint64_t bits = 0;
  int count = 0;

  void add(std::uint64_t value, int more) {
    bits |= value << count;
    count += more;
  }
  void add(const Bits& more) { add(more.bits, more.count); }
};

/// A length or a distance in the format: a symbol with a range, and the place in it.
struct Ranged {
  int symbol = 0;
  Bits place;
};

/// @param above         by how much it is more than the least there is
/// @param per_doubling  the ranges double after so many symbols
Ranged ranged(std::size_t above, unsigned per_doubling) {
  if (above < 2 * per_doubling) return {static_cast<int>(above), {}};
  const auto doubled = static_cast<int>(std::bit_width(above / per_doubling)) - 1;
  const auto symbol = static_cast<int>((above >> doubled) + static_cast<unsigned>(doubled) * per_doubling);
  return {symbol, {above & ((1u << doubled) - 1), doubled}};
}
Ranged length_of(std::size_t words) { return ranged(words * word_size - 3, 4); }
Ranged distance_of(std::size_t bytes) { return ranged(bytes - 1, 2); }

using Counts = std::array<std::uint32_t, symbols>;
using CodeLengths = std::array<std::uint8_t, symbols>;
using Codes = std::array<Bits, symbols>;

/// Words as they are, then words that are those of the tuple before.
struct Run {
  std::size_t literals = 0, matches = 0;

  /// Calls f(words) for matches that the format can tell.
  template <class F>
  void for_each_match(const F& f) const {
    for (std::size_t left = matches; left > 0; left -= std::min(left, longest_match)) f(std::min(left, longest_match));
  }
};

struct Piece {
  std::size_t begin = 0, end = 0;  ///< words
  std::vector<Run> runs;
  CodeLengths lengths{};
};

std::vector<Run> runs_of(const char* bytes, std::size_t begin, std::size_t end, std::size_t tuple_words) {
  const auto repeats = [&](std::size_t w) {
    return w >= tuple_words && word_at(bytes, w) == word_at(bytes, w - tuple_words);
  };
  std::vector<Run> runs;
  for (std::size_t w = begin; w < end;) {
    Run run;
    for (; w < end && !repeats(w); ++w) ++run.literals;
    for (; w < end && repeats(w); ++w) ++run.matches;
    runs.push_back(run);
  }
  return runs;
}

/// How often each symbol occurs in a piece.
Counts counts_of(const char* bytes, const Piece& piece) {
  // A table for each byte of a word: a count that is raised twice in a row would have to wait.
  std::array<std::array<std::uint32_t, 256>, word_size> tables{};
  Counts counts{};
  std::size_t w = piece.begin;
  for (const Run& run : piece.runs) {
    for (const std::size_t end = w + run.literals; w < end; ++w) {
      const std::uint32_t word = word_at(bytes, w);
      for (std::size_t k = 0; k < word_size; ++k) ++tables[k][word >> 8 * k & 255];
    }
    w += run.matches;
    run.for_each_match([&](std::size_t words) { ++counts[first_length + length_of(words).symbol]; });
  }
  for (const auto& table : tables)
    for (std::size_t s = 0; s < table.size(); ++s) counts[s] += table[s];
  counts[end_of_piece] = 1;
  return counts;
}

/// A symbol, or two nodes of the tree in one.
struct TreeNode {
  std::uint32_t count = 0;
  int symbol = 0, parent = 0, depth = 0;
};

/// Lengths of Huffman's codes, whatever the longest; 0 for what does not occur. At least two symbols must.
CodeLengths free_lengths(const Counts& counts) {
  std::array<TreeNode, 2 * symbols> nodes;
  int leaves = 0;
  for (int s = 0; s < symbols; ++s)
    if (counts[s] > 0) nodes[leaves++] = {counts[s], s};
  std::sort(nodes.begin(), nodes.begin() + leaves, [](const TreeNode& a, const TreeNode& b) {
    return std::pair(a.count, a.symbol) < std::pair(b.count, b.symbol);
  });
  // The two rarest become one, again and again. What is made so is sorted, too, behind the leaves.
  int leaf = 0, joint = leaves, end = leaves;
  const auto rarest = [&] {
    const bool is_leaf = leaf < leaves && (joint == end || nodes[leaf].count <= nodes[joint].count);
    return is_leaf ? leaf++ : joint++;
  };
  for (; end < 2 * leaves - 1; ++end) {
    const int a = rarest(), b = rarest();
    nodes[a].parent = nodes[b].parent = end;
    nodes[end].count = nodes[a].count + nodes[b].count;
  }
  CodeLengths lengths{};
  for (int n = end - 2; n >= 0; --n) {
    nodes[n].depth = nodes[nodes[n].parent].depth + 1;
    if (n < leaves) lengths[nodes[n].symbol] = static_cast<std::uint8_t>(nodes[n].depth);
  }
  return lengths;
}

CodeLengths code_lengths(Counts counts) {
  while (true) {
    const CodeLengths lengths = free_lengths(counts);
    if (*std::max_element(lengths.begin(), lengths.end()) <= longest_code) return lengths;
    for (std::uint32_t& count : counts) count = (count + 1) / 2;  // more alike, so that the tree is less deep
  }
}

/// The lowest bits of a number in the opposite order: of codes the format has the first bit first.
std::uint64_t reversed(std::uint32_t value, int bits) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= static_cast<std::uint64_t>(value >> bit & 1) << (bits - 1 - bit);
  return result;
}

/// Codes of a length are successive numbers, by symbol.
Codes codes_of(const CodeLengths& lengths) {
  std::array<std::uint32_t, longest_code + 2> next{};
  for (const std::uint8_t length : lengths)
    if (length > 0) ++next[length + 1];
  for (std::size_t l = 1; l < next.size(); ++l) next[l] = (next[l] + next[l - 1]) << 1;
  Codes codes{};
  for (std::size_t s = 0; s < codes.size(); ++s)
    if (lengths[s] > 0) codes[s].add(reversed(next[lengths[s]]++, lengths[s]), lengths[s]);
  return codes;
}

/// What tells that so many words are those of the tuple before.
Bits match_bits(std::size_t words, const Codes& codes, const Ranged& distance) {
  const Ranged length = length_of(words);
  Bits bits = codes[first_length + length.symbol];
  bits.add(length.place);
  bits.add(0, 1);  // the only code of a distance
  bits.add(distance.place);
  return bits;
}

/// Writes eight bytes at a time, of which the next ones overwrite what is not full.
class BitStream {
 public:
  explicit BitStream(char* to) : to_(to) {}

  /// At most 57 bits; or several times, up to 57 in all, before the next `flush`.
  void add(const Bits& more) { pending_.add(more); }
  void flush() {
    std::memcpy(to_, &pending_.bits, sizeof pending_.bits);
    to_ += pending_.count / 8;
    pending_.bits >>= pending_.count / 8 * 8;
    pending_.count %= 8;
  }
  void put(const Bits& more) {
    add(more);
    flush();
  }
  /// Ends the last byte. Returns what is behind it.
  char* end() {
    flush();
    return to_ + (pending_.count > 0 ? 1 : 0);
  }

 private:
  char* to_;
  Bits pending_;
};

constexpr int bits_of_a_length = 4;  ///< of a code, in the head of a piece: they have a code in which all are alike
constexpr int code_length_symbols = 19;

std::size_t bits_of_head(const Ranged& distance) {
  return 1 + 2 + 5 + 5 + 4 + 3 * code_length_symbols +
         static_cast<std::size_t>(bits_of_a_length * (symbols + distance.symbol + 1));
}

void put_head(BitStream& out, const CodeLengths& lengths, bool is_last, const Ranged& distance) {
  out.put({is_last ? 1u : 0u, 1});
  out.put({2, 2});  // a piece with codes of its own
  out.put({symbols - first_length, 5});
  out.put({static_cast<std::uint64_t>(distance.symbol), 5});
  out.put({code_length_symbols - 4, 4});
  // The first three would stand for repetitions, the others for the lengths 0 to 15.
  for (int s = 0; s < code_length_symbols; ++s) out.put({s < 3 ? 0u : bits_of_a_length, 3});
  const auto put_length = [&](std::uint32_t length) {
    out.put({reversed(length, bits_of_a_length), bits_of_a_length});
  };
  for (const std::uint8_t length : lengths) put_length(length);
  for (int s = 0; s <= distance.symbol; ++s) put_length(s == distance.symbol ? 1 : 0);
}

void put_piece(BitStream& out, const char* bytes, const Piece& piece, const Ranged& distance) {
  const Codes codes = codes_of(piece.lengths);
  std::size_t w = piece.begin;
  for (const Run& run : piece.runs) {
    for (const std::size_t end = w + run.literals; w < end; ++w) {
      const std::uint32_t word = word_at(bytes, w);
      for (std::size_t k = 0; k < word_size; ++k) out.add(codes[word >> 8 * k & 255]);
      out.flush();
    }
    w += run.matches;
    run.for_each_match([&](std::size_t words) { out.put(match_bits(words, codes, distance)); });
  }
  out.put(codes[end_of_piece]);
}

constexpr std::size_t bytes_around = 2 + 4;  ///< what zlib's format has before the stream, and its sum behind

/// Empty: libdeflate does not make it larger than it is, and this would.
std::string coded_tuples(std::string_view bytes, std::size_t tuple) {
  const Ranged distance = distance_of(tuple);
  const std::size_t words = bytes.size() / word_size;
  std::vector<Piece> pieces;
  std::size_t bits = 0;
  for (std::size_t begin = 0; begin < words; begin += piece_words) {
    Piece piece{begin, std::min(words, begin + piece_words), {}, {}};
    piece.runs = runs_of(bytes.data(), piece.begin, piece.end, tuple / word_size);
    const Counts counts = counts_of(bytes.data(), piece);
    piece.lengths = code_lengths(counts);
    bits += bits_of_head(distance);
    for (std::size_t s = 0; s < counts.size(); ++s) bits += std::size_t{counts[s]} * piece.lengths[s];
    for (const Run& run : piece.runs)
      run.for_each_match([&](std::size_t n) { bits += 1 + length_of(n).place.count + distance.place.count; });
    pieces.push_back(std::move(piece));
  }
  const std::size_t size = bytes_around + (bits + 7) / 8;
  if (size >= bytes.size()) return {};
  std::string out(size + sizeof(std::uint64_t), '\0');  // the stream's last write may reach beyond
  out[0] = 0x78, out[1] = 0x01;
  BitStream stream(out.data() + 2);
  for (const Piece& piece : pieces) {
    put_head(stream, piece.lengths, piece.end == words, distance);
    put_piece(stream, bytes.data(), piece, distance);
  }
  char* end = stream.end();
  const std::uint32_t sum = libdeflate_adler32(1, bytes.data(), bytes.size());
  for (int shift = 24; shift >= 0; shift -= 8) *end++ = static_cast<char>(sum >> shift);
  out.resize(size);
  return out;
}

/// Whether more than a quarter of the words, in a sample from the middle, are there twice and not one tuple apart: then
/// a search for them pays.
bool repeats_often(std::string_view bytes, std::size_t tuple) {
  constexpr std::size_t sampled = 256;
  const std::size_t words = bytes.size() / word_size;
  const std::size_t begin = (words - std::min(words, sampled)) / 2, end = std::min(words, begin + sampled);
  std::vector<std::uint32_t> literals;
  for (std::size_t w = begin; w < end; ++w) {
    const std::uint32_t word = word_at(bytes.data(), w);
    if (w < begin + tuple / word_size || word != word_at(bytes.data(), w - tuple / word_size)) literals.push_back(word);
  }
  std::sort(literals.begin(), literals.end());
  const auto different = std::unique(literals.begin(), literals.end()) - literals.begin();
  return 4 * (literals.size() - static_cast<std::size_t>(different)) > literals.size();
}

}  // namespace

std::string deflated_tuples(std::string_view bytes, std::size_t tuple) {
  constexpr std::size_t least = 4096;  // with less the codes take more than they save
  if (bytes.size() < least || bytes.size() % word_size != 0 || repeats_often(bytes, tuple)) return deflated(bytes);
  const std::string coded = coded_tuples(bytes, tuple);
  return coded.empty() ? deflated(bytes) : coded;
}

}  // namespace cleave
