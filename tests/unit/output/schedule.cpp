#include "cleave/output/schedule.hpp"

#include <catch2/catch.hpp>

using namespace cleave;

TEST_CASE("next event is the nearest multiple of any period") {
  OutputCase output;
  output.history_every = 10;
  output.fields_every = 25;
  output.checkpoint_every = 40;
  const Schedule schedule(92, output);
  std::vector<Step> events;
  for (Step step = 0; step < 92; step = events.back()) events.push_back(schedule.next_event(step));
  CHECK(events == std::vector<Step>{10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 92});
  CHECK(schedule.next_event(13) == 20);

  CHECK(schedule.history_due(0));
  CHECK(schedule.history_due(92));
  CHECK_FALSE(schedule.history_due(25));
  CHECK(schedule.fields_due(25));
  CHECK(schedule.fields_due(92));
  CHECK_FALSE(schedule.checkpoint_due(0));
  CHECK(schedule.checkpoint_due(80));
  CHECK_FALSE(schedule.checkpoint_due(92));
  CHECK(schedule.history_rows() == 11);
  CHECK(schedule.frames() == 5);
}

TEST_CASE("a period of 0 leaves the first and the last state") {
  OutputCase output;
  output.history_every = 0;
  const Schedule schedule(1000, output);
  CHECK(schedule.next_event(0) == 1000);
  CHECK(schedule.frames() == 2);
  CHECK(schedule.history_rows() == 2);
  CHECK(schedule.fields_due(0));
  CHECK_FALSE(schedule.fields_due(500));
  CHECK_FALSE(schedule.checkpoint_due(1000));
}

TEST_CASE("a run of no steps writes its only state once") {
  const Schedule schedule(0, OutputCase{});
  CHECK(schedule.frames() == 1);
  CHECK(schedule.history_rows() == 1);
}
