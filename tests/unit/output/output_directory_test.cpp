#include "cleave/output/output_directory.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>

#include "cleave/core/error.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/summary.hpp"
#include "fake_solver.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// Puts something that is no file there. A link leads to `target`.
void put(const std::string& kind, const fs::path& file, const fs::path& target) {
  if (kind == "a link") fs::create_symlink(target, file);
  if (kind == "a pipe") REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  if (kind == "a directory") fs::create_directory(file);
  if (kind != "a socket") return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(file.string().size() < sizeof address.sun_path);
  std::strcpy(address.sun_path, file.c_str());
  const int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  close(socket_);
}

}  // namespace

TEST_CASE("files follow a moved directory, and nothing is written under its old name") {
  const TemporaryDirectory directory;
  const fs::path out = directory / "out", moved = directory / "moved";
  const DirectoryLock lock(out, "x");
  const OutputDirectory held = lock.directory();
  CsvFile csv(held / "history.csv", "step,time");
  csv.append("0,0");
  CHECK_NOTHROW(held.check_is_there());

  fs::rename(out, moved);
  fs::create_directory(out);
  write_atomically(held / "a", "text");
  CHECK(text_of(moved / "a") == "text");
  CHECK(fs::is_empty(out));
  CHECK_THROWS_WITH(held.check_is_there(), Contains("moved while the run wrote into it") && Contains(moved.string()));
  csv.append("1,1");
  CHECK_THROWS_WITH(csv.flush(), Contains("out: this directory was moved"));
  FakeSolver solver;
  CHECK_THROWS_WITH(save_checkpoint(held, {}, {}, solver), Contains("this directory was moved"));

  const DirectoryLock second(out, "x");  // of a run that has nothing to do with the first
  CHECK_NOTHROW(held.check_is_ours());
  fs::remove_all(moved);
  CHECK_THROWS_WITH(held.check_is_there(),
                    Contains("was removed, or moved to another file system, while the run wrote into it"));
  CHECK_THROWS_WITH(write_atomically(held / "b", "text"), Contains("was removed, or moved to another file system"));
  CHECK_NOTHROW(second.directory().check_is_there());
}

TEST_CASE("a directory that was moved is not removed by its old name") {
  const TemporaryDirectory directory;
  {
    const DirectoryLock lock(directory / "out", "x");
    fs::rename(directory / "out", directory / "moved");
    fs::create_directory(directory / "out");
  }
  CHECK(fs::exists(directory / "out"));
  CHECK_FALSE(fs::exists(directory / "moved/run.lock"));
}

TEST_CASE("nothing is written into a directory that was emptied and that another run has taken") {
  const TemporaryDirectory directory;
  const fs::path out = directory / "out";
  const DirectoryLock first(out, "x");
  write_summary(first.directory(), {});
  for (const auto& entry : fs::directory_iterator(out)) fs::remove_all(entry);
  CHECK_NOTHROW(first.directory().check_is_ours());  // nobody has it
  const DirectoryLock second(out, "x");
  RunSummary summary;
  summary.title = "of the second";
  write_summary(second.directory(), summary);
  const std::string text = text_of(out / "summary.json");
  CHECK_THROWS_WITH(first.directory().check_is_there(), Contains("another run has locked it now"));
  CHECK_THROWS_WITH(write_summary(first.directory(), {}), Contains("another run has locked it now"));
  CHECK_THROWS_AS(write_atomically(first.directory() / "a", "b"), std::runtime_error);
  CHECK_THROWS_AS(remove_file(first.directory() / "summary.json"), std::runtime_error);
  CHECK(text_of(out / "summary.json") == text);
  CHECK_FALSE(fs::exists(out / "a"));
}

TEST_CASE("nothing is written into a directory that was emptied and that another run has filled") {
  const TemporaryDirectory directory;
  const fs::path out = directory / "out";
  const DirectoryLock first(out, "x");
  write_summary(first.directory(), {});
  fs::remove(out / "run.lock");
  CHECK_NOTHROW(write_summary(first.directory(), {}));  // its summary is still there
  fs::remove(out / "summary.json");
  CHECK_NOTHROW(write_summary(first.directory(), {}));
  RunSummary summary;
  summary.title = "of the second";
  write_summary(DirectoryLock(out, "x").directory(), summary);
  const std::string text = text_of(out / "summary.json");
  REQUIRE_FALSE(fs::exists(out / "run.lock"));
  CHECK_THROWS_WITH(write_summary(first.directory(), {}), Contains("another run has written its results there since"));
  CHECK(text_of(out / "summary.json") == text);
}

TEST_CASE("a directory that is held without its lock is one of several programs") {
  const TemporaryDirectory directory;
  const fs::path out = directory / "out";
  fs::create_directory(out);
  const OutputDirectory shared(out, open(out.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const DirectoryLock lock(out, "x");
  write_summary(lock.directory(), {});
  CHECK_NOTHROW(shared.check_is_ours());
  CHECK_NOTHROW(write_atomically(shared / "table.csv", "text"));
}

TEST_CASE("rows are not written into a file that was removed or replaced") {
  const TemporaryDirectory directory;
  CsvFile csv(directory / "history.csv", "step,time");
  csv.append("0,0");
  csv.append("1,1");
  CHECK(csv.is_there());
  fs::remove(directory / "history.csv");
  CHECK_FALSE(csv.is_there());
  CHECK_THROWS_WITH(csv.flush(), Contains("history.csv: this file was moved, removed or replaced"));
  std::ofstream(directory / "history.csv") << "mine";
  CHECK_THROWS_AS(csv.flush(), std::runtime_error);
  CHECK(text_of(directory / "history.csv") == "mine");
}

TEST_CASE("links are not followed, and pipes do not block") {
  const std::string kind = GENERATE(as<std::string>(), "a link", "a pipe", "a directory", "a socket");
  const TemporaryDirectory directory;
  const fs::path target = directory / "precious";
  std::ofstream(target) << "precious";
  CAPTURE(kind);
  for (const char* name : {"a", "a.tmp", "summary.json", "run.lock", "checkpoint_000000001.bin"})
    put(kind, directory / name, target);
  const OutputDirectory plain(directory);
  CHECK(obstacle_to(plain / "a") == kind);
  CHECK_FALSE(size_of(plain / "a"));
  CHECK_FALSE(text_of_file(plain / "a"));
  CHECK_FALSE(PlainFileBuffer(plain / "a").is_open());
  CHECK_FALSE(read_summary(directory));
  CHECK_FALSE(find_checkpoint(directory).newest);
  CHECK_THROWS_AS(OutputFile(plain / "a", OutputFile::Start::created), std::runtime_error);
  CHECK_THROWS_AS(OutputFile(plain / "a", OutputFile::Start::at_end), std::runtime_error);
  CHECK_THROWS_AS(write_in_place(plain / "a", "x"), std::runtime_error);
  CHECK_THROWS_WITH(write_atomically(plain / "a", "x"), Contains("a.tmp: cannot be written"));
  CHECK_THROWS_WITH(DirectoryLock(directory, "case.yaml:3: output.directory"),
                    Catch::StartsWith("case.yaml:3: output.directory: ") && Contains("run.lock' is " + kind));
  CHECK(text_of(target) == "precious");
  CHECK(obstacle_to(plain / "run.lock") == kind);
  CHECK(obstacle_to(plain / "a.tmp") == kind);
}

TEST_CASE("every name of a result is checked before a run") {
  const std::string kind = GENERATE(as<std::string>(), "a link", "a pipe", "a socket");
  for (const std::string name : {"bulk.pvd", "cracks.pvd", "bulk.vtkhdf", "cracks.vtkhdf", "history.csv", "probes.csv",
                                 "lines.csv", "fragments.csv", "summary.json", "case.resolved.yaml", "bulk_000001.vtu",
                                 "cracks_000001.vtu", "checkpoint_000000010.bin"})
    for (const char* suffix : {"", ".tmp"}) {
      const TemporaryDirectory directory;
      CHECK_NOTHROW(check_results_are_files(directory, "x"));
      put(kind, directory / (name + suffix), directory / "nowhere");
      CHECK_THROWS_WITH(check_results_are_files(directory, "case.yaml:3: output.directory"),
                        Catch::StartsWith("case.yaml:3: output.directory: ") &&
                            Contains(name + suffix + "' is " + kind + ", where a run writes a file"));
    }
}

TEST_CASE("a run.lock that is no lock of a run is not changed") {
  const TemporaryDirectory directory;
  const std::string text = "my notes on a lock\n";
  std::ofstream(directory / "run.lock") << text;
  CHECK_THROWS_WITH(DirectoryLock(directory, "x"), Contains("run.lock' is not the lock of a run"));
  CHECK(text_of(directory / "run.lock") == text);
}
