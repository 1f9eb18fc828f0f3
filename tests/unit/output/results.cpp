#include "cleave/output/results.hpp"

#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"
#include "fake_solver.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& file : result_files(directory)) names.push_back(file.filename().string());
  return names;
}

Snapshot snapshot_at(Step step) {
  Snapshot s = two_triangles(ElementType::t6);
  s.step = step;
  s.time = 0.5 * static_cast<double>(step);
  return s;
}

/// The rows of a CSV file of that step.
int rows_at(Step step, const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  int n = 0;
  while (std::getline(in, line)) n += line.starts_with(std::to_string(step) + ",");
  return n;
}

}  // namespace

TEST_CASE("results touch nothing before the first file") {
  const TemporaryDirectory directory;
  Results results(directory / "out", {0, 1});
  CHECK_FALSE(std::filesystem::exists(directory / "out"));
  results.add(snapshot_at(0));
  CHECK(names_in(directory / "out") ==
        std::vector<std::string>{"bulk.pvd", "bulk_000000.vtu", "cracks.pvd", "cracks_000000.vtu", "fragments.csv"});
}

TEST_CASE("resumed results drop what came after the checkpoint") {
  const TemporaryDirectory directory;
  OutputCase output;
  output.fields_every = 10;
  output.history_every = 5;
  const Schedule schedule(30, 1e-9, output);
  FakeSolver solver;
  {
    Results results(directory, {0, 1});
    results.add(snapshot_at(0));
    results.add(snapshot_at(10));
    solver.state = 12;
    save_checkpoint(directory, {}, results.written(12), solver);
    results.add(snapshot_at(20));
  }
  std::ofstream(directory / "bulk_000003.vtu.tmp") << "not complete";
  std::ofstream(directory / "checkpoint_000000025.bin") << "not complete";

  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  Results results(directory, {0, 1});
  results.resume(checkpoint, schedule);
  CHECK(names_in(directory) == std::vector<std::string>{"bulk.pvd", "bulk_000000.vtu", "bulk_000001.vtu",
                                                        "checkpoint_000000012.bin", "cracks.pvd", "cracks_000000.vtu",
                                                        "cracks_000001.vtu", "fragments.csv"});
  CHECK(rows_at(10, directory / "fragments.csv") == 2);
  CHECK(rows_at(20, directory / "fragments.csv") == 0);
  CHECK_THAT(text_of(directory / "bulk.pvd"), Catch::Contains("timestep=\"5\"") && Catch::Contains("bulk_000001.vtu") &&
                                                  !Catch::Contains("bulk_000002.vtu"));

  results.add(snapshot_at(20));
  CHECK(rows_at(20, directory / "fragments.csv") == 2);
  CHECK(std::filesystem::exists(directory / "bulk_000002.vtu"));
}

TEST_CASE("result files are known by their names alone") {
  const TemporaryDirectory directory;
  for (const char* name :
       {"bulk_000001.vtu", "bulk_1000000.vtu", "cracks_000001.vtu", "bulk.pvd", "cracks.pvd", "history.csv",
        "fragments.csv", "summary.json", "case.resolved.yaml", "checkpoint_000000010.bin", "bulk.pvd.tmp"}) {
    std::ofstream(directory / name) << "x";
  }
  CHECK(names_in(directory).size() == 11);
  for (const char* name : {"bulk.vtu", "bulk_1.vtu", "bulk_00000a.vtu", "plate.msh", "my_history.csv", "notes.txt",
                           "checkpoint_000000010.bin.bak"}) {
    std::ofstream(directory / name) << "x";
  }
  CHECK(names_in(directory).size() == 11);
  CHECK(result_files(directory / "absent").empty());
}

TEST_CASE("an output directory that cannot be used is told before the run") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "file") << "x";
  CHECK_NOTHROW(check_output_directory(directory / "a/b/c", "case.yaml:3: output.directory"));
  CHECK_FALSE(std::filesystem::exists(directory / "a"));
  CHECK_NOTHROW(check_output_directory("relative/new", "case.yaml:3: output.directory"));
  CHECK_THROWS_AS(check_output_directory(directory / "file", "x"), InputError);
  CHECK_THROWS_WITH(check_output_directory(directory / "file/deeper", "case.yaml:3: output.directory"),
                    Catch::StartsWith("case.yaml:3: output.directory: ") && Catch::Contains("is not a directory"));
  CHECK_THROWS_AS(check_output_directory("", "x"), InputError);
}

TEST_CASE("what a resumed run would lack is named") {
  const TemporaryDirectory directory;
  FakeSolver solver;
  solver.state = 12;
  {
    Results results(directory, {0, 1});
    for (const Step step : {0, 10}) {
      HistoryRow row;
      row.step = step;
      results.add(row);
      results.add(snapshot_at(step));
    }
    save_checkpoint(directory, {}, results.written(12), solver);
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  const Results results(directory, {0, 1});
  CHECK(results.missing(checkpoint).empty());

  std::filesystem::remove(directory / "cracks_000001.vtu");
  CHECK(results.missing(checkpoint) == std::vector<std::string>{"cracks_000001.vtu"});
  std::filesystem::remove(directory / "history.csv");
  std::filesystem::remove(directory / "fragments.csv");
  CHECK(results.missing(checkpoint) == std::vector<std::string>{"2 of the 2 rows of history.csv", "cracks_000001.vtu",
                                                                "step 0 of fragments.csv", "step 10 of fragments.csv"});
}
