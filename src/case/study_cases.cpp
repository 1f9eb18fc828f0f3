/// The cases of a study: checks them, and writes the resolved study.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "case/yaml_text.hpp"
#include "cleave/case/case.hpp"
#include "cleave/case/study.hpp"
#include "cleave/core/error.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

using namespace case_file;

/// An error of a case, and the runs that have it.
struct CaseError {
  std::string text;
  int line;  ///< of the key of the study that causes it; 0: none
  StudyRun first;
  std::size_t runs = 1;
};

/// Line in the study of the key in an error "--set key=value: ..." of the case reader.
int line_of_override(const Study& study, const StudyRun& run, const std::string& error) {
  const auto leads_to = [&](const std::string& key, const std::string& value) {
    return error.starts_with(fmt::format("--set {}={}", key, value).substr(0, 60));
  };
  for (std::size_t i = 0; i < study.vary.size(); ++i)
    if (leads_to(study.vary[i].key, run.values[i])) return study.vary[i].line;
  for (const StudyKey& key : study.set)
    if (leads_to(key.key, key.values.front())) return key.line;
  return 0;
}

/// The lines of a report without the last one, which gives the number of errors.
std::vector<std::string> lines_of(const std::string& report) {
  std::vector<std::string> lines;
  std::istringstream in(report);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.size() > 1) lines.pop_back();
  return lines;
}

std::string text_of(const Study& study, const CaseError& error) {
  const std::string where =
      error.line > 0 ? fmt::format("{}:{}: ", study.file.string(), error.line) : study.file.string() + ": case: ";
  const std::string others = error.runs > 1 ? fmt::format(" and {} more", error.runs - 1) : "";
  return fmt::format("{}{} [{}{}: {}]\n", where, error.text, error.first.name(), others,
                     values_text(study, error.first));
}

}  // namespace

void check_cases(const Study& study, const std::vector<StudyRun>& runs) {
  std::vector<CaseError> errors;
  for (const StudyRun& run : runs) {
    try {
      read_case(study.case_file, overrides_of(study, run));
    } catch (const InputError& wrong) {
      for (const std::string& line : lines_of(wrong.what())) {
        const auto known =
            std::find_if(errors.begin(), errors.end(), [&](const CaseError& e) { return e.text == line; });
        if (known != errors.end()) {
          ++known->runs;
        } else {
          errors.push_back({line, line_of_override(study, run, line), run});
        }
      }
    }
  }
  if (errors.empty()) return;
  std::stable_sort(errors.begin(), errors.end(),
                   [](const CaseError& a, const CaseError& b) { return a.line < b.line; });
  std::string text;
  for (const CaseError& error : errors) text += text_of(study, error);
  throw InputError(text + fmt::format("{}: {} error{} in its cases", study.file.string(), errors.size(),
                                      errors.size() == 1 ? "" : "s"));
}

std::string resolved_yaml(const Study& study) {
  std::string text = fmt::format("title: {}\ncase: {}\nvary:\n", flow_text(study.title),
                                 flow_text(fs::absolute(study.case_file).lexically_normal().string()));
  for (const StudyKey& key : study.vary)
    text += fmt::format("  {}: [{}]\n", flow_text(key.key), fmt::join(key.values, ", "));
  text += fmt::format("combine: {}\n", study.grid ? "grid" : "list");
  if (!study.set.empty()) text += "set:\n";
  for (const StudyKey& key : study.set) text += fmt::format("  {}: {}\n", flow_text(key.key), key.values.front());
  text += fmt::format("output:\n  directory: {}\nrun:\n", flow_text(study.directory.string()));
  if (study.jobs > 0) text += fmt::format("  jobs: {}\n", study.jobs);
  text += fmt::format("  threads: {}\n", study.threads);
  if (!study.devices.empty()) text += fmt::format("  devices: [{}]\n", fmt::join(study.devices, ", "));
  return text;
}

}  // namespace cleave
