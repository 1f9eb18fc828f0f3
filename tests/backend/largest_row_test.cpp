/// The largest of the deformations of blocks.
#include <catch2/catch.hpp>
#include <vector>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "terms/bulk/largest_deformation.hpp"

namespace cleave::test {
namespace {

/// Rows of which each value comes several times.
std::vector<DeformationRow> some_rows(Index count) {
  std::vector<DeformationRow> rows;
  for (Index i = 0; i < count; ++i) {
    const auto random = static_cast<unsigned>(i) * 2654435761u;
    rows.push_back({static_cast<double>(random % 97), static_cast<double>(random / 128 % 89), 3 * i, 3 * i + 1});
  }
  return rows;
}

}  // namespace

TEST_CASE("the largest of all rows becomes the first", "[deformation]") {
  Backend backend;
  for (const Index count : {1, 2, 31, 33, 255, 256, 257, 600, 4097}) {
    CAPTURE(count);
    const std::vector<DeformationRow> rows = some_rows(count);
    Index strain = 0, turn = 0;
    for (Index i = 1; i < count; ++i) {
      if (rows[i].strain > rows[strain].strain) strain = i;
      if (rows[i].turn > rows[turn].turn) turn = i;
    }
    Backend::Buffer<DeformationRow> in_memory;
    in_memory.upload(rows);
    backend.launch(LargestRow{in_memory.data(), count});
    const DeformationRow all = in_memory.download(1).front();
    CHECK(all.strain == rows[strain].strain);
    CHECK(all.strain_element == rows[strain].strain_element);
    CHECK(all.turn == rows[turn].turn);
    CHECK(all.turn_element == rows[turn].turn_element);
  }
}

}  // namespace cleave::test
