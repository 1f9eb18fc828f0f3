#include "cleave/core/nearest_name.hpp"

#include <catch2/catch.hpp>

using cleave::nearest_name;
using cleave::suggest_name;

TEST_CASE("the nearest name has the fewest typing errors") {
  const std::vector<std::string> groups{"left", "right", "bottom", "top", "notch"};
  CHECK(nearest_name("lefft", groups) == "left");
  CHECK(nearest_name("rihgt", groups) == "right");
  CHECK(nearest_name("botom", groups) == "bottom");
  CHECK(nearest_name("not", groups) == "");  // two letters from notch and from top: both too many
  CHECK(nearest_name("outer", groups) == "");
  CHECK(nearest_name("", groups) == "");
  CHECK(nearest_name("top", {}) == "");
}

TEST_CASE("a name of one letter is near nothing") { CHECK(nearest_name("z", {"x", "y"}) == ""); }

TEST_CASE("the first of equally near names wins") { CHECK(nearest_name("tap", {"top", "tip"}) == "top"); }

TEST_CASE("suggestions name the nearest name or all names") {
  CHECK(suggest_name("iner", {"outer", "inner"}) == "did you mean \"inner\"?");
  CHECK(suggest_name("elsewhere", {"outer", "inner"}) == "valid names: outer, inner");
  CHECK(suggest_name("pulse", {}) == "there are none");
}
