#include "cleave/output/vtkhdf.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "cleave/core/error.hpp"
#include "cleave/core/parallel.hpp"
#include "output/deflate.hpp"

namespace cleave {
namespace {

/// An HDF5 identifier with the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*function)(hid_t)) : id_(id), close_(function) {
    if (id < 0) throw std::runtime_error("");  // callers that know the file make the message
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  /// Closes the identifier; throws if that fails.
  void close() {
    if (close_(std::exchange(id_, -1)) < 0) throw std::runtime_error("");
  }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t status) {
  if (status < 0) throw std::runtime_error("");
}

hid_t type_of(const GridArray& array) {
  const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE};
  return types[array.values.index()];
}
std::size_t size_of(const GridArray& array) {
  constexpr std::size_t sizes[] = {4, 8, 4, 8, 1};
  return sizes[array.values.index()];
}

constexpr std::size_t step_rows = 256;  ///< rows of a chunk of datasets with one row per frame

/// Creates an empty dataset with rows of `columns` values; 0: one-dimensional.
void make_dataset(hid_t parent, const std::string& name, hid_t type, int columns, std::size_t chunk_rows,
                  bool deflate) {
  const int rank = columns > 0 ? 2 : 1;
  const auto width = static_cast<hsize_t>(columns);
  const hsize_t size[] = {0, width}, most[] = {H5S_UNLIMITED, width}, chunk[] = {chunk_rows, width};
  const Handle space(H5Screate_simple(rank, size, most), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(properties, rank, chunk));
  check(H5Pset_obj_track_times(properties, false));
  if (deflate) check(H5Pset_deflate(properties, 1));
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
}

/// Path that leads to an open file, whatever its name leads to. HDF5 opens files by name only.
std::string name_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Access without HDF5's file locks: a reader must not stop the run.
Handle without_lock() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_file_locking(access, false, true));
  return access;
}
/// Opens a file for writing.
Handle open(const OutputFile& file) {
  return {H5Fopen(name_of(file.descriptor()).c_str(), H5F_ACC_RDWR, without_lock()), H5Fclose};
}
/// Opens an existing plain file for reading.
Handle open(const OutputPath& path) {
  const int descriptor = open_plain(path, O_RDONLY);
  if (descriptor < 0) throw std::runtime_error(std::strerror(errno));
  const Handle access = without_lock();
  const hid_t opened = H5Fopen(name_of(descriptor).c_str(), H5F_ACC_RDONLY, access);
  close(descriptor);
  return {opened, H5Fclose};
}

Handle make_group(hid_t parent, const char* name) {
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));  // file content does not depend on the time of writing
  return {H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose};
}
Handle open_group(hid_t parent, const char* name) { return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose}; }
Handle open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose};
}

std::array<hsize_t, 2> size_of_dataset(hid_t dataset) {
  std::array<hsize_t, 2> size{0, 0};
  const Handle space(H5Dget_space(dataset), H5Sclose);
  check(H5Sget_simple_extent_dims(space, size.data(), nullptr));
  return size;
}
void set_rows(hid_t dataset, hsize_t rows) {
  std::array<hsize_t, 2> size = size_of_dataset(dataset);
  size[0] = rows;
  check(H5Dset_extent(dataset, size.data()));
}
struct Layout {
  hsize_t chunk_rows = 0;
  bool deflated = false;
};
Layout layout_of(hid_t dataset) {
  hsize_t chunk[2] = {0, 0};
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  check(H5Pget_chunk(properties, 2, chunk));
  return {chunk[0], H5Pget_nfilters(properties) > 0};
}

/// Selection of some frames in a dataset with one row per frame.
struct FrameRows {
  Handle space, memory;
  FrameRows(hid_t dataset, hsize_t first, hsize_t frames)
      : space(H5Dget_space(dataset), H5Sclose), memory(H5Screate_simple(1, &frames, nullptr), H5Sclose) {
    const hsize_t start[] = {first, 0}, count[] = {frames, 1};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr));
  }
};
template <class T>
void put(hid_t parent, const std::string& name, std::size_t frame, hid_t type, T value) {
  const Handle dataset = open_dataset(parent, name);
  set_rows(dataset, frame + 1);
  const FrameRows rows(dataset, frame, 1);
  check(H5Dwrite(dataset, type, rows.memory, rows.space, H5P_DEFAULT, &value));
}
void put(hid_t parent, const std::string& name, std::size_t frame, std::int64_t value) {
  put(parent, name, frame, H5T_NATIVE_INT64, value);
}
/// The numbers of the first frames.
std::vector<std::uint64_t> numbers_in(hid_t parent, const std::string& name, std::size_t frames) {
  std::vector<std::uint64_t> numbers(frames);
  if (frames == 0) return numbers;
  const Handle dataset = open_dataset(parent, name);
  const FrameRows rows(dataset, 0, frames);
  check(H5Dread(dataset, H5T_NATIVE_UINT64, rows.memory, rows.space, H5P_DEFAULT, numbers.data()));
  return numbers;
}

std::int64_t frames_in(hid_t steps) {
  std::int64_t frames = 0;
  const Handle attribute(H5Aopen(steps, "NSteps", H5P_DEFAULT), H5Aclose);
  check(H5Aread(attribute, H5T_NATIVE_INT64, &frames));
  return frames;
}
void set_frames(hid_t steps, std::size_t frames) {
  const auto value = static_cast<std::int64_t>(frames);
  const Handle attribute(H5Aopen(steps, "NSteps", H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, &value));
}

/// Suppresses HDF5's own error output while it lives; errors are reported by exceptions.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The system's error text, which HDF5 includes in a long text of its own: `error message = '...'`.
std::string reason() {
  std::string text;
  const auto note = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    constexpr std::string_view before = "error message = '";
    const std::string_view said = error->desc == nullptr ? "" : error->desc;
    const std::size_t at = said.find(before);
    if (at == said.npos) return 0;
    const std::string_view rest = said.substr(at + before.size());
    *static_cast<std::string*>(out) = rest.substr(0, rest.find('\''));
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &text);
  return text.empty() ? "the HDF5 library refuses" : text;
}

/// Name of the dataset with the first row of each frame in `dataset`.
std::string offsets_of(const std::string& dataset) {
  if (dataset == "Points") return "PointOffsets";
  if (dataset == "Connectivity") return "ConnectivityIdOffsets";
  if (dataset == "Types") return "CellOffsets";
  const std::size_t slash = dataset.find('/');
  return dataset.substr(0, slash) + "Offsets" + dataset.substr(slash);  // PointData/NAME, CellData/NAME
}

/// Name of the dataset with the number of rows of each frame in `dataset`.
std::string count_of(const std::string& dataset) {
  if (dataset == "Connectivity") return "NumberOfConnectivityIds";
  return dataset.starts_with("Point") ? "NumberOfPoints" : "NumberOfCells";
}

}  // namespace

/// The compressed chunks of one dataset.
struct HdfColumn {
  std::string dataset;
  hid_t type;
  int components;
  std::size_t rows;
  std::vector<KeptBlocks::Block> chunks;
};

struct HdfSeries::Frame {
  std::vector<HdfColumn> columns;  ///< all datasets except Offsets
  std::size_t points = 0, cells = 0, ids = 0;
  int points_per_cell = 0;
  std::size_t chunk_rows = 0;
  bool deflated = false;
};

namespace {

/// Calls HDF5 to write a file; errors name the file.
template <class F>
void writing(const OutputPath& path, const F& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("{}: cannot be written ({}); check the free space, the permissions, and that output.fields, "
                    "output.real and output.compression are those of its first frame",
                    path.string(), *error.what() ? error.what() : reason()));
  }
}

/// Initialises a file without frames, with the datasets of a given frame.
void begin_file(int descriptor, const HdfSeries::Frame& frame) {
  const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));  // of the root group
  Handle file(H5Fcreate(name_of(descriptor).c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT), H5Fclose);
  {
    const Handle root = make_group(file, "VTKHDF");
    const hsize_t two = 2;
    const int version[] = {2, 0};
    const Handle pair(H5Screate_simple(1, &two, nullptr), H5Sclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle number(H5Acreate2(root, "Version", H5T_NATIVE_INT, pair, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(number, H5T_NATIVE_INT, version));
    constexpr std::string_view type_name = "UnstructuredGrid";
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(text, type_name.size()));
    const Handle type(H5Acreate2(root, "Type", text, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(type, text, type_name.data()));

    const Handle point_data = make_group(root, "PointData"), cell_data = make_group(root, "CellData");
    const Handle steps = make_group(root, "Steps");
    const Handle point_steps = make_group(steps, "PointDataOffsets"), cell_steps = make_group(steps, "CellDataOffsets");
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"})
      make_dataset(root, name, H5T_STD_I64LE, 0, step_rows, false);
    make_dataset(root, "Offsets", H5T_STD_I32LE, 0, frame.chunk_rows, false);  // of the type of Connectivity
    make_dataset(steps, "Values", H5T_IEEE_F64LE, 0, step_rows, false);
    for (const char* name : {"PartOffsets", "NumberOfParts"})
      make_dataset(steps, name, H5T_STD_I64LE, 0, step_rows, false);
    for (const HdfColumn& column : frame.columns) {
      const bool of_geometry = column.dataset.find('/') == std::string::npos;
      make_dataset(root, column.dataset, column.type, column.components > 1 ? column.components : 0, frame.chunk_rows,
                   frame.deflated);
      make_dataset(steps, offsets_of(column.dataset), H5T_STD_I64LE, of_geometry && column.dataset != "Points" ? 1 : 0,
                   step_rows, false);
    }
    const Handle attribute(H5Acreate2(steps, "NSteps", H5T_STD_I64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    set_frames(steps, 0);
  }
  file.close();
}

void make_file(const OutputPath& path, const HdfSeries::Frame& frame) {
  TemporaryFile temporary(path);
  const OutputFile created(temporary.path(), OutputFile::Start::created);
  writing(path, [&] { begin_file(created.descriptor(), frame); });
  temporary.commit();
}

/// Appends the chunks of a column. Returns its first row.
hsize_t append_chunks(hid_t root, const HdfColumn& column, const HdfSeries::Frame& frame) {
  const Handle dataset = open_dataset(root, column.dataset);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const std::array<hsize_t, 2> size = size_of_dataset(dataset);
  const auto [chunk, is_deflated] = layout_of(dataset);
  if (H5Tequal(type, column.type) <= 0 || std::max<hsize_t>(size[1], 1) != static_cast<hsize_t>(column.components) ||
      chunk != frame.chunk_rows || is_deflated != frame.deflated)
    throw std::runtime_error("its " + column.dataset + " are others");
  const hsize_t first = (size[0] + chunk - 1) / chunk * chunk;
  set_rows(dataset, first + column.chunks.size() * chunk);
  for (std::size_t c = 0; c < column.chunks.size(); ++c) {
    const hsize_t place[] = {first + c * chunk, 0};
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, place, column.chunks[c]->size(), column.chunks[c]->data()));
  }
  return first;
}

/// Appends the ends of cells in the connectivity, starting with 0. VTK reads those of frame f from CellOffsets[f] + f,
/// because each frame has one more of them than cells. Frames therefore do not begin at chunks, and this dataset is not
/// compressed.
void append_offsets(hid_t root, hsize_t first, const HdfSeries::Frame& frame) {
  std::vector<std::int32_t> ends(frame.cells + 1);
  for (std::size_t c = 0; c < ends.size(); ++c) ends[c] = static_cast<std::int32_t>(c) * frame.points_per_cell;
  const Handle dataset = open_dataset(root, "Offsets");
  set_rows(dataset, first + ends.size());
  const hsize_t count = ends.size();
  const Handle space(H5Dget_space(dataset), H5Sclose), memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr));
  check(H5Dwrite(dataset, H5T_NATIVE_INT32, memory, space, H5P_DEFAULT, ends.data()));
}

std::vector<std::string> names_in(hid_t root, const std::string& group) {
  std::vector<std::string> names;
  const Handle opened = open_group(root, group.c_str());
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  check(H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names));
  for (std::string& name : names) name = group + "/" + name;
  return names;
}

/// The arrays of a series, as paths in the file.
std::vector<std::string> arrays_in(hid_t root) {
  std::vector<std::string> arrays;
  for (const char* group : {"PointData", "CellData"})
    for (std::string& name : names_in(root, group)) arrays.push_back(std::move(name));
  return arrays;
}

/// Throws if the frame lacks an array of the file, whose offsets would then be missing a row.
void check_none_is_missing(hid_t root, const HdfSeries::Frame& frame) {
  for (const std::string& name : arrays_in(root))
    if (std::none_of(frame.columns.begin(), frame.columns.end(),
                     [&](const HdfColumn& column) { return column.dataset == name; }))
      throw std::runtime_error("it has " + name + ", which this frame has not");
}

void append_to(const OutputFile& out, const HdfSeries::Frame& frame, double time) {
  Handle file = open(out);
  {
    const Handle root = open_group(file, "VTKHDF"), steps = open_group(root, "Steps");
    const auto number = static_cast<std::size_t>(frames_in(steps));
    check_none_is_missing(root, frame);
    for (const HdfColumn& column : frame.columns) {
      const hsize_t first = append_chunks(root, column, frame);
      put(steps, offsets_of(column.dataset), number, static_cast<std::int64_t>(first));
      if (column.dataset == "Types") append_offsets(root, first + number, frame);
    }
    put(root, "NumberOfPoints", number, static_cast<std::int64_t>(frame.points));
    put(root, "NumberOfCells", number, static_cast<std::int64_t>(frame.cells));
    put(root, "NumberOfConnectivityIds", number, static_cast<std::int64_t>(frame.ids));
    put(steps, "PartOffsets", number, static_cast<std::int64_t>(number));
    put(steps, "NumberOfParts", number, 1);
    put(steps, "Values", number, H5T_NATIVE_DOUBLE, time);
    check(H5Fflush(file, H5F_SCOPE_LOCAL));
    set_frames(steps, number + 1);
  }
  file.close();
}

/// End of the rows of the first frames in a dataset.
hsize_t end_of_rows(hid_t root, hid_t steps, const std::string& name, std::size_t frames) {
  const auto offsets = numbers_in(steps, offsets_of(name), frames), counts = numbers_in(root, count_of(name), frames);
  hsize_t end = 0;
  for (std::size_t f = 0; f < frames; ++f) end = std::max<hsize_t>(end, offsets[f] + counts[f]);
  return end;
}

/// All datasets with rows of frames except Offsets.
std::vector<std::string> datasets_in(hid_t root) {
  std::vector<std::string> datasets = arrays_in(root);
  datasets.insert(datasets.end(), {"Points", "Connectivity", "Types"});
  return datasets;
}

/// Removes the rows of later frames from a dataset.
void cut_dataset(hid_t root, hid_t steps, const std::string& name, std::size_t frames) {
  const hsize_t end = end_of_rows(root, steps, name, frames);
  const Handle dataset = open_dataset(root, name);
  const hsize_t chunk = layout_of(dataset).chunk_rows;
  set_rows(dataset, (end + chunk - 1) / chunk * chunk);
}

}  // namespace

bool built_with_hdf5() { return true; }

HdfSeries::HdfSeries(OutputPath file, Compression compression, std::size_t chunk_rows)
    : file_(std::move(file)), compression_(compression), chunk_rows_(chunk_rows) {
  // Files are closed by this program. HDF5's own exit handler crashes after a failed write.
  H5dont_atexit();
}

std::shared_ptr<const HdfSeries::Frame> HdfSeries::prepare(const Grid& grid, int threads) const {
  if (grid.connectivity.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::runtime_error(fmt::format("{}: the mesh is too large for it; set output.format to vtu", file_.string()));
  const auto frame = std::make_shared<Frame>();
  frame->points = grid.point_count();
  frame->cells = grid.cells;
  frame->ids = grid.connectivity.size();
  frame->points_per_cell = grid.points_per_cell;
  frame->chunk_rows = chunk_rows_;
  frame->deflated = compression_ != Compression::none;
  const GridArray types{"Types", 1, std::vector<std::uint8_t>(grid.cells, grid.cell_type), true};
  std::vector<std::pair<const GridArray*, std::string>> arrays{
      {&grid.points, "Points"}, {&grid.connectivity, "Connectivity"}, {&types, "Types"}};
  for (const GridArray& array : grid.point_data) arrays.emplace_back(&array, "PointData/" + array.name);
  for (const GridArray& array : grid.cell_data) arrays.emplace_back(&array, "CellData/" + array.name);

  struct Chunk {
    std::size_t column, number;
  };
  std::vector<Chunk> chunks;
  for (const auto& [array, name] : arrays) {
    const std::size_t rows = array->size() / static_cast<std::size_t>(array->components);
    frame->columns.push_back({name, type_of(*array), array->components, rows, {}});
    frame->columns.back().chunks.resize((rows + chunk_rows_ - 1) / chunk_rows_);
    for (std::size_t c = 0; c < frame->columns.back().chunks.size(); ++c)
      chunks.push_back({frame->columns.size() - 1, c});
  }
  parallel_for(threads, chunks.size(), 1, [&](std::size_t i, std::size_t) {
    const GridArray& array = *arrays[chunks[i].column].first;
    const std::size_t bytes = chunk_rows_ * static_cast<std::size_t>(array.components) * size_of(array);
    const std::size_t begin = chunks[i].number * bytes;
    std::string chunk(static_cast<const char*>(array.data()) + begin, std::min(bytes, array.bytes() - begin));
    chunk.resize(bytes, '\0');
    frame->columns[chunks[i].column].chunks[chunks[i].number] = stored(std::move(chunk), array, chunks[i].number);
  });
  return frame;
}

/// A chunk as it is stored in the file.
KeptBlocks::Block HdfSeries::stored(std::string chunk, const GridArray& array, std::size_t number) const {
  if (compression_ == Compression::none) return std::make_shared<const std::string>(std::move(chunk));
  if (array.lasting) return kept_->compressed(array.name, number, chunk, deflated);
  return std::make_shared<const std::string>(deflated(chunk));
}

void HdfSeries::append(const Frame& frame, double time) {
  const Quiet quiet;
  file_.directory().check_is_there();
  if (out_) out_->check_is_there();
  if (!size_of(file_)) make_file(file_, frame);
  if (!out_) out_.emplace(file_, OutputFile::Start::at_end);
  writing(file_, [&] { append_to(*out_, frame, time); });
}

/// @param said  reason; empty: that of the last HDF5 error
void HdfSeries::fail_to_read(const std::string& said) const {
  throw InputError(fmt::format("{}: its frames cannot be read ({}), so it cannot be continued; run without --resume",
                               file_.string(), said.empty() ? reason() : said));
}

std::size_t HdfSeries::frames() const {
  const Quiet quiet;
  try {
    const Handle file = open(file_);
    const Handle root = open_group(file, "VTKHDF"), steps = open_group(root, "Steps");
    const auto frames = static_cast<std::size_t>(frames_in(steps));
    for (const std::string& name : datasets_in(root))
      if (frames > 0 && size_of_dataset(open_dataset(root, name))[0] < end_of_rows(root, steps, name, frames))
        throw std::runtime_error("rows of " + name + " are missing");
    return frames;
  } catch (const std::runtime_error& error) {
    fail_to_read(error.what());
  }
}

void HdfSeries::check_has(std::size_t wanted) const {
  const std::size_t found = frames();
  if (found >= wanted) return;
  throw InputError(
      fmt::format("{}: it has {} frames and the checkpoint names {}, so it cannot be continued; run "
                  "without --resume",
                  file_.string(), found, wanted));
}

void HdfSeries::cut(std::size_t frames) {
  check_has(frames);
  out_.emplace(file_, OutputFile::Start::at_end);
  const Quiet quiet;
  try {
    Handle file = open(*out_);
    {
      const Handle root = open_group(file, "VTKHDF"), steps = open_group(root, "Steps");
      set_frames(steps, frames);
      check(H5Fflush(file, H5F_SCOPE_LOCAL));
      for (const std::string& name : datasets_in(root)) cut_dataset(root, steps, name, frames);
    }
    file.close();
  } catch (const std::runtime_error& error) {
    fail_to_read(error.what());
  }
}

}  // namespace cleave
