#include "cleave/output/checkpoint.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "fake_solver.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

const RunIdentity identity{"title: a\nmesh: {}\n", 77};

void save_at(Step step, const std::filesystem::path& directory) {
  FakeSolver solver;
  solver.state = step;
  save_checkpoint(directory, identity, {{{0, 0, 0}, {step / 2, 1e-6, 1}}, 12}, solver);
}

}  // namespace

TEST_CASE("a checkpoint restores state, frames and the identity of its run") {
  const TemporaryDirectory directory;
  save_at(1234, directory / "out");
  CHECK(std::filesystem::exists(directory / "out/checkpoint_000001234.bin"));
  CHECK_FALSE(std::filesystem::exists(directory / "out/checkpoint_000001234.bin.tmp"));

  const CheckpointSearch search = find_checkpoint(directory / "out");
  CHECK(search.passed_over.empty());
  REQUIRE(search.newest);
  CHECK(search.newest->step == 1234);
  CHECK(search.newest->run.case_text == identity.case_text);
  CHECK(search.newest->run.mesh == 77);
  CHECK(search.newest->written.rows == 12);
  REQUIRE(search.newest->written.frames.size() == 2);
  CHECK(search.newest->written.frames[1].step == 617);
  CHECK(search.newest->written.frames[1].time == 1e-6);
  FakeSolver restored;
  load_checkpoint(*search.newest, restored);
  CHECK(restored.state == 1234);
}

TEST_CASE("the two newest checkpoints are kept, and the older one is found when the newer one is damaged") {
  const TemporaryDirectory directory;
  for (const Step step : {999, 1000, 20000}) save_at(step, directory);
  CHECK_FALSE(std::filesystem::exists(directory / "checkpoint_000000999.bin"));
  CHECK(find_checkpoint(directory).newest->step == 20000);

  const auto newest = directory / "checkpoint_000020000.bin";
  std::filesystem::resize_file(newest, std::filesystem::file_size(newest) - 1);
  const CheckpointSearch search = find_checkpoint(directory);
  CHECK(search.newest->step == 1000);
  REQUIRE(search.passed_over.size() == 1);
  CHECK_THAT(search.passed_over[0], Catch::Contains("checkpoint_000020000.bin is damaged"));
}

TEST_CASE("a changed bit, length or order of a checkpoint is detected") {
  const TemporaryDirectory directory;
  save_at(5, directory);
  const auto file = directory / "checkpoint_000000005.bin";
  const std::string good = text_of(file);
  const auto is_refused = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    return !find_checkpoint(directory).newest;
  };
  CHECK_FALSE(is_refused(good));
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    CHECK(is_refused(bytes));
  }
  for (std::size_t size = 0; size < good.size(); ++size) CHECK(is_refused(good.substr(0, size)));
  CHECK(is_refused(good + '\0'));
  std::string swapped = good;
  std::swap_ranges(swapped.end() - 32, swapped.end() - 24, swapped.end() - 16);
  CHECK(is_refused(swapped));
}

TEST_CASE("a checkpoint of another format is named, and an empty directory has none") {
  const TemporaryDirectory directory;
  CHECK_FALSE(find_checkpoint(directory / "absent").newest);
  std::ofstream(directory / "checkpoint_000000001.bin") << "CLEAVECP\7" << std::string(70, '\0');
  std::ofstream(directory / "checkpoint_000000002.bin") << "something else altogether";
  const CheckpointSearch search = find_checkpoint(directory);
  CHECK_FALSE(search.newest);
  REQUIRE(search.passed_over.size() == 2);
  CHECK_THAT(search.passed_over[0], Catch::Contains("is not a checkpoint"));
  CHECK_THAT(search.passed_over[1], Catch::Contains("has format 7"));
}

TEST_CASE("the fingerprint depends on positions, connectivity and groups") {
  Mesh mesh;
  mesh.nodes = {{0, 0}, {1, 0}, {0, 1}};
  mesh.elements = {0, 1, 2};
  mesh.groups = {{"left", {0}, {1, 2}, {}}};
  const auto before = fingerprint(mesh);
  CHECK(fingerprint(mesh) == before);
  const auto differs = [&](auto change) {
    Mesh other = mesh;
    change(other);
    return fingerprint(other) != before;
  };
  CHECK(differs([](Mesh& m) { m.nodes[1].x = 1 + 1e-15; }));
  CHECK(differs([](Mesh& m) { m.elements = {1, 2, 0}; }));
  CHECK(differs([](Mesh& m) { m.groups[0].name = "right"; }));
  CHECK(differs([](Mesh& m) { m.groups[0] = {"left", {0, 1}, {2}, {}}; }));
  CHECK(fingerprint("a") != fingerprint("b"));
}
