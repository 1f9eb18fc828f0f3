#include "case/law_values.hpp"
#include "case/sections.hpp"
#include "cleave/material/traction_laws.hpp"

namespace cleave::case_file {
namespace {

void read_insertion(Section s, InsertionCase& c) {
  s.optional("every", c.every, {"steps between two fracture checks"}, at_least(1));
  s.optional("criterion", c.criterion,
             {"condition on the tractions of both modes: `ellipse`, (normal / strength)² + (tangential / strength)² = "
              "1; `max`, either mode alone"},
             criterion_names);
  s.optional("aggregate", c.aggregate, {"reduction of the tractions along a facet to one value"}, aggregate_names);
  s.optional("selection", c.selection,
             {"facets above their strength that break in a check: all, or at each corner only the one that exceeds its "
              "strength the most"},
             selection_names);
  s.optional("numbering", c.numbering,
             {"numbering of new nodes: in order, or by an atomic counter (does not repeat bit for bit)"},
             copy_numbering_names);
  Section region = s.optional_section("region", {"region in which facets may break"}, whole_mesh);
  std::array<double, 4> box{};
  if (!region.required("box", box, {"[x0, y0, x1, y1]: facets with their midpoint inside", "m"})) return;
  if (box[0] < box[2] && box[1] < box[3]) {
    c.box = box;
  } else {
    region.fail("box", "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1");
  }
}

void read_seed(Section& s, StrengthDistribution& c) {
  s.optional("seed", c.seed,
             {"seed of the strengths: that of a facet depends on the seed and the original ids of its corners"},
             at_least(0));
}

void read_weibull(Section s, StrengthDistribution& c) {
  c.kind = StrengthDistribution::Kind::weibull;
  s.required("scale", c.scale, {"strength that 63 % of the facets of the reference length do not reach", "Pa"},
             above(0));
  s.required("modulus", c.modulus, {"m of 1 - exp(-(L / reference length) (strength / scale)^m)"}, above(0));
  s.optional("reference_length", c.reference_length,
             {"longer facets are weaker, shorter ones stronger; `none`: strengths do not depend on the length", "m"},
             no_reference_length, above(0));
  read_seed(s, c);
}

void read_uniform(Section s, StrengthDistribution& c) {
  c.kind = StrengthDistribution::Kind::uniform;
  const bool from = s.required("from", c.from, {"smallest strength", "Pa"}, above(0));
  s.required("to", c.to, {"largest strength, not below `from`", "Pa"}, from ? at_least(c.from) : above(0));
  read_seed(s, c);
}

/// A number, or a distribution of strengths.
void read_strength(const Node& node, CohesiveMode& c, std::optional<StrengthDistribution>& distribution) {
  if (node.value().kind != Value::Kind::map) {
    node.read(c.strength, above(0));
    return;
  }
  Section s(node);
  const std::string kind = s.exactly_one({"weibull", "uniform"});
  distribution.emplace();
  if (kind == "weibull")
    read_weibull(
        s.required_section("weibull", {"random strengths by Weibull's distribution: the weakest of many flaws"}),
        *distribution);
  if (kind == "uniform")
    read_uniform(s.required_section("uniform", {"random strengths, uniformly distributed between two values"}),
                 *distribution);
  c.strength = distribution->nominal();
}

void read_strength_and_energy(Section& s, CohesiveMode& c, std::optional<StrengthDistribution>& distribution) {
  if (const auto strength = s.required_node(
          "strength",
          {"traction at which a facet breaks in opening; a map: random for each facet, in sliding in proportion", "Pa"},
          either(number(above(0)), any_map())))
    read_strength(*strength, c, distribution);
  s.required("energy", c.energy, {"fracture energy in opening", "J/m²"}, above(0));
}

void read_normal_mode(Section s, CohesiveMode& c, std::optional<StrengthDistribution>& distribution) {
  read_strength_and_energy(s, c, distribution);
  s.optional("shape", c.shape, {"exponent of the softening of `ppr`; 2: linear"}, above(1));
}

void read_tangential_mode(Section s, CohesiveMode& c) {
  s.optional("strength", c.strength, {"traction at which a facet breaks in sliding", "Pa", "as in `normal`"}, above(0));
  s.optional("energy", c.energy, {"fracture energy in sliding", "J/m²", "as in `normal`"}, above(0));
  s.optional("shape", c.shape, {"exponent of the softening", "-", "as in `normal`"}, above(1));
}

void read_modes(Section& s, CohesiveParameters& c, std::optional<StrengthDistribution>& distribution) {
  read_normal_mode(s.required_section("normal", {"opening of the crack"}), c.normal, distribution);
  c.tangential = c.normal;
  read_tangential_mode(s.optional_section("tangential", {"sliding of the crack faces"}), c.tangential);
}

/// Whether the modes of a law have a shape.
bool has_shapes(const std::string& law) {
  bool shapes = true;
  TractionLaws::for_each([&]<class Law>() {
    if (law == Law::name) shapes = Law::has_shapes;
  });
  return shapes;
}

void write_distribution(Writer& w, const StrengthDistribution& c) {
  if (c.kind == StrengthDistribution::Kind::weibull) {
    w.section("weibull", [&] {
      w.key("scale", c.scale);
      w.key("modulus", c.modulus);
      c.reference_length ? w.key("reference_length", *c.reference_length)
                         : w.key("reference_length", no_reference_length);
      w.key("seed", c.seed);
    });
  } else {
    w.section("uniform", [&] {
      w.key("from", c.from);
      w.key("to", c.to);
      w.key("seed", c.seed);
    });
  }
}

void write_mode(Writer& w, const CohesiveMode& c, const std::optional<StrengthDistribution>& distribution = {}) {
  if (distribution)
    w.section("strength", [&] { write_distribution(w, *distribution); });
  else
    w.key("strength", c.strength);
  w.key("energy", c.energy);
  w.key("shape", c.shape);
}

void write_insertion(Writer& w, const InsertionCase& c) {
  w.key("every", c.every);
  w.key("criterion", name_of(c.criterion, criterion_names));
  w.key("aggregate", name_of(c.aggregate, aggregate_names));
  w.key("selection", name_of(c.selection, selection_names));
  w.key("numbering", name_of(c.numbering, copy_numbering_names));
  if (c.box) {
    w.section("region", [&] { w.key("box", *c.box); });
  } else {
    w.key("region", whole_mesh);
  }
}

/// Reads the facets of a list entry. Returns whether the entry has `on` or `between`.
bool read_facets(Section& s, CohesiveFacets& c) {
  s.second_spelling("on", spelling_of_on);
  const bool on =
      s.optional("on", c.on,
                 {"group of triangles or facets to which the entry applies, also spelt `group`; only in a list", "-",
                  "first entry: all that no other names"});
  const auto between = s.optional_node(
      "between",
      {"two groups of triangles; the entry applies to the facets between them; `different`: to facets between "
       "triangles of different groups, such as grains; only in a list",
       "-", "-"},
      either(words({different_groups}), list_of(any_text(), 2)));
  c.line = s.line(on ? "on" : "between");
  if (!between) return on;
  if (on) between->fail("an entry has `on` or `between`, not both");
  c.between_different = between->is_word(different_groups);
  if (c.between_different) return true;
  const std::vector<Node> names = between->or_word(different_groups).items();
  if (names.size() != 2) return between->is_list() && !between->fail_expected("a list of 2 names");
  return names[0].read(c.between[0]) && names[1].read(c.between[1]);
}

void read_entry(Section& s, CohesiveEntry& c) {
  CohesiveMode normal;
  Section mode = s.required_section("normal", {"opening of the crack"});
  read_strength_and_energy(mode, normal, c.distribution);
  mode.exclude({"shape"}, "shapes are those of the first entry");
  c.strength = normal.strength;
  c.energy = normal.energy;
  s.exclude({"tangential"}, "in sliding the ratios of the first entry hold");
  s.exclude({"law", "rate", "friction", "insertion", "stiffness_safety", "contact_penalty"},
            "that of the first entry holds for all facets");
}

void read_rate(Section s, StrengthRateCase& c) {
  const bool given = s.required("reference", c.reference,
                                {"strain rate across the facet at which 1 + rate / reference is 2", "1/s"}, above(0));
  s.required(
      "exponent", c.exponent,
      {"n of (1 + rate / reference)^n, the factor of both strengths when a facet breaks; the energy does not change"},
      between(0, 10));
  if (!given) c = {};
}

/// Reads the keys of a single map, or of the first one of a list.
void read_law_of_all(Section& s, CohesiveCase& c) {
  s.optional(
      "law", c.law,
      {"cohesive law: extrinsic PPR, or linear or exponential softening with one effective opening for both modes"},
      TractionLaws::names());
  read_modes(s, c.parameters, c.distribution);
  if (!has_shapes(c.law) && (c.parameters.normal.shape != 2 || c.parameters.tangential.shape != 2))
    s.fail("law", fmt::format("the law `{}` has no shapes: leave them out or set both to 2", c.law));
  read_values<TractionLaws>(s, c.law, c.parameters);
  read_rate(s.optional_section("rate", {"strength that grows with the strain rate across the facet"}, no_rate), c.rate);
  s.optional("friction", c.friction,
             {"Coulomb's coefficient between failed faces, static and kinetic; needs `run.assembly: gather`"},
             at_least(0));
  read_insertion(s.optional_section("insertion", {"rules of insertion: when and where facets break"}), c.insertion);
  s.optional("stiffness_safety", c.stiffness_safety,
             {"share s of the stable step for cohesive stiffness; with f = step / critical step, `auto` is min(0.6, "
              "0.8 (1 - f²)), with friction 0.5 instead of 0.6; more than 0.6 is not safe where many faces touch"},
             automatic_cap, between(0, 1));
  s.optional("contact_penalty", c.contact_penalty, {"contact stiffness, as far as the step allows", "E / facet length"},
             above(0));
}

void write_facets(Writer& w, const CohesiveFacets& c) {
  if (c.all()) return;
  if (c.between_different)
    w.key("between", different_groups);
  else if (c.on.empty())
    w.words("between", {c.between[0], c.between[1]});
  else
    w.key(spelling_of_on, c.on);
}

void write_law_of_all(Writer& w, const CohesiveCase& c) {
  write_facets(w, c.facets);
  w.key("law", c.law);
  w.section("normal", [&] { write_mode(w, c.parameters.normal, c.distribution); });
  w.section("tangential", [&] { write_mode(w, c.parameters.tangential); });
  write_values<TractionLaws>(w, c.law, c.parameters);
  if (c.rate.exponent > 0) {
    w.section("rate", [&] {
      w.key("reference", c.rate.reference);
      w.key("exponent", c.rate.exponent);
    });
  } else {
    w.key("rate", no_rate);
  }
  w.key("friction", c.friction);
  w.section("insertion", [&] { write_insertion(w, c.insertion); });
  c.stiffness_safety ? w.key("stiffness_safety", *c.stiffness_safety) : w.key("stiffness_safety", automatic_cap);
  w.key("contact_penalty", c.contact_penalty);
}

void write_entry(Writer& w, const CohesiveEntry& c) {
  write_facets(w, c.facets);
  w.section("normal", [&] {
    if (c.distribution)
      w.section("strength", [&] { write_distribution(w, *c.distribution); });
    else
      w.key("strength", c.strength);
    w.key("energy", c.energy);
  });
}

}  // namespace

void read_cohesive(const Node& node, std::optional<CohesiveCase>& cohesive) {
  if (node.is_word(nothing_breaks)) return;
  CohesiveCase& c = cohesive.emplace();
  if (!node.is_list()) {
    Section s(node.or_word(nothing_breaks));
    s.exclude({"on", spelling_of_on, "between"}, "only an entry of a list has it, a single law is that of all facets");
    return read_law_of_all(s, c);
  }
  const std::vector<Node> items = node.items();
  if (items.empty()) node.fail("expected at least one law");
  for (std::size_t i = 0; i < items.size(); ++i) {
    Section s(items[i]);
    if (i == 0) {
      read_facets(s, c.facets);
      read_law_of_all(s, c);
    } else {
      CohesiveEntry entry;
      if (!read_facets(s, entry.facets) && s.given() && !s.has("on") && !s.has("between"))
        s.fail("", "expected `on` or `between`: only the first entry may be that of all facets that no other names");
      read_entry(s, entry);
      c.others.push_back(entry);
    }
  }
}

const char* key_of_gather(const std::optional<CohesiveCase>& c) { return c && c->friction > 0 ? "friction" : nullptr; }

void write_cohesive(Writer& w, const std::optional<CohesiveCase>& c) {
  if (!c) return w.key("cohesive", nothing_breaks);
  if (c->others.empty() && c->facets.all()) return w.section("cohesive", [&] { write_law_of_all(w, *c); });
  std::vector<const CohesiveEntry*> entries{nullptr};
  for (const CohesiveEntry& entry : c->others) entries.push_back(&entry);
  w.list("cohesive", entries,
         [&](const CohesiveEntry* entry) { entry ? write_entry(w, *entry) : write_law_of_all(w, *c); });
}

}  // namespace cleave::case_file
