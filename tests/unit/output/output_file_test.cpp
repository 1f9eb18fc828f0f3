#include "cleave/output/output_file.hpp"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "cleave/output/csv_file.hpp"
#include "cleave/output/summary.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

namespace {

/// Files of this process may not grow beyond that many bytes while this object lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a write that fails leaves the file unchanged and reports the reason") {
  const TemporaryDirectory directory;
  OutputFile out(directory / "a");
  out.write("0123456789");
  const SizeLimit limit(15);
  CHECK_THROWS_WITH(out.write("0123456789"), Contains("/a: cannot be written (File too large)"));
  CHECK(text_of(directory / "a") == "0123456789");
  out.write("ab");
  out.close();
  CHECK(text_of(directory / "a") == "0123456789ab");
}

TEST_CASE("a file that cannot be opened is an error") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "history.csv");
  CsvFile csv(directory / "history.csv", "step,time");
  CHECK_THROWS_WITH(csv.append("0,0"), Contains("history.csv: cannot be written (Is a directory)"));
  std::ofstream(directory / "file") << "x";
  CHECK_THROWS_WITH(write_atomically(directory / "file/a", "x"), Contains("file/a: cannot be written"));
}

TEST_CASE("rows of a CSV file that do not fit are not written in part") {
  const TemporaryDirectory directory;
  CsvFile csv(directory / "a.csv", "step,time");
  csv.append("0,0");
  csv.append("1,1");
  const SizeLimit limit(16);
  CHECK_THROWS_AS(csv.flush(), std::runtime_error);
  CHECK(text_of(directory / "a.csv") == "step,time\n0,0\n");
}

TEST_CASE("a replaced file is the old or the new one, and no other file remains") {
  const TemporaryDirectory directory;
  write_atomically(directory / "a", "old");
  {
    const SizeLimit limit(5);
    CHECK_THROWS_AS(write_atomically(directory / "a", "new and long"), std::runtime_error);
  }
  CHECK(text_of(directory / "a") == "old");
  CHECK_FALSE(std::filesystem::exists(directory / "a.tmp"));
  write_in_place(directory / "a", "ab");
  CHECK(text_of(directory / "a") == "ab");
}

TEST_CASE("summary.json is written where a new file cannot be, and read back") {
  const TemporaryDirectory directory;
  CHECK_FALSE(read_summary(directory));
  RunSummary summary;
  summary.fingerprint = "12ab";
  write_summary(directory, summary);
  CHECK(read_summary(directory)->status == "running");
  std::filesystem::create_directory(directory / "summary.json.tmp");  // in the way of the new one
  summary.status = "interrupted";
  summary.reason = "the disk is full";
  write_summary(directory, summary);
  const EarlierSummary read = *read_summary(directory);
  CHECK(read.status == "interrupted");
  CHECK(read.reason == "the disk is full");
  CHECK(read.fingerprint == "12ab");
  std::ofstream(directory / "summary.json") << "{\"status\": 3, \"fingerprint\": ";
  CHECK_FALSE(read_summary(directory));
}
