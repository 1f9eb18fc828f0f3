#include "config/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "config/number.hpp"

namespace cleave::config {
namespace {

struct ForeignName {
  const char* word;
  const char* path;  ///< path of the key in a case file
};
/// Names in papers and in the input of other programs. YAML 1.1 turns `on` into `true`.
constexpr ForeignName foreign_names[] = {
    {"E", "material.young_modulus"},
    {"youngs_modulus", "material.young_modulus"},
    {"young", "material.young_modulus"},
    {"elastic_modulus", "material.young_modulus"},
    {"nu", "material.poisson_ratio"},
    {"poisson", "material.poisson_ratio"},
    {"poissons_ratio", "material.poisson_ratio"},
    {"rho", "material.density"},
    {"dt", "time.step"},
    {"time_step", "time.step"},
    {"timestep", "time.step"},
    {"nsteps", "time.steps"},
    {"n_steps", "time.steps"},
    {"t_end", "time.end"},
    {"end_time", "time.end"},
    {"final_time", "time.end"},
    {"Gc", "cohesive.normal.energy"},
    {"G_c", "cohesive.normal.energy"},
    {"GIc", "cohesive.normal.energy"},
    {"G_Ic", "cohesive.normal.energy"},
    {"Gf", "cohesive.normal.energy"},
    {"G_f", "cohesive.normal.energy"},
    {"fracture_energy", "cohesive.normal.energy"},
    {"toughness", "cohesive.normal.energy"},
    {"GIIc", "cohesive.tangential.energy"},
    {"sigma_c", "cohesive.normal.strength"},
    {"sigma_max", "cohesive.normal.strength"},
    {"ft", "cohesive.normal.strength"},
    {"f_t", "cohesive.normal.strength"},
    {"tensile_strength", "cohesive.normal.strength"},
    {"tau_c", "cohesive.tangential.strength"},
    {"tau_max", "cohesive.tangential.strength"},
    {"fixed", "boundary.0.fix"},
    {"true", "boundary.0.group"},
    {"True", "boundary.0.group"},
};

struct Unit {
  const char* name;
  double factor;
};
constexpr Unit units[] = {
    {"GPa", 1e9},    {"MPa", 1e6},  {"kPa", 1e3},   {"Pa", 1},       {"N/mm2", 1e6}, {"N/mm^2", 1e6}, {"km", 1e3},
    {"m", 1},        {"cm", 1e-2},  {"mm", 1e-3},   {"um", 1e-6},    {"µm", 1e-6},   {"nm", 1e-9},    {"s", 1},
    {"ms", 1e-3},    {"us", 1e-6},  {"µs", 1e-6},   {"ns", 1e-9},    {"m/s", 1},     {"mm/s", 1e-3},  {"km/s", 1e3},
    {"kg/m3", 1},    {"kg/m^3", 1}, {"g/cm3", 1e3}, {"g/cm^3", 1e3}, {"J/m2", 1},    {"J/m^2", 1},    {"kJ/m2", 1e3},
    {"kJ/m^2", 1e3}, {"N/m", 1},    {"N/mm", 1e3},  {"%", 1e-2},
};

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

std::string name_used_here(const std::string& key, const std::vector<std::string>& valid) {
  for (const ForeignName& foreign : foreign_names) {
    if (key != foreign.word) continue;
    const std::string name = last_name(foreign.path);
    return std::find(valid.begin(), valid.end(), name) != valid.end() ? name : foreign.path;
  }
  return {};
}

std::string without_unit(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop == end) return {};
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  unit.remove_prefix(std::min(unit.find_first_not_of(" *"), unit.size()));
  for (const Unit& known : units)
    if (unit == known.name)
      return number_text(std::stod(fmt::format("{:.15g}", number * known.factor)));  // 15 digits avoid 9.99e-5
  return {};
}

}  // namespace cleave::config
