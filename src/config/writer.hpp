/// Writes a case file, key by key.
#pragma once

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/number.hpp"

namespace cleave::config {

/// A YAML map being written.
class Writer {
 public:
  Writer() { out_ << YAML::BeginMap; }

  void key(const std::string& name, const std::string& value) { out_ << YAML::Key << name << YAML::Value << value; }
  void key(const std::string& name, const char* value) { key(name, std::string(value)); }
  void key(const std::string& name, double value) { key(name, number_text(value)); }
  void key(const std::string& name, std::int64_t value) { key(name, std::to_string(value)); }
  void key(const std::string& name, std::uint64_t value) { key(name, std::to_string(value)); }
  void key(const std::string& name, int value) { key(name, std::to_string(value)); }
  template <class T, std::size_t n>
  void key(const std::string& name, const std::array<T, n>& values) {
    out_ << YAML::Key << name << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const T value : values) out_ << number_text(value);
    out_ << YAML::EndSeq;
  }

  void words(const std::string& name, const std::vector<std::string>& words) {
    out_ << YAML::Key << name << YAML::Value << YAML::Flow << words;
  }

  void directions(const std::string& name, bool x, bool y) {
    out_ << YAML::Key << name << YAML::Value << YAML::Flow << YAML::BeginSeq;
    if (x) out_ << "x";
    if (y) out_ << "y";
    out_ << YAML::EndSeq;
  }

  /// A map in a map, filled by `content()`.
  template <class Content>
  void section(const std::string& name, const Content& content) {
    out_ << YAML::Key << name << YAML::Value;
    map(content);
  }
  /// A list, one `item(entry)` per entry, each written as a map.
  template <class Entries, class Item>
  void list(const std::string& name, const Entries& entries, const Item& item) {
    out_ << YAML::Key << name << YAML::Value << YAML::BeginSeq;
    for (const auto& entry : entries) map([&] { item(entry); });
    out_ << YAML::EndSeq;
  }
  /// A list of pairs of numbers.
  void table(const std::string& name, const std::vector<std::pair<double, double>>& rows) {
    out_ << YAML::Key << name << YAML::Value << YAML::Flow << YAML::BeginSeq;
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
  template <class Content>
  void map(const Content& content) {
    out_ << YAML::BeginMap;
    content();
    out_ << YAML::EndMap;
  }

  YAML::Emitter out_;
};

}  // namespace cleave::config
