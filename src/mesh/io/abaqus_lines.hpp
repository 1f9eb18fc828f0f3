/// Lines of an Abaqus input file: keywords with parameters, and data between commas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mesh/io/input_file.hpp"

namespace cleave {

/// The text in capitals; keywords, parameters and names of sets do not depend on case.
std::string upper(std::string_view text);

/// A keyword line such as `*Nset, nset=Left, generate`, with those that continue it.
struct AbaqusKeyword {
  std::string name;                                             ///< in capitals, without blanks: "NSET"
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name in capitals, value as it stands
  Place place = 0;

  bool has(std::string_view parameter) const;
  /// The value of a parameter; empty if it is absent.
  std::string value(std::string_view parameter) const;
};

class AbaqusLines {
 public:
  explicit AbaqusLines(InputFile& file) : file_(file) {}

  /// Advances to the next line that is neither blank nor a comment; false at the end of the file.
  bool next();
  /// Whether the line begins a keyword.
  bool is_keyword() const { return line_.starts_with('*'); }
  /// The keyword that begins on this line, with the lines that continue it.
  AbaqusKeyword keyword();

  /// The values of a data line, without blanks around them; views of the file's text.
  std::vector<std::string_view> values() const;
  /// Whether the line goes on in the next one.
  bool continues() const { return line_.ends_with(','); }

  /// A number of a node or an element, from 1 on.
  std::int64_t id(std::string_view value, std::string_view what) const;
  /// A real number; an empty value is 0.
  double real(std::string_view value, std::string_view what) const;

 private:
  InputFile& file_;
  std::string_view line_;
  bool peeked_ = false;  // `line_` is the next line
};

}  // namespace cleave
