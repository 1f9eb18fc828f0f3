/// A study written out is read as the same study.
#include "cleave/case/study.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "case_text.hpp"

using namespace cleave;
using cleave::test::Folder;

namespace {

Study read_study_text(const std::string& text) {
  const Folder folder;
  return read_study(folder.write("study.yaml", text));
}

}  // namespace

TEST_CASE("values in quotes stay texts when a study is written out") {
  const Study study = read_study_text(
      "title: \"null\"\ncase: case.yaml\n"
      "vary: {time.safety: [\"0.3\", 0.3, ! .5, a b], cohesive.law: [ppr, [1, {x: \"2\"}], \"\\x01\", \"a: b\"]}\n"
      "combine: list\nset: {title: \"7\"}\noutput: {directory: \"out/#1\"}\nrun: {jobs: 2, devices: [1, 0]}\n");
  const std::vector<std::string> safeties{"\"0.3\"", "0.3", "\".5\"", "\"a b\""};
  CHECK(study.vary.at(0).values == safeties);

  const std::string text = resolved_yaml(study);
  const Study again = read_study_text(text);
  CHECK(resolved_yaml(again) == text);
  CHECK(again.title == "null");
  CHECK(again.directory == "out/#1");
  CHECK(again.devices == std::vector<int>{1, 0});
  REQUIRE(again.vary.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(again.vary[i].values == study.vary[i].values);
  REQUIRE(again.set.size() == 1);
  CHECK(again.set[0].values == study.set[0].values);
}

TEST_CASE("a study with the longest key is read as it is written, a longer one is refused") {
  const auto study_of = [](const std::string& key) {
    return "case: case.yaml\nvary:\n  ? \"" + key + "\"\n  : [{\"" + key + "\": 1}, 2]\n";
  };
  std::string longest;  // of characters that grow most when they are written
  for (int i = 0; i < 200; ++i) longest += "\\\"";
  const Study study = read_study_text(study_of(longest));
  CHECK(read_study_text(resolved_yaml(study)).vary.at(0).values == study.vary.at(0).values);
  CHECK_THROWS_WITH(read_study_text(study_of(longest + "a")),
                    Catch::Contains("study.yaml:3: vary: a key of 201 bytes"));
}

TEST_CASE("a study with the longest path of its case is read as it is written, a longer one is refused") {
  const Folder folder;
  const std::size_t left = 1000 - folder.path().string().size() - 1;
  const auto with_name_of = [&](std::size_t bytes) {
    return folder.write("study.yaml", "case: " + std::string(bytes, 'a') + "\nvary: {title: [a]}\n");
  };
  const std::string text = resolved_yaml(read_study(with_name_of(left)));
  CHECK(resolved_yaml(read_study(folder.write("again.yaml", text))) == text);
  CHECK_THROWS_WITH(read_study(with_name_of(left + 1)),
                    Catch::Contains("study.yaml:1: case: its path from the root has 1001 bytes; at most 1000"));
}

TEST_CASE("a study that varies nothing is refused, however it combines") {
  for (const std::string combine : {"list", "grid"}) {
    CHECK_THROWS_WITH(read_study_text("case: case.yaml\ncombine: " + combine + "\n"),
                      Catch::Contains("study.yaml: vary: required key is missing"));
    CHECK_THROWS_WITH(read_study_text("case: case.yaml\nvary: {}\ncombine: " + combine + "\n"),
                      Catch::Contains("study.yaml:2: vary: expected at least one key of the case"));
  }
}
