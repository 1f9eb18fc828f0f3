#include "mesh/io/xml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace cleave {
namespace {

constexpr std::string_view not_in_names = " \t\r\n=/>\"'<";

/// The text of an attribute without &amp; and others; what is none of them stays.
std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> known{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  while (!text.empty()) {
    const auto entity =
        std::find_if(known.begin(), known.end(), [&](const auto& entry) { return text.starts_with(entry.first); });
    out += entity == known.end() ? text.front() : entity->second;
    text.remove_prefix(entity == known.end() ? 1 : entity->first.size());
  }
  return out;
}

}  // namespace

std::string_view XmlTag::attribute(std::string_view of) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.first == of; });
  return found == attributes.end() ? std::string_view() : found->second;
}

bool XmlReader::skip(std::string_view behind) {
  const std::size_t found = text_.find(behind, position_);
  if (found == text_.npos) return false;
  position_ = found + behind.size();
  return true;
}

void XmlReader::skip_blanks() { position_ = std::min(text_.find_first_not_of(xml_blanks, position_), text_.size()); }

std::string_view XmlReader::name() {
  const std::size_t end = std::min(text_.find_first_of(not_in_names, position_), text_.size());
  const std::string_view found = text_.substr(position_, end - position_);
  position_ = end;
  return found;
}

bool XmlReader::read_attributes(XmlTag& tag) {
  for (;;) {
    skip_blanks();
    const std::string_view rest = text_.substr(position_);
    if (rest.starts_with('>')) {
      position_ += 1;
      return true;
    }
    if (rest.starts_with("/>") && tag.opens) {
      tag.closes = true;
      position_ += 2;
      return true;
    }
    const std::string_view key = name();
    skip_blanks();
    if (key.empty() || !text_.substr(position_).starts_with('=')) return false;
    ++position_;
    skip_blanks();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '"' && quote != '\'') return false;
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == text_.npos) return false;
    tag.attributes.emplace_back(key, unescaped(text_.substr(position_ + 1, end - position_ - 1)));
    position_ = end + 1;
  }
}

std::optional<XmlTag> XmlReader::next() {
  for (;;) {
    position_ = std::min(text_.find('<', position_), text_.size());
    const std::string_view rest = text_.substr(position_);
    if (rest.empty()) return {};
    if (rest.starts_with("<!--")) {
      if (!skip("-->")) return {};
    } else if (rest.starts_with("<?")) {
      if (!skip("?>")) return {};
    } else if (rest.starts_with("<!")) {
      if (!skip(">")) return {};
    } else {
      break;
    }
  }
  XmlTag tag;
  tag.begin = position_++;
  tag.opens = !text_.substr(position_).starts_with('/');
  tag.closes = !tag.opens;
  if (tag.closes) ++position_;
  tag.name = name();
  if (tag.name.empty() || !read_attributes(tag)) {
    position_ = tag.begin;
    return {};
  }
  tag.end = position_;
  return tag;
}

}  // namespace cleave
