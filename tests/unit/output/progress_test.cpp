#include "cleave/output/progress.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "cleave/output/text.hpp"

using namespace cleave;

namespace {

HistoryRow some_row() {
  HistoryRow row;
  row.kinetic_energy = 1.5;
  row.strain_energy = 0.25;
  row.dissipated_energy = 1e-3;
  row.cohesive_elements = 1234;
  row.fragments = 5;
  return row;
}

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("log lines have all values") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::log, 0, 27000, 1000);
  progress.update(2700, 2.0, 2.0, some_row());
  CHECK(out.str() ==
        " 10.0 %  step 2,700/27,000  1.35e+06 el-steps/s  ETA 18.0 s  kinetic 1.500e+00 J  strain 2.500e-01 J  "
        "dissipated 1.000e-03 J  cracks 1,234  fragments 5\n");
}

TEST_CASE("log lines come at 10 % marks, every 10 s and at the end") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::log, 0, 1000, 10);
  progress.update(50, 1, 1, {});
  CHECK(lines(out.str()) == 0);
  progress.update(100, 2, 2, {});
  CHECK(lines(out.str()) == 1);
  progress.update(150, 11, 11, {});
  CHECK(lines(out.str()) == 1);
  progress.update(160, 12, 12, {});
  CHECK(lines(out.str()) == 2);
  progress.update(1000, 12.5, 12.5, {});
  CHECK(lines(out.str()) == 3);
  progress.finish();
  CHECK(lines(out.str()) == 3);
}

TEST_CASE("rate and ETA of a resumed run count its own steps") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::log, 500, 1000, 10);
  progress.update(600, 10, 10, {});
  CHECK_THAT(out.str(),
             Catch::Contains("60.0 %") && Catch::Contains("  100 el-steps/s") && Catch::Contains("ETA 40.0 s"));
}

TEST_CASE("the terminal line is rewritten, fits and is limited in rate") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::terminal, 0, 1000, 10, 60);
  progress.update(100, 1, 1, some_row());
  progress.update(110, 1.05, 1.05, some_row());
  progress.update(500, 2, 2, some_row());
  progress.finish();
  const std::string text = out.str();
  CHECK(lines(text) == 1);
  CHECK(std::count(text.begin(), text.end(), '\r') == 2);
  CHECK(text.size() == 2 * (1 + 59) + 1);
}

TEST_CASE("a terminal of any usual width has rate, time left, cracks and fragments") {
  HistoryRow row = some_row();
  row.cohesive_elements = 123456;
  row.fragments = 12345;
  for (const int width : {60, 72, 80, 100, 200}) {
    std::ostringstream out;
    Progress progress(out, Progress::Style::terminal, 0, 100000000, 1000000, width);
    progress.update(50000000, 4000, 2000, row);
    const std::string text = out.str();
    CAPTURE(width, text);
    CHECK(static_cast<int>(text.size()) == width);  // with the \r
    CHECK_THAT(text, Catch::Contains("50") && Catch::Contains("%") && Catch::Contains("2.5e+10 el-st"));
    CHECK_THAT(text, Catch::Contains("ETA 1:06:40"));
    CHECK_THAT(text,
               Catch::Contains("cracks 123,456  fragments 12,345") || Catch::Contains("cracks 123456 frag. 12345"));
    CHECK((text.find("cracks 123,456  fragments") != text.npos) == (width >= 80));
    CHECK((text.find("kinetic") != text.npos) == (width >= 200));
  }
}

TEST_CASE("the rate counts computing, the time left counts everything") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::log, 0, 1000, 10);
  progress.update(500, 20, 5, {});
  CHECK_THAT(out.str(), Catch::Contains("  1e+03 el-steps/s") && Catch::Contains("ETA 20.0 s"));
}

TEST_CASE("quiet progress prints nothing") {
  std::ostringstream out;
  Progress progress(out, Progress::Style::none, 0, 10, 10);
  progress.update(10, 100, 100, some_row());
  progress.finish();
  CHECK(out.str().empty());
}

TEST_CASE("numbers are written as readable text") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(36864) == "36,864");
  CHECK(with_thousands(1234567) == "1,234,567");
  CHECK(with_thousands(-123456) == "-123,456");
  CHECK(as_bytes(512) == "512 B");
  CHECK(as_bytes(1536) == "1.5 KiB");
  CHECK(as_bytes(3.0 * 1024 * 1024 * 1024) == "3.0 GiB");
  CHECK(as_duration(0.421) == "0.42 s");
  CHECK(as_duration(42) == "42.0 s");
  CHECK(as_duration(125) == "2:05");
  CHECK(as_duration(3725) == "1:02:05");
}
