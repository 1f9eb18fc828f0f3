/// Files in INRIA's formats, text or binary: a header, then sections of numbers after a keyword, or, in binary files,
/// after the keyword's number and the position of the next section.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "mesh/io/input_file.hpp"
#include "mesh/io/inria_keywords.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {

/// Numbers with the width given by the version of a binary file.
class InriaNumbers {
 public:
  explicit InriaNumbers(InputFile& file) : file_(file), numbers_(file, inria::comment) {}

  void set_version(int version) { version_ = version; }

  std::int64_t whole(std::string_view what) {
    return !file_.is_binary() || version_ == 4 ? numbers_.large(what) : numbers_.integer(what);
  }
  double real(std::string_view what) {
    return file_.is_binary() && version_ == 1 ? static_cast<double>(file_.value<float>(what)) : numbers_.real(what);
  }
  /// 32 bits in all versions: the dimension, the number of fields and their types.
  Index small(std::string_view what) { return numbers_.integer(what); }
  std::int64_t count(std::string_view what) {
    const std::int64_t count = whole(what);
    numbers_.check_count(count, what, 8);
    return count;
  }
  std::int64_t next_section() {
    constexpr const char* what = "the place of the next section";
    return version_ >= 3 ? numbers_.large(what) : numbers_.integer(what);
  }

 private:
  InputFile& file_;
  NumberReader numbers_;
  int version_ = 2;
};

class InriaSections {
 public:
  /// Reads the header of a file, whose extension is that of a binary file if it ends in b.
  /// @param known  keywords of the sections to read; others are passed over
  InriaSections(InputFile& file, InriaNumbers& numbers, std::span<const inria::Name> known);

  /// Calls read(keyword) for each known section, which must read all its numbers. Reads the dimension itself.
  void for_each(const std::function<void(int keyword)>& read);

  /// The dimension of the file, 2 or 3, which must stand before the section `keyword`.
  Index dimension_before(int keyword) const;

 private:
  void read_text_header();
  void read_binary_header();
  void check_version(std::int64_t version);
  void read_text(const std::function<void(int keyword)>& read);
  void read_binary(const std::function<void(int keyword)>& read);
  void read_section(int keyword, const std::function<void(int keyword)>& read);
  const char* name_of(int keyword) const;
  int next_keyword();

  InputFile& file_;
  InriaNumbers& numbers_;
  std::span<const inria::Name> known_;
  Index dimension_ = 0;
  const char* last_read_ = "";  // name of the section before the next word of a text, if it was read
};

}  // namespace cleave
