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

struct CopyClose {
  static constexpr KernelTraits traits{.name = "copy of close parts"};
  const CloseParts* close;
  CloseParts* to;
  Index points;

  CLEAVE_HD Index size() const { return points; }
  CLEAVE_HD void operator()(Index i) const { to[i] = close[i]; }
};

}  // namespace cleave::contact_search_test

namespace cleave::test {
namespace {

using contact_search_test::CopyClose;
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
  CHECK((rows_of(search.candidates().rows, here.points(), search.pairs()) == expected));
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
    CHECK((rows_of(search.candidates().rows, here.points(), search.pairs()) == all_candidates(here, Real(0.05))));
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
  const auto first = rows_of(one.candidates().rows, 1800, one.pairs());
  auto second = rows_of(other.candidates().rows, 1800, other.pairs());
  for (Index point = 0; point < 1800; ++point) {
    auto row = second[point];
    for (Index& part : row) part = 3 * order[part / 3] + part % 3;
    std::sort(row.begin(), row.end());
    CHECK((row == first[9 * order[point / 9] + point % 9]));
  }
}

TEST_CASE("the rows of the search serve until a node has moved by most of half the skin", "[contact]") {
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
    const double far = 0.4 * skin * std::sqrt(part_of(random)), along = angle(random);
    x += Vec2{Real(far * std::cos(along)), Real(far * std::sin(along))};
  }
  search.place_parts(backend, CloudOnDevice(cloud).there(), skin, DeviceGate::always(), due.data());
  CHECK(due.download(1)[0] == 0);
  const ContactCloud here = cloud.here();
  const auto rows = rows_of(search.candidates().rows, here.points(), search.pairs());
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

/// Candidates on the host, and those of them that are close.
struct CloseRows {
  std::vector<std::vector<Index>> rows;
  std::vector<CloseParts> close;

  CloseRows(CandidateSearch<Backend>& search, Index points)
      : rows(rows_of(search.candidates().rows, points, search.pairs())) {
    Backend backend;
    Backend::Buffer<CloseParts> there;
    there.resize(points);
    backend.launch(CopyClose{search.candidates().close, there.data(), points});
    close = there.download(points);
  }
  std::vector<Index> of(Index point) const {
    if (rows[point].empty() || close[point].part[0] == CloseParts::more) return rows[point];
    std::vector<Index> parts(close[point].part, close[point].part + CloseParts::most);
    std::erase(parts, -1);
    return parts;
  }
  bool has(Index point, Index part) const {
    const auto parts = of(point);
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
  /// Share of the candidates that is close; of contact points at nodes alone.
  double share() const {
    double close_ones = 0, all = 0;
    for (Index point = 0; point < static_cast<Index>(rows.size()); point += point % 3 == 0 ? 2 : 1) {
      all += static_cast<double>(rows[point].size());
      close_ones += static_cast<double>(of(point).size());
    }
    return close_ones / all;
  }
};

TEST_CASE("candidates that a point may enter in a step are close", "[contact]") {
  const Real skin = Real(0.06), slack = skin / 8;
  const double speed = GENERATE(0.02, 0.24, 2.0);  // of the slack, in a step
  // Needles: a point enters from farther away than it may sink.
  const double flat = GENERATE(1.0, 0.02);
  CloudOnHost cloud = random_cloud(12, 400, 4, 4, 0.4);  // rows of less than 64
  for (std::size_t i = 0; i < cloud.x.size(); i += 3)
    for (std::size_t j : {i + 1, i + 2}) cloud.x[j].y = cloud.x[i].y + Real(flat) * (cloud.x[j].y - cloud.x[i].y);
  std::mt19937 random(3);
  std::uniform_real_distribution<> one(-1, 1);
  for (std::size_t i = 0; i < cloud.x.size(); ++i)
    cloud.moved[i] =
        i % 3 == 0 ? Real(speed) * slack * Vec2{Real(one(random)), Real(i % 2 == 0 ? 1 : -1)} : cloud.moved[i - 1];
  Backend backend;
  CandidateSearch<Backend> search;
  CloudOnHost resting = cloud;
  resting.moved.assign(cloud.x.size(), {0, 0});
  CloudOnDevice start(resting);
  search.build(backend, start.there(), skin);
  Backend::Buffer<Index> due;
  due.upload({0});
  int near = 0;
  for (int step = 0; step < 40; ++step) {
    for (std::size_t i = 0; i < cloud.x.size(); ++i) cloud.x[i] += cloud.moved[i];
    CloudOnDevice there(cloud);
    search.place_parts(backend, there.there(), skin, DeviceGate::always(), due.data());
    if (due.download(1)[0] != 0) break;
    const ContactCloud here = cloud.here();
    const CloseRows close(search, here.points());
    if (step == 0) CHECK(close.share() < 0.6);
    for (Index point = 0; point < here.points(); ++point) {
      const std::vector<Index>& row = close.rows[point];
      const NearParts found = near_parts(here, NearParts::all(row.data(), static_cast<Index>(row.size())), point);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_near = i >= NearParts::most_marked || (found.marked >> i & 1) != 0;
        if (!is_near || here.place(point).is_barred_from(here, row[i])) continue;
        ++near;
        CHECK(close.has(point, row[i]));
      }
    }
  }
  CHECK(near > 400);
}

TEST_CASE("points where nodes have split look at all their candidates", "[contact]") {
  CloudOnHost cloud = random_cloud(12, 400, 4, 4, 0.4);  // rows of less than 64
  Backend backend;
  CandidateSearch<Backend> search;
  CloudOnDevice there(cloud);
  ContactCloud joined = there.there();
  joined.is_one_node = true;
  search.build(backend, joined, Real(0.06));
  CHECK(CloseRows(search, joined.points()).share() == 0);
  Backend::Buffer<Index> due;
  due.upload({0});
  search.place_parts(backend, joined, Real(0.06), DeviceGate::always(), due.data());
  CHECK(CloseRows(search, joined.points()).share() == 0);
  search.place_parts(backend, there.there(), Real(0.06), DeviceGate::always(), due.data());
  const CloseRows close(search, joined.points());
  const Index added = joined.parts() - 1;
  std::vector<Index> ends;
  cloud.here().for_each_point_at_ends(added, [&](Index point) { ends.push_back(point); });
  REQUIRE(ends.size() == 4);
  for (Index point = 0; point < joined.points(); ++point) {
    if (point % 3 == 1 || close.rows[point].empty()) continue;
    CAPTURE(point);
    const bool at_end = std::find(ends.begin(), ends.end(), point) != ends.end();
    CHECK(close.of(point).size() == (at_end ? close.rows[point].size() : 0));
  }
  for (const Index point : ends) CHECK(!close.rows[point].empty());
}

TEST_CASE("a part that is not exposed yet asks for a search when it has moved", "[contact]") {
  const Real skin = Real(0.06);
  CloudOnHost cloud = random_cloud(11, 250, 2, 2, 0.4);
  REQUIRE(cloud.exposed[5] == 0);
  Backend backend;
  CandidateSearch<Backend> search;
  Backend::Buffer<Index> due;
  due.upload({0});
  const auto place = [&] {
    CloudOnDevice there(cloud);
    ContactCloud all = there.there();
    all.may_all_be = true;
    if (search.pairs() == 0) search.build(backend, all, skin);
    search.place_parts(backend, all, skin, DeviceGate::always(), due.data());
    return due.download(1)[0];
  };
  CHECK(place() == 0);
  cloud.x[3 * 5] += Vec2{Real(0.45) * skin, 0};
  CHECK(place() == 0);
  cloud.x[0] += Vec2{Real(0.1) * skin, 0};  // which asks for new lists
  CHECK(place() == 1);
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
  CHECK((rows_of(first.candidates().rows, 27000, first.pairs()) ==
         rows_of(second.candidates().rows, 27000, second.pairs())));
  CHECK(rows_of(first.points_of_parts(), 9000, first.pairs()) ==
        rows_of(second.points_of_parts(), 9000, second.pairs()));
}
#endif

}  // namespace cleave::test
