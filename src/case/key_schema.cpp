#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "case/key_table.hpp"

namespace cleave::case_file {
namespace {

using Json = nlohmann::ordered_json;

/// The rows of each section, by path.
using Sections = std::map<std::string, std::vector<KeyRow>>;

Json map_schema(const std::string& path, const Sections& sections);
Json one_of(const std::vector<Json>& schemas) {
  return schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
}

Json number_schema(const char* type, const Range& range) {
  Json schema{{"type", type}};
  if (std::isfinite(range.low)) schema[range.with_low ? "minimum" : "exclusiveMinimum"] = range.low;
  if (std::isfinite(range.high)) schema[range.with_high ? "maximum" : "exclusiveMaximum"] = range.high;
  return schema;
}

/// A word as a JSON value. YAML reads `true` and `false` as booleans.
Json word_value(const std::string& word) {
  if (word == "true" || word == "false") return word == "true";
  return word;
}

Json forms_schema(const Forms& forms, const std::string& path, const Sections& sections);

Json list_schema(const Form& list, const std::string& path, const Sections& sections) {
  Json schema{{"type", "array"}, {"items", forms_schema(list.items, path + ".0", sections)}};
  if (list.count > 0) schema["minItems"] = schema["maxItems"] = list.count;
  return schema;
}

Json form_schema(const Form& form, const std::string& path, const Sections& sections) {
  switch (form.kind) {
    case Form::Kind::number:
      return number_schema("number", form.range);
    case Form::Kind::whole:
      return number_schema("integer", form.range);
    case Form::Kind::list:
      return list_schema(form, path, sections);
    case Form::Kind::map:
      return map_schema(path, sections);
    case Form::Kind::text:
    case Form::Kind::word:
      break;
  }
  return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};  // a number is taken as text
}

/// All words form one enumeration.
Json forms_schema(const Forms& forms, const std::string& path, const Sections& sections) {
  std::vector<Json> each;
  Json values = Json::array();
  for (const std::string& word : words_of(forms)) values.push_back(word_value(word));
  if (!values.empty()) each.push_back({{"enum", values}});
  for (const Form& form : forms)
    if (form.kind != Form::Kind::word) each.push_back(form_schema(form, path, sections));
  return one_of(each);
}

/// Description that an editor shows for the key.
std::string description(const KeyRow& row) {
  std::string text = row.meaning;
  if (row.unit != "-") text += fmt::format(" [{}]", row.unit);
  if (row.choices.empty() && !row.initial.empty() && row.initial != "-")
    text += row.initial == must_be_given ? "; required" : fmt::format("; default: {}", row.initial);
  return text;
}

Json key_schema(const KeyRow& row, const Sections& sections) {
  std::vector<Json> each;
  for (const Forms& forms : row.forms) each.push_back(forms_schema(forms, row.path, sections));
  Json schema{{"description", description(row)}};
  schema.update(one_of(each));
  return schema;
}

std::string key_of(const KeyRow& row) { return row.path.substr(row.path.rfind('.') + 1); }

/// Schema that requires exactly one of these keys.
Json exactly_one(const std::vector<std::string>& keys) {
  Json each = Json::array();
  for (const std::string& key : keys) each.push_back({{"required", {key}}});
  return {{"oneOf", each}};
}

/// These keys and their second spellings.
std::vector<std::string> all_spellings(std::vector<std::string> keys, const std::vector<KeyRow>& rows) {
  for (const KeyRow& row : rows)
    if (!row.second_spelling.empty() && std::find(keys.begin(), keys.end(), key_of(row)) != keys.end())
      keys.push_back(row.second_spelling);
  return keys;
}

/// Adds which keys are required, and which exclude each other.
void add_conditions(const std::vector<KeyRow>& rows, Json& schema) {
  Json required = Json::array(), conditions = Json::array();
  for (const KeyRow& row : rows) {
    const std::string key = key_of(row);
    if (!row.choices.empty()) {
      if (row.choices.front() == key) conditions.push_back(exactly_one(all_spellings(row.choices, rows)));
    } else if (row.second_spelling.empty()) {
      if (row.always_required) required.push_back(key);
    } else if (row.always_required) {
      conditions.push_back(exactly_one({key, row.second_spelling}));
    } else {
      conditions.push_back({{"not", {{"required", {key, row.second_spelling}}}}});
    }
  }
  if (!required.empty()) schema["required"] = required;
  if (!conditions.empty()) schema["allOf"] = conditions;
}

/// Schema of a section; its keys may be names that the user chooses.
Json map_schema(const std::string& path, const Sections& sections) {
  const std::vector<KeyRow>& rows = sections.at(path);
  if (rows.size() == 1 && key_of(rows.front()) == any_name)
    return {{"type", "object"}, {"additionalProperties", key_schema(rows.front(), sections)}};
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  for (const KeyRow& row : rows) {
    schema["properties"][key_of(row)] = key_schema(row, sections);
    if (!row.second_spelling.empty()) schema["properties"][row.second_spelling] = key_schema(row, sections);
  }
  add_conditions(rows, schema);
  return schema;
}

}  // namespace

std::string schema_of(const std::vector<KeyRow>& rows, const std::string& title) {
  Sections sections;
  for (const KeyRow& row : rows) sections[section_of(row.path)].push_back(row);
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(map_schema("", sections));
  return schema.dump(2) + '\n';
}

}  // namespace cleave::case_file
