/// Search for contact candidates in clouds of triangles, against all pairs.
#include <catch2/catch.hpp>
#include <numeric>

#include "backend/contact_cloud.hpp"
#include "terms/contact/candidate_search.hpp"

namespace cleave::contact_search_test {

/// Copies rows to where the host can download them.
struct CopyRows {
  static constexpr KernelTraits traits{.name = "copy of rows"};
  IdRows rows;
  Index *first, *ids, count, entries;

  CLEAVE_HD Index size() const { return count + 1 > entries ? count + 1 : entries; }
  CLEAVE_HD void operator()(Index i) const {
    if (i <= count) first[i] = rows.first[i];
    if (i < entries) ids[i] = rows.ids[i];
  }
};

}  // namespace cleave::contact_search_test

namespace cleave::test {
namespace {

using contact_search_test::CopyRows;

/// All pairs of a point and a part in whose box it lies.
std::vector<std::vector<Index>> all_candidates(const ContactCloud& cloud, Real skin) {
  std::vector<std::vector<Index>> rows(cloud.points());
  for (Index point = 0; point < cloud.points(); ++point)
    for (Index part = 0; part < cloud.parts(); ++part)
      if (cloud.has_point(point) && cloud.is_exposed(part) &&
          box_of(cloud, part, skin).has(cloud.place(point).position(cloud)))
        rows[point].push_back(part);
  return rows;
}

/// Rows of ids on the host.
std::vector<std::vector<Index>> rows_of(const IdRows& there, Index count, Index entries) {
  Backend backend;
  Backend::Buffer<Index> first, ids;
  first.resize(count + 1);
  ids.resize(entries + 1);
  backend.launch(CopyRows{there, first.data(), ids.data(), count, entries});
  const auto begin = first.download(count + 1), all = ids.download(entries);
  CHECK(begin[0] == 0);
  CHECK(begin[count] == entries);
  std::vector<std::vector<Index>> rows(count);
  for (Index i = 0; i < count; ++i) rows[i].assign(all.begin() + begin[i], all.begin() + begin[i + 1]);
  return rows;
}

/// The same pairs by their second id.
std::vector<std::vector<Index>> transposed(const std::vector<std::vector<Index>>& rows, Index count) {
  std::vector<std::vector<Index>> other(count);
  for (Index i = 0; i < static_cast<Index>(rows.size()); ++i)
    for (const Index id : rows[i]) other[id].push_back(i);
  return other;
}

}  // namespace

TEST_CASE("the search finds all pairs of near points and parts, in rising rows", "[contact]") {
  const auto [count, width, height, size] =
      GENERATE(std::tuple{1, 1.0, 1.0, 1.0}, std::tuple{40, 1.0, 1.0, 0.5}, std::tuple{300, 5.0, 2.0, 0.4},
               std::tuple{300, 1e4, 1.0, 0.5}, std::tuple{200, 1e-6, 1e-6, 1e-3});
  CAPTURE(count, width);
  const CloudOnHost cloud = random_cloud(count, count, width, height, size);
  const Real skin = Real(0.1 * size);
  Backend backend;
  CandidateSearch<Backend> search;
  search.build(backend, CloudOnDevice(cloud).there(), skin);
  const ContactCloud here = cloud.here();
  const auto expected = all_candidates(here, skin);
  CHECK((rows_of(search.candidates(), here.points(), search.pairs()) == expected));
  CHECK((rows_of(search.points_of_parts(), here.parts(), search.pairs()) == transposed(expected, here.parts())));
  CHECK((search.pairs() > 2 * count || count == 1));
}

TEST_CASE("the search follows a body that grows, shrinks and has no surface left", "[contact]") {
  Backend backend;
  CandidateSearch<Backend> search;
  Index most = 0;
  for (const Index count : {20, 400, 3}) {
    const CloudOnHost cloud = random_cloud(7, count, 2, 2, 0.4);
    search.build(backend, CloudOnDevice(cloud).there(), Real(0.05));
    const ContactCloud here = cloud.here();
    CHECK((rows_of(search.candidates(), here.points(), search.pairs()) == all_candidates(here, Real(0.05))));
    most = std::max(most, search.pairs());
  }
  CHECK(most > 10000);
  CloudOnHost cloud = random_cloud(7, 10, 2, 2, 0.4);
  std::fill(cloud.exposed.begin(), cloud.exposed.end(), std::uint8_t{0});
  search.build(backend, CloudOnDevice(cloud).there(), Real(0.05));
  CHECK(search.pairs() == 0);
  CHECK((rows_of(search.points_of_parts(), 30, 0) == std::vector<std::vector<Index>>(30)));
}

TEST_CASE("the search finds the same pairs whatever the order of the sides", "[contact]") {
  CloudOnHost cloud = random_cloud(5, 200, 2, 2, 0.4), shuffled = cloud;
  std::vector<Index> order(200);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(9));
  for (Index e = 0; e < 200; ++e) {
    shuffled.exposed[e] = cloud.exposed[order[e]];
    std::copy_n(cloud.x.begin() + 3 * order[e], 3, shuffled.x.begin() + 3 * e);
  }
  Backend backend;
  CandidateSearch<Backend> one, other;
  one.build(backend, CloudOnDevice(cloud).there(), Real(0.05));
  other.build(backend, CloudOnDevice(shuffled).there(), Real(0.05));
  const auto first = rows_of(one.candidates(), 1800, one.pairs());
  auto second = rows_of(other.candidates(), 1800, other.pairs());
  for (Index point = 0; point < 1800; ++point) {
    auto row = second[point];
    for (Index& part : row) part = 3 * order[part / 3] + part % 3;
    std::sort(row.begin(), row.end());
    CHECK((row == first[9 * order[point / 9] + point % 9]));
  }
}

TEST_CASE("the rows of the search serve until a node has moved by half the skin", "[contact]") {
  const Real skin = Real(0.06);
  CloudOnHost cloud = random_cloud(11, 250, 2, 2, 0.4);
  Backend backend;
  CandidateSearch<Backend> search;
  search.build(backend, CloudOnDevice(cloud).there(), skin);
  Backend::Buffer<Index> due;
  due.upload({0});
  std::mt19937 random(2);
  std::uniform_real_distribution<> part_of(0, 1), angle(0, 2 * M_PI);
  for (Vec2& x : cloud.x) {
    const double far = 0.499 * skin * std::sqrt(part_of(random)), along = angle(random);
    x += Vec2{Real(far * std::cos(along)), Real(far * std::sin(along))};
  }
  search.place_parts(backend, CloudOnDevice(cloud).there(), skin, DeviceGate::always(), due.data());
  CHECK(due.download(1)[0] == 0);
  const ContactCloud here = cloud.here();
  const auto rows = rows_of(search.candidates(), here.points(), search.pairs());
  int lying = 0;
  for (Index point = 0; point < here.points(); ++point)
    for (Index part = 0; part < here.parts(); ++part) {
      const PointPlace place = here.place(point);
      if (!here.has_point(point) || !here.is_exposed(part) || place.own.has(part)) continue;
      if (!lies_under(here, part, place.own, place.position(here))) continue;
      ++lying;
      CHECK(std::binary_search(rows[point].begin(), rows[point].end(), part));
    }
  CHECK(lying > 100);
  cloud.x[3 * 5] += Vec2{skin, 0};  // not exposed
  search.place_parts(backend, CloudOnDevice(cloud).there(), skin, DeviceGate::always(), due.data());
  CHECK(due.download(1)[0] == 0);
  cloud.x[1] += Vec2{skin, 0};
  search.place_parts(backend, CloudOnDevice(cloud).there(), skin, DeviceGate::always(), due.data());
  CHECK(due.download(1)[0] == 1);
}

TEST_CASE("no node asks for a search right after one, wherever it is", "[contact]") {
  const Real skin = Real(0.05);
  for (const double far : {0.0, 1e3, 1e6, 1e15, 1e30}) {
    CloudOnHost cloud = random_cloud(11, 50, 2, 2, 0.4);
    for (Vec2& x : cloud.x) x += Vec2{Real(far), Real(-far)};
    cloud.x[4] = {Real(HUGE_VAL), Real(0)};
    cloud.x[7] = {Real(0), Real(NAN)};
    Backend backend;
    CandidateSearch<Backend> search;
    search.build(backend, CloudOnDevice(cloud).there(), skin);
    Backend::Buffer<Index> due;
    due.upload({0});
    search.place_parts(backend, CloudOnDevice(cloud).there(), skin, DeviceGate::always(), due.data());
    CAPTURE(far);
    CHECK(due.download(1)[0] == 0);
  }
}

#if !defined(__CUDACC__)
TEST_CASE("the search gives the same rows for any number of threads", "[contact]") {
  const CloudOnHost cloud = random_cloud(3, 3000, 5, 5, 0.2);
  CpuBackend one(1), two(2);
  CandidateSearch<Backend> first, second;
  first.build(one, CloudOnDevice(cloud).there(), Real(0.02));
  second.build(two, CloudOnDevice(cloud).there(), Real(0.02));
  CHECK(first.pairs() > 50000);
  CHECK((rows_of(first.candidates(), 27000, first.pairs()) == rows_of(second.candidates(), 27000, second.pairs())));
  CHECK(rows_of(first.points_of_parts(), 9000, first.pairs()) ==
        rows_of(second.points_of_parts(), 9000, second.pairs()));
}
#endif

}  // namespace cleave::test
