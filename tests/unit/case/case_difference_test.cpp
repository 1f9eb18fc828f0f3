#include <catch2/catch.hpp>

#include "cleave/case/keys.hpp"

using namespace cleave;

TEST_CASE("cases differ by the keys with different values") {
  const auto values = [](const char* text) { return case_values(text, {"title", "output", "run.threads"}); };
  const CaseValues before = values(
      "{title: a, mesh: {divisions: [4, 2]}, boundary: [{on: left, fix: [x]}], output: {directory: a}, "
      "run: {threads: 1, precision: double}}");
  CHECK(before.at("mesh.divisions.1") == "2");
  CHECK(before.at("boundary.0.fix.0") == "x");
  CHECK(case_differences(before, before).empty());
  const CaseValues now = values(
      "{title: b, mesh: {divisions: [4, 3]}, boundary: [{on: right, fix: [x, y]}], output: {directory: b}, "
      "run: {threads: 2, precision: single}}");
  CHECK(case_differences(before, now) ==
        std::vector<std::string>{"boundary.0.fix.1: was absent, is y", "boundary.0.on: was left, is right",
                                 "mesh.divisions.1: was 2, is 3", "run.precision: was double, is single"});
  CHECK(case_values("{not: [yaml", {}).empty());
}

TEST_CASE("keys of any entry of a list are left out by the letter N") {
  const CaseValues values = case_values("{a: [{b: 1, c: 2}, {b: 3}], b: 4}", {"a.N.b"});
  CHECK(values == CaseValues{{"a.0.c", "2"}, {"b", "4"}});
}
