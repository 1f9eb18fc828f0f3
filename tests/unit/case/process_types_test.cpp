/// Kinds of processes that a program has: what may be among them.
#include <catch2/catch.hpp>
#include <memory>

#include "cleave/process/process_type.hpp"

namespace cleave {
namespace {

struct Idle final : Process {
  void step(ProcessSolver&, const void*, bool) const override {}
};
std::unique_ptr<Process> make_idle(const ProcessCase&) { return std::make_unique<Idle>(); }

ProcessType with(const std::string& name, std::span<const ProcessField> fields, bool single = false) {
  ProcessType type{.name = name, .parameters = {}, .fields = fields};
  type.make[single] = &make_idle;
  return type;
}

TEST_CASE("a process is known in the precisions that its sources have") {
  static constexpr ProcessField fields[] = {{.name = "a", .on = FieldOn::node, .width = 4}};
  ProcessType on_cuda = with("known", fields);
  on_cuda.on_cuda = true;
  CHECK(find_process("known") == nullptr);
  CHECK(add_process_type(on_cuda));
  REQUIRE(find_process("known") != nullptr);
  CHECK(find_process("known")->make[0] != nullptr);
  CHECK(find_process("known")->make[1] == nullptr);
  CHECK(find_process("known")->on_cuda);
  CHECK(add_process_type(with("known", fields, true)));
  CHECK(find_process("known")->make[1] != nullptr);
  CHECK_FALSE(find_process("known")->on_cuda);  // not in both
  CHECK_THROWS_WITH(add_process_type(with("known", fields)), "process known: two have this name");
  CHECK(add_process_type(with("also", fields)));
  CHECK(process_types().front().name == "also");
}

constexpr bool refused(const ProcessField& a, const ProcessField& b = {.name = "b", .on = FieldOn::node}) {
  const ProcessField fields[] = {a, b};
  return !widths_fit(fields) || !names_differ(fields) || !columns_fit(fields);
}

TEST_CASE("fields that a solver cannot keep are refused when a process is compiled") {
  STATIC_REQUIRE_FALSE(refused({.name = "a", .on = FieldOn::cohesive, .width = 4}));
  STATIC_REQUIRE_FALSE(refused({.name = "a", .on = FieldOn::element, .column = "a"}));
  STATIC_REQUIRE(refused({.name = "a", .on = FieldOn::node, .width = 0}));
  STATIC_REQUIRE(refused({.name = "a", .on = FieldOn::node, .width = 5}));
  STATIC_REQUIRE(refused({.name = "b", .on = FieldOn::element}));
  STATIC_REQUIRE(refused({.name = "a", .on = FieldOn::cohesive, .column = "a"}));
  STATIC_REQUIRE(refused({.name = "a", .on = FieldOn::node, .width = 2, .column = "a"}));
}

}  // namespace
}  // namespace cleave
