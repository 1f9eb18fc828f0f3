#include "config/material_section.hpp"

#include <fmt/format.h>

#include <optional>

namespace cleave::config {
namespace {

/// Returns whether the plane is known: a wrong word leaves it open.
bool read_elastic(Section& s, ElasticParameters& c) {
  s.required("young_modulus", c.young_modulus, {"Young's modulus", "Pa"}, above(0));
  const bool plane_known =
      !s.has("plane") ||
      s.optional("plane", c.plane, {"what is zero across the plane, the same in all materials"}, plane_names);
  // Plane strain of an incompressible material is infinitely stiff; plane stress is not.
  s.required("poisson_ratio", c.poisson_ratio, {"Poisson's ratio; 0.5 in plane stress only"},
             c.plane == PlaneType::stress ? above_to(-1, 0.5) : between(-1, 0.5));
  s.required("density", c.density, {"mass by volume", "kg/m³"}, above(0));
  return plane_known;
}

/// Returns whether the plane is known.
bool read_properties(Section& s, MaterialCase& c) {
  s.optional("law", c.law, {"linear elasticity, isotropic"}, material_laws);
  return read_elastic(s, c.parameters);
}

/// `plane` is that of the entries before, if there are any.
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

void write_properties(Writer& w, const MaterialCase& c) {
  w.key("law", c.law);
  write_elastic(w, c.parameters);
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

}  // namespace cleave::config
