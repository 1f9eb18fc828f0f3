#include "case/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "case/tree.hpp"
#include "case/yaml_text.hpp"

namespace cleave::case_file {
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

/// Keys that Cleave has not, or has in another form.
struct Advice {
  const char* section;  ///< first name of the path of the map; null: any map
  const char* key;
  const char* text;
};
constexpr const char* gravity = "gravity is `body_force: {y: -9.81}` at the top level of the case";
constexpr const char* extrinsic =
    "cohesive elements are inserted where a facet reaches its strength, so no law has an elastic branch; leave it out";
constexpr const char* plane_key = "write `plane: stress` or `plane: strain`";
constexpr const char* j2_key = "write `law: j2` with `yield_stress`";
constexpr const char* as_obstacle =
    "rigid half planes and discs are `obstacles`: {name: ..., plane: {point: ..., normal: ...}}";
constexpr Advice advice[] = {
    {nullptr, "wall", as_obstacle},
    {nullptr, "walls", as_obstacle},
    {nullptr, "rigid_wall", as_obstacle},
    {nullptr, "impactor", as_obstacle},
    {nullptr, "striker", as_obstacle},
    {"boundary", "displacement",
     "give the velocity: `velocity: {x: ..., y: ...}` in m/s times a `curve`, whose integral over time is the "
     "displacement"},
    {"initial", "displacement",
     "the displacement at the start follows from `strain` about `origin`, or stands in a `file`"},
    {"boundary", "force",
     "give a `traction: {x: ..., y: ...}` in Pa, the force over length times mesh.thickness, or a `pressure` along the "
     "inward normal; a negative one pulls. A `body_force` acts on the whole body"},
    {nullptr, "gravity", gravity},
    {nullptr, "g", gravity},
    {nullptr, "damping",
     "`damping: {rate: ...}` at the top level of the case drags all nodes, in 1/s; the law `kelvin_voigt` damps rates "
     "of strain, `artificial_viscosity` of a material damps shocks"},
    {nullptr, "plane_stress", plane_key},
    {nullptr, "plane_strain", plane_key},
    {"material", "von_mises", j2_key},
    {"material", "plasticity", j2_key},
    {"cohesive", "bilinear", "write `law: linear`, which begins at the strength"},
    {"cohesive", "intrinsic", extrinsic},
    {"cohesive", "extrinsic", extrinsic},
    {"cohesive", "type", extrinsic},
    {"cohesive", "initial_stiffness", extrinsic},
};

/// Words that name one of ours, with the reason if they are not the same.
struct ForeignWord {
  const char* word;
  const char* here;
  const char* reason;
};
constexpr ForeignWord foreign_words[] = {
    {"plane_stress", "stress", ""},
    {"plane_strain", "strain", ""},
    {"von_mises", "j2", ""},
    {"mises", "j2", ""},
    {"elastoplastic", "j2", ""},
    {"plastic", "j2", ""},
    {"von_mises", "von_mises_stress", ""},
    {"mises", "von_mises_stress", ""},
    {"elastic", "linear_elastic", ""},
    {"bilinear", "linear", "it begins at the strength, as facets are intact before"},
    {"triangular", "linear", "it begins at the strength, as facets are intact before"},
    {"intrinsic", "linear",
     "cohesive elements are inserted where a facet reaches its strength, so no law has an elastic branch"},
    {"extrinsic", "linear", "all laws are extrinsic"},
};

struct Example {
  const char* key;
  const char* text;
};
constexpr Example examples[] = {
    {"damping", " such as {rate: 2.0e4}"},
    {"body_force", " such as {x: 0, y: -9.81}"},
    {"velocity", " such as {x: 0, y: 1.0}"},
    {"curve", " that names an entry of `curves`, such as `ramp` with `curves: {ramp: {table: [[0, 0], [1.0e-6, 1]]}}`"},
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

std::string advice_on_key(const std::string& section, const std::string& key) {
  const std::string first = section.substr(0, section.find('.'));
  for (const Advice& known : advice)
    if (key == known.key && (known.section == nullptr || first == known.section)) return known.text;
  // `{energy: 1,5e2}` is the key `energy` with 1 and the key `5e2` without a value.
  const bool digits = key.find_first_of("0123456789") == 0 && key.find_first_not_of("0123456789eE+-") == key.npos;
  return digits ? "a number is written with a decimal point, not with a comma" : "";
}

std::string advice_on_word(const std::string& word, const std::vector<std::string>& valid) {
  for (const auto& [foreign, here, reason] : foreign_words)
    if (word == foreign && std::find(valid.begin(), valid.end(), here) != valid.end())
      return fmt::format("take \"{}\"{}{}", here, *reason ? ": " : "", reason);
  return {};
}

std::string example_at(const std::string& path) {
  for (const auto& [key, text] : examples)
    if (last_name(path) == key) return text;
  return {};
}

std::string without_comma(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {};
  Value point;
  point.kind = Value::Kind::scalar;
  point.text = text;
  point.text[comma] = '.';
  if (!to_number(point)) return {};
  const std::string after = text.substr(comma + 1);
  const bool thousands = after.size() == 3 && after.find_first_not_of("0123456789") == std::string::npos;
  return fmt::format("write {}{}", point.text, thousands ? " or " + text.substr(0, comma) + after : "");
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

}  // namespace cleave::case_file
