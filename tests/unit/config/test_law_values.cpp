#include <catch2/catch.hpp>

#include "cleave/material/material_laws.hpp"
#include "config/law_values.hpp"

namespace {

/// What a user's laws say of themselves, as far as the reader of case files asks.
struct Rubber {
  static constexpr const char* name = "rubber";
  static constexpr bool finite = true;
};
struct Glass {
  static constexpr const char* name = "glass";
  static constexpr bool finite = false;
};

}  // namespace

TEST_CASE("laws of finite strains are named, users' too") {
  using namespace cleave;
  CHECK(config::finite_laws<LawList<LinearElastic, StVenantKirchhoff, Glass, NeoHookean, Rubber>>() ==
        "`st_venant_kirchhoff`, `neo_hookean` or `rubber`");
  CHECK(config::finite_laws<LawList<Glass, Rubber>>() == "`rubber`");
}
