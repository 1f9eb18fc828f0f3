#include "cleave/output/summary.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cleave/output/output_file.hpp"
#include "cleave/output/text.hpp"

namespace cleave {
namespace {

std::string fragments_text(const RunSummary& s) {
  std::string text = with_thousands(s.last.fragments);
  auto first = s.fragments.begin();
  if (first != s.fragments.end() && first->id == Fragment::eroded) ++first;
  if (first == s.fragments.end()) return text;
  const auto [smallest, largest] = std::minmax_element(
      first, s.fragments.end(), [](const Fragment& a, const Fragment& b) { return a.mass < b.mass; });
  return text + fmt::format(" (largest {:.4g} kg, smallest {:.4g} kg)", largest->mass, smallest->mass);
}

nlohmann::ordered_json energies_json(const HistoryRow& row) {
  nlohmann::ordered_json energies;
  for_each_quantity(row, [&](Quantity q, const auto& value) {
    if (info_of(q).unit == std::string("J")) energies[info_of(q).name] = value;
  });
  return energies;
}

nlohmann::ordered_json norms_json(const FieldNorms& field) {
  const Norms& n = field.norms;
  return {{"unit", field.unit}, {"min", n.least}, {"max", n.largest}, {"l0", n.l0},
          {"l1", n.l1},         {"l2", n.l2},     {"linf", n.linf},   {"not_finite", n.not_finite}};
}

nlohmann::ordered_json failed_json(const FailedElement& failed) {
  return {{"element", failed.element},     {"centre", {failed.centre.x, failed.centre.y}},
          {"step", failed.found},          {"time", failed.time},
          {"last_good_step", failed.good}, {"neighbours", failed.neighbours},
          {"causes", failed.causes}};
}

std::string stages_text(const RunSummary& s) {
  double total = 0;
  for (const StageTime& stage : s.stages) total += stage.seconds;
  std::string text;
  for (const StageTime& stage : s.stages) {
    text += fmt::format("    {:<28} {:>10.3f} s {:>6.1f} % {:>14} calls\n", stage.name, stage.seconds,
                        total > 0 ? 100 * stage.seconds / total : 0.0, with_thousands(stage.calls));
  }
  return text;
}

}  // namespace

double RunSummary::element_steps_per_second() const {
  const double computing = wall_time - output_time;
  return computing > 0 ? static_cast<double>(elements) * static_cast<double>(steps_done - first_step) / computing : 0;
}

std::optional<EarlierSummary> read_summary(const OutputDirectory& directory) {
  const auto json = nlohmann::json::parse(text_of_file(directory / "summary.json").value_or(""), nullptr, false);
  const auto text = [&](const char* key) {
    const auto value = json.find(key);
    return value != json.end() && value->is_string() ? value->get<std::string>() : std::string();
  };
  if (text("fingerprint").empty()) return std::nullopt;
  EarlierSummary summary{text("status"), text("reason"), text("fingerprint"), text("version"), {}};
  const auto warnings = json.find("warnings");
  if (warnings != json.end() && warnings->is_array()) {
    for (const auto& warning : *warnings)
      if (warning.is_string()) summary.warnings.push_back(warning.get<std::string>());
  }
  return summary;
}

void write_summary(const OutputDirectory& directory, const RunSummary& summary) {
  const OutputPath file = directory / summary_name;
  const std::string text = summary_json(summary);
  try {
    TemporaryFile temporary(file);
    OutputFile out(temporary.path(), OutputFile::Start::created);
    out.write(text);
    out.close();
    // Opened before it has its name: from then on another run may have replaced it.
    OutputFile own(temporary.path(), OutputFile::Start::at_end);
    temporary.commit();
    directory.own_summary(own.release());
  } catch (const std::runtime_error&) {
    write_in_place(file, text);
    directory.own_summary(open_plain(file, O_RDONLY));
  }
}

std::string summary_json(const RunSummary& s) {
  nlohmann::ordered_json json = {
      {"title", s.title},
      {"version", s.version},
      {"status", s.status},
      {"reason", s.reason},
      {"warnings", s.warnings},
      {"fingerprint", s.fingerprint},
      {"elements", s.elements},
      {"initial_nodes", s.initial_nodes},
      {"nodes", s.last.nodes},
      {"facets", s.facets},
      {"colours", s.colours},
      {"cohesive_elements", s.last.cohesive_elements},
      {"failed_elements", s.last.failed_elements},
      {"fragments", s.last.fragments},
      {"crack_length", s.last.crack_length},
      {"insertion_ratio", s.last.insertion_ratio},
      {"backend", s.backend},
      {"backend_reason", s.backend_reason},
      {"device", s.device},
      {"ranks", s.ranks},
      {"precision", s.precision},
      {"assembly", s.assembly},
      {"insertion_criterion", s.insertion_criterion},
      {"insertion_aggregate", s.insertion_aggregate},
      {"step", s.time_step},
      {"steps", s.steps},
      {"steps_done", s.steps_done},
      {"first_step", s.first_step},
      {"simulated_time", static_cast<double>(s.steps_done) * s.time_step},
      {"wall_time", s.wall_time},
      {"output_time", s.output_time},
      {"element_steps_per_second", s.element_steps_per_second()},
      {"memory_bytes", s.memory.now},
      {"peak_memory_bytes", static_cast<std::int64_t>(s.process_peak)},
      {"peak_solver_bytes", s.memory.peak},
      {"bytes_to_device", s.memory.to_device},
      {"bytes_from_device", s.memory.from_device},
      {"largest_balance_error", s.largest_balance_error},
      {"energies", energies_json(s.last)},
  };
  if (s.failed) json["failed_element"] = failed_json(*s.failed);
  for (const FieldNorms& field : s.norms) json["norms"][field.name] = norms_json(field);
  if (!s.stages.empty()) {
    json["stages"] = nlohmann::ordered_json::array();
    for (const StageTime& stage : s.stages) {
      json["stages"].push_back({{"name", stage.name}, {"seconds", stage.seconds}, {"calls", stage.calls}});
    }
  }
  // Names of files in a reason may be invalid UTF-8.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string summary_text(const RunSummary& s, const std::filesystem::path& directory) {
  std::string text = fmt::format("{}\n", s.title.empty() ? "Run" : s.title);
  const auto add = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<22}{}\n", label, value);
  };
  add("status", s.reason.empty() ? s.status : s.status + ": " + s.reason);
  for (const std::string& warning : s.warnings) add("warning", warning);
  add("device", fmt::format("{} ({})", s.device, s.backend_reason));
  add("elements", with_thousands(s.elements));
  add("nodes", fmt::format("{} -> {}", with_thousands(s.initial_nodes), with_thousands(s.last.nodes)));
  add("steps",
      fmt::format("{} of {}, {:.6g} s each", with_thousands(s.steps_done), with_thousands(s.steps), s.time_step));
  add("cohesive elements",
      fmt::format("{} (failed {})", with_thousands(s.last.cohesive_elements), with_thousands(s.last.failed_elements)));
  if (!s.insertion_criterion.empty()) add("insertion criterion", s.insertion_criterion);
  if (!s.insertion_aggregate.empty()) add("insertion aggregate", s.insertion_aggregate);
  if (s.last.insertion_ratio > 0)
    add("load at insertion", fmt::format("{:.4g} times the strength at most", s.last.insertion_ratio));
  add("fragments", fragments_text(s));
  add("kinetic energy", fmt::format("{:.6g} J", s.last.kinetic_energy));
  add("strain energy", fmt::format("{:.6g} J", s.last.strain_energy));
  add("cohesive recoverable", fmt::format("{:.6g} J", s.last.recoverable_energy));
  add("dissipated", fmt::format("{:.6g} J", s.last.dissipated_energy));
  add("external work", fmt::format("{:.6g} J", s.last.external_work));
  add("reaction work", fmt::format("{:.6g} J", s.last.reaction_work));
  add("balance error", fmt::format("{:.2e} (largest {:.2e})", s.last.balance_error, s.largest_balance_error));
  add("wall time",
      fmt::format("{} ({} of it waiting for output)", as_duration(s.wall_time), as_duration(s.output_time)));
  add("speed", fmt::format("{:.4g} element-steps/s", s.element_steps_per_second()));
  add("peak memory", fmt::format("{} of the process; arrays of the solver {}", as_bytes(s.process_peak),
                                 as_bytes(static_cast<double>(s.memory.peak))));
  if (!s.stages.empty()) text += "  time per stage\n" + stages_text(s);
  add("results", directory.string());
  text += fmt::format("  open {} in ParaView\n", (directory / s.frames_file).string());
  return text;
}

}  // namespace cleave
