#include "cleave/output/history.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

#include "cleave/core/error.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

HistoryRow row_at(Step step) {
  HistoryRow row;
  row.step = step;
  row.time = 1e-9 * static_cast<double>(step);
  row.balance_error = -1e-12 * static_cast<double>(step);
  return row;
}

std::vector<Step> steps_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  CHECK(line == history_header());
  std::vector<Step> steps;
  while (std::getline(in, line)) steps.push_back(std::stoll(line));
  return steps;
}

}  // namespace

TEST_CASE("history columns have the names and order that scripts rely on") {
  CHECK(history_header() ==
        "step,time,kinetic_energy,strain_energy,internal_work,cohesive_work,recoverable_energy,dissipated_energy,"
        "external_work,reaction_work,balance_error,nodes,cohesive_elements,failed_elements,crack_length,fragments,"
        "kinetic_correction,cohesive_account,law_dissipation,body_work,absorbed_energy,plastic_energy,viscous_energy,"
        "friction_energy,eroded_energy,eroded_mass,damping_energy,work_minus_energy,insertion_ratio,"
        "support_energy,contact_energy,contact_friction_energy,contact_points");
}

TEST_CASE("a history row keeps every bit of each value in its column") {
  const HistoryRow row{1, 0.1, 1.0 / 3, 3, 4, 5, 6, 7, 8, 9, 1e-15, 11,   12, 13, 14, 15, 1e300, 17,
                       0, 0,   0,       0, 0, 0, 0, 0, 0, 0, 0,     1.25, 0,  0,  0,  {}, {},    {}};
  const std::string text = history_row(row);
  CHECK_THAT(text, Catch::StartsWith("1,0.10000000000000001,0.33333333333333331,3,4,5,6,7,8,9,1.0000000000000001e-15,"
                                     "11,12,13,14,15,1.0000000000000001e+300,17,"));
  CHECK_THAT(text, Catch::EndsWith(",1.25,0,0,0"));
  CHECK(std::count(text.begin(), text.end(), ',') == quantity_count - 1);
}

TEST_CASE("numbers of steps and counts are written as whole numbers, however large") {
  HistoryRow row;
  row.step = 123456789012;
  row.nodes = 2147483647;
  CHECK_THAT(history_row(row), Catch::StartsWith("123456789012,0,0,0,0,0,0,0,0,0,0,2147483647,0,0,0,0,0,0,"));
}

TEST_CASE("the table of columns has the meaning of each") {
  std::istringstream table(history_columns());
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) lines.push_back(line);
  REQUIRE(lines.size() == 2 + quantity_count + std::size(group_quantities) + ObstacleValues::count);
  CHECK(lines[0] == "| column | unit | meaning |");
  CHECK(lines[2] == "| `step` | - | step number; 0 is the initial state |");
  CHECK(lines[2 + static_cast<int>(Quantity::crack_length)] ==
        "| `crack_length` | m | reference length of all cohesive elements |");
  for (const QuantityInfo& q : quantities) {
    CHECK(std::string(q.meaning).size() > 5);
    CHECK(std::string(q.meaning).find('|') == std::string::npos);  // it would end the column of the table
  }
  CHECK_THAT(lines[2 + quantity_count], Catch::StartsWith("| `reaction_GROUP_x` | N | "));
  const std::size_t obstacles = 2 + quantity_count + std::size(group_quantities);
  CHECK_THAT(lines[obstacles - 1], Catch::StartsWith("| `displacement_GROUP_y` | m | "));
  CHECK_THAT(lines[obstacles], Catch::StartsWith("| `reaction_NAME_x` | N | "));
  CHECK_THAT(lines.back(), Catch::StartsWith("| `NAME_angle` | rad | "));
}

TEST_CASE("groups with prescribed motion have the last columns, and are read back") {
  const std::vector<std::string> groups{"left", "the \"upper\", right"};
  CHECK(history_header(groups).substr(history_header().size()) ==
        ",reaction_left_x,reaction_left_y,displacement_left_x,displacement_left_y"
        ",\"reaction_the \"\"upper\"\", right_x\",\"reaction_the \"\"upper\"\", right_y\""
        ",\"displacement_the \"\"upper\"\", right_x\",\"displacement_the \"\"upper\"\", right_y\"");
  HistoryRow row = row_at(5);
  row.groups = {{0.1, 2, 3, 4}, {5, 6, 7, -8e-30}};
  CHECK_THAT(history_row(row), Catch::EndsWith(",0.10000000000000001,2,3,4,5,6,7,-8.0000000000000007e-30"));
  const TemporaryDirectory directory;
  {
    History history(directory / "out", groups);
    history.append(row);
    history.flush();
  }
  History resumed(directory / "out", groups);
  resumed.resume(5, true);
  REQUIRE(resumed.last()->groups.size() == 2);
  CHECK(resumed.last()->groups[0].reaction_x == 0.1);
  CHECK(resumed.last()->groups[1].displacement_y == -8e-30);
  CHECK_THROWS_AS(History(directory / "out", {"left"}).resume(5, true), InputError);
}

TEST_CASE("columns of obstacles follow those of groups, and are read back") {
  const std::vector<std::string> groups{"left"}, obstacles{"anvil", "ball"};
  CHECK(history_header(groups, obstacles).substr(history_header(groups).size()) ==
        ",reaction_anvil_x,reaction_anvil_y,anvil_x,anvil_y,anvil_angle"
        ",reaction_ball_x,reaction_ball_y,ball_x,ball_y,ball_angle");
  HistoryRow row = row_at(5);
  row.groups = {{1, 2, 3, 4}};
  row.obstacles = {{{0.1, 5, 6, 7, 8}}, {{9, 10, 11, 12, -8e-30}}};
  CHECK_THAT(history_row(row),
             Catch::EndsWith(",1,2,3,4,0.10000000000000001,5,6,7,8,9,10,11,12,-8.0000000000000007e-30"));
  const std::vector<std::string> processes{"heat", "wear, all"};
  CHECK(history_header(groups, obstacles, processes).substr(history_header(groups, obstacles).size()) ==
        ",heat,\"wear, all\"");
  row.processes = {13, 0.3};
  CHECK_THAT(history_row(row), Catch::EndsWith(",-8.0000000000000007e-30,13,0.29999999999999999"));
  const TemporaryDirectory directory;
  {
    History history(directory / "out", groups, obstacles, processes);
    history.append(row);
    history.flush();
  }
  History resumed(directory / "out", groups, obstacles, processes);
  resumed.resume(5, true);
  CHECK(resumed.last()->processes == std::vector{13, 0.3});
  REQUIRE(resumed.last()->groups.size() == 1);
  CHECK(resumed.last()->groups[0].displacement_y == 4);
  REQUIRE(resumed.last()->obstacles.size() == 2);
  CHECK(resumed.last()->obstacles[0].value[0] == 0.1);
  CHECK(resumed.last()->obstacles[1].value[4] == -8e-30);
}

TEST_CASE("the first column that is not finite is named") {
  HistoryRow row = row_at(3);
  CHECK_FALSE(not_finite(row));
  row.strain_energy = std::numeric_limits<double>::quiet_NaN();
  row.external_work = std::numeric_limits<double>::infinity();
  CHECK(not_finite(row).value() == "strain_energy");
  HistoryRow of_processes = row_at(3);
  of_processes.processes = {1, std::numeric_limits<double>::quiet_NaN()};
  CHECK(not_finite(of_processes, {"heat", "wear"}).value() == "wear");
}

TEST_CASE("the first row is on disk at once, the next at a flush, and no file exists before") {
  const TemporaryDirectory directory;
  History history(directory / "deep/out");
  CHECK_FALSE(std::filesystem::exists(directory / "deep"));
  history.append(row_at(0));
  CHECK(steps_in(directory / "deep/out/history.csv") == std::vector<Step>{0});
  history.append(row_at(10));
  history.flush();
  CHECK(steps_in(directory / "deep/out/history.csv") == std::vector<Step>{0, 10});
  CHECK(history.last()->step == 10);
  CHECK(history.largest_balance_error() == 1e-11);
}

TEST_CASE("history continues after the resumed step") {
  const TemporaryDirectory directory;
  {
    History history(directory);
    for (const Step step : {0, 10, 20, 30, 37}) history.append(row_at(step));
  }
  {
    std::ofstream cut(directory / "history.csv", std::ios::app);
    cut << "40,4e-8,1.2";  // a crash in the middle of a row
  }
  const auto resume = [&](Step step, bool due) {
    History history(directory);
    history.resume(step, due);
    history.append(row_at(step + 1));
    return history.largest_balance_error();
  };
  SECTION("from a step with a row that was due") {
    CHECK(resume(20, true) == 1e-12 * 21);
    CHECK(steps_in(directory / "history.csv") == std::vector<Step>{0, 10, 20, 21});
  }
  SECTION("from a step whose row was written because the run was stopped") {
    resume(37, false);
    CHECK(steps_in(directory / "history.csv") == std::vector<Step>{0, 10, 20, 30, 38});
  }
  SECTION("reading the last row back") {
    History history(directory);
    history.resume(20, true);
    CHECK(history_row(*history.last()) == history_row(row_at(20)));
  }
  SECTION("without a file it starts one") {
    std::filesystem::remove(directory / "history.csv");
    resume(20, true);
    CHECK(steps_in(directory / "history.csv") == std::vector<Step>{21});
  }
}

TEST_CASE("history of other columns is refused") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "history.csv") << "step,time\n0,0\n";
  History history(directory);
  CHECK_THROWS_AS(history.resume(0, true), InputError);
}

TEST_CASE("the largest debt of accounts is relative to the largest energy until then") {
  const TemporaryDirectory directory;
  History history(directory);
  const auto add = [&](double kinetic, double account) {
    HistoryRow row;
    row.kinetic_energy = kinetic;
    row.cohesive_account = account;
    history.append(row);
  };
  add(0, 0);
  add(10, 3);
  CHECK(history.account_debt() == 0);
  add(10, -0.5);
  CHECK(history.account_debt() == Approx(0.05));
  add(20, -0.5);
  CHECK(history.account_debt() == Approx(0.05));
  add(20, -4);
  CHECK(history.account_debt() == Approx(0.2));
}

TEST_CASE("the largest fall of dissipation is relative to the largest energy until then") {
  const TemporaryDirectory directory;
  History history(directory);
  const auto add = [&](double kinetic, double dissipated) {
    HistoryRow row;
    row.kinetic_energy = kinetic;
    row.dissipated_energy = dissipated;
    history.append(row);
  };
  add(0, 0);
  add(10, 1);
  add(8, 2);
  CHECK(history.dissipation_fall() == 0);
  add(8, 1.5);
  CHECK(history.dissipation_fall() == Approx(0.05));
  add(8, 1.8);
  CHECK(history.dissipation_fall() == Approx(0.05));
  add(100, 1);
  CHECK(history.dissipation_fall() == Approx(0.05));
}
