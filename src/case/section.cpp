#include "case/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "case/hints.hpp"
#include "case/yaml_text.hpp"
#include "cleave/core/utf8.hpp"

namespace cleave::case_file {
namespace {

/// Limit of texts that go to files and to the screen.
constexpr std::size_t longest_text = 1000;  // bytes

}  // namespace

/// The number of a value. Quoted numbers, as `"3e-09"` from some programs, are text in YAML; they are accepted with a
/// note.
std::optional<double> Node::number() const {
  if (!value_->quoted) return to_number(*value_);
  Value plain = *value_;
  plain.quoted = false;
  const auto number = to_number(plain);
  if (number) report_->note(value_->place, path_, fmt::format("the text \"{}\" is taken as a number", value_->text));
  return number;
}

bool Node::fail_expected_number(const char* what) const {
  if (value_->kind != Value::Kind::scalar) return fail_expected(what);
  if (const std::string advice = without_comma(value_->text); !advice.empty()) {
    fail(fmt::format("expected {} with a decimal point, found {}; {}", what, describe(*value_), advice));
    return false;
  }
  const std::string si = without_unit(value_->text);
  if (si.empty()) return fail_expected(what);
  fail(fmt::format("expected {} in SI units, found {}; write {}", what, describe(*value_), si));
  return false;
}

bool Node::check(double number, const Range& range) const {
  if (std::isfinite(number) && range.contains(number)) return true;
  const bool finite_number = std::isfinite(number);
  fail(fmt::format("must be {}, found {}", finite_number ? range.text() : "finite", shortened(value_->text)));
  return false;
}

bool Node::read(double& out, const Range& range) const {
  const auto number = this->number();
  if (!number) return fail_expected_number("a number");
  if (!check(*number, range)) return false;
  out = *number;
  return true;
}

/// Reads a whole number. Digits are read exactly; floats such as 2.7e4 are accepted up to 2^53.
template <class Integer>
bool Node::read_integer(Integer& out, const Range& range) const {
  const auto number = this->number();
  if (!number) return fail_expected_number("a whole number");
  Integer whole = 0;
  const char* end = value_->text.data() + value_->text.size();
  const auto [stop, error] = std::from_chars(value_->text.data(), end, whole);
  if (error != std::errc() || stop != end) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    const double lowest = std::max(-exact, static_cast<double>(std::numeric_limits<Integer>::lowest()));
    const double highest = std::min(exact, static_cast<double>(std::numeric_limits<Integer>::max()));
    if (std::isfinite(*number) && *number != std::floor(*number)) return fail_expected("a whole number");
    if (!check(*number, range) || !check(*number, from_to(lowest, highest))) return false;
    whole = static_cast<Integer>(*number);
  }
  if (!check(static_cast<double>(whole), range)) return false;
  out = whole;
  return true;
}

bool Node::read(int& out, const Range& range) const { return read_integer(out, range); }
bool Node::read(Step& out, const Range& range) const { return read_integer(out, range); }
bool Node::read(std::uint64_t& out, const Range& range) const { return read_integer(out, range); }

bool Node::read(std::string& out) const {
  if (value_->kind != Value::Kind::scalar) return fail_expected("text" + example_at(path_));
  if (value_->text.empty()) return fail_expected("text that is not empty");
  if (value_->text.size() > longest_text) return fail_expected(fmt::format("text of at most {} bytes", longest_text));
  if (has_control_characters(value_->text, "\n\t")) return fail_expected("text without control characters");
  out = value_->text;
  return true;
}

bool Node::read(std::string& out, const std::vector<std::string>& words) const {
  const bool scalar = value_->kind == Value::Kind::scalar;
  if (scalar && std::find(words.begin(), words.end(), value_->text) != words.end()) {
    out = value_->text;
    return true;
  }
  const std::string nearest = scalar ? nearest_name(value_->text, words) : "";
  const std::string advice = scalar ? advice_on_word(value_->text, words) : "";
  const std::string hint = !advice.empty()    ? "; " + advice
                           : !nearest.empty() ? fmt::format("; did you mean \"{}\"?", nearest)
                                              : "";
  const char* one_of = words.size() > 1 ? "one of " : "";
  fail(fmt::format("expected {}{}, found {}{}", one_of, fmt::join(words, ", "), describe(*value_), hint));
  return false;
}

/// Twice as many numbers come of decimal commas: [0,1, 0,02].
bool Node::fail_expected_numbers(std::size_t n) const {
  const bool commas = value_->kind == Value::Kind::list && value_->items.size() == 2 * n;
  fail(fmt::format("expected a list of {} numbers, found {}{}", n, describe(*value_),
                   commas ? "; numbers are written with a decimal point, not with a comma" : ""));
  return false;
}

std::vector<Node> Node::items() const {
  std::vector<Node> nodes;
  if (!is_list()) fail_expected("a list");
  for (std::size_t i = 0; i < value_->items.size(); ++i) nodes.push_back(item(i));
  return nodes;
}

bool Node::is_word(const std::string& word) const {
  return value_->kind == Value::Kind::scalar && value_->text == word;
}

Node Node::or_word(const std::string& word) const {
  Node node = *this;
  node.word_ = word;
  return node;
}

void Node::fail(const std::string& message) const { report_->add(value_->place, path_, message); }

bool Node::fail_expected(const std::string& expected) const {
  fail(fmt::format("expected {}{}{}, found {}", expected, word_.empty() ? "" : " or ", word_, describe(*value_)));
  return false;
}

Section::Section(const Node& node) : path_(node.path()), report_(&node.report()) {
  if (node.value().kind == Value::Kind::map) {
    map_ = &node.value();
  } else {
    node.fail_expected("a map of keys and values" + example_at(node.path()));
  }
}

Section::~Section() {
  if (!map_) return;
  std::vector<std::string> all = valid_;  // messages list one spelling of each key
  for (const auto& [key, other] : other_spellings_) all.push_back(other);
  for (const Entry& entry : map_->entries) {
    const bool known = std::find(all.begin(), all.end(), entry.key) != all.end();
    if (known || excluded_.count(entry.key)) continue;
    const std::string here = name_used_here(entry.key, all), advice = advice_on_key(path_, entry.key);
    report_->add(entry.value.place, path_of(shortened(entry.key)),
                 "unknown key; " + (!here.empty()     ? fmt::format("it is called \"{}\" here", here)
                                    : !advice.empty() ? advice
                                                      : suggest_name(entry.key, valid_)));
  }
}

/// Each word gives a branch.
void Section::note_value(const std::string& key, const Meaning& meaning, const Facts& facts, bool required) const {
  KeyTable& keys = *report_->keys();
  keys.describe(path_of(key), meaning, facts, required);
  for (const std::string& word : words_of(facts.forms)) keys.branch({path_of(key) + "=" + word});
}

/// The reader may continue differently for a list, a map or another value.
void Section::note_node(const std::string& key, const Meaning& meaning, const Forms& forms, bool required) const {
  KeyTable& keys = *report_->keys();
  keys.describe(path_of(key), meaning, {forms, ""}, required);
  for (const char* value : {"=[{}]", "={}", "=any"}) keys.branch({path_of(key) + value});
}

void Section::note_section(const std::string& key, const Meaning& meaning, const std::string& absent_word,
                           bool required) const {
  KeyTable& keys = *report_->keys();
  const Forms forms = absent_word.empty() ? any_map() : either(words({absent_word}), any_map());
  keys.describe(path_of(key), meaning, {forms, absent_word}, required);
  keys.branch({path_of(key) + "={}"});
}

std::optional<Node> Section::look_up(const std::string& key) {
  if (std::find(valid_.begin(), valid_.end(), key) == valid_.end()) valid_.push_back(key);
  const Entry* entry = find(key);
  if (!entry) return std::nullopt;
  return Node(entry->value, path_of(key), *report_);
}

std::optional<Node> Section::look_up_required(const std::string& key) {
  const auto node = look_up(key);
  if (!node && map_) report_->add(map_->place, path_of(key), "required key is missing");
  return node;
}

bool Section::has(const std::string& key) {
  if (KeyTable* keys = report_->keys()) {
    keys->ask(path_of(key));
    keys->branch({path_of(key) + "=any"});
  }
  return look_up(key).has_value();
}

std::optional<Node> Section::optional_node(const std::string& key, const Meaning& meaning, const Forms& forms) {
  if (report_->keys()) note_node(key, meaning, forms, false);
  return look_up(key);
}

std::optional<Node> Section::required_node(const std::string& key, const Meaning& meaning, const Forms& forms) {
  if (report_->keys()) note_node(key, meaning, forms, true);
  return look_up_required(key);
}

Section Section::required_section(const std::string& key, const Meaning& meaning) {
  if (report_->keys()) note_section(key, meaning, {}, true);
  const auto node = look_up_required(key);
  if (!node) return {path_of(key), *report_};
  return Section(*node);
}

Section Section::optional_section(const std::string& key, const Meaning& meaning, const std::string& absent_word) {
  if (report_->keys()) note_section(key, meaning, absent_word, false);
  const auto node = look_up(key);
  if (!node || (!absent_word.empty() && node->is_word(absent_word))) return {path_of(key), *report_};
  return Section(node->or_word(absent_word));
}

std::string Section::exactly_one(const std::vector<std::string>& keys) {
  if (KeyTable* table = report_->keys()) table->alternatives(path_, keys);
  std::vector<std::string> found;
  for (const std::string& key : keys) {
    if (look_up(key)) found.push_back(key);
  }
  if (found.size() == 1) return found.front();
  if (!map_) return {};
  const auto is_explained = [&](const Entry& entry) { return !advice_on_key(path_, entry.key).empty(); };
  if (found.empty() && std::any_of(map_->entries.begin(), map_->entries.end(), is_explained)) return {};

  Place place = map_->place;  // place of the last of several given keys
  for (const Entry& entry : map_->entries) {
    if (std::find(found.begin(), found.end(), entry.key) != found.end()) place = entry.value.place;
  }
  const std::string what = found.empty() ? "none" : fmt::format("{}", fmt::join(found, " and "));
  report_->add(place, path_, fmt::format("expected exactly one of {}, found {}", fmt::join(keys, ", "), what));
  return {};
}

void Section::exclude(const std::vector<std::string>& keys, const std::string& reason) {
  for (const std::string& key : keys) {
    excluded_.insert(key);
    if (find(key)) fail(key, reason);
  }
}

std::vector<std::string> Section::all_keys() {
  if (KeyTable* keys = report_->keys()) keys->branch({path_of(any_name) + "={}"});
  if (!map_) return {};
  for (const Entry& entry : map_->entries) valid_.push_back(entry.key);
  return valid_;
}

const Entry* Section::find(const std::string& key) const {
  if (!map_) return nullptr;
  const Entry* entry = map_->find(key);
  const auto other = other_spellings_.find(key);
  return entry || other == other_spellings_.end() ? entry : map_->find(other->second);
}

void Section::second_spelling(const std::string& key, const std::string& other) {
  other_spellings_[key] = other;
  if (KeyTable* keys = report_->keys()) keys->second_spelling(path_of(key), other);
  if (map_ && map_->find(key) && map_->find(other))
    report_->add(map_->find(other)->value.place, path_of(other),
                 fmt::format("the same as \"{}\": give one of them", key));
}

std::filesystem::path Section::from_root(const std::string& key, const std::filesystem::path& file) {
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  const std::size_t bytes = path.string().size();
  if (bytes > longest_text)
    fail(key, fmt::format("its path from the root has {} bytes; at most {}", bytes, longest_text));
  return path;
}

void Section::fail(const std::string& key, const std::string& message) {
  const Entry* entry = find(key);
  const Place place = entry ? entry->value.place : map_ ? map_->place : Place{};
  report_->add(place, key.empty() ? path_ : path_of(key), message);
}

int Section::line(const std::string& key) const {
  const Entry* entry = find(key);
  return entry ? entry->value.place.line : 0;
}

}  // namespace cleave::case_file
