/// Writes a case file, key by key.
#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "case/yaml_text.hpp"

namespace cleave::case_file {

/// Writes a YAML map.
class Writer {
 public:
  Writer() { out_ << YAML::BeginMap; }

  void key(const std::string& name, const std::string& value) {
    begin(name);
    word(value);
  }
  void key(const std::string& name, const char* value) { key(name, std::string(value)); }
  void key(const std::string& name, double value) { key(name, number_text(value)); }
  void key(const std::string& name, std::int64_t value) { key(name, std::to_string(value)); }
  void key(const std::string& name, std::uint64_t value) { key(name, std::to_string(value)); }
  void key(const std::string& name, int value) { key(name, std::to_string(value)); }
  template <class T, std::size_t n>
  void key(const std::string& name, const std::array<T, n>& values) {
    begin(name);
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const T value : values) out_ << number_text(value);
    out_ << YAML::EndSeq;
  }

  void words(const std::string& name, const std::vector<std::string>& words) {
    begin(name);
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const std::string& each : words) word(each);
    out_ << YAML::EndSeq;
  }

  void directions(const std::string& name, bool x, bool y) {
    begin(name);
    out_ << YAML::Flow << YAML::BeginSeq;
    if (x) out_ << "x";
    if (y) out_ << "y";
    out_ << YAML::EndSeq;
  }

  /// Writes a map in a map, filled by `content()`.
  template <class Content>
  void section(const std::string& name, const Content& content) {
    begin(name);
    map(content);
  }
  /// Writes a list of maps, one `item(entry)` per entry.
  template <class Entries, class Item>
  void list(const std::string& name, const Entries& entries, const Item& item) {
    begin(name);
    out_ << YAML::BeginSeq;
    for (const auto& entry : entries) map([&] { item(entry); });
    out_ << YAML::EndSeq;
  }
  /// Writes a list of pairs of numbers.
  template <class Rows = std::vector<std::pair<double, double>>>
  void table(const std::string& name, const Rows& rows) {
    begin(name);
    out_ << YAML::Flow << YAML::BeginSeq;
    for (const auto& [time, value] : rows) {
      out_ << YAML::Flow << YAML::BeginSeq << number_text(time) << number_text(value) << YAML::EndSeq;
    }
    out_ << YAML::EndSeq;
  }

  std::string text() {
    out_ << YAML::EndMap;
    return std::string(out_.c_str()) + '\n';
  }

 private:
  void begin(const std::string& name) {
    out_ << YAML::Key;
    word(name);
    out_ << YAML::Value;
  }
  /// Writes a word, in quotes if YAML 1.1 readers would take it for true, false, a merge or a default.
  void word(const std::string& text) {
    std::string lower = text;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const char* meaning : {"yes", "no", "on", "off", "<<", "="})
      if (lower == meaning) out_ << YAML::DoubleQuoted;
    out_ << text;
  }

  template <class Content>
  void map(const Content& content) {
    out_ << YAML::BeginMap;
    content();
    out_ << YAML::EndMap;
  }

  YAML::Emitter out_;
};

}  // namespace cleave::case_file
