#include <catch2/catch.hpp>

#include "case/csv.hpp"
#include "case_text.hpp"
#include "cleave/case/law_case.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::EndsWith;

namespace {

using Points = std::vector<std::pair<double, double>>;

const std::string mark = "\xEF\xBB\xBF";

Points curve_of(const std::string& text) {
  const Folder folder;
  return case_file::read_curve_file(folder.write("curve.csv", text));
}

PathTable path_of(const std::string& text) {
  const Folder folder;
  return read_path(folder.write("path.csv", text));
}

}  // namespace

TEST_CASE("the byte-order mark of a curve's file is skipped") {
  const Points points{{0, 0}, {1e-6, 1}};
  CHECK(curve_of(mark + "0,0\r\n1e-6,1\r\n") == points);
  CHECK(curve_of(mark + "time,value\n0,0\n1e-6,1\n") == points);
  CHECK(curve_of(mark + "# measured\n0,0\n1e-6,1\n") == points);
  CHECK(curve_of(mark + "\n0,0\n1e-6,1\n") == points);
  CHECK_THROWS_WITH(curve_of("0,0\n" + mark + "1e-6,1\n"), EndsWith("found \"" + mark + "1e-6,1\""));
}

TEST_CASE("a curve's file may name its columns once") {
  const std::string names = GENERATE("time,value", "\"t\" \"v\"", "t [s];p [Pa]", "information,nano", "-,-");
  CHECK(curve_of(names + "\n0,0\n1,1\n") == Points{{0, 0}, {1, 1}});
  const std::string row = GENERATE("0s,0", "1e-3s;0", ".5s 1", "-0x1,0", "\"0\",\"0\"", "t,0", "nan,3", "NaN,3",
                                   "0,inf", "-inf,0", ".inf,0", "Infinity,0", "'nan',0");
  CHECK_THROWS_WITH(curve_of(row + "\n1,1\n"),
                    EndsWith("curve.csv:1: expected a time and a value, found \"" + row + "\""));
  CHECK_THROWS_WITH(curve_of(names + "\n" + names + "\n1,1\n"),
                    EndsWith("curve.csv:2: expected a time and a value, found \"" + names + "\""));
}

TEST_CASE("the byte-order mark of a path's file is skipped") {
  const PathTable path = path_of(mark + "xx,yy,xy\r\n0.1,0,0\r\n");
  CHECK(path.names == std::vector<std::string>{"xx", "yy", "xy"});
  CHECK(path.rows == std::vector<std::vector<double>>{{0.1, 0, 0}});
}

TEST_CASE("a repeated column name of a path's file is refused") {
  CHECK_THROWS_WITH(path_of("# strains\nxx,yy,xy,xx\n0.1,0,0,0.2\n"),
                    EndsWith("path.csv:2: two columns have the name \"xx\": rename one of them, or leave it out"));
}
