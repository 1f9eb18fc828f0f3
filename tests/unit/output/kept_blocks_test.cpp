#include "cleave/output/kept_blocks.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "cleave/output/vtk.hpp"
#include "cleave/output/vtkhdf.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

/// Counts how often something is compressed.
struct Counting {
  std::atomic<int>& calls;
  std::string operator()(std::string_view raw) const {
    ++calls;
    return "<" + std::string(raw) + ">";
  }
};

/// Many copies of two triangles, of which a frame has some more than the one before.
Snapshot body(std::size_t copies, double velocity) {
  Snapshot s = two_triangles(ElementType::t3);
  const Snapshot once = s;
  for (std::size_t k = 1; k < copies; ++k) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const auto nodes = static_cast<Index>(s.position.size());
    append(s.position, once.position), append(s.displacement, once.displacement), append(s.velocity, once.velocity);
    append(s.nodal_stress, once.nodal_stress), append(s.element_stress, once.element_stress);
    append(s.energy_density, once.energy_density);
    for (const Index n : once.elements) s.elements.push_back(n + nodes);
  }
  for (std::size_t n = 0; n < s.position.size(); ++n) s.position[n].x += 1.0 / static_cast<double>(n + 1);
  for (Point& v : s.velocity) v.x = velocity;
  return s;
}

Grid grid_of(const Snapshot& s) {
  const Mesh mesh = mesh_of(s);
  return bulk_grid(s, mesh, mesh.original_elements);
}

}  // namespace

TEST_CASE("a block is compressed once, until its bytes change") {
  KeptBlocks kept;
  std::atomic<int> calls = 0;
  const Counting compress{calls};
  const KeptBlocks::Block first = kept.compressed("a", 0, "one", compress);
  CHECK(*first == "<one>");
  CHECK(kept.compressed("a", 0, "one", compress) == first);
  CHECK(calls == 1);
  CHECK(*kept.compressed("a", 1, "two", compress) == "<two>");
  CHECK(*kept.compressed("b", 0, "one", compress) == "<one>");
  CHECK(calls == 3);
  CHECK(*kept.compressed("a", 0, "on", compress) == "<on>");
  CHECK(*kept.compressed("a", 0, "one", compress) == "<one>");  // only the last is kept
  CHECK(calls == 5);
  CHECK(*first == "<one>");
}

TEST_CASE("many threads get the blocks of their own bytes") {
  KeptBlocks kept;
  std::atomic<int> calls = 0, wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 2000; ++i) {
          const std::string raw = std::to_string(i % 5 == 0 ? t : -1);
          wrong += *kept.compressed("a", static_cast<std::size_t>(i % 3), raw, Counting{calls}) != "<" + raw + ">";
        }
      });
  }
  CHECK(wrong == 0);
  CHECK(calls < 16'000);
}

TEST_CASE("frames have the same bytes with and without blocks of earlier frames") {
  const TemporaryDirectory directory;
  const Compression compression = GENERATE(Compression::zlib, Compression::lz4, Compression::none);
  KeptBlocks kept;
  Grid grid;
  for (const std::size_t copies : {4000, 4000, 4100, 9000, 4000}) {
    grid = grid_of(body(copies, static_cast<double>(copies)));
    write_vtu(directory / "alone.vtu", grid, compression);
    write_vtu(directory / "kept.vtu", grid, compression, 3, &kept);
    CHECK(text_of(directory / "kept.vtu") == text_of(directory / "alone.vtu"));
  }
  if (compression == Compression::none) return;
  std::atomic<int> calls = 0;
  const auto* values = static_cast<const char*>(grid.points.data());
  for (std::size_t b = 0; b < grid.points.bytes() / (32 << 10); ++b)
    kept.compressed("Points", b, {values + b * (32 << 10), 32 << 10}, Counting{calls});
  CHECK(calls == 0);
}

TEST_CASE("a VTKHDF series has the same bytes with and without shared blocks") {
  if (!built_with_hdf5()) return;
  const TemporaryDirectory directory;
  HdfSeries one(directory / "one.vtkhdf", Compression::zlib, 1024);
  for (const std::size_t copies : {4000, 4000, 4100}) {
    HdfSeries other(directory / "other.vtkhdf", Compression::zlib, 1024);  // made anew, it has kept nothing
    const Grid grid = grid_of(body(copies, static_cast<double>(copies)));
    one.append(*one.prepare(grid, 2), static_cast<double>(copies));
    other.append(*other.prepare(grid, 1), static_cast<double>(copies));
  }
  CHECK(text_of(directory / "one.vtkhdf") == text_of(directory / "other.vtkhdf"));
}
