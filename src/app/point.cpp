/// cleave point: leads one material or traction law along a path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "cleave/case/law_case.hpp"
#include "cleave/core/error.hpp"
#include "cleave/material/energy_account.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/material/strength_ratio.hpp"
#include "cleave/material/traction_laws.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/solver/model.hpp"
#include "model/strength.hpp"

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
  for (const char* name : {"ratio", "law_traction_normal", "law_traction_tangential"}) out.name(name);
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
    const CohesiveResponse alone = law.respond(to, point, state);  // without the traction that settles the account
    for (const double v :
         {step.traction.x, step.traction.y, alone.stored, account, dissipated, work, law.damage(state)})
      out.value(v);
    for (const double v : numbers_of(state)) out.value(v);
    out.value(
        strength_ratio(c.cohesive->insertion.criterion, step.traction.x / strength_n, step.traction.y / strength_t));
    out.value(alone.traction.x);
    out.value(alone.traction.y);
    at = to;
    acted = step.traction;
  }
  return out;
}

/// Refuses an output file that is an input file.
void check_output(const PointOptions& options) {
  std::error_code error;
  for (const auto& input : {options.law, options.path})
    if (std::filesystem::equivalent(options.output, input, error))
      throw InputError(fmt::format("-o: '{}' is read by this command; give another name", options.output.string()));
}

/// Keys of the law that belong to triangles or facets.
std::vector<std::string> keys_without_part(const LawCase& c) {
  std::vector<std::string> keys = c.material ? c.material->keys_of_elements() : c.cohesive->keys_of_facets();
  for (std::string& key : keys) key = (c.material ? "material." : "cohesive.") + key;
  return keys;
}

/// Traction at the strength in the direction of the first opening of a path, Pa; zero if it never opens.
Vec2 start_of(const CohesiveCase& c, const PathTable& path, const std::filesystem::path& file) {
  const std::size_t normal = need(path, "normal", file), tangential = need(path, "tangential", file);
  for (const auto& row : path.rows) {
    const Vec2 opening{std::max(0.0, row[normal]), row[tangential]};
    const double size = std::hypot(opening.x, opening.y);
    if (size == 0) continue;
    const Vec2 way = 1 / size * opening;
    return 1 /
           strength_ratio(c.insertion.criterion, way.x / c.parameters.normal.strength,
                          way.y / c.parameters.tangential.strength) *
           way;
  }
  return {};
}

/// The cohesive law of a case as a run inserts it: at its strength, under the smallest stiffness cap of its facets.
LawCase traction_law_of(const Case& c, const PathTable& path, const PointOptions& options) {
  const double cap = least_cap(make_model(c));
  if (!std::isfinite(cap))
    throw InputError(
        fmt::format("{}: no facet of the mesh may break, so that the law has no stiffness cap; give a file "
                    "with `cohesive` and `point`",
                    options.law.string()));
  const Vec2 start = start_of(*c.cohesive, path, options.path);
  tell(
      "note: {}: the cohesive law starts at its strength, {:.4g} Pa normal and {:.4g} Pa tangential, with the smallest "
      "stiffness cap of the run, {:.4g} Pa/m",
      options.law.string(), start.x, start.y, cap);
  LawCase law;
  law.cohesive = c.cohesive;
  law.stiffness_cap = law.contact_stiffness = cap;
  law.start_normal = start.x;
  law.start_tangential = start.y;
  return law;
}

/// The law of a case that fits the columns of a path.
LawCase law_of(const Case& c, const PathTable& path, const PointOptions& options) {
  const bool strains = path.column("xx").has_value(), openings = path.column("normal").has_value();
  if (strains == openings)
    throw InputError(
        fmt::format("{}: its columns say which law of a case to lead: xx, yy, xy (strains) the material, "
                    "normal, tangential (openings) the cohesive law; it has {}",
                    options.path.string(), fmt::join(path.names, ", ")));
  if (openings && !c.cohesive)
    throw InputError(fmt::format("{}: it has no `cohesive`: nothing breaks", options.law.string()));
  const std::size_t laws = strains ? c.material.size() : 1 + c.cohesive->others.size();
  if (laws > 1)
    tell("note: {}: of {} entries of `{}` the first is led", options.law.string(), laws,
         strains ? "material" : "cohesive");
  if (openings) return traction_law_of(c, path, options);
  LawCase law;
  law.material = c.material.front().properties;
  return law;
}

LawCase law_for(const PathTable& path, const PointOptions& options) {
  const auto given = read_law(options.law);
  if (const Case* whole = std::get_if<Case>(&given)) return law_of(*whole, path, options);
  return std::get<LawCase>(given);
}

}  // namespace

int point(const PointOptions& options) {
  check_output(options);
  const PathTable path = read_path(options.path);
  const LawCase c = law_for(path, options);
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
  if (options.output.empty()) {
    fmt::print("{}", table.text());
    return 0;
  }
  OutputFile out(options.output);
  out.write(table.text());
  out.close();
  return 0;
}

}  // namespace cleave
