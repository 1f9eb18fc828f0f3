#include "case/tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include "case/yaml_text.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/file_text.hpp"
#include "cleave/core/utf8.hpp"

namespace cleave::case_file {
namespace {

/// Deepest level of nesting. An alias may refer to a list that contains it, which would never end.
constexpr int deepest_level = 32;

/// Longest key, bytes. YAML limits a key to 1,024 bytes on one line; with escapes a key may be four times as long when
/// it is written.
constexpr std::size_t longest_key = 200;

std::string child_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

/// Largest number of values. Nested aliases can expand a few lines to more values than fit into memory.
constexpr int most_values = 1'000'000;

/// Largest number of keys of a map; the search among them is linear.
constexpr std::size_t most_keys = 10'000;

/// Largest size of a file.
constexpr std::uintmax_t most_bytes = 64'000'000;

std::string too_many_values() {
  return fmt::format("more than {} values, aliases written out; put large tables elsewhere", most_values);
}

/// Converts values of yaml-cpp. Of two equal keys yaml-cpp keeps both and finds the first; here the second is an error.
class TreeMaker {
 public:
  explicit TreeMaker(Report& report) : report_(report) {}
  /// Returns nothing if there are too many values; one error reports that.
  Value operator()(const YAML::Node& node, const Place& place, const std::string& path) {
    Value value = to_value(node, place, path, 0);
    return values_ > most_values ? Value{} : value;
  }

 private:
  Value to_value(const YAML::Node& node, const Place& place, const std::string& path, int level);
  std::string text_of(const YAML::Node& scalar, const Place& place, const std::string& path);

  Report& report_;
  int values_ = 0;
};

Value TreeMaker::to_value(const YAML::Node& node, const Place& place, const std::string& path, int level) {
  Report& report = report_;
  Value value;
  value.place = place;
  if (values_ > most_values) return value;  // already reported
  if (++values_ > most_values) {
    report.add(place, "", too_many_values());
    return value;
  }
  if (level > deepest_level) {
    report.add(place, path, fmt::format("nested more than {} levels deep", deepest_level));
    return value;
  }
  const auto place_of = [&](const YAML::Node& part) {
    return part.Mark().is_null() || !place.overriding.empty() ? place : Place{part.Mark().line + 1, {}};
  };
  if (node.IsScalar()) {
    value.kind = Value::Kind::scalar;
    value.text = text_of(node, place, path);
    value.quoted = node.Tag() == "!";
  } else if (node.IsSequence()) {
    value.kind = Value::Kind::list;
    for (const YAML::Node& item : node) {
      const std::string item_path = child_path(path, std::to_string(value.items.size()));
      value.items.push_back(to_value(item, place_of(item), item_path, level + 1));
    }
  } else if (node.IsMap()) {
    value.kind = Value::Kind::map;
    for (const auto& pair : node) {
      const Place key_place = place_of(pair.first);
      if (!pair.first.IsScalar()) {
        report.add(key_place, path, "a key must be a name");
        continue;
      }
      const std::string key = text_of(pair.first, key_place, path);
      if (key.size() > longest_key) {
        report.add(key_place, path, fmt::format("a key of {} bytes; at most {}", key.size(), longest_key));
        continue;
      }
      if (has_control_characters(key)) {
        report.add(key_place, path, "a key with a control character; take it out");
        continue;
      }
      if (value.entries.size() == most_keys) {
        report.add(key_place, path, fmt::format("more than {} keys in a map", most_keys));
        break;
      }
      const std::string key_path = child_path(path, key);
      if (const Entry* first = value.find(key)) {
        const int line = first->value.place.line;
        report.add(key_place, key_path, line ? fmt::format("given twice, first on line {}", line) : "given twice");
        continue;
      }
      value.entries.push_back({key, to_value(pair.second, key_place, key_path, level + 1)});
    }
  }
  return value;
}

/// yaml-cpp turns some escapes into single bytes, which are invalid UTF-8.
std::string TreeMaker::text_of(const YAML::Node& scalar, const Place& place, const std::string& path) {
  if (is_utf8(scalar.Scalar())) return scalar.Scalar();
  report_.add(place, path, "an escape such as \\_ or \\N, which are not read; write the character itself");
  return {};
}

std::optional<std::size_t> list_index(const std::string& name, std::size_t size) {
  std::size_t index = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, index);
  if (error != std::errc() || stop != end || index >= size) return std::nullopt;
  return index;
}

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> names;
  std::size_t start = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
    names.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  names.push_back(path.substr(start));
  return names;
}

/// An error of yaml-cpp in clearer words.
std::string what_is_wrong(const YAML::Exception& e) {
  const auto says = [&](const char* text) { return e.msg.find(text) != std::string::npos; };
  if (dynamic_cast<const YAML::DeepRecursion*>(&e)) return "nested too deep";
  if (says("alias") || says("anchor")) return "an alias (*name) without its anchor (&name), or one without a name";
  if (says("tab") || says("unknown token")) return "a tab or a character that begins no value; indent by spaces only";
  if (says("end of map") || says("end of sequence"))
    return "this line does not belong to the list or map before it; check indentation, brackets and commas";
  if (says("illegal map value"))
    return "a colon where no value can follow; check the indentation, and put text in quotes";
  if (says("illegal EOF") || says("EOF")) return "the text ends within quotes or brackets";
  return "check indentation, brackets and quotes here and in the line before";
}

/// Thrown for more values than a case may have, before yaml-cpp allocates memory for them.
struct TooManyValues {};

/// Finds the start of the first two documents in a text. YAML::LoadAll would read all documents, and some texts make it
/// loop for ever (yaml-cpp 0.7: a line that begins with a comma). Throws TooManyValues.
class DocumentStarts : YAML::EventHandler {
 public:
  explicit DocumentStarts(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (starts_.size() < 2 && parser.HandleNextDocument(*this)) {
    }
  }
  bool several() const { return starts_.size() > 1; }
  bool stands_still() const { return several() && starts_[0].pos == starts_[1].pos; }
  int line() const { return starts_.empty() ? 0 : starts_[0].line + 1; }

 private:
  void OnDocumentStart(const YAML::Mark& mark) override { starts_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override { count(); }
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override { count(); }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override { count(); }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    count();
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    count();
  }
  void OnMapEnd() override {}
  void count() {
    if (++values_ > 2 * most_values) throw TooManyValues();  // includes keys
  }

  std::vector<YAML::Mark> starts_;
  int values_ = 0;
};

/// Sets or removes the value at the path names[level], names[level + 1], ... below `parent`. Returns an error text, or
/// an empty one.
std::string set_value(Value& parent, const std::vector<std::string>& names, std::size_t level, const Value& value) {
  const std::string& name = names[level];
  const bool last = level + 1 == names.size();
  const bool take_away = last && value.kind == Value::Kind::nothing;

  if (parent.kind == Value::Kind::list) {
    const auto index = list_index(name, parent.items.size());
    if (!index) return fmt::format("\"{}\" is no index of a list of {}, from 0", name, parent.items.size());
    if (take_away) {
      parent.items.erase(parent.items.begin() + static_cast<std::ptrdiff_t>(*index));
      return {};
    }
    Value& item = parent.items[*index];
    if (!last) return set_value(item, names, level + 1, value);
    item = value;
    return {};
  }

  if (parent.kind == Value::Kind::scalar) {
    return fmt::format("\"{}\" cannot be set inside {}, which is no map or list", name, describe(parent));
  }
  Entry* entry = parent.find(name);
  if (take_away) {
    if (!entry) return "there is no such key to take away";
    parent.entries.erase(parent.entries.begin() + (entry - parent.entries.data()));
    return {};
  }
  if (parent.kind == Value::Kind::nothing) {
    parent.kind = Value::Kind::map;
    parent.place = value.place;
  }
  if (!entry) {
    parent.entries.push_back({name, {}});
    entry = &parent.entries.back();
    entry->value.place = value.place;
  }
  if (!last) return set_value(entry->value, names, level + 1, value);
  entry->value = value;
  return {};
}

}  // namespace

const Entry* Value::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Entry* Value::find(const std::string& key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::scalar:
      return is_number(value) ? shortened(value.text) : fmt::format("the text \"{}\"", shortened(value.text));
    case Value::Kind::list:
      return fmt::format("a list of {}", value.items.size());
    case Value::Kind::map:
      return "a map";
    case Value::Kind::nothing:
      break;
  }
  return "nothing";
}

Value load_tree(const std::filesystem::path& file, Report& report) {
  std::string text;
  try {
    text = file_text(file, most_bytes, "a case file (YAML)");
  } catch (const InputError& wrong) {
    report.add({}, "", wrong.what());
    return {};
  }
  return parse_tree(text, report);
}

Value parse_tree(const std::string& text, Report& report) {
  const auto refuse_at = [&](std::size_t byte, const char* reason) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
    report.add({static_cast<int>(line), {}}, "", reason);
    return Value{};
  };
  if (const std::size_t wrong = first_not_utf8(text); wrong != text.npos)
    return refuse_at(wrong, "not text in UTF-8; save the file in this encoding");
  // yaml-cpp takes this byte for the start of an escape.
  if (const std::size_t zero = text.find('\0'); zero != text.npos)
    return refuse_at(zero, "not text: it has a byte that is zero");
  try {
    const DocumentStarts starts(text);
    if (starts.stands_still()) {
      report.add({starts.line(), {}}, "", "not valid YAML: no key can begin like this");
      return {};
    }
    if (starts.several()) report.add({}, "", "expected one YAML document, found several (separated by ---)");
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) {
      report.add({}, "",
                 fmt::format("expected the keys of a case, found {}", describe(TreeMaker(report)(root, {}, ""))));
      return {};
    }
    return TreeMaker(report)(root, {}, "");
  } catch (const YAML::Exception& e) {
    report.add({e.mark.line + 1, {}}, "", "not valid YAML: " + what_is_wrong(e));
  } catch (const TooManyValues&) {
    report.add({}, "", too_many_values());
  }
  return {};
}

void apply_override(Value& root, const std::string& override_text, Report& report) {
  const Place place{0, override_text};
  if (!is_utf8(override_text) || override_text.find('\0') != override_text.npos) {
    report.add({0, "..."}, "", "not text in UTF-8");
    return;
  }
  const std::size_t equals = override_text.find('=');
  const std::vector<std::string> names = split_path(override_text.substr(0, equals));
  const bool unnamed = std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
  if (equals == std::string::npos || unnamed) {
    report.add(place, "", "expected key.path=value, such as time.steps=100 or boundary.0.pressure=1e6");
    return;
  }
  for (const std::string& name : names) {
    if (name.size() <= longest_key) continue;
    report.add({0, "..."}, "", fmt::format("a key of {} bytes; at most {}", name.size(), longest_key));
    return;
  }
  if (has_control_characters(override_text.substr(0, equals))) {
    report.add({0, "..."}, "", "a key with a control character; take it out");
    return;
  }
  try {
    const std::string path = override_text.substr(0, equals);
    const Value value = TreeMaker(report)(YAML::Load(override_text.substr(equals + 1)), place, path);
    const std::string wrong = set_value(root, names, 0, value);
    if (!wrong.empty()) report.add(place, "", wrong);
  } catch (const YAML::Exception& e) {
    report.add(place, "", "the value is not valid YAML: " + what_is_wrong(e));
  }
}

}  // namespace cleave::case_file
