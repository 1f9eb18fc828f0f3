/// Writer of files in INRIA's formats in the plane: header, sections and end.
#pragma once

#include "mesh/io/inria_keywords.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {

class InriaWriter : public NumberWriter {
 public:
  explicit InriaWriter(bool binary) : NumberWriter(binary) {
    // Reals are double in both; a binary file of version 2 has positions of 32 bits, and some readers of text know
    // no 3.
    const Index version = binary ? 3 : 2;
    binary ? put(Index{1}, version) : words(fmt::format("MeshVersionFormatted {}\n", version));
    begin_section(inria::dimension, sizeof(Index));
    line(Index{2});
  }

  /// Begins a section of rows, which `bytes` of a binary file hold.
  void begin_section(inria::Keyword keyword, std::size_t rows, std::size_t bytes) {
    begin_section(keyword, sizeof(Index) + bytes);
    line(static_cast<Index>(rows));
  }

  /// Ends the file.
  std::string finish() {
    is_binary() ? put(Index{inria::end}, std::int64_t{0}) : words("End\n");
    return take();
  }

 private:
  /// In a binary file the position of the next section follows, `bytes` later.
  void begin_section(inria::Keyword keyword, std::size_t bytes) {
    if (!is_binary()) return words(fmt::format("{}\n", inria::name_of(keyword)));
    put(Index{keyword});
    put(static_cast<std::int64_t>(size() + sizeof(std::int64_t) + bytes));
  }
};

}  // namespace cleave
