#include "config/cohesive_section.hpp"

namespace cleave::config {
namespace {

void read_insertion(Section s, InsertionCase& c) {
  s.optional("every", c.every, at_least(1));
  s.optional("aggregate", c.aggregate, aggregate_names);
  s.optional("numbering", c.numbering, copy_numbering_names);
  Section region = s.optional_section("region", whole_mesh);
  std::array<double, 4> box{};
  if (!region.required("box", box)) return;
  if (box[0] < box[2] && box[1] < box[3]) {
    c.box = box;
  } else {
    region.fail("box", "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1");
  }
}

void read_normal_mode(Section s, CohesiveMode& c) {
  s.required("strength", c.strength, above(0));
  s.required("energy", c.energy, above(0));
  s.optional("shape", c.shape, above(1));
}

void read_tangential_mode(Section s, CohesiveMode& c) {
  s.optional("strength", c.strength, above(0));
  s.optional("energy", c.energy, above(0));
  s.optional("shape", c.shape, above(1));
}

void read_modes(Section& s, CohesiveParameters& c) {
  read_normal_mode(s.required_section("normal"), c.normal);
  c.tangential = c.normal;
  read_tangential_mode(s.optional_section("tangential"), c.tangential);
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
  s.optional("law", c.law, cohesive_laws);
  read_modes(s, c.parameters);
  if (c.law == "linear" && (c.parameters.normal.shape != 2 || c.parameters.tangential.shape != 2))
    s.fail("law", "the linear law has no shapes: leave them out or set both to 2");
  read_insertion(s.optional_section("insertion"), c.insertion);
  s.optional("stiffness_safety", c.stiffness_safety, automatic_cap, between(0, 1));
  s.optional("contact_penalty", c.contact_penalty, above(0));
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
