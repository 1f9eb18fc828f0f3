/// Any bytes as a CSV file, of a curve or of the path of a law, are read, or refused with an InputError; and a curve
/// that was read is read again from its numbers.
#include <cstdlib>
#include <iostream>
#include <string>

#include "case/csv.hpp"
#include "case/yaml_text.hpp"
#include "cleave/case/law_case.hpp"
#include "cleave/core/error.hpp"
#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cleave;
  const auto file = fuzz::input_file("curve.csv", data, size);
  try {
    read_path(file);
  } catch (const InputError&) {
  }
  std::vector<std::pair<double, double>> points;
  try {
    points = case_file::read_curve_file(file);
  } catch (const InputError&) {
    return 0;
  }
  std::string text;
  for (const auto& [time, value] : points)
    text += case_file::number_text(time) + "," + case_file::number_text(value) + "\n";
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  if (case_file::read_curve_file(fuzz::input_file("again.csv", bytes, text.size())) != points) {
    std::cerr << "reading this again gives another curve:\n" << text;
    std::abort();
  }
  return 0;
}
