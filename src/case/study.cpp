/// Reader of the study file: varied keys, their combination, and settings of the runs.
#include "cleave/case/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "case/section.hpp"
#include "case/yaml_text.hpp"
#include "cleave/core/environment.hpp"
#include "cleave/core/utf8.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

using namespace case_file;

/// Keys of a case that the study sets itself.
const std::vector<std::string> given_by_study{"output.directory"};

const Names<bool> combine_names{{"grid", true}, {"list", false}};

/// Evenly spaced numbers, rounded to 12 digits so that 0.3 + 0.1 is 0.4; both ends are exact.
std::vector<std::string> spaced(double from, double to, Step count, bool logarithmic) {
  std::vector<std::string> values;
  for (Step i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    double value = logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
    if (i > 0 && i < count - 1) value = std::stod(fmt::format("{:.12g}", value));
    values.push_back(number_text(i == 0 ? from : i == count - 1 ? to : value));
  }
  return values;
}

/// Whole numbers including both ends.
std::vector<std::string> whole_numbers(Section& s) {
  Step from = 0, to = 0;
  const bool has_from = s.required("from", from, {"first value"});
  const bool has_to = s.required("to", to, {"last value"});
  if (!has_from || !has_to) return {};
  if (to < from) {
    s.fail("to", fmt::format("must be at least `from`, {}, found {}", from, to));
    return {};
  }
  const auto steps = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (steps >= most_runs) {
    s.fail("to", fmt::format("more than {} values; give `count` for fewer", most_runs));
    return {};
  }
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i <= steps; ++i) values.push_back(std::to_string(from + static_cast<Step>(i)));
  return values;
}

std::vector<std::string> read_range(const Node& node) {
  Section s(node);
  if (!s.has("count")) {
    s.exclude({"log"}, "belongs to a range with `count`");
    return whole_numbers(s);
  }
  double from = 0, to = 0;
  Step count = 2;
  bool logarithmic = false;
  bool good = s.required("from", from, {"first value"});
  good = s.required("to", to, {"last value"}) && good;
  good = s.required("count", count, {"values"}, from_to(2, static_cast<double>(most_runs))) && good;
  s.optional("log", logarithmic, {"spaced by equal factors"}, truth_names);
  if (good && from == to) {
    s.fail("to", fmt::format("must differ from `from`, {}", number_text(from)));
    good = false;
  }
  if (good && logarithmic && (from <= 0 || to <= 0)) {
    s.fail("log", "both ends of a logarithmic range must be > 0");
    good = false;
  }
  return good ? spaced(from, to, count, logarithmic) : std::vector<std::string>();
}

std::vector<std::string> read_values(const Node& node) {
  if (node.value().kind == Value::Kind::map) return read_range(node);
  if (!node.is_list()) {
    node.fail_expected("a list of values, or a range {from: 1, to: 4}, {from: 0.3, to: 0.6, count: 4}");
    return {};
  }
  std::vector<std::string> values;
  for (const Node& item : node.items()) {
    if (item.value().kind == Value::Kind::nothing) item.fail_expected("a value");
    values.push_back(flow_text(item.value()));
  }
  if (values.empty()) node.fail("expected at least one value");
  if (values.size() > most_runs) node.fail(fmt::format("more than {} values", most_runs));
  return values;
}

void refuse_keys_of_study(Section& s, const std::string& key) {
  if (std::find(given_by_study.begin(), given_by_study.end(), key) != given_by_study.end())
    s.fail(key, "each run has a directory of its own below output.directory of the study; take this key away");
}

void read_vary(Section s, Study& study) {
  const std::vector<std::string> keys = s.all_keys();
  if (s.given() && keys.empty()) s.fail("", "expected at least one key of the case");
  for (const std::string& key : keys) {
    refuse_keys_of_study(s, key);
    study.vary.push_back({key, read_values(*s.optional_node(key, {"values"}, {})), s.line(key)});
  }
}

void read_set(Section s, Study& study) {
  for (const std::string& key : s.all_keys()) {
    refuse_keys_of_study(s, key);
    const bool varies =
        std::any_of(study.vary.begin(), study.vary.end(), [&](const StudyKey& k) { return k.key == key; });
    if (varies) s.fail(key, "is varied, too: give it in one of `vary` and `set`");
    const auto value = s.optional_node(key, {"value"}, {});
    if (value->value().kind == Value::Kind::nothing) value->fail_expected("a value");
    study.set.push_back({key, {flow_text(value->value())}, s.line(key)});
  }
}

void refuse_repeated_values(Section& s, const StudyKey& key) {
  for (auto value = key.values.begin(); value != key.values.end(); ++value)
    if (std::find(key.values.begin(), value, *value) != value)
      s.fail("vary", fmt::format("{}: {} is given twice", key.key, *value));
}

/// A list may repeat a value, but not all values of a run.
void refuse_repeated_runs(Section& s, const Study& study) {
  std::map<std::vector<std::string>, std::size_t> first;
  for (const StudyRun& run : study_runs(study))
    if (const auto [before, is_new] = first.emplace(run.values, run.number); !is_new)
      s.fail("vary", fmt::format("runs {} and {} have the same values", before->second, run.number));
}

/// Checks that all keys have the same number of values, or that there are not too many combinations.
void check_numbers(Section& s, const Study& study) {
  if (study.vary.empty()) return;  // already reported
  std::size_t runs = 1;
  for (const StudyKey& key : study.vary) {
    if (key.values.empty()) return;  // already reported
    const std::size_t first = study.vary.front().values.size();
    if (!study.grid && key.values.size() != first) {
      s.fail("combine", fmt::format("`list` takes as many values of each key: {} has {}, {} has {}",
                                    study.vary.front().key, first, key.key, key.values.size()));
      return;
    }
    runs = std::min(runs * key.values.size(), most_runs + 1);
  }
  if (study.grid && runs > most_runs)
    s.fail("vary", fmt::format("more than {} combinations; vary less, or split the study", most_runs));
  if (!study.grid) return refuse_repeated_runs(s, study);
  for (const StudyKey& key : study.vary) refuse_repeated_values(s, key);
}

void read_devices(Section& s, Study& study) {
  const auto devices = s.optional_node("devices", {"CUDA devices"}, list_of(whole_number(at_least(0))));
  if (!devices) return;
  for (const Node& item : devices->items()) {
    int device = 0;
    if (item.read(device, at_least(0))) study.devices.push_back(device);
  }
  for (const auto* keys : {&study.vary, &study.set}) {
    for (const StudyKey& key : *keys)
      if (key.key == "run.device") s.fail("devices", "run.device is varied or set, too: give one of them");
  }
}

void read_run(Section s, Study& study) {
  s.optional("jobs", study.jobs, {"runs at once; by default processors / threads"}, from_to(1, most_threads));
  s.optional("threads", study.threads, {"CPU threads of each run"}, from_to(1, most_threads));
  read_devices(s, study);
  if (!study.devices.empty() && study.jobs > static_cast<int>(study.devices.size()))
    s.fail("jobs", fmt::format("{} runs at once for {} devices; name a device several times to share it", study.jobs,
                               study.devices.size()));
}

void read_root(Section s, Study& study) {
  s.optional("title", study.title, {"of the study"});
  std::string base;
  if (s.required("case", base, {"base case, relative to the study file"})) {
    study.case_file = study.file.parent_path() / base;
    s.from_root("case", study.case_file);
  }
  read_vary(s.required_section("vary", {"keys of the case, as in --set, with their values"}), study);
  read_set(s.optional_section("set", {"keys of the case for all runs"}), study);
  s.optional("combine", study.grid, {"every combination, or first with first"}, combine_names);
  check_numbers(s, study);
  {
    Section output = s.optional_section("output", {"files"});
    std::string directory = study.directory.string();
    output.optional("directory", directory, {"of the study, from where the program is started"});
    study.directory = directory;
    study.line_of_directory = output.line("directory");
  }
  read_run(s.optional_section("run", {"how the runs are carried out"}), study);
}

}  // namespace

std::string StudyRun::name() const { return fmt::format("run_{:04}", number); }

Study read_study(const fs::path& file) {
  Report report(file.string());
  const Value root = load_tree(file, report);
  if (root.kind != Value::Kind::map) report.throw_if_any();
  Study study;
  study.file = file;
  study.title = is_utf8(file.stem().string()) ? file.stem().string() : "study";
  study.directory = fs::path("out") / file.stem();
  read_root(Section(Node(root, "", report)), study);
  report.throw_if_any();
  return study;
}

std::vector<StudyRun> study_runs(const Study& study) {
  std::size_t count = study.grid ? 1 : study.vary.front().values.size();
  if (study.grid)
    for (const StudyKey& key : study.vary) count *= key.values.size();
  std::vector<StudyRun> runs(count);
  for (std::size_t i = 0; i < count; ++i) {
    runs[i].number = i + 1;
    std::size_t rest = i, block = count;
    for (const StudyKey& key : study.vary) {
      block = study.grid ? block / key.values.size() : 1;
      runs[i].values.push_back(key.values[rest / block]);
      rest %= block;
      if (!study.grid) rest = i;
    }
  }
  return runs;
}

std::vector<std::string> overrides_of(const Study& study, const StudyRun& run) {
  std::vector<std::string> overrides;
  for (const StudyKey& key : study.set) overrides.push_back(key.key + "=" + key.values.front());
  for (std::size_t i = 0; i < study.vary.size(); ++i) overrides.push_back(study.vary[i].key + "=" + run.values[i]);
  return overrides;
}

std::string values_text(const Study& study, const StudyRun& run) {
  std::string text;
  for (std::size_t i = 0; i < study.vary.size(); ++i)
    text += fmt::format("{}{}={}", i > 0 ? ", " : "", study.vary[i].key, run.values[i]);
  return text;
}

}  // namespace cleave
