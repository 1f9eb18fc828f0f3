#include "cleave/output/checkpoint.hpp"

#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "fake_solver.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

TEST_CASE("a checkpoint brings back state and frames") {
  const TemporaryDirectory directory;
  FakeSolver solver;
  solver.state = 1234;
  save_checkpoint(directory / "out", 7, {{0, 0}, {1000, 1e-6}}, solver);
  CHECK(std::filesystem::exists(directory / "out/checkpoint_000001234.bin"));

  const Checkpoint checkpoint = find_checkpoint(directory / "out", 7);
  CHECK(checkpoint.step == 1234);
  REQUIRE(checkpoint.frames.size() == 2);
  CHECK(checkpoint.frames[1].step == 1000);
  CHECK(checkpoint.frames[1].time == 1e-6);
  FakeSolver restored;
  load_checkpoint(checkpoint, restored);
  CHECK(restored.state == 1234);
}

TEST_CASE("the two newest checkpoints are kept, and the newest complete one is found") {
  const TemporaryDirectory directory;
  FakeSolver solver;
  for (const Step step : {999, 1000, 20000}) {
    solver.state = step;
    save_checkpoint(directory, 7, {}, solver);
  }
  CHECK_FALSE(std::filesystem::exists(directory / "checkpoint_000000999.bin"));
  CHECK(find_checkpoint(directory, 7).step == 20000);

  const auto newest = directory / "checkpoint_000020000.bin";
  std::filesystem::resize_file(newest, std::filesystem::file_size(newest) - 1);
  CHECK(find_checkpoint(directory, 7).step == 1000);
}

TEST_CASE("no checkpoint, or one of another case, is an input error") {
  const TemporaryDirectory directory;
  CHECK_THROWS_WITH(find_checkpoint(directory / "absent", 7), Catch::Contains("no complete checkpoint"));
  FakeSolver solver;
  save_checkpoint(directory, 8, {}, solver);
  CHECK_THROWS_WITH(find_checkpoint(directory, 7), Catch::Contains("another case or mesh"));
  CHECK_THROWS_AS(find_checkpoint(directory, 7), InputError);
}

TEST_CASE("fingerprint sees text, positions and connectivity") {
  Mesh mesh;
  mesh.nodes = {{0, 0}, {1, 0}, {0, 1}};
  mesh.elements = {0, 1, 2};
  const auto before = fingerprint("a", mesh);
  CHECK(fingerprint("a", mesh) == before);
  CHECK(fingerprint("b", mesh) != before);
  Mesh moved = mesh;
  moved.nodes[1].x = 1 + 1e-15;
  CHECK(fingerprint("a", moved) != before);
  Mesh turned = mesh;
  turned.elements = {1, 2, 0};
  CHECK(fingerprint("a", turned) != before);
}
