#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "case/law_values.hpp"
#include "case/sections.hpp"
#include "cleave/material/material_laws.hpp"

namespace cleave::case_file {
namespace {

// Words that have the effect of leaving a key out.
const char* const does_not_harden = "none";  ///< hardening
const char* const nothing_erodes = "none";   ///< erosion
const char* const no_viscosity = "none";     ///< artificial_viscosity

/// Returns whether the plane is known; it is not after an invalid word.
bool read_elastic(Section& s, ElasticParameters& c) {
  s.required("young_modulus", c.young_modulus, {"Young's modulus", "Pa"}, above(0));
  const bool plane_known =
      !s.has("plane") ||
      s.optional("plane", c.plane, {"quantity that is zero across the plane; the same for all materials"}, plane_names);
  // Plane strain of an incompressible material is infinitely stiff; plane stress is not.
  s.required("poisson_ratio", c.poisson_ratio, {"Poisson's ratio; 0.5 in plane stress only"},
             c.plane == PlaneType::stress ? above_to(-1, 0.5) : between(-1, 0.5));
  s.required("density", c.density, {"mass by volume", "kg/m³"}, above(0));
  return plane_known;
}

/// Reads rows of accumulated plastic strain and yield stress; the first row must be 0 and `yield_stress`.
void read_hardening_table(const Node& table, double yield_stress, LawTable& read) {
  if (!read_rows(table, "strains", finite(), read)) return;
  const std::vector<TableRow>& rows = read.rows;
  const std::vector<Node> nodes = table.items();
  if (rows.empty()) return;  // an error has been reported
  if (std::isfinite(yield_stress) && rows.front() != TableRow{0, yield_stress})
    return nodes.front().fail(
        fmt::format("expected the first row to be [0, yield_stress], which is {:g}", yield_stress));
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].level < rows[i - 1].level)
      return nodes[i].fail(
          fmt::format("stresses must not fall, found {:g} after {:g}", rows[i].level, rows[i - 1].level));
}

void read_hardening(Section hardening, double yield_stress, HardeningCase& c) {
  if (!hardening.given()) return;
  const std::string kind = hardening.exactly_one({"table", "linear"});
  if (kind == "linear")
    hardening.required(kind, c.linear, {"slope of the yield stress over accumulated plastic strain", "Pa"},
                       at_least(0));
  if (kind == "table")
    read_hardening_table(*hardening.optional_node(kind, {"linear between points, constant after the last", "-, Pa"},
                                                  rows_form("[[strain, stress], ...]")),
                         yield_stress, c.table);
}

void read_viscosity(Section s, ViscosityCase& c) {
  s.optional("linear", c.linear, {"c1 of p = rho h d (c1 c + c2 h d), d the rate of compression; about 0.06"},
             at_least(0));
  s.optional("quadratic", c.quadratic, {"c2, about 1.2"}, at_least(0));
}

void read_erosion(Section s, ErosionCase& c) {
  if (!s.given()) return;
  s.required("plastic_strain", c.plastic_strain, {"accumulated plastic strain at any Gauss point of the triangle"},
             above(0));
}

/// Returns whether the plane is known.
bool read_properties(Section& s, MaterialCase& c) {
  s.optional("law", c.law,
             {"linear elasticity, isotropic, with a dashpot or with plastic flow; or elasticity of finite strains"},
             MaterialLaws::names());
  const bool plane_known = read_elastic(s, c.parameters);
  read_values<MaterialLaws>(s, c.law, c);
  if (c.law == J2::name)
    read_hardening(s.optional_section("hardening", {"law `j2`: growth of the yield stress"}, does_not_harden),
                   c.values.front(), c.hardening);
  else
    s.exclude({"hardening", "erosion"}, "only the law `j2` has it");
  if (c.law == J2::name)
    read_erosion(s.optional_section(
                     "erosion", {"law `j2`: condition on which a triangle is removed from the body; its mass stays"},
                     nothing_erodes),
                 c.erosion);
  read_viscosity(s.optional_section(
                     "artificial_viscosity",
                     {"pressure in triangles under compression, which spreads shocks; needs `run.assembly: gather`"},
                     no_viscosity),
                 c.viscosity);
  if (c.law == "neo_hookean" && c.parameters.plane == PlaneType::stress)
    s.fail("plane", "the law `neo_hookean` is for plane strain: set `plane: strain`, or take `st_venant_kirchhoff`");
  return plane_known;
}

/// @param plane  plane of earlier entries, if any
MaterialEntry read_material_entry(const Node& node, std::optional<PlaneType>& plane) {
  MaterialEntry c;
  Section s(node);
  s.second_spelling("on", spelling_of_on);
  c.line =
      s.optional("on", c.on,
                 {"group of triangles with this material, also spelt `group`; only in a list", "-", "all triangles"})
          ? s.line("on")
          : node.value().place.line;
  if (!read_properties(s, c.properties)) return c;
  if (plane.value_or(c.properties.parameters.plane) != c.properties.parameters.plane) {
    s.fail("plane", fmt::format("all materials must have the same plane, found {} after {}",
                                name_of(c.properties.parameters.plane, plane_names), name_of(*plane, plane_names)));
  }
  if (!plane) plane = c.properties.parameters.plane;
  return c;
}

void write_elastic(Writer& w, const ElasticParameters& c) {
  w.key("young_modulus", c.young_modulus);
  w.key("poisson_ratio", c.poisson_ratio);
  w.key("density", c.density);
  w.key("plane", name_of(c.plane, plane_names));
}

void write_hardening(Writer& w, const HardeningCase& c) {
  if (c.table.rows.empty() && c.linear == 0) return w.key("hardening", does_not_harden);
  w.section("hardening", [&] { c.table.rows.empty() ? w.key("linear", c.linear) : w.table("table", c.table.rows); });
}

void write_erosion(Writer& w, const ErosionCase& c) {
  if (!c.any()) return w.key("erosion", nothing_erodes);
  w.section("erosion", [&] { w.key("plastic_strain", c.plastic_strain); });
}

void write_viscosity(Writer& w, const ViscosityCase& c) {
  if (!c.any()) return w.key("artificial_viscosity", no_viscosity);
  w.section("artificial_viscosity", [&] {
    w.key("linear", c.linear);
    w.key("quadratic", c.quadratic);
  });
}

void write_properties(Writer& w, const MaterialCase& c) {
  w.key("law", c.law);
  write_elastic(w, c.parameters);
  write_values<MaterialLaws>(w, c.law, c);
  if (c.law == J2::name) write_hardening(w, c.hardening);
  if (c.law == J2::name) write_erosion(w, c.erosion);
  write_viscosity(w, c.viscosity);
}

}  // namespace

void read_material(const Node& node, std::vector<MaterialEntry>& entries) {
  if (!node.is_list()) {
    entries.push_back({"", {}, node.value().place.line});
    Section s(node.or_word("a list of them"));
    s.exclude({"on", spelling_of_on},
              "only an entry of a list of materials has it, a single material is that of all triangles");
    read_properties(s, entries.front().properties);
    return;
  }
  std::optional<PlaneType> plane;
  const std::vector<Node> items = node.items();
  if (items.empty()) node.fail("expected at least one material");
  for (const Node& item : items) entries.push_back(read_material_entry(item, plane));
}

Kinematics read_kinematics(Section& s, const std::vector<MaterialEntry>& materials) {
  const bool is_finite = !materials.empty() && MaterialLaws::is_finite(materials.front().properties.law);
  const Kinematics of_first = is_finite ? Kinematics::finite : Kinematics::small;
  Kinematics c = of_first;
  s.optional("kinematics", c,
             {"small or finite strains and rotations; the default follows from the laws of the materials"},
             kinematics_names);
  for (const MaterialEntry& entry : materials) {
    const std::string& law = entry.properties.law;
    if (MaterialLaws::is_finite(law) == (c == Kinematics::finite)) continue;
    s.fail(c == of_first ? "material" : "kinematics",
           c == Kinematics::finite
               ? fmt::format("the law `{}` is for small strains; with finite kinematics all materials must be {}", law,
                             finite_laws<MaterialLaws>())
               : fmt::format("the law `{}` is for finite strains; with small kinematics no material may have it", law));
    break;
  }
  return c;
}

void write_material(Writer& w, const std::vector<MaterialEntry>& entries) {
  if (entries.size() == 1 && entries.front().on.empty()) {
    w.section("material", [&] { write_properties(w, entries.front().properties); });
    return;
  }
  w.list("material", entries, [&](const MaterialEntry& entry) {
    if (!entry.on.empty()) w.key(spelling_of_on, entry.on);
    write_properties(w, entry.properties);
  });
}

}  // namespace cleave::case_file
