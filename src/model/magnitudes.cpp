#include "model/magnitudes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cleave/material/material_laws.hpp"
#include "model/critical_step.hpp"

namespace cleave {
namespace {

/// A number of the case and its power in a product.
struct Factor {
  std::string key;
  int line;
  double value;
  int power = 1;
  double size() const { return power * std::log2(std::abs(value)); }
};

/// A product of numbers of the case.
struct Derived {
  std::string what, unit;
  std::vector<Factor> factors;
  bool is_state = false;  ///< may be as small as the smallest normal number
};

/// 2^size to three digits, also if it exceeds the range of double.
std::string power_of_two_text(double size) {
  const double exponent = size * std::log10(2.0), whole = std::floor(exponent);
  return fmt::format("{:.3g}e{:+03.0f}", std::pow(10.0, exponent - whole), whole);
}

/// The numbers of one material from which others are derived.
struct Body {
  Factor thickness, density, modulus, area;
};

class Magnitudes {
 public:
  Magnitudes(const Model& model, const Case& c, CaseReport& report)
      : report_(report), is_single_(model.precision == Precision::single_precision), case_(c), model_(model) {}

  void check_step() {
    const bool is_given = case_.time.step.has_value();
    check({"square of the step",
           "s^2",
           {squared({is_given ? "time.step" : "time.safety", case_.line_of_time_step, model_.step})},
           true});
  }
  void check() {
    for (std::size_t m = 0; m < model_.materials.size(); ++m)
      for (const double area : areas_of(m)) check_body(body_of(m, area));
  }

 private:
  /// The smallest and the largest element area of a material.
  std::pair<double, double> area_range(std::size_t m) const {
    std::pair<double, double> range{std::numeric_limits<double>::infinity(), 0};
    for (Index e = model_.material_ranges[m]; e < model_.material_ranges[m + 1]; ++e) {
      const Mesh& mesh = model_.mesh;
      const Point o = mesh.nodes[mesh.node(e, 0)], p = mesh.nodes[mesh.node(e, 1)], q = mesh.nodes[mesh.node(e, 2)];
      const double area = 0.5 * ((p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x));
      range = {std::min(range.first, area), std::max(range.second, area)};
    }
    return range;
  }
  std::vector<double> areas_of(std::size_t m) const {
    const auto [least, most] = area_range(m);
    return {least, most};
  }

  Body body_of(std::size_t m, double area) const {
    const auto entry = std::find_if(case_.material.begin(), case_.material.end(),
                                    [&](const MaterialEntry& e) { return e.properties == model_.materials[m]; });
    const std::string key =
        case_.material.size() == 1 ? "material" : fmt::format("material.{}", entry - case_.material.begin());
    const ElasticParameters& p = model_.materials[m].parameters;
    return {{"mesh.thickness", case_.line_of_mesh, case_.mesh.thickness},
            {key + ".density", entry->line, p.density},
            {key + ".young_modulus", entry->line, p.young_modulus},
            {"mesh", case_.line_of_mesh, area}};
  }

  static Factor squared(Factor factor) {
    factor.power *= 2;
    return factor;
  }
  static Factor inverse(Factor factor) {
    factor.power *= -1;
    return factor;
  }

  void check_body(const Body& body) {
    check({"area of an element", "m^2", {body.area}});
    check({"mass of an element", "kg", {body.density, body.thickness, body.area}});
    check({"stiffness of an element", "N/m", {body.modulus, body.thickness}});
    check({"elastic energy of an element", "J", {body.modulus, body.thickness, body.area}});
    check({"square of the wave speed", "m^2/s^2", {body.modulus, inverse(body.density)}});
    check_motion(body);
    check_loads(body);
    if (case_.cohesive) check_cohesive(body);
  }

  void check_motion(const Body& body) {
    const auto kinetic = [&](const std::string& key, int line, double speed) {
      check({"kinetic energy of an element",
             "J",
             {squared({key, line, speed}), body.density, body.thickness, body.area},
             true});
    };
    double speed = 0;
    for (const Point& v : model_.velocity) speed = std::max({speed, std::abs(v.x), std::abs(v.y)});
    kinetic("initial", 0, speed);
    for (std::size_t i = 0; i < case_.boundary.size(); ++i)
      for (const double v : case_.boundary[i].velocity)
        kinetic(fmt::format("boundary.{}.velocity", i), case_.boundary[i].line, v);
    for (const double g : case_.body_force.acceleration)
      check({"weight of an element", "N", {{"body_force", 0, g}, body.density, body.thickness, body.area}});
  }

  void check_loads(const Body& body) {
    const auto strained = [&](const std::string& key, int line, double strain) {
      check({"elastic energy of an element",
             "J",
             {squared({key, line, strain}), body.modulus, body.thickness, body.area},
             true});
    };
    const auto state = [&](const std::string& key, int line, const PlaneTensor& strain) {
      for (const double component : {strain.xx, strain.yy, strain.xy}) strained(key, line, component);
    };
    state("initial.strain", 0, case_.initial.strain);
    for (const InitialGroup& group : case_.initial_groups)
      state(fmt::format("initial.{}.strain", group.entry), group.line, group.state.strain);
    double farthest = 0;
    for (const Point& u : model_.displacement) farthest = std::max({farthest, std::abs(u.x), std::abs(u.y)});
    for (const InitialCase* state_of_file : initial_states_of_files(case_))
      strained(state_of_file->key_of_file, state_of_file->line_of_file, farthest / std::sqrt(body.area.value));
    for (std::size_t i = 0; i < case_.boundary.size(); ++i)
      stressed(body, fmt::format("boundary.{}.pressure", i), case_.boundary[i].line, case_.boundary[i].pressure);
  }

  void stressed(const Body& body, const std::string& key, int line, double stress) {
    check({"elastic energy of an element",
           "J",
           {squared({key, line, stress}), inverse(body.modulus), body.thickness, body.area},
           true});
  }

  void check_cohesive(const Body& body) {
    const auto mode = [&](const std::string& key, double strength, double energy) {
      const Factor f{key + ".strength", 0, strength}, g{key + ".energy", 0, energy};
      stressed(body, f.key, 0, strength);
      check({"energy of a facet", "J/m", {g, body.thickness}});
      check({"opening at which a facet fails", "m", {g, inverse(f)}});
      check({"softening of a facet", "Pa/m", {squared(f), inverse(g)}});
    };
    const CohesiveParameters& first = case_.cohesive->parameters;
    const bool is_list = !case_.cohesive->others.empty();
    mode(is_list ? "cohesive.0.normal" : "cohesive.normal", first.normal.strength, first.normal.energy);
    if (!(first.tangential == first.normal))
      mode(is_list ? "cohesive.0.tangential" : "cohesive.tangential", first.tangential.strength,
           first.tangential.energy);
    for (std::size_t i = 0; i < case_.cohesive->others.size(); ++i)
      mode(fmt::format("cohesive.{}.normal", i + 1), case_.cohesive->others[i].strength,
           case_.cohesive->others[i].energy);
  }

  /// Checks a derived number; a zero factor passes.
  void check(const Derived& derived) {
    double size = 0;
    for (const Factor& factor : derived.factors) {
      if (factor.value == 0) return;
      size += factor.size();
    }
    const int digits = derived.is_state ? 0 : is_single_ ? 24 : 53;
    const double least = (is_single_ ? -126 : -1022) + digits, most = (is_single_ ? 127 : 1023) - digits;
    if (size >= least && size <= most) return;
    const Factor& worst =
        *std::max_element(derived.factors.begin(), derived.factors.end(), [&](const Factor& a, const Factor& b) {
          return size < 0 ? a.size() > b.size() : a.size() < b.size();  // the factor that contributes most
        });
    if (!blamed_.insert(worst.key).second) return;
    std::string numbers;
    for (const Factor& factor : derived.factors)
      numbers += fmt::format("{}{} {:g}", numbers.empty() ? "" : ", ", factor.key == "mesh" ? "area" : factor.key,
                             factor.value);
    report_.add(worst.line, worst.key,
                fmt::format("the {} would be {} {} ({}), and {} precision computes with {} to {}; check the units",
                            derived.what, power_of_two_text(size), derived.unit, numbers,
                            is_single_ ? "single" : "double", power_of_two_text(least), power_of_two_text(most)));
  }

  CaseReport& report_;
  const bool is_single_;
  const Case& case_;
  const Model& model_;
  std::set<std::string> blamed_;  ///< keys that have been reported
};

/// The key of a law whose value is farthest from 1.
std::string key_of_largest(const MaterialCase& c) {
  std::string key;
  double largest = 0;
  MaterialLaws::for_each([&]<class Law>() {
    if constexpr (requires { Law::parameters; }) {
      if (c.law != Law::name) return;
      std::size_t value = 0;
      for (const LawParameter& p : Law::parameters) {
        if (p.is_table) continue;
        const double size = std::abs(c.values.at(value++));
        if (!key.empty() && size <= largest) continue;
        key = p.key;
        largest = size;
      }
    }
  });
  return key;
}

}  // namespace

void check_magnitudes(const Model& model, const Case& c, CaseReport& report) { Magnitudes(model, c, report).check(); }

void check_step(const Model& model, const Case& c, CaseReport& report) { Magnitudes(model, c, report).check_step(); }

void check_damping_times(const Case& c, CaseReport& report) {
  for (std::size_t i = 0; i < c.material.size(); ++i) {
    const MaterialCase& material = c.material[i].properties;
    try {
      damping_time<MaterialLaws>(material);
    } catch (const InputError& wrong) {
      const std::string entry = c.material.size() == 1 ? "material" : fmt::format("material.{}", i);
      report.add(c.material[i].line, fmt::format("{}.{}", entry, key_of_largest(material)), wrong.what());
    }
  }
}

}  // namespace cleave
