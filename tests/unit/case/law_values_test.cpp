#include "case/law_values.hpp"

#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "cleave/material/material_laws.hpp"

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
struct Clay {
  static constexpr const char* name = "clay";
  static constexpr bool finite = false;
  static constexpr cleave::LawParameter parameters[] = {
      {.key = "curve", .unit = "-, Pa", .meaning = "a table", .above = 0, .is_table = true},
      {.key = "water", .unit = "-", .meaning = "a number", .otherwise = 0.25},
      {.key = "creep", .unit = "s, -", .meaning = "another table", .otherwise = 7, .is_table = true}};
};

/// What the reader makes of the keys of Clay: the numbers, or what it says.
struct Read {
  cleave::MaterialCase numbers;
  std::string error;
};
Read clay(const std::string& text) {
  using namespace cleave::case_file;
  Report report("case.yaml");
  Read read;
  {
    const Value tree = parse_tree(text, report);
    Section s(Node(tree, "", report));
    read_values<cleave::LawList<Glass, Clay>>(s, "clay", read.numbers);
  }
  try {
    report.throw_if_any();
  } catch (const cleave::InputError& e) {
    read.error = e.what();
  }
  return read;
}

}  // namespace

TEST_CASE("laws of finite strains are named, including user-defined ones") {
  using namespace cleave;
  CHECK(case_file::finite_laws<LawList<LinearElastic, StVenantKirchhoff, Glass, NeoHookean, Rubber>>() ==
        "`st_venant_kirchhoff`, `neo_hookean` or `rubber`");
  CHECK(case_file::finite_laws<LawList<Glass, Rubber>>() == "`rubber`");
}

TEST_CASE("tables of a law are read beside its numbers") {
  using cleave::LawTable;
  const Read given = clay("curve: {table: [[-1, 5], [0, 6.5]]}\nwater: 0.5\ncreep: {table: [[3, -1]]}\n");
  CHECK(given.error.empty());
  CHECK(given.numbers.values == std::vector<double>{0.5});
  CHECK(given.numbers.tables == std::vector<LawTable>{{{{-1, 5}, {0, 6.5}}}, {{{3, -1}}}});
  const Read short_one = clay("curve: {table: [[0, 5]]}\n");
  CHECK(short_one.error.empty());
  CHECK(short_one.numbers.values == std::vector<double>{0.25});
  CHECK(short_one.numbers.tables == std::vector<LawTable>{{{{0, 5}}}, {{{0, 7}}}});  // 7 all over

  const auto says = [](const std::string& text, const std::string& expected) {
    const std::string error = clay(text).error;
    CAPTURE(text, error);
    CHECK(error.find(expected) != std::string::npos);
    CHECK(error.find("1 error") != std::string::npos);
  };
  says("water: 1\n", "curve");
  says("curve: 5\n", "case.yaml:1: curve: expected");
  says("curve: {file: a.csv, table: [[0, 1]]}\n", "case.yaml:1: curve.file: unknown key");
  says("curve: {table: 5}\n", "case.yaml:1: curve.table: expected a list");
  says("curve: {table: []}\n", "case.yaml:1: curve.table: expected at least one row");
  says("curve: {table: [[0, 1], 3]}\n", "case.yaml:1: curve.table.1: expected a list of 2 numbers");
  says("curve: {table: [[0, 1, 2]]}\n", "case.yaml:1: curve.table.0: expected a list of 2 numbers");
  says("curve: {table: [[0, x]]}\n", "case.yaml:1: curve.table.0.1: expected a number");
  says("curve: {table: [[0, 0]]}\n", "case.yaml:1: curve.table.0.1: must be > 0, found 0");
  says("curve: {table: [[0, .nan]]}\n", "case.yaml:1: curve.table.0.1: must be finite");
  says("curve: {table: [[1, 1], [0.5, 1]]}\n",
       "case.yaml:1: curve.table.1: the first column must increase, found 0.5 after 1");
}
