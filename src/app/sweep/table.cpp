#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/sweep/runs.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/output/output_directory.hpp"
#include "cleave/output/text.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave::sweep_detail {
namespace {

/// Columns after the values, with their keys in summary.json.
const std::vector<std::pair<const char*, const char*>> numbers{{"steps", "steps_done"},
                                                               {"wall_time", "wall_time"},
                                                               {"elements", "elements"},
                                                               {"cohesive_elements", "cohesive_elements"},
                                                               {"failed_elements", "failed_elements"},
                                                               {"crack_length", "crack_length"},
                                                               {"fragments", "fragments"},
                                                               {"largest_balance_error", "largest_balance_error"}};

std::vector<std::string> energies() {
  std::vector<std::string> names;
  const HistoryRow row{};
  for_each_quantity(row, [&](Quantity q, const auto&) {
    if (info_of(q).unit == std::string("J")) names.push_back(info_of(q).name);
  });
  return names;
}

nlohmann::json summary_of(const Study& study, const StudyRun& run) {
  const auto text = text_of_file(study.directory / run.name() / "summary.json");
  const auto json = nlohmann::json::parse(text.value_or(""), nullptr, false);
  return json.is_object() ? json : nlohmann::json::object();
}

std::string status_in(const nlohmann::json& summary, const StudyRun& run, const Outcomes& outcomes) {
  const auto found = summary.find("status");
  const std::string status = found != summary.end() && found->is_string() ? found->get<std::string>() : "waiting";
  const auto outcome = outcomes.find(run.number);
  if (outcome == outcomes.end() || outcome->second.exit_code == 0) return status;
  const bool said = status == "failed" || status == "stopped" || status == "interrupted";
  return said ? status : outcome->second.exit_code > 128 ? "stopped" : "failed";
}

std::string number_in(const nlohmann::json& json, const std::string& key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->dump() : "";
}

std::string header(const Study& study) {
  std::string text = "run,status";
  for (const StudyKey& key : study.vary) text += fmt::format(",{}", csv_field(key.key));
  for (const auto& [column, key] : numbers) text += fmt::format(",{}", column);
  for (const std::string& name : energies()) text += fmt::format(",{}", name);
  return text + "\n";
}

}  // namespace

std::string status_of(const Study& study, const StudyRun& run, const Outcomes& outcomes) {
  return status_in(summary_of(study, run), run, outcomes);
}

std::string study_table(const Study& study, const std::vector<StudyRun>& runs, const Outcomes& outcomes) {
  std::string text = header(study);
  for (const StudyRun& run : runs) {
    const nlohmann::json summary = summary_of(study, run);
    const std::string status = status_in(summary, run, outcomes);
    const bool ended = status == "done" || status == "failed" || status == "stopped";
    text += run.name() + "," + status;
    for (const std::string& value : run.values) text += fmt::format(",{}", csv_field(value));
    for (const auto& [column, key] : numbers) text += fmt::format(",{}", ended ? number_in(summary, key) : "");
    const auto last = ended ? summary.value("energies", nlohmann::json::object()) : nlohmann::json::object();
    for (const std::string& name : energies()) text += fmt::format(",{}", number_in(last, name));
    text += "\n";
  }
  return text;
}

}  // namespace cleave::sweep_detail
