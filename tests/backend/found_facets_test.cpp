/// What several ranks have found in a check becomes the result of all.
#include "fracture/found_facets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "backend/models.hpp"

namespace cleave::test {
namespace {

constexpr Index most = FoundByRank::most, elements = 3 * most;

using Rows = ElementTable<T3>;

/// Whether there is room, by the host.
struct Room {
  bool there;
  CLEAVE_HD bool operator()() const { return there; }
};

/// A check that has found these elements, and what there is on a rank.
struct Check {
  Backend::Buffer<Index> numbers;  ///< check_skipped, facets and elements of all, facets and elements here
  Backend::Buffer<FaultRecord> fault;
  Backend::Buffer<Index> found;
  Backend::Buffer<std::uint8_t> bits;
  Backend::Buffer<Real> scale;
  Backend::Buffer<LoadBits> load;  ///< the largest so far
  Backend::Buffer<Index> neighbours;
  Backend::Buffer<PartRun> runs;

  explicit Check(const std::vector<Index>& own = {}) {
    std::vector<std::uint8_t> all_bits(elements, 0);
    std::vector<Index> listed(most, -7);
    std::vector<Real> scales(3 * static_cast<std::size_t>(elements), Real(0.5));
    Index facets = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Index e = own[i];
      if (i < listed.size()) listed[i] = e;
      all_bits[e] = bits_of(e);
      facets += facets_of(e);
      for (int k = 0; k < 3; ++k) scales[facet_code(e, k)] = scale_of(e, k);
    }
    numbers.upload({0, facets, static_cast<Index>(own.size()), -7, -7});
    fault.upload({FaultRecord{}});
    found.upload(listed);
    bits.upload(all_bits);
    scale.upload(scales);
    load.upload({0});
    neighbours.upload(std::vector<Index>(Rows::Neighbours::extent(elements), 0));
    runs.upload({{0, 0, elements}});
  }
  static std::uint8_t bits_of(Index e) { return static_cast<std::uint8_t>(1 + e % 7); }
  static Index facets_of(Index e) { return (bits_of(e) & 1) + (bits_of(e) >> 1 & 1) + (bits_of(e) >> 2); }
  static Real scale_of(Index e, int k) { return Real(1) + Real(e) / 1024 + Real(k) / 4; }

  CheckResult result() {
    Index* const n = numbers.data();
    return {n, {n + 1, n + 2}, {n + 3, n + 4}, fault.data(), found.data(), bits.data(), scale.data(), load.data()};
  }
  PartIds ids() const { return {runs.data(), static_cast<Index>(runs.size())}; }
  NoteFound<Room> note(FoundByRank* own, bool has_room = true) { return {result(), ids(), {has_room}, own}; }
  TakenFacets<T3> taken() { return {result(), ids(), {.neighbours = {neighbours.data()}}}; }
  JoinFound<T3> join(const FoundByRank* of, int ranks, DeviceGate gate = DeviceGate::always()) {
    return {taken(), of, ranks, gate};
  }
};

/// What a rank tells others of a stress near the strength.
struct GiveNear {
  static constexpr KernelTraits traits{.name = "given"};
  SharedNear near;
  Index* given;
  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index i) const { given[i] = near.give(i); }
};

/// `count` elements from `first` on, every second one.
std::vector<Index> some(Index first, Index count) {
  std::vector<Index> all;
  for (Index i = 0; i < count; ++i) all.push_back(first + 2 * i);
  return all;
}

}  // namespace

TEST_CASE("the facets found by all ranks in a check become the result of each", "[fracture][ranks]") {
  Backend backend;
  const Index in_all = GENERATE(0, 1, 31, 33, most - 1, most, most + 1, 2 * most);
  const std::vector<std::vector<Index>> found{some(0, in_all / 2), {}, some(1, in_all - in_all / 2)};
  // The largest load is that of any rank, or the largest before.
  const Real before = GENERATE(Real(0), Real(1.25), Real(4)), loads[] = {Real(1.0625), Real(3), Real(1.5)};
  Backend::Buffer<FoundByRank> of;
  of.upload(std::vector<FoundByRank>(found.size()));
  for (std::size_t r = 0; r < found.size(); ++r) {
    Check own(found[r]);
    if (r > 0) own.fault.upload({FaultRecord{static_cast<Index>(r), 40 + static_cast<Index>(r), 9}});
    own.load.upload({load_bits(loads[r])});
    backend.launch(own.note(of.data() + r));
    backend.synchronise();
  }
  Check all(found[2]);
  all.load.upload({load_bits(before)});
  backend.launch(all.join(of.data(), static_cast<int>(found.size())));

  Index facets = 0;
  std::vector<Index> expected;
  for (const auto& list : found)
    for (const Index e : list) {
      facets += Check::facets_of(e);
      expected.push_back(e);
    }
  const auto numbers = all.numbers.download(5);
  CHECK(numbers[0] == 0);
  CHECK(numbers[1] == facets);
  CHECK(numbers[2] == in_all);
  const FaultRecord fault = all.fault.download(1).front();
  CHECK(fault.code == 1);  // of the first rank that has one
  CHECK(fault.element == 41);
  CHECK(fault.in_body == 1);
  CHECK(all.load.download(1)[0] == load_bits(std::max(before, Real(3))));
  if (in_all > most) return;  // the host tells the rest
  CHECK(numbers[3] == facets);
  CHECK(numbers[4] == in_all);
  auto listed = all.found.download(most);  // in any order
  listed.resize(in_all);
  std::sort(listed.begin(), listed.end());
  std::sort(expected.begin(), expected.end());
  CHECK(listed == expected);
  const auto bits = all.bits.download(elements);
  const auto scale = all.scale.download(3 * static_cast<std::size_t>(elements));
  for (const Index e : expected) {
    CHECK(bits[e] == Check::bits_of(e));
    for (int k = 0; k < 3; ++k) CHECK(scale[facet_code(e, k)] == Check::scale_of(e, k));
  }
  CHECK(bits[elements - 1] == 0);
  CHECK(scale.back() == Real(0.5));
}

TEST_CASE("an inactive check does not change earlier results", "[fracture][ranks]") {
  Backend backend;
  Backend::Buffer<FoundByRank> of;
  of.upload(std::vector<FoundByRank>(2));
  Check own(some(0, 5));
  backend.launch(own.note(of.data() + 1));
  own.numbers.upload({1, 77, 5, 3, 2});
  backend.launch(own.note(of.data()));
  backend.launch(own.join(of.data(), 2));
  CHECK(of.download(2)[0].facets == 0);
  CHECK(own.numbers.download(5) == std::vector<Index>{1, 77, 5, 3, 2});
}

TEST_CASE("nothing is added without messages from other ranks", "[fracture][ranks]") {
  Backend backend;
  const Index near = GENERATE(0, 1);
  Backend::Buffer<FoundByRank> of;
  of.upload(std::vector<FoundByRank>(2));
  Check before(some(0, 5));
  backend.launch(before.note(of.data()));
  Check now;
  Backend::Buffer<Index> flag;
  flag.upload({near});
  backend.launch(now.join(of.data(), 2, DeviceGate::open_if(flag.data())));
  CHECK(now.numbers.download(3)[2] == (near == 0 ? 0 : 5));
}

TEST_CASE("a rank cuts the facets of which it has both sides, in its own ids", "[fracture][ranks]") {
  Backend backend;
  const std::vector<Index> in_body{100, 101, 102, 400, 401};
  Check finder(in_body), part;
  part.runs.upload({{101, 0, 2}, {401, 2, 3}});  // has 101, 102 and 401 as 0, 1 and 2
  std::vector<Index> neighbours = part.neighbours.download(Rows::Neighbours::extent(elements));
  Rows{.neighbours = {neighbours.data()}}.neighbour(1, 0) = boundary_facet;  // the part lacks what lies behind
  part.neighbours.upload(neighbours);
  Backend::Buffer<FoundByRank> of;
  of.upload(std::vector<FoundByRank>(2));
  const bool has_room = GENERATE(true, false);
  finder.fault.upload({FaultRecord{1, 7, 9}});
  backend.launch(finder.note(of.data(), has_room));
  Check finds_nothing;
  finds_nothing.runs.upload({{101, 0, 2}, {401, 2, 3}});
  backend.launch(finds_nothing.note(of.data() + 1));
  backend.launch(part.join(of.data(), 2));
  const auto numbers = part.numbers.download(5);
  CHECK(numbers[0] == (has_room ? 0 : 1));  // facets wait for the host
  CHECK(numbers[2] == 5);
  const auto bits = part.bits.download(elements);
  const Index kept = Check::bits_of(102) & ~1;
  CHECK(bits[0] == Check::bits_of(101));
  CHECK(bits[1] == kept);
  CHECK(bits[2] == Check::bits_of(401));
  CHECK(numbers[3] == Check::facets_of(101) + (kept >> 1 & 1) + (kept >> 2) + Check::facets_of(401));
  auto listed = part.found.download(most);
  listed.resize(numbers[4]);
  std::sort(listed.begin(), listed.end());
  CHECK(listed == (kept == 0 ? std::vector<Index>{0, 2} : std::vector<Index>{0, 1, 2}));
  CHECK(part.fault.download(1)[0].element == 7);
  // A fault of an own element gets its id in the body, once.
  part.numbers.upload({0, 0, 0, 0, 0});
  part.fault.upload({FaultRecord{1, 2, 9}});
  for (int turn = 0; turn < 2; ++turn) {
    backend.launch(part.note(of.data() + 1));
    part.fault.upload({of.download(2)[1].fault});
    CHECK(part.fault.download(1)[0].element == 401);
  }
}

TEST_CASE("facets that exceed a message between devices become the result of all ranks", "[fracture][ranks]") {
  Backend backend;
  const std::vector<Index> own = some(10, most + 7), others = some(11, 3);
  Check here(own), there(others);
  here.bits.upload([&] {
    std::vector<std::uint8_t> bits = here.bits.download(elements);
    bits[2] = bits[elements - 1] = 1;  // out of the range of this rank
    return bits;
  }());
  Backend::Buffer<Index> count;
  Backend::Buffer<FoundFacets> found;
  Backend::Buffer<FoundByRank> noted;
  count.upload({0});
  found.resize(own.size());
  noted.upload(std::vector<FoundByRank>(1));
  backend.launch(here.note(noted.data()));
  backend.launch(ListFound{here.result(), here.ids(), {10, elements - 1}, noted.data(), count.data(), found.data()});
  CHECK(count.download(1)[0] == static_cast<Index>(own.size()));

  there.numbers.upload({0, 0, 0, 0, 0});
  backend.launch(TakeFound<T3>{there.taken(), found.data(), static_cast<Index>(own.size())});
  Index facets = 0;
  for (const Index e : own) facets += Check::facets_of(e);
  CHECK(there.numbers.download(5)[3] == facets);
  const auto bits = there.bits.download(elements);
  const auto scale = there.scale.download(3 * static_cast<std::size_t>(elements));
  for (const auto& list : {own, others})
    for (const Index e : list) {
      CHECK(bits[e] == Check::bits_of(e));
      for (int k = 0; k < 3; ++k) CHECK(scale[facet_code(e, k)] == Check::scale_of(e, k));
    }
  CHECK(bits[2] == 0);
  CHECK(scale[facet_code(2, 0)] == Real(0.5));
}

TEST_CASE("a rank without found facets lists none of an earlier check", "[fracture][ranks]") {
  Backend backend;
  Check here(some(10, most + 7));
  here.numbers.upload({0, 0, 0, 0, 0});  // the facet filter has not run: bits are those of the check before
  Backend::Buffer<Index> count;
  Backend::Buffer<FoundFacets> found;
  Backend::Buffer<FoundByRank> noted;
  count.upload({0});
  found.upload({FoundFacets{-7, 0, {1, 1, 1}}});
  noted.upload(std::vector<FoundByRank>(1));
  backend.launch(here.note(noted.data()));
  backend.launch(ListFound{here.result(), here.ids(), {0, elements}, noted.data(), count.data(), found.data()});
  CHECK(count.download(1)[0] == 0);
  CHECK(found.download(1)[0].element == -7);
}

TEST_CASE("a rank with a fault makes all ranks exchange", "[fracture][ranks]") {
  Backend backend;
  const Index code = GENERATE(0, 1);
  Backend::Buffer<Index> near, given;
  Backend::Buffer<FaultRecord> fault;
  near.upload({0});
  given.upload({-1});
  fault.upload({FaultRecord{code, 5, 9}});
  backend.launch(GiveNear{{near.data(), fault.data()}, given.data()});
  CHECK(given.download(1)[0] == code);
  CHECK(near.download(1)[0] == code);
}

}  // namespace cleave::test
