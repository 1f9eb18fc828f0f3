/// What the fuzz targets share: bytes as a file that a reader is handed.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace cleave::fuzz {

/// A folder of this process alone.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    const auto here = std::filesystem::temp_directory_path() / ("cleave_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(here);
    return here;
  }();
  return path;
}

/// Writes the bytes to a file of that name in the folder.
inline std::filesystem::path input_file(const char* name, const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = folder() / name;
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return file;
}

}  // namespace cleave::fuzz
