/// cleave point: leads one material or traction law along a path.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "cleave/config/law_case.hpp"
#include "cleave/core/error.hpp"
#include "cleave/material/energy_account.hpp"
#include "cleave/material/linear_irreversible.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/material/ppr.hpp"
#include "commands/commands.hpp"

namespace cleave {
namespace {

/// Rows of numbers under names, as CSV.
class Table {
 public:
  void name(const std::string& column) { header_ += (header_.empty() ? "" : ",") + column; }
  void value(double v) { line_ += fmt::format("{}{:.17g}", line_.empty() ? "" : ",", v); }
  void end_row() {
    text_ += line_ + "\n";
    line_.clear();
  }
  std::string text() const { return header_ + "\n" + text_; }

 private:
  std::string header_, line_, text_;
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

double inner(const Stress& p, const Gradient& g) { return p.xx * g.xx + p.xy * g.xy + p.yx * g.yx + p.yy * g.yy; }

template <class Material>
Table lead(const MaterialCase& c, const PathTable& path, const std::filesystem::path& file) {
  const std::vector<Gradient> gradients = gradients_of(path, file);
  const auto time = path.column("time");
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
    const double last = i == 0 || !time ? 0 : path.rows[i - 1][*time];
    const double dt = time ? path.rows[i][*time] - last : 1;
    if (dt < 0 || (dt == 0 && i > 0))
      throw InputError(fmt::format("{}: times must increase, found {:g} after {:g}", file.string(),
                                   path.rows[i][*time], last));
    const Response now = material.update(to, state, dt);
    dissipated += now.dissipated;
    const Gradient moved{to.xx - at.xx, to.xy - at.xy, to.yx - at.yx, to.yy - at.yy};
    work += 0.5 * (inner(before.stress, moved) + inner(now.stress, moved));
    const Sym2 stress = true_stress<Material>(now, to);
    for (const double v : path.rows[i]) out.value(v);
    for (const double v : {stress.xx, stress.yy, stress.xy, now.across, now.stored, dissipated, work}) out.value(v);
    for (const double v : numbers_of(state)) out.value(v);
    out.end_row();
    at = to;
    before = now;
  }
  return out;
}

template <class Law>
Table lead(const LawCase& c, const PathTable& path, const std::filesystem::path& file) {
  const std::size_t normal = need(path, "normal", file), tangential = need(path, "tangential", file);
  const Law law = Law::make(c.cohesive->parameters);
  const Vec2 start{c.start_normal, c.start_tangential};
  const CohesivePoint point{c.stiffness_cap, c.contact_stiffness, law.offset(start, c.stiffness_cap)};
  typename Law::State state = law.start(start, point);
  Table out;
  for (const std::string& name : path.names) out.name(name);
  for (const char* name : {"traction_normal", "traction_tangential", "stored", "account", "dissipated", "work", "damage"})
    out.name(name);
  for (std::size_t i = 0; i < numbers_of(state).size(); ++i) out.name(fmt::format("history_{}", i));

  Vec2 at{}, acted = law.respond(at, point, state).traction;
  double account = -law.respond(at, point, state).stored, dissipated = 0, work = 0;
  for (const auto& row : path.rows) {
    const Vec2 to{row[normal], row[tangential]};
    const CohesivePointStep step = step_point(law, {at, to, point}, acted, state, account);
    work += 0.5 * dot(acted + step.traction, to - at);
    dissipated += step.dissipated;
    for (const double v : row) out.value(v);
    for (const double v : {step.traction.x, step.traction.y, law.respond(to, point, state).stored, account, dissipated,
                           work, law.damage(state)})
      out.value(v);
    for (const double v : numbers_of(state)) out.value(v);
    out.end_row();
    at = to;
    acted = step.traction;
  }
  return out;
}

}  // namespace

int point(const PointOptions& options) {
  const LawCase c = read_law(options.law);
  const PathTable path = read_path(options.path);
  Table table;
  if (c.material)
    MaterialLaws::for_each([&]<class Material>() {
      if (c.material->law == Material::name) table = lead<Material>(*c.material, path, options.path);
    });
  else if (c.cohesive->law == "linear")
    table = lead<LinearIrreversible>(c, path, options.path);
  else
    table = lead<Ppr>(c, path, options.path);
  if (options.output.empty()) {
    fmt::print("{}", table.text());
    return 0;
  }
  std::ofstream out(options.output);
  out << table.text();
  out.close();
  if (!out) throw InputError(fmt::format("{} cannot be written", options.output.string()));
  return 0;
}

}  // namespace cleave
