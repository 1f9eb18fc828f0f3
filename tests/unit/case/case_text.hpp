/// Case files for the tests, written from text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/core/error.hpp"

namespace cleave::test {

/// A fresh folder that vanishes with its files.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("cleave_case_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "_" +
             std::to_string(std::filesystem::file_time_type::clock::now().time_since_epoch().count()) + "_" +
             std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The smallest valid case; a test adds sections or replaces lines. Lines 1 to 6.
inline const std::string smallest =
    "mesh: {shape: rectangle, size: [2, 1], divisions: [4, 2]}\n"
    "material:\n"
    "  young_modulus: 1.0e9\n"
    "  poisson_ratio: 0.25\n"
    "  density: 1000\n"
    "time: {steps: 10}\n";

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("the test's text has no \"" + what + "\"");
  return text.replace(at, what.size(), with);
}

inline Case read_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Folder folder;
  return read_case(folder.write("case.yaml", text), overrides);
}

/// The report of a wrong case file, without the folder's name; empty if nothing is wrong.
inline std::string report_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Folder folder;
  const std::filesystem::path file = folder.write("case.yaml", text);
  try {
    read_case(file, overrides);
  } catch (const InputError& e) {
    std::string report = e.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = report.find(prefix); at != std::string::npos; at = report.find(prefix)) {
      report.erase(at, prefix.size());
    }
    return report;
  }
  return {};
}

}  // namespace cleave::test
