/// Hints for users who write names or units of other programs.
#pragma once

#include <string>
#include <vector>

namespace cleave::case_file {

/// The name in a case file of a key that is unknown: one of `valid`, or a path from the root; empty if there is none.
std::string name_used_here(const std::string& key, const std::vector<std::string>& valid);

/// The whole advice on an unknown key that has no counterpart of the same form, or that names what a word does here;
/// empty if there is none.
/// @param section  path of the map that has the key
std::string advice_on_key(const std::string& section, const std::string& key);

/// Advice on a word of papers and other programs for one of the `valid` words: `take "j2"`; empty if there is none.
std::string advice_on_word(const std::string& word, const std::vector<std::string>& valid);

/// An example of the map or text at a key where users give something else, as ` such as {rate: 2.0e4}`; else empty.
std::string example_at(const std::string& path);

/// Advice on a number with a decimal comma: `write 7.85`, with `or 7850` if the comma may separate thousands; otherwise
/// empty.
std::string without_comma(const std::string& text);

/// The number in SI units of a text that is a number with a unit; otherwise empty.
std::string without_unit(const std::string& text);

}  // namespace cleave::case_file
