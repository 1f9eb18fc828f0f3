#include "mesh/io/inria_sections.hpp"

#include <filesystem>

namespace cleave {
namespace {

std::string extension_of(const InputFile& file) { return std::filesystem::path(file.name()).extension().string(); }

}  // namespace

InriaSections::InriaSections(InputFile& file, InriaNumbers& numbers, std::span<const inria::Name> known)
    : file_(file), numbers_(numbers), known_(known) {
  if (extension_of(file).ends_with('b'))
    read_binary_header();
  else
    read_text_header();
}

void InriaSections::check_version(std::int64_t version) {
  if (version < 1 || version > 4) file_.fail(fmt::format("expected the version 1, 2, 3 or 4, found {}", version));
  numbers_.set_version(static_cast<int>(version));
}

void InriaSections::read_text_header() {
  const std::string_view first =
      file_.has_word(inria::comment) ? file_.word("MeshVersionFormatted", inria::comment) : "";
  if (first == "MFEM")
    file_.fail("expected MeshVersionFormatted: this is a mesh of MFEM; write it as .vtu by MFEM's Mesh::PrintVTU");
  if (first != "MeshVersionFormatted")
    file_.fail(fmt::format("expected MeshVersionFormatted: this is no {} file", extension_of(file_)));
  check_version(numbers_.whole("the version of the format"));
}

void InriaSections::read_binary_header() {
  file_.set_binary();
  const auto one = file_.value<std::uint32_t>("the number 1, which shows the order of bytes");
  std::string extension = extension_of(file_);
  if (one != 1 && one != 0x01000000U)
    file_.fail(fmt::format("expected the number 1, which shows the order of bytes: this is no {} file", extension));
  extension.pop_back();
  if (one != 1)
    file_.fail(fmt::format(
        "the file comes from a machine with the other order of bytes (endianness): save it as {} there", extension));
  check_version(file_.value<std::int32_t>("the version of the format"));
}

void InriaSections::for_each(const std::function<void(int keyword)>& read) {
  file_.is_binary() ? read_binary(read) : read_text(read);
}

void InriaSections::read_text(const std::function<void(int keyword)>& read) {
  for (int keyword = next_keyword(); keyword != inria::end; keyword = next_keyword()) {
    read_section(keyword, read);
    last_read_ = name_of(keyword);
  }
}

void InriaSections::read_binary(const std::function<void(int keyword)>& read) {
  while (true) {
    const auto keyword = file_.value<std::int32_t>("the number of a section, or 54, the end");
    const Place place = file_.place();
    if (keyword == inria::end) return;
    const std::int64_t next = numbers_.next_section();
    if (next <= file_.position())
      file_.fail_at(place, fmt::format("the section behind this one must lie further on, not at byte {}", next));
    if (name_of(keyword)[0] == '\0') {
      file_.seek(next);
      continue;
    }
    read_section(keyword, read);
    if (file_.position() != next)
      file_.fail_at(place, fmt::format("the section {} ends at byte {}, but the next begins at byte {}: its counts or "
                                       "the version of the format are wrong",
                                       name_of(keyword), file_.position(), next));
  }
}

void InriaSections::read_section(int keyword, const std::function<void(int keyword)>& read) {
  if (keyword != inria::dimension) return read(keyword);
  dimension_ = numbers_.small("the dimension");
  if (dimension_ != 2 && dimension_ != 3)
    file_.fail(fmt::format("expected the dimension 2 or 3, found {}", dimension_));
}

Index InriaSections::dimension_before(int keyword) const {
  if (dimension_ == 0) file_.fail(fmt::format("expected Dimension before {}", name_of(keyword)));
  return dimension_;
}

const char* InriaSections::name_of(int keyword) const {
  for (const inria::Name& n : known_)
    if (n.keyword == keyword) return n.name;
  return "";
}

/// The number of the next known keyword; unknown sections are skipped by reading on to the next known word.
int InriaSections::next_keyword() {
  while (file_.has_word(inria::comment)) {
    const std::string_view word = file_.word("a keyword", inria::comment);
    if (last_read_[0] != '\0' && word.find_first_of("+-.0123456789") == 0)
      file_.fail(
          fmt::format("{} goes on with {} behind its last row: its number of rows is too small", last_read_, word));
    last_read_ = "";
    for (const inria::Name& n : known_)
      if (word == n.name) return n.keyword;
  }
  return inria::end;
}

}  // namespace cleave
