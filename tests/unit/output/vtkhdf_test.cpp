/// Reads back with the HDF5 library alone what HdfSeries has written. VTK before 9.3 reads no series of this format.
#include "cleave/output/vtkhdf.hpp"

#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "two_triangles.hpp"

#if CLEAVE_HAS_HDF5
#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <unistd.h>

using namespace cleave;
using namespace cleave::test;

namespace {

/// `count` rows of a dataset from `first` on.
std::vector<double> rows(const std::filesystem::path& file, const std::string& dataset, hsize_t first, hsize_t count) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(opened >= 0);
  const hid_t data = H5Dopen2(opened, ("VTKHDF/" + dataset).c_str(), H5P_DEFAULT), space = H5Dget_space(data);
  hsize_t size[2] = {0, 1};
  H5Sget_simple_extent_dims(space, size, nullptr);
  REQUIRE(first + count <= size[0]);
  const hsize_t start[] = {first, 0}, extent[] = {count, size[1]}, total = count * size[1];
  const hid_t memory = H5Screate_simple(1, &total, nullptr);
  std::vector<double> values(total);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, extent, nullptr);
  CHECK(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()) >= 0);
  H5Sclose(memory), H5Sclose(space), H5Dclose(data), H5Fclose(opened);
  return values;
}

hsize_t number(const std::filesystem::path& file, const std::string& dataset, hsize_t frame) {
  return static_cast<hsize_t>(rows(file, dataset, frame, 1).at(0));
}

std::int64_t steps(const std::filesystem::path& file) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(opened >= 0);
  const hid_t attribute = H5Aopen_by_name(opened, "VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT);
  std::int64_t value = -1;
  H5Aread(attribute, H5T_NATIVE_INT64, &value);
  H5Aclose(attribute), H5Fclose(opened);
  return value;
}

/// Sets the number of complete frames, as if the program had been killed before it was raised.
void set_steps(const std::filesystem::path& file, std::int64_t value) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(opened, "VTKHDF/Steps", H5P_DEFAULT), attribute = H5Aopen(group, "NSteps", H5P_DEFAULT);
  REQUIRE(H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0);
  H5Aclose(attribute), H5Gclose(group), H5Fclose(opened);
}

std::vector<double> doubles(const GridArray& array) {
  return std::visit([](const auto& v) { return std::vector<double>(v.begin(), v.end()); }, array.values);
}

/// A body that grows: frame k has 2 * (k + 1) triangles, and other numbers in each frame.
Grid grid_of(int frame, Precision real = Precision::double_precision) {
  Snapshot s = two_triangles(ElementType::t6);
  const Snapshot once = s;
  for (int k = 0; k < frame; ++k) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const auto nodes = static_cast<Index>(s.position.size());
    append(s.position, once.position), append(s.displacement, once.displacement), append(s.velocity, once.velocity);
    append(s.nodal_stress, once.nodal_stress), append(s.element_stress, once.element_stress);
    append(s.energy_density, once.energy_density);
    for (const Index n : once.elements) s.elements.push_back(n + nodes);
  }
  for (Point& v : s.velocity) v.x += frame;
  const Mesh mesh = mesh_of(s);
  return bulk_grid(s, mesh, mesh.original_elements, {real, {}, 1});
}

void check_frame(const std::filesystem::path& file, hsize_t frame, const Grid& grid, double time) {
  INFO("frame " << frame);
  REQUIRE(static_cast<hsize_t>(steps(file)) > frame);
  CHECK(rows(file, "Steps/Values", frame, 1) == std::vector<double>{time});
  CHECK(number(file, "Steps/NumberOfParts", frame) == 1);
  CHECK(number(file, "Steps/PartOffsets", frame) == frame);
  const hsize_t points = number(file, "NumberOfPoints", frame), cells = number(file, "NumberOfCells", frame);
  REQUIRE(points == grid.point_count());
  REQUIRE(cells == grid.cells);
  REQUIRE(number(file, "NumberOfConnectivityIds", frame) == grid.connectivity.size());
  CHECK(rows(file, "Points", number(file, "Steps/PointOffsets", frame), points) == doubles(grid.points));
  CHECK(rows(file, "Connectivity", number(file, "Steps/ConnectivityIdOffsets", frame), grid.connectivity.size()) ==
        doubles(grid.connectivity));
  const hsize_t first_cell = number(file, "Steps/CellOffsets", frame);
  CHECK(rows(file, "Types", first_cell, cells) == std::vector<double>(cells, grid.cell_type));
  const std::vector<double> ends = rows(file, "Offsets", first_cell + frame, cells + 1);  // where VTK looks for them
  for (std::size_t c = 0; c < ends.size(); ++c) CHECK(ends[c] == static_cast<double>(6 * c));
  for (const GridArray& array : grid.point_data)
    CHECK(rows(file, "PointData/" + array.name, number(file, "Steps/PointDataOffsets/" + array.name, frame), points) ==
          doubles(array));
  for (const GridArray& array : grid.cell_data)
    CHECK(rows(file, "CellData/" + array.name, number(file, "Steps/CellDataOffsets/" + array.name, frame), cells) ==
          doubles(array));
}

}  // namespace

TEST_CASE("a VTKHDF series returns every frame") {
  const TemporaryDirectory directory;
  const Compression compression = GENERATE(Compression::zlib, Compression::none);
  const Precision real = GENERATE(Precision::single_precision, Precision::double_precision);
  const std::filesystem::path file = directory / "new/bulk.vtkhdf";
  HdfSeries series(file, compression, 4);  // some chunks a frame, the last one not full
  for (int frame = 0; frame < 4; ++frame) series.append(*series.prepare(grid_of(frame, real), 2), 1e-7 * frame);
  REQUIRE(steps(file) == 4);
  for (int frame = 0; frame < 4; ++frame)
    check_frame(file, static_cast<hsize_t>(frame), grid_of(frame, real), 1e-7 * frame);
}

TEST_CASE("a VTKHDF series may begin with an empty frame") {
  const TemporaryDirectory directory;
  Snapshot intact = two_triangles(ElementType::t6);
  intact.cohesive.clear();
  HdfSeries series(directory / "cracks.vtkhdf", Compression::zlib, 4);
  series.append(*series.prepare(cracks_grid(intact), 1), 0);
  series.append(*series.prepare(cracks_grid(two_triangles(ElementType::t6)), 1), 1);
  CHECK(number(directory / "cracks.vtkhdf", "NumberOfCells", 0) == 0);
  CHECK(number(directory / "cracks.vtkhdf", "NumberOfCells", 1) == 1);
  const hsize_t first = number(directory / "cracks.vtkhdf", "Steps/CellDataOffsets/insertion_step", 1);
  CHECK(rows(directory / "cracks.vtkhdf", "CellData/insertion_step", first, 1) == std::vector<double>{5e9});
}

TEST_CASE("a VTKHDF series is cut to its first frames and continues") {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "bulk.vtkhdf";
  HdfSeries series(file, Compression::zlib, 4);
  for (int frame = 0; frame < 4; ++frame) series.append(*series.prepare(grid_of(frame), 1), frame);
  const bool killed = GENERATE(false, true);
  if (killed) set_steps(file, 3);
  series.cut(2);
  CHECK(steps(file) == 2);
  for (int frame = 2; frame < 5; ++frame) series.append(*series.prepare(grid_of(frame + 1), 1), 10 + frame);
  for (int frame = 0; frame < 5; ++frame)
    check_frame(file, static_cast<hsize_t>(frame), grid_of(frame < 2 ? frame : frame + 1),
                frame < 2 ? frame : 10 + frame);
  CHECK_THROWS_AS(series.cut(6), InputError);
  CHECK_THROWS_WITH(series.cut(6), Catch::Contains("it has 5 frames and the checkpoint names 6"));
  CHECK_THROWS_WITH(HdfSeries(directory / "absent.vtkhdf", Compression::zlib, 4).cut(1),
                    Catch::Contains("absent.vtkhdf: its frames cannot be read"));
}

TEST_CASE("a VTKHDF series grows while another program reads it") {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "bulk.vtkhdf";
  HdfSeries series(file, Compression::zlib, 4);
  series.append(*series.prepare(grid_of(0), 1), 0);
  // As the library locks a file that is read.
  const int reader = open(file.c_str(), O_RDONLY);
  REQUIRE(flock(reader, LOCK_SH | LOCK_NB) == 0);
  CHECK_NOTHROW(series.append(*series.prepare(grid_of(1), 1), 1));
  CHECK_NOTHROW(series.cut(1));
  close(reader);
  CHECK(steps(file) == 1);
}

TEST_CASE("a frame with other arrays than the series is refused") {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "bulk.vtkhdf";
  HdfSeries(file, Compression::zlib, 4).append(*HdfSeries(file, Compression::zlib, 4).prepare(grid_of(0), 1), 0);
  const auto append = [&](Compression compression, const Grid& grid) {
    HdfSeries series(file, compression, 4);
    series.append(*series.prepare(grid, 1), 1);
  };
  CHECK_THROWS_WITH(append(Compression::none, grid_of(0)), Catch::Contains("bulk.vtkhdf: cannot be written"));
  CHECK_THROWS_WITH(append(Compression::zlib, grid_of(0, Precision::single_precision)),
                    Catch::Contains("PointData/displacement are others"));
  Grid more = grid_of(0);
  more.cell_data.push_back(more.cell_data.front());
  more.cell_data.back().name = "new";
  CHECK_THROWS_WITH(append(Compression::zlib, more), Catch::Contains("output.fields"));
  Grid fewer = grid_of(0);
  fewer.cell_data.pop_back();
  CHECK_THROWS_WITH(
      append(Compression::zlib, fewer),
      Catch::Contains("it has CellData/" + grid_of(0).cell_data.back().name) && Catch::Contains("output.fields"));
  CHECK(steps(file) == 1);
  append(Compression::zlib, grid_of(1));
  check_frame(file, 1, grid_of(1), 1);
}
#else
TEST_CASE("a program without HDF5 says so") { CHECK_FALSE(cleave::built_with_hdf5()); }
#endif
