#include "cleave/output/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <istream>
#include <ostream>
#include <streambuf>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"
#include "output/checksum.hpp"

namespace cleave {
namespace {

constexpr std::string_view magic = "CLEAVECP";
constexpr std::uint64_t format_version = 23;
constexpr std::size_t kept = 2;

/// Header of a checkpoint, after the magic word and the version. Then follow the case text, the frames, the solver's
/// state and the checksum of all bytes before it.
struct Header {
  std::int64_t step = 0;
  std::uint64_t mesh = 0;
  std::int64_t case_bytes = 0;
  std::int64_t frames = 0;
  std::int64_t rows = 0;
  std::array<CsvMark, 4> csv{};
};

/// Writes to a file and adds the bytes to a checksum.
class ChecksummedFile : public std::streambuf {
 public:
  explicit ChecksummedFile(OutputFile& file) : file_(file) {}
  std::uint64_t checksum() const { return sum_.value(); }

 protected:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    const std::string_view bytes(data, static_cast<std::size_t>(size));
    sum_.add(bytes);
    file_.write(bytes);
    return size;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return c;
  }

 private:
  OutputFile& file_;
  Checksum sum_;
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
std::vector<OutputPath> checkpoint_files(const OutputDirectory& directory) {
  std::vector<std::pair<long long, std::string>> numbered;
  for (std::string& name : directory.names()) {
    const long long step = number_in_name(name, "checkpoint_", ".bin");
    if (step >= 0) numbered.emplace_back(step, std::move(name));
  }
  std::sort(numbered.begin(), numbered.end(), std::greater<>());
  std::vector<OutputPath> files;
  for (const auto& [step, name] : numbered) files.push_back(directory / name);
  return files;
}

/// Whether the last bytes of a stream of `bytes` bytes are the checksum of the bytes before them.
bool checksum_is_right(std::istream& in, std::uint64_t bytes) {
  std::uint64_t expected = 0;
  if (bytes < sizeof expected) return false;
  Checksum sum;
  std::vector<char> chunk(1 << 20);
  for (std::uint64_t left = bytes - sizeof expected; left > 0;) {
    const std::uint64_t size = std::min<std::uint64_t>(left, chunk.size());
    read_raw(in, chunk.data(), size);
    if (!in) return false;
    sum.add(chunk.data(), size);
    left -= size;
  }
  read_raw(in, &expected, 1);
  return in && sum.value() == expected;
}

/// Whether the steps, frames and rows can be those of a run: frames have ascending steps up to that of the checkpoint.
bool is_possible(const Checkpoint& checkpoint) {
  const std::vector<Frame>& frames = checkpoint.written.frames;
  bool possible = checkpoint.step >= 0 && checkpoint.written.rows >= 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame before = i > 0 ? frames[i - 1] : Frame{-1, 0, -1};
    possible = possible && frames[i].step > before.step && frames[i].number > before.number &&
               frames[i].step <= checkpoint.step && frames[i].fragments >= 0;
  }
  for (const CsvMark& mark : checkpoint.written.csv)
    possible = possible && mark.before.bytes >= 0 && mark.until.bytes >= mark.before.bytes;
  return possible;
}

/// Error in a checkpoint file, or an empty text; fills `checkpoint` from the file.
std::string read_checkpoint(const OutputPath& file, Checkpoint& checkpoint) {
  PlainFileBuffer buffer(file);
  std::istream in(&buffer);
  const auto bytes = static_cast<std::uint64_t>(buffer.size());
  std::string word(magic.size(), ' ');
  std::uint64_t version = 0;
  read_raw(in, word.data(), word.size());
  read_raw(in, &version, 1);
  if (!in) return "cannot be read, or is cut off";
  if (word != magic) return "is not a checkpoint";
  if (version != format_version) return fmt::format("has format {}, this program reads {}", version, format_version);
  buffer.seek(0, buffer.size());
  if (!checksum_is_right(in, bytes)) return "is damaged: its checksum is not that of its content";

  std::uint64_t left = bytes - std::min<std::uint64_t>(bytes, magic.size() + sizeof version + sizeof(Header));
  buffer.seek(static_cast<std::int64_t>(magic.size() + sizeof version), buffer.size());
  Header header;
  read_raw(in, &header, 1);
  const auto fits = [&](std::int64_t count, std::size_t size) {
    const bool fit = count >= 0 && static_cast<std::uint64_t>(count) <= left / size;
    if (fit) left -= static_cast<std::uint64_t>(count) * size;
    return fit;
  };
  if (!in || !fits(header.case_bytes, 1) || !fits(header.frames, sizeof(Frame)))
    return "is inconsistent: its lengths are impossible";
  checkpoint = {
      file, header.step, {std::string(header.case_bytes, ' '), header.mesh}, {{}, header.rows, header.csv}, 0};
  read_raw(in, checkpoint.run.case_text.data(), checkpoint.run.case_text.size());
  checkpoint.written.frames.resize(header.frames);
  read_raw(in, checkpoint.written.frames.data(), checkpoint.written.frames.size());
  checkpoint.state_begin = static_cast<std::int64_t>(bytes - left);
  if (!is_possible(checkpoint)) return "is inconsistent: its steps, frames and rows cannot be those of a run";
  return {};
}

}  // namespace

void save_checkpoint(const OutputDirectory& directory, const RunIdentity& run, const Written& written, Solver& solver) {
  directory.check_is_there();
  const Header header{solver.step(),
                      run.mesh,
                      static_cast<std::int64_t>(run.case_text.size()),
                      static_cast<std::int64_t>(written.frames.size()),
                      written.rows,
                      written.csv};
  TemporaryFile temporary(directory / fmt::format("checkpoint_{:09}.bin", solver.step()));
  OutputFile file(temporary.path(), OutputFile::Start::created);
  ChecksummedFile buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // passes on exceptions of the file
  out << magic;
  write_raw(out, &format_version, 1);
  write_raw(out, &header, 1);
  out << run.case_text;
  write_raw(out, written.frames.data(), written.frames.size());
  solver.save(out);
  const std::uint64_t checksum = buffer.checksum();
  write_raw(out, &checksum, 1);
  file.sync();
  file.close();
  temporary.commit();

  const std::vector<OutputPath> files = checkpoint_files(directory);
  for (std::size_t i = kept; i < files.size(); ++i) remove_file(files[i]);
}

CheckpointSearch find_checkpoint(const OutputDirectory& directory) {
  CheckpointSearch search;
  for (const OutputPath& file : checkpoint_files(directory)) {
    Checkpoint checkpoint;
    const std::string wrong = read_checkpoint(file, checkpoint);
    if (wrong.empty()) {
      search.newest = std::move(checkpoint);
      break;
    }
    search.passed_over.push_back(file.string() + " " + wrong);
  }
  return search;
}

void load_checkpoint(const Checkpoint& checkpoint, Solver& solver) {
  PlainFileBuffer buffer(checkpoint.file);
  buffer.seek(checkpoint.state_begin, buffer.size() - static_cast<std::int64_t>(sizeof(std::uint64_t)));
  std::istream in(&buffer);
  try {
    solver.load(in);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", checkpoint.file.string(), error.what()));
  }
  if (!in || solver.step() != checkpoint.step) {
    throw InputError(fmt::format("{}: the state in it is not that of step {}; remove it to go on from an older one",
                                 checkpoint.file.string(), checkpoint.step));
  }
}

}  // namespace cleave
