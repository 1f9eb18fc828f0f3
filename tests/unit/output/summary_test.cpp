#include "cleave/output/summary.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

RunSummary some_summary() {
  RunSummary s;
  s.title = "Ring \"A\"";
  s.version = "1.2.3";
  s.status = "done";
  s.elements = 36864;
  s.initial_nodes = 74257;
  s.facets = 55488;
  s.colours = 8;
  s.backend = "cpu";
  s.backend_reason = "asked for";
  s.device = "CPU, 2 threads";
  s.precision = "single";
  s.assembly = "coloured";
  s.insertion_criterion = "ellipse";
  s.insertion_aggregate = "mean";
  s.time_step = 3e-9;
  s.steps = s.steps_done = 2000;
  s.first_step = 1000;
  s.wall_time = 12;
  s.output_time = 2;
  s.process_peak = 3 * 1048576;
  s.memory = {512, 1024, 2048, 4096};
  s.last.kinetic_energy = 1.0 / 3;
  s.last.nodes = 75000;
  s.last.cohesive_elements = 4321;
  s.last.failed_elements = 21;
  s.last.fragments = 2;
  s.largest_balance_error = 1e-13;
  s.norms = {{"velocity", "m/s", {0, 3, 74999, 12, 5, 3, 1}}};
  s.fragments = {{0, 1, 1, 0.5, {}, {}, 0, 0}, {1, 1, 1, 0.25, {}, {}, 0, 0}};
  return s;
}

}  // namespace

TEST_CASE("summary.json has every key") {
  const auto json = nlohmann::json::parse(summary_json(some_summary()));
  CHECK(json["title"] == "Ring \"A\"");
  CHECK(json["version"] == "1.2.3");
  CHECK(json["status"] == "done");
  CHECK(json["elements"] == 36864);
  CHECK(json["initial_nodes"] == 74257);
  CHECK(json["nodes"] == 75000);
  CHECK(json["facets"] == 55488);
  CHECK(json["colours"] == 8);
  CHECK(json["cohesive_elements"] == 4321);
  CHECK(json["failed_elements"] == 21);
  CHECK(json["fragments"] == 2);
  CHECK(json["device"] == "CPU, 2 threads");
  CHECK(json["backend"] == "cpu");
  CHECK(json["precision"] == "single");
  CHECK(json["assembly"] == "coloured");
  CHECK(json["insertion_criterion"] == "ellipse");
  CHECK(json["insertion_aggregate"] == "mean");
  CHECK(json["step"] == 3e-9);
  CHECK(json["steps"] == 2000);
  CHECK(json["wall_time"] == 12.0);
  CHECK(json["element_steps_per_second"] == Approx(36864.0 * 1000 / 10));
  CHECK(json["energies"]["kinetic_energy"] == 1.0 / 3);
  CHECK(json["norms"]["velocity"] == nlohmann::json({{"unit", "m/s"},
                                                     {"min", 0.0},
                                                     {"max", 3.0},
                                                     {"l0", 74999},
                                                     {"l1", 12.0},
                                                     {"l2", 5.0},
                                                     {"linf", 3.0},
                                                     {"not_finite", 1}}));
  for (const char* key : {"strain_energy", "internal_work", "cohesive_work", "recoverable_energy", "dissipated_energy",
                          "external_work", "reaction_work", "kinetic_correction", "cohesive_account"}) {
    CHECK(json["energies"].contains(key));
  }
  CHECK_FALSE(json["energies"].contains("crack_length"));
  CHECK(json["largest_balance_error"] == 1e-13);
  CHECK(json["memory_bytes"] == 512);
  CHECK(json["peak_memory_bytes"] == 3 * 1048576);
  CHECK(json["peak_solver_bytes"] == 1024);
  CHECK(json["bytes_to_device"] == 2048);
  CHECK(json["bytes_from_device"] == 4096);
  CHECK_FALSE(json.contains("stages"));
}

TEST_CASE("summary.json has time per stage and the reason of a failure") {
  RunSummary s = some_summary();
  s.status = "failed";
  s.reason = "element 3 is inverted";
  s.stages = {{"internal_force", 1.5, 10}};
  const auto json = nlohmann::json::parse(summary_json(s));
  CHECK(json["status"] == "failed");
  CHECK(json["reason"] == "element 3 is inverted");
  CHECK(json["stages"][0]["name"] == "internal_force");
  CHECK(json["stages"][0]["seconds"] == 1.5);
  CHECK(json["stages"][0]["calls"] == 10);
}

TEST_CASE("summary.json has the failed element and the warnings, which a resumed run reads") {
  RunSummary s = some_summary();
  CHECK(nlohmann::json::parse(summary_json(s))["warnings"].empty());
  CHECK_FALSE(nlohmann::json::parse(summary_json(s)).contains("failed_element"));
  s.fingerprint = "12";
  s.warnings = {"units: \"E\" is 210", "strain: 7 %"};
  s.failed = FailedElement{17, {0.5, 0.25}, 120, 3.6e-7, 110, true, {3, 18}, {"time.step: too long"}};
  const auto failed = nlohmann::json::parse(summary_json(s))["failed_element"];
  CHECK(failed["element"] == 17);
  CHECK(failed["centre"] == nlohmann::json::array({0.5, 0.25}));
  CHECK(failed["step"] == 120);
  CHECK(failed["time"] == 3.6e-7);
  CHECK(failed["last_good_step"] == 110);
  CHECK(failed["neighbours"] == nlohmann::json::array({3, 18}));
  CHECK(failed["causes"] == nlohmann::json::array({"time.step: too long"}));
  CHECK_THAT(summary_text(s, "out"), Catch::Contains("warning") && Catch::Contains("strain: 7 %"));
  const TemporaryDirectory directory;
  write_summary(directory, s);
  CHECK(read_summary(directory)->warnings == s.warnings);
}

TEST_CASE("the summary text has the main results") {
  RunSummary s = some_summary();
  s.stages = {{"internal_force", 1.5, 10}, {"node_update", 0.5, 10}};
  const std::string text = summary_text(s, "out/ring");
  for (const char* part : {"Ring \"A\"", "CPU, 2 threads", "36,864", "74,257 -> 75,000", "4,321 (failed 21)",
                           "2 (largest 0.5 kg, smallest 0.25 kg)", "element-steps/s", "internal_force", "75.0 %",
                           "reaction work         0 J", "3.0 MiB of the process; arrays of the solver",
                           "open out/ring/bulk.pvd in ParaView"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
}
