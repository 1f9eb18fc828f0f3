#include "config/cohesive_section.hpp"

namespace cleave::config {
namespace {

void read_insertion(Section s, InsertionCase& c) {
  s.optional("every", c.every, {"steps between two fracture checks"}, at_least(1));
  s.optional("aggregate", c.aggregate, {"how the tractions along a facet become one number"}, aggregate_names);
  s.optional("numbering", c.numbering,
             {"ids of new nodes: in order, or from an atomic counter (does not repeat bit for bit)"},
             copy_numbering_names);
  Section region = s.optional_section("region", {"where facets may break"}, whole_mesh);
  std::array<double, 4> box{};
  if (!region.required("box", box, {"[x0, y0, x1, y1]: facets with their midpoint inside", "m"})) return;
  if (box[0] < box[2] && box[1] < box[3]) {
    c.box = box;
  } else {
    region.fail("box", "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1");
  }
}

void read_normal_mode(Section s, CohesiveMode& c) {
  s.required("strength", c.strength, {"traction at which it breaks in opening", "Pa"}, above(0));
  s.required("energy", c.energy, {"fracture energy in opening", "J/m²"}, above(0));
  s.optional("shape", c.shape, {"exponent of the softening; 2: linear, the only one of the law `linear`"}, above(1));
}

void read_tangential_mode(Section s, CohesiveMode& c) {
  s.optional("strength", c.strength, {"traction at which it breaks in sliding", "Pa", "as in `normal`"}, above(0));
  s.optional("energy", c.energy, {"fracture energy in sliding", "J/m²", "as in `normal`"}, above(0));
  s.optional("shape", c.shape, {"exponent of the softening", "-", "as in `normal`"}, above(1));
}

void read_modes(Section& s, CohesiveParameters& c) {
  read_normal_mode(s.required_section("normal", {"opening of the crack"}), c.normal);
  c.tangential = c.normal;
  read_tangential_mode(s.optional_section("tangential", {"sliding of the crack faces"}), c.tangential);
}

void write_mode(Writer& w, const CohesiveMode& c) {
  w.key("strength", c.strength);
  w.key("energy", c.energy);
  w.key("shape", c.shape);
}

void write_insertion(Writer& w, const InsertionCase& c) {
  w.key("every", c.every);
  w.key("aggregate", name_of(c.aggregate, aggregate_names));
  w.key("numbering", name_of(c.numbering, copy_numbering_names));
  if (c.box) {
    w.section("region", [&] { w.key("box", *c.box); });
  } else {
    w.key("region", whole_mesh);
  }
}

}  // namespace

void read_cohesive(Section s, std::optional<CohesiveCase>& cohesive) {
  if (!s.given()) return;
  CohesiveCase c;
  s.optional("law", c.law, {"traction over opening: extrinsic PPR, or linear and irreversible"}, cohesive_laws);
  read_modes(s, c.parameters);
  if (c.law == "linear" && (c.parameters.normal.shape != 2 || c.parameters.tangential.shape != 2))
    s.fail("law", "the linear law has no shapes: leave them out or set both to 2");
  read_insertion(s.optional_section("insertion", {"when and where facets break"}), c.insertion);
  s.optional("stiffness_safety", c.stiffness_safety,
             {"part s of the stable step that cohesive stiffness may use up; with f = step / critical step, `auto` is "
              "min(0.6, 0.8 (1 - f²)), and the run is stable if s + f² < 1"},
             automatic_cap, between(0, 1));
  s.optional("contact_penalty", c.contact_penalty, {"contact stiffness, as far as the step allows", "E / facet length"},
             above(0));
  cohesive = c;
}

void write_cohesive(Writer& w, const CohesiveCase& c) {
  w.key("law", c.law);
  w.section("normal", [&] { write_mode(w, c.parameters.normal); });
  w.section("tangential", [&] { write_mode(w, c.parameters.tangential); });
  w.section("insertion", [&] { write_insertion(w, c.insertion); });
  c.stiffness_safety ? w.key("stiffness_safety", *c.stiffness_safety) : w.key("stiffness_safety", automatic_cap);
  w.key("contact_penalty", c.contact_penalty);
}

}  // namespace cleave::config
