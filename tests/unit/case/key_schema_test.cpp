/// The JSON schema says what the reader says of its keys.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "case/key_table.hpp"
#include "case/section.hpp"
#include "cleave/case/keys.hpp"

using namespace cleave::case_file;
using nlohmann::json;

namespace {

template <class Read>
json schema_read_by(const Read& read) {
  return json::parse(schema_of(describe_keys([&](const Value& root, Report& report) {
                                 Section s(Node(root, "", report));
                                 read(s);
                               }),
                               "A test"));
}

}  // namespace

TEST_CASE("kinds of values, ranges, words and lists are in the schema, and no other keys") {
  const json schema = schema_read_by([](Section& s) {
    double mass = 0;
    int count = 3;
    std::string name, word = "b";
    std::array<double, 2> place{};
    std::optional<double> width;
    s.required("mass", mass, {"of it", "kg"}, above(0));
    s.optional("count", count, {"of parts"}, from_to(1, 9));
    s.optional("name", name, {"of it"});
    s.optional("word", word, {"of it"}, std::vector<std::string>{"a", "b"});
    s.optional("place", place, {"of it", "m"});
    s.optional("width", width, {"of it", "m"}, "auto", at_least(0));
  });
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == json{"mass"});
  const json& keys = schema["properties"];
  CHECK(keys.size() == 6);
  CHECK(keys["mass"] == json{{"description", "of it [kg]; required"}, {"type", "number"}, {"exclusiveMinimum", 0.0}});
  CHECK(keys["count"] ==
        json{{"description", "of parts; default: `3`"}, {"type", "integer"}, {"minimum", 1.0}, {"maximum", 9.0}});
  CHECK(keys["name"]["minLength"] == 1);
  CHECK(keys["word"]["enum"] == json{"a", "b"});
  CHECK(keys["place"]["items"] == json{{"type", "number"}});
  CHECK(keys["place"]["minItems"] == 2);
  CHECK(keys["place"]["maxItems"] == 2);
  CHECK(keys["width"]["anyOf"] == json{{{"enum", {"auto"}}}, {{"type", "number"}, {"minimum", 0.0}}});
}

TEST_CASE("a key is required in the schema only if it is in every case that has its section") {
  const json schema = schema_read_by([](Section& s) {
    double value = 0;
    std::string word = "a";
    Section part = s.optional_section("part", {"of it"});
    part.required("always", value, {"given"});
    part.optional("word", word, {"which"}, std::vector<std::string>{"a", "b"});
    if (word == "b") part.required("for_b", value, {"of b"});
    const std::string kind = s.exactly_one({"one", "other"});
    if (kind == "one") s.required("one", value, {"the one"});
    if (kind == "other") s.required("other", value, {"the other"});
  });
  CHECK(schema["properties"]["part"]["required"] == json{"always"});
  CHECK(schema["properties"]["part"]["properties"].contains("for_b"));
  CHECK_FALSE(schema.contains("required"));
  CHECK(schema["allOf"] == json{{{"oneOf", {{{"required", {"one"}}}, {{"required", {"other"}}}}}}});
}

TEST_CASE("names that the user chooses, and second spellings, are in the schema") {
  const json schema = schema_read_by([](Section& s) {
    double value = 0;
    std::string on;
    Section named = s.optional_section("named", {"by name"});
    for (const std::string& name : named.all_keys())
      named.required_section(name, {"one"}).required("x", value, {"of it"});
    if (const auto list = s.optional_node("list", {"of them"}, list_of(any_map()))) {
      for (const Node& item : list->items()) {
        Section entry(item);
        entry.second_spelling("on", "group");
        entry.required("on", on, {"a group"});
      }
    }
  });
  CHECK(schema["properties"]["named"]["additionalProperties"]["required"] == json{"x"});
  const json& entry = schema["properties"]["list"]["items"];
  CHECK(entry["properties"].contains("on"));
  CHECK(entry["properties"].contains("group"));
  CHECK(entry["allOf"] == json{{{"oneOf", {{{"required", {"on"}}}, {{"required", {"group"}}}}}}});
}

TEST_CASE("the schema of the case file has its sections") {
  const json schema = json::parse(cleave::case_schema());
  CHECK(schema["required"] == json{"mesh", "material", "time"});
  CHECK(schema["properties"]["run"]["properties"]["precision"]["enum"] == json{"double", "single"});
}
