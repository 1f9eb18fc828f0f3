#include <unistd.h>

#include <catch2/catch.hpp>
#include <optional>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

TEST_CASE("a directory has one holder, who is named, until it is released") {
  const TemporaryDirectory directory;
  std::optional<DirectoryLock> first(std::in_place, directory / "out", "case.yaml:3: output.directory");
  CHECK(first->obstacle().empty());
  CHECK_THROWS_AS(DirectoryLock(directory / "out", "x"), InputError);
  CHECK_THROWS_WITH(DirectoryLock(directory / "out/", "case.yaml:3: output.directory"),
                    Catch::StartsWith("case.yaml:3: output.directory: ") &&
                        Contains("in use by process " + std::to_string(getpid()) + " on ") && Contains(" since 20"));
  std::ofstream(directory / "out/file") << "x";
  first.reset();
  CHECK_FALSE(std::filesystem::exists(directory / "out/run.lock"));
  CHECK(std::filesystem::exists(directory / "out/file"));
  const DirectoryLock second(directory / "out", "x");
}

TEST_CASE("a lock file left by a crash does not prevent a run") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "run.lock") << "process 1 on elsewhere since 2020-01-01 00:00:00, a long line of text\n";
  const DirectoryLock lock(directory, "x");
  CHECK_THROWS_WITH(DirectoryLock(directory, "x"), Contains(std::to_string(getpid())) && !Contains("elsewhere"));
}

TEST_CASE("directories created in vain are removed") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "a");
  { const DirectoryLock lock(directory / "a/b/c/", "x"); }
  CHECK_FALSE(std::filesystem::exists(directory / "a/b"));
  CHECK(std::filesystem::exists(directory / "a"));
  { const DirectoryLock lock(directory / "a", "x"); }
  CHECK(std::filesystem::exists(directory / "a"));
}
