#include "cleave/output/schedule.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace cleave;

TEST_CASE("the state is due at the nearest multiple of a period of fields or checkpoints") {
  OutputCase output;
  output.history_every = 10;
  output.fields_every = 25;
  output.checkpoint_every = 40;
  const Schedule schedule(92, 1e-9, output);
  std::vector<Step> events;
  for (Step step = 0; step < 92; step = events.back()) events.push_back(schedule.next_state(step));
  CHECK(events == std::vector<Step>{25, 40, 50, 75, 80, 92});
  CHECK(schedule.next_state(13) == 25);
  CHECK(schedule.state_due(40));
  CHECK(schedule.state_due(92));
  CHECK_FALSE(schedule.state_due(10));

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

TEST_CASE("checkpoints by simulated time are due at the nearest steps, but not at step 0") {
  OutputCase output;
  output.checkpoint_interval = 1e-8;
  const Schedule schedule(12, 3e-9, output);
  CHECK(schedule.next_state(0) == 3);
  CHECK(schedule.next_state(3) == 7);
  CHECK(schedule.next_state(7) == 10);
  CHECK(schedule.next_state(10) == 12);
  CHECK(schedule.checkpoint_due(7));
  CHECK_FALSE(schedule.checkpoint_due(0));
  CHECK_FALSE(schedule.checkpoint_due(8));
  CHECK_FALSE(schedule.fields_due(7));
}

TEST_CASE("a period of 0 leaves the first and the last state") {
  OutputCase output;
  output.history_every = 0;
  const Schedule schedule(1000, 1e-9, output);
  CHECK(schedule.next_state(0) == 1000);
  CHECK(schedule.frames() == 2);
  CHECK(schedule.history_rows() == 2);
  CHECK(schedule.fields_due(0));
  CHECK_FALSE(schedule.fields_due(500));
  CHECK_FALSE(schedule.checkpoint_due(1000));
}

TEST_CASE("a run without steps writes its only state once") {
  const Schedule schedule(0, 1e-9, OutputCase{});
  CHECK(schedule.frames() == 1);
  CHECK(schedule.history_rows() == 1);
}

TEST_CASE("frames by simulated time are due at the steps nearest to the multiples of the interval") {
  OutputCase output;
  const auto frames = [&](Step steps, double time_step, double interval) {
    output.fields_interval = interval;
    const Schedule schedule(steps, time_step, output);
    std::vector<Step> due{0};
    while (due.back() < steps) due.push_back(schedule.next_state(due.back()));
    for (Step step = 0; step <= steps; ++step)
      CHECK(schedule.fields_due(step) == (std::find(due.begin(), due.end(), step) != due.end()));
    CHECK(schedule.frames() == static_cast<Step>(due.size()));
    return due;
  };
  CHECK(frames(10, 3e-9, 1e-8) == std::vector<Step>{0, 3, 7, 10});
  CHECK(frames(11, 3e-9, 1e-8) == std::vector<Step>{0, 3, 7, 10, 11});
  CHECK(frames(5, 0.1, 0.2) == std::vector<Step>{0, 2, 4, 5});
  CHECK(frames(3, 1, 1e-12) == std::vector<Step>{0, 1, 2, 3});
  CHECK(frames(3, 1e-12, 1e300) == std::vector<Step>{0, 3});
  CHECK(frames(3000, 1e-9, 0.7e-7).size() == 1 + 42 + 1);
}
