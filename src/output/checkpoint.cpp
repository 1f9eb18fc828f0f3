#include "cleave/output/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

constexpr char magic[8] = {'C', 'L', 'E', 'A', 'V', 'E', 'C', 'P'};
constexpr std::uint64_t format_version = 7;
constexpr std::size_t kept = 2;

/// What a checkpoint file starts with; then come the frames, then the solver's state.
struct Header {
  char magic[8] = {};
  std::uint64_t version = 0;
  std::uint64_t fingerprint = 0;
  std::int64_t step = 0;
  std::int64_t frames = 0;
  std::int64_t file_bytes = 0;  // 0 until the file is complete
};

template <class T>
void write_raw(std::ostream& out, const T* data, std::size_t n) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
}

template <class T>
void read_raw(std::istream& in, T* data, std::size_t n) {
  in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
}

/// Checkpoint files of the directory, newest first.
std::vector<fs::path> checkpoint_files(const fs::path& directory) {
  std::vector<std::pair<long long, fs::path>> numbered;
  if (fs::is_directory(directory)) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      const long long step = number_in_name(entry.path().filename().string(), "checkpoint_", ".bin");
      if (step >= 0) numbered.emplace_back(step, entry.path());
    }
  }
  std::sort(numbered.begin(), numbered.end(), std::greater<>());
  std::vector<fs::path> files;
  for (auto& [step, file] : numbered) files.push_back(std::move(file));
  return files;
}

/// The checkpoint in a file, or nothing when it is cut off or not one of this version.
std::optional<Checkpoint> read_header(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  Header header;
  read_raw(in, &header, 1);
  if (!in || std::memcmp(header.magic, magic, sizeof magic) != 0 || header.version != format_version) {
    return std::nullopt;
  }
  const auto size = static_cast<std::int64_t>(fs::file_size(file));
  if (header.file_bytes != size || header.frames < 0 || header.frames > size) return std::nullopt;
  Checkpoint checkpoint{file, header.fingerprint, header.step,
                        std::vector<Frame>(static_cast<std::size_t>(header.frames))};
  read_raw(in, checkpoint.frames.data(), checkpoint.frames.size());
  return in ? std::optional(checkpoint) : std::nullopt;
}

/// FNV-1a of some bytes, going on from `hash`.
std::uint64_t hashed(std::uint64_t hash, const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3ull;
  return hash;
}

}  // namespace

std::uint64_t fingerprint(const std::string& case_text, const Mesh& mesh) {
  std::uint64_t hash = hashed(0xcbf29ce484222325ull, case_text.data(), case_text.size());
  hash = hashed(hash, mesh.nodes.data(), mesh.nodes.size() * sizeof(Point));
  return hashed(hash, mesh.elements.data(), mesh.elements.size() * sizeof(Index));
}

void save_checkpoint(const fs::path& directory, std::uint64_t fingerprint, const std::vector<Frame>& frames,
                     Solver& solver) {
  fs::create_directories(directory);
  const fs::path file = directory / fmt::format("checkpoint_{:09}.bin", solver.step());
  fs::path temporary = file;
  temporary += ".tmp";
  Header header;
  std::copy(std::begin(magic), std::end(magic), header.magic);
  header.version = format_version;
  header.fingerprint = fingerprint;
  header.step = solver.step();
  header.frames = static_cast<std::int64_t>(frames.size());

  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  write_raw(out, &header, 1);
  write_raw(out, frames.data(), frames.size());
  solver.save(out);
  header.file_bytes = static_cast<std::int64_t>(out.tellp());
  out.seekp(0);
  write_raw(out, &header, 1);
  out.close();
  if (!out) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({}); check the free space and the permissions",
                                         temporary.string(), std::strerror(errno)));
  }
  fs::rename(temporary, file);

  const std::vector<fs::path> files = checkpoint_files(directory);
  for (std::size_t i = kept; i < files.size(); ++i) fs::remove(files[i]);
}

Checkpoint find_checkpoint(const fs::path& directory, std::uint64_t fingerprint) {
  for (const fs::path& file : checkpoint_files(directory)) {
    const std::optional<Checkpoint> checkpoint = read_header(file);
    if (!checkpoint) continue;
    if (checkpoint->fingerprint != fingerprint) {
      throw InputError(
          fmt::format("{}: this checkpoint belongs to another case or mesh (only the end of the run "
                      "and the sections output and run may change, and of run not the assembly); restore the case as "
                      "in {}, or run without --resume to start over",
                      file.string(), (directory / "case.resolved.yaml").string()));
    }
    return *checkpoint;
  }
  throw InputError(
      fmt::format("--resume: no complete checkpoint (checkpoint_*.bin) of this version in '{}'; run "
                  "without --resume, and set output.checkpoint_every to write some",
                  directory.string()));
}

void load_checkpoint(const Checkpoint& checkpoint, Solver& solver) {
  std::ifstream in(checkpoint.file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(sizeof(Header) + checkpoint.frames.size() * sizeof(Frame)));
  solver.load(in);
  if (!in || solver.step() != checkpoint.step) {
    throw std::runtime_error(fmt::format("{}: the state in it cannot be read; delete it to go on from an older one",
                                         checkpoint.file.string()));
  }
}

}  // namespace cleave
