/// What several ranks have found in a check becomes the result of all.
#include "fracture/found_facets.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "backend/backend.hpp"
#include "backend/models.hpp"

namespace cleave::test {
namespace {

constexpr Index most = FoundByRank::most, elements = 3 * most;

/// A check that has found these elements, and what there is on a rank.
struct Check {
  Backend::Buffer<Index> numbers;  ///< check_skipped, facets, elements
  Backend::Buffer<FaultRecord> fault;
  Backend::Buffer<Index> found;
  Backend::Buffer<std::uint8_t> bits;
  Backend::Buffer<Real> scale;
  Backend::Buffer<LoadBits> load;  ///< the largest so far

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
    numbers.upload({0, facets, static_cast<Index>(own.size())});
    fault.upload({FaultRecord{}});
    found.upload(listed);
    bits.upload(all_bits);
    scale.upload(scales);
    load.upload({0});
  }
  static std::uint8_t bits_of(Index e) { return static_cast<std::uint8_t>(1 + e % 7); }
  static Index facets_of(Index e) { return (bits_of(e) & 1) + (bits_of(e) >> 1 & 1) + (bits_of(e) >> 2); }
  static Real scale_of(Index e, int k) { return Real(1) + Real(e) / 1024 + Real(k) / 4; }

  CheckResult result() {
    Index* const n = numbers.data();
    return {n, n + 1, n + 2, fault.data(), found.data(), bits.data(), scale.data(), load.data()};
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
    backend.launch(NoteFound{own.result(), of.data() + r});
    backend.synchronise();
  }
  Check all(found[2]);
  all.load.upload({load_bits(before)});
  backend.launch(JoinFound{all.result(), of.data(), static_cast<int>(found.size()), DeviceGate::always()});

  Index facets = 0;
  std::vector<Index> expected;
  for (const auto& list : found)
    for (const Index e : list) {
      facets += Check::facets_of(e);
      expected.push_back(e);
    }
  const auto numbers = all.numbers.download(3);
  CHECK(numbers[1] == facets);
  CHECK(numbers[2] == in_all);
  const FaultRecord fault = all.fault.download(1).front();
  CHECK(fault.code == 1);  // of the first rank that has one
  CHECK(fault.element == 41);
  CHECK(all.load.download(1)[0] == load_bits(std::max(before, Real(3))));
  if (in_all > most) return;  // the host tells the rest
  const auto listed = all.found.download(most);
  CHECK(std::vector<Index>(listed.begin(), listed.begin() + in_all) == expected);
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
  backend.launch(NoteFound{own.result(), of.data() + 1});
  own.numbers.upload({1, 77, 5});
  backend.launch(NoteFound{own.result(), of.data()});
  backend.launch(JoinFound{own.result(), of.data(), 2, DeviceGate::always()});
  CHECK(of.download(2)[0].facets == 0);
  CHECK(own.numbers.download(3) == std::vector<Index>{1, 77, 5});
}

TEST_CASE("nothing is added without messages from other ranks", "[fracture][ranks]") {
  Backend backend;
  const Index near = GENERATE(0, 1);
  Backend::Buffer<FoundByRank> of;
  of.upload(std::vector<FoundByRank>(2));
  Check before(some(0, 5));
  backend.launch(NoteFound{before.result(), of.data()});
  Check now;
  Backend::Buffer<Index> flag;
  flag.upload({near});
  backend.launch(JoinFound{now.result(), of.data(), 2, DeviceGate::open_if(flag.data())});
  CHECK(now.numbers.download(3)[2] == (near == 0 ? 0 : 5));
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
  backend.launch(NoteFound{here.result(), noted.data()});
  backend.launch(ListFound{here.result(), {10, elements - 1}, noted.data(), count.data(), found.data()});
  CHECK(count.download(1)[0] == static_cast<Index>(own.size()));

  backend.launch(TakeFound{there.result(), found.data(), static_cast<Index>(own.size())});
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
  here.numbers.upload({0, 0, 0});  // the facet filter has not run: bits are those of the check before
  Backend::Buffer<Index> count;
  Backend::Buffer<FoundFacets> found;
  Backend::Buffer<FoundByRank> noted;
  count.upload({0});
  found.upload({FoundFacets{-7, 0, {1, 1, 1}}});
  noted.upload(std::vector<FoundByRank>(1));
  backend.launch(NoteFound{here.result(), noted.data()});
  backend.launch(ListFound{here.result(), {0, elements}, noted.data(), count.data(), found.data()});
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
