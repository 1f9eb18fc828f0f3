/// The tags of an XML text, from its beginning to its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cleave {

inline constexpr std::string_view xml_blanks = " \t\r\n";

struct XmlTag {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> attributes;
  bool opens = false;     ///< <name>
  bool closes = false;    ///< </name>, or both in one: <name/>
  std::size_t begin = 0;  ///< where it stands in the text
  std::size_t end = 0;    ///< behind it

  /// Empty where the tag has no such attribute.
  std::string_view attribute(std::string_view of) const;
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  /// The next tag, comments and declarations left out; none at the end of the text. `at_end_of_text` tells whether
  /// there was nothing but text any more; if not, what follows is no tag.
  std::optional<XmlTag> next();
  bool at_end_of_text() const { return position_ == text_.size(); }
  std::size_t position() const { return position_; }

 private:
  bool skip(std::string_view behind);
  void skip_blanks();
  std::string_view name();
  bool read_attributes(XmlTag& tag);

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace cleave
