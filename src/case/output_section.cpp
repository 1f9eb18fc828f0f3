#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "case/sections.hpp"

namespace cleave::case_file {
namespace {

std::vector<std::string> field_words() {
  std::vector<std::string> words = output_fields();
  words.push_back(all_fields);
  return words;
}

/// Reads `all`, or a list of names that may include `all`.
void read_fields(const Node& fields, std::optional<std::vector<std::string>>& c) {
  if (fields.is_word(all_fields)) return;
  c.emplace();
  const auto add = [&](const Node& field, const std::string& name) {
    if (std::find(c->begin(), c->end(), name) != c->end()) field.fail(fmt::format("{} is given twice", name));
    c->push_back(name);
  };
  for (const Node& field : fields.or_word(all_fields).items()) {
    std::string word;
    if (!field.read(word, field_words())) continue;
    if (word != all_fields) add(field, word);
    for (const std::string& name : output_fields())
      if (word == all_fields && !is_named_only(name)) add(field, name);
  }
}

bool has_any_of(const std::vector<std::string>& names, const std::vector<std::string>& some) {
  return std::find_first_of(names.begin(), names.end(), some.begin(), some.end()) != names.end();
}

/// Limited because each point takes solver memory.
constexpr int most_line_points = 10000;

/// Checks a name that appears in CSV files; names must be distinct.
template <class Named>
void check_name(Section& s, const char* what, const std::string& name, const std::vector<Named>& before) {
  if (std::any_of(before.begin(), before.end(), [&](const Named& other) { return other.name == name; }))
    s.fail("name", fmt::format("another {} has the name \"{}\"; choose another", what, name));
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (!std::all_of(name.begin(), name.end(), fits)) s.fail("name", "expected letters, digits, _ and - only");
}

ProbeCase read_probe(const Node& node, const std::vector<ProbeCase>& before) {
  ProbeCase c;
  Section s(node);
  if (s.required("name", c.name, {"prefix of the probe's columns in probes.csv; letters, digits, _ and -"}))
    check_name(s, "probe", c.name, before);
  s.required("at", c.at, {"initial position; the probe moves with the body", "m"});
  s.optional("every", c.every, {"steps between rows of probes.csv"}, at_least(1));
  c.line = s.line("at");
  return c;
}

LineCase read_line(const Node& node, const std::vector<LineCase>& before) {
  LineCase c;
  Section s(node);
  if (s.required("name", c.name, {"name of the line in lines.csv; letters, digits, _ and -"}))
    check_name(s, "line", c.name, before);
  s.second_spelling("on", spelling_of_on);
  const std::string kind = s.exactly_one({"from", "on"});
  if (kind == "from") {
    const bool begins = s.required("from", c.from, {"first point of a straight line, in the body at the start", "m"});
    const bool ends = s.required("to", c.to, {"last point of a straight line", "m"});
    if (begins && ends && c.from == c.to) s.fail("to", "expected another point than `from`");
  } else if (kind == "on") {
    s.required("on", c.on,
               {"group of boundary facets that form one line, with the body on the left; also spelt `group`"});
    s.exclude({"to"}, "only a line with `from` has it");
  } else {
    s.allow({"to"});
  }
  s.required("points", c.points, {"number of points, at equal distances including both ends"},
             from_to(2, most_line_points));
  s.optional("every", c.every, {"steps between samples"}, at_least(1));
  c.line = s.line(kind.empty() ? "name" : kind);
  return c;
}

}  // namespace

void read_output(Section s, Case& whole) {
  OutputCase& c = whole.output;
  if (s.line("directory") > 0) whole.line_of_output = s.line("directory");
  std::string directory = c.directory.string();
  s.optional("directory", directory,
             {"directory of the results, relative to the working directory; `NAME` is the name of the case file"});
  c.directory = directory;
  s.optional("replace", c.replace,
             {"`true`: replaces results of another case, or of a run that could be resumed, as `--force` does"},
             truth_names);
  whole.line_of_format = s.line("format");
  s.optional("format", c.format,
             {"format of frames: one `.vtu` file per frame, or one `.vtkhdf` file for all, by HDF5"},
             output_format_names);
  if (const auto fields = s.optional_node("fields",
                                          {"arrays in frames, listed in [Results](#results); `all` leaves out arrays "
                                           "that are written by name only: `[all, strain]`",
                                           "-", "`all`"},
                                          either(words({all_fields}), list_of(words(field_words())))))
    read_fields(*fields, c.fields);
  s.optional("real", c.real, {"precision of the arrays in frames; points are always double"}, output_real_names);
  s.optional("compression", c.compression,
             {"compression of frames; `lz4` is faster and larger, and meshio does not read it"}, compression_names);
  if (c.format == OutputFormat::vtkhdf && c.compression == Compression::lz4)
    s.fail("compression", "HDF5 does not know lz4: expected zlib or none with the format vtkhdf");
  s.optional(
      "inria", c.inria,
      {"further files of a frame for programs that read INRIA's formats: `mesh`, the present mesh as `.mesh` with "
       "`displacement`, `velocity` and `stress` at its nodes as `.sol`; `meshb`, the same as `.meshb` and `.solb`"},
      inria_frames_names);
  if (c.inria != InriaFrames::none && c.fields && !has_any_of(*c.fields, {"displacement", "velocity", "stress"}))
    s.fail("inria", "it writes displacement, velocity and stress: name one of them in `fields`");
  s.optional("fields_every", c.fields_every, {"steps between frames; 0: the first and the last state only"},
             at_least(0));
  s.optional("fields_interval", c.fields_interval,
             {"simulated time between frames: a frame at the step nearest to each multiple; 0: not given", "s"},
             at_least(0));
  if (c.fields_every > 0 && c.fields_interval > 0)
    s.fail("fields_interval", "fields_every says the same in steps: give one of them");
  s.optional("history_every", c.history_every, {"steps between rows of history.csv"}, at_least(1));
  s.optional("checkpoint_every", c.checkpoint_every, {"steps between checkpoints; 0: not given"}, at_least(0));
  s.optional(
      "checkpoint_interval", c.checkpoint_interval,
      {"simulated time between checkpoints: a checkpoint at the step nearest to each multiple; 0: not given", "s"},
      at_least(0));
  if (c.checkpoint_every > 0 && c.checkpoint_interval > 0)
    s.fail("checkpoint_interval", "checkpoint_every says the same in steps: give one of them");
  s.optional("checkpoint_minutes", c.checkpoint_minutes, {"wall time between checkpoints; 0: not given", "min"},
             at_least(0));
  if (const auto probes = s.optional_node(
          "probes", {"points whose motion and stress are written to probes.csv, numbered from 0", "-", "none"},
          list_of(any_map()))) {
    for (const Node& probe : probes->items()) c.probes.push_back(read_probe(probe, c.probes));
  }
  if (const auto lines = s.optional_node(
          "lines", {"lines of points whose motion and stress are written to lines.csv, numbered from 0", "-", "none"},
          list_of(any_map()))) {
    for (const Node& line : lines->items()) c.lines.push_back(read_line(line, c.lines));
  }
}

}  // namespace cleave::case_file
