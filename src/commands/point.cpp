/// cleave point: leads one material or traction law along a path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cleave/config/law_case.hpp"
#include "cleave/core/error.hpp"
#include "cleave/material/energy_account.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/material/strength_ratio.hpp"
#include "cleave/material/traction_laws.hpp"
#include "cleave/output/output_file.hpp"
#include "commands/chart.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"

namespace cleave {
namespace {

/// Rows of numbers under names.
class Table {
 public:
  void name(const std::string& column) { names_.push_back(column); }
  void value(double v) { values_.push_back(v); }

  /// As CSV.
  std::string text() const {
    std::string out = fmt::format("{}\n", fmt::join(names_, ","));
    for (std::size_t i = 0; i < values_.size(); ++i)
      out += fmt::format("{:.17g}{}", values_[i], (i + 1) % names_.size() == 0 ? '\n' : ',');
    return out;
  }
  /// The values of the first column of that name, or its row numbers if there is none.
  std::vector<double> column(const std::string& name) const {
    const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    std::vector<double> all;
    for (std::size_t row = 0; row * names_.size() < values_.size(); ++row)
      all.push_back(place == names_.size() ? static_cast<double>(row + 1) : values_[row * names_.size() + place]);
    return all;
  }
  /// Throws NumericalError when what a law has computed is not finite.
  /// @param path  its file, for messages
  void check_finite(const std::filesystem::path& path) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::string& name = names_[i % names_.size()];
      if (std::isfinite(values_[i])) continue;
      throw NumericalError(
          fmt::format("{}: row {}: {} is not a finite number; check the units of the path and of the law",
                      path.string(), i / names_.size() + 1, name));
    }
  }
  bool has(const std::string& name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;  // row by row
};

/// The numbers that a state is made of.
template <class State>
std::vector<Real> numbers_of(const State& state) {
  std::vector<Real> numbers(std::is_empty_v<State> ? 0 : sizeof(State) / sizeof(Real));
  if (!numbers.empty()) std::memcpy(numbers.data(), &state, sizeof(State));
  return numbers;
}

/// A column that must be there.
std::size_t need(const PathTable& path, const std::string& name, const std::filesystem::path& file) {
  const auto column = path.column(name);
  if (!column)
    throw InputError(fmt::format("{}: its first line has no column \"{}\"; it has {}", file.string(), name,
                                 fmt::join(path.names, ", ")));
  return *column;
}

/// The gradient of each row: xx, yy and xy are strains; with yx all four are displacement gradients.
std::vector<Gradient> gradients_of(const PathTable& path, const std::filesystem::path& file) {
  const std::size_t xx = need(path, "xx", file), yy = need(path, "yy", file), xy = need(path, "xy", file);
  const std::size_t yx = path.column("yx").value_or(xy);
  std::vector<Gradient> gradients;
  for (const auto& row : path.rows) gradients.push_back({row[xx], row[xy], row[yx], row[yy]});
  return gradients;
}

/// The time since the row before, s; 1 without a column `time`.
double step_at(const PathTable& path, std::size_t row, const std::filesystem::path& file) {
  const auto time = path.column("time");
  if (!time) return 1;
  const double last = row == 0 ? 0 : path.rows[row - 1][*time], dt = path.rows[row][*time] - last;
  if (dt < 0 || (dt == 0 && row > 0))
    throw InputError(
        fmt::format("{}: times must increase, found {:g} after {:g}", file.string(), path.rows[row][*time], last));
  return dt;
}

double inner(const Stress& p, const Gradient& g) { return p.xx * g.xx + p.xy * g.xy + p.yx * g.yx + p.yy * g.yy; }

template <class Material>
Table lead_material(const MaterialCase& c, const PathTable& path, const std::filesystem::path& file) {
  const std::vector<Gradient> gradients = gradients_of(path, file);
  const Material material = Material::make(c);
  typename Material::State state{};
  Table out;
  for (const std::string& name : path.names) out.name(name);
  for (const char* name : {"stress_xx", "stress_yy", "stress_xy", "stress_zz", "stored", "dissipated", "work"})
    out.name(name);
  for (std::size_t i = 0; i < numbers_of(state).size(); ++i) out.name(fmt::format("history_{}", i));

  Gradient at{};
  typename Material::State copy = state;
  Response before = material.update(at, copy, 0);
  double dissipated = 0, work = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const Gradient& to = gradients[i];
    const double dt = step_at(path, i, file);
    const double volume_ratio = (1 + to.xx) * (1 + to.yy) - to.xy * to.yx;
    if (Material::finite && volume_ratio <= 0)
      throw InputError(fmt::format("{}: the gradient of row {} turns the material inside out", file.string(), i + 1));
    if (Material::finite && !std::isfinite(volume_ratio))
      throw NumericalError(
          fmt::format("{}: row {}: the determinant of the gradient is not a finite number; check the units of the path",
                      file.string(), i + 1));
    const Response now = material.update(to, state, dt);
    dissipated += now.dissipated;
    const Gradient moved{to.xx - at.xx, to.xy - at.xy, to.yx - at.yx, to.yy - at.yy};
    work += 0.5 * (inner(before.stress, moved) + inner(now.stress, moved));
    const Sym2 stress = true_stress<Material>(now, to);
    for (const double v : path.rows[i]) out.value(v);
    for (const double v : {stress.xx, stress.yy, stress.xy, now.across, now.stored, dissipated, work}) out.value(v);
    for (const double v : numbers_of(state)) out.value(v);
    at = to;
    before = now;
  }
  return out;
}

template <class Law>
Table lead_traction(const LawCase& c, const PathTable& path, const std::filesystem::path& file) {
  const std::size_t normal = need(path, "normal", file), tangential = need(path, "tangential", file);
  const Law at_rest = make_traction_law<Law>(c.cohesive->parameters, 0);
  const Vec2 start{c.start_normal, c.start_tangential};
  const CohesivePoint point{c.stiffness_cap, c.contact_stiffness, at_rest.offset(start, c.stiffness_cap)};
  typename Law::State state = at_rest.start(start, point);
  Table out;
  for (const std::string& name : path.names) out.name(name);
  for (const char* name :
       {"traction_normal", "traction_tangential", "stored", "account", "dissipated", "work", "damage"})
    out.name(name);
  for (std::size_t i = 0; i < numbers_of(state).size(); ++i) out.name(fmt::format("history_{}", i));
  out.name("ratio");
  const double strength_n = c.cohesive->parameters.normal.strength;
  const double strength_t = c.cohesive->parameters.tangential.strength;

  Vec2 at{}, acted = at_rest.respond(at, point, state).traction;
  double account = -at_rest.respond(at, point, state).stored, dissipated = 0, work = 0;
  for (std::size_t i = 0; i < path.rows.size(); ++i) {
    const auto& row = path.rows[i];
    const Law law = make_traction_law<Law>(c.cohesive->parameters, step_at(path, i, file));
    const Vec2 to{row[normal], row[tangential]};
    const bool had_failed = law.failed(state);
    const CohesivePointStep step = step_point(law, {at, to, point}, acted, state, account);
    if (had_failed && !law.failed(state))
      throw NumericalError(
          fmt::format("{}: row {}: the law '{}' takes back that it has failed; once `failed` is true, it must stay so",
                      file.string(), i + 1, Law::name));
    work += 0.5 * dot(acted + step.traction, to - at);
    dissipated += step.dissipated;
    for (const double v : row) out.value(v);
    for (const double v : {step.traction.x, step.traction.y, law.respond(to, point, state).stored, account, dissipated,
                           work, law.damage(state)})
      out.value(v);
    for (const double v : numbers_of(state)) out.value(v);
    out.value(
        strength_ratio(c.cohesive->insertion.criterion, step.traction.x / strength_n, step.traction.y / strength_t));
    at = to;
    acted = step.traction;
  }
  return out;
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  OutputFile out(file);
  out.write(text);
  out.close();
}

/// What is read is not to be written over.
void refuse_to_overwrite(const char* option, const std::filesystem::path& file, const PointOptions& options) {
  std::error_code error;
  for (const auto& input : {options.law, options.path})
    if (std::filesystem::equivalent(file, input, error))
      throw InputError(fmt::format("{}: '{}' is read by this command; give another name", option, file.string()));
}

/// Where no file is named, that of the rows or of the law with another ending.
std::filesystem::path plot_file(const PointOptions& options) {
  if (!options.plot->empty()) return *options.plot;
  std::filesystem::path file = options.output.empty() ? options.law.filename() : options.output;
  return file.replace_extension(".svg");
}

/// Whether two names are of one file, which need not be there yet.
bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto first = std::filesystem::weakly_canonical(std::filesystem::absolute(a), error);
  const auto second = std::filesystem::weakly_canonical(std::filesystem::absolute(b), error);
  return !first.empty() && first == second;
}

/// The picture neither takes the place of what is read nor of the rows.
void check_plot_file(const std::filesystem::path& file, const PointOptions& options) {
  refuse_to_overwrite("--plot", file, options);
  if (!options.output.empty() && are_one_file(file, options.output))
    throw InputError(fmt::format("--plot: '{}' is the file of -o; give another name", file.string()));
}

/// Stresses over strains or tractions over openings, and energies along the path.
std::string picture_of(const Table& table, const LawCase& c) {
  const auto curves = [&](const std::string& what, const std::vector<std::string>& parts, double unit) {
    std::vector<ChartCurve> all;
    for (const std::string& part : parts) {
      std::vector<double> values = table.column(what + part);
      for (double& value : values) value *= unit;
      all.push_back({what + part, table.column(part), values});
    }
    return all;
  };
  const std::string along = table.has("time") ? "time" : "row";
  Chart energies{along == "time" ? "time (s)" : "row of the path", c.material ? "energy (J/m³)" : "energy (J/m²)", {}};
  for (const char* name : {"work", "stored", "dissipated", "account"})
    if (table.has(name)) energies.curves.push_back({name, table.column(along), table.column(name)});
  if (c.material)
    return svg_of(c.material->law, {{"strain", "stress (MPa)", curves("stress_", {"xx", "yy", "xy"}, 1e-6)}, energies});
  return svg_of(c.cohesive->law,
                {{"opening (m)", "traction (MPa)", curves("traction_", {"normal", "tangential"}, 1e-6)}, energies});
}

/// Keys of the law that belong to triangles or facets.
std::vector<std::string> keys_without_part(const LawCase& c) {
  std::vector<std::string> keys;
  const auto add = [&](bool given, const char* key) {
    if (given) keys.push_back(key);
  };
  if (c.material) {
    add(c.material->erosion.any(), "material.erosion");
    add(c.material->viscosity.any(), "material.artificial_viscosity");
  } else {
    add(c.cohesive->distribution.has_value(), "cohesive.normal.strength as a distribution");
    add(c.cohesive->rate.exponent != 0, "cohesive.rate");
    add(c.cohesive->friction > 0, "cohesive.friction");
  }
  return keys;
}

}  // namespace

int point(const PointOptions& options) {
  refuse_to_overwrite("-o", options.output, options);
  if (options.plot) check_plot_file(plot_file(options), options);
  const LawCase c = read_law(options.law);
  const PathTable path = read_path(options.path);
  for (const std::string& key : keys_without_part(c))
    tell("note: {}: {} has no part at a point: it belongs to the triangles and facets of a run", options.law.string(),
         key);
  Table table;
  if (c.material)
    MaterialLaws::for_each([&]<class Material>() {
      if (c.material->law == Material::name) table = lead_material<Material>(*c.material, path, options.path);
    });
  else
    TractionLaws::for_each([&]<class Law>() {
      if (c.cohesive->law == Law::name) table = lead_traction<Law>(c, path, options.path);
    });
  table.check_finite(options.path);
  if (options.plot) write_file(plot_file(options), picture_of(table, c));
  if (options.output.empty())
    fmt::print("{}", table.text());
  else
    write_file(options.output, table.text());
  return 0;
}

}  // namespace cleave
