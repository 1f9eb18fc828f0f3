/// Kernels of contact points in a cloud of triangles that fly into each other, against loops over all points and parts.
#include <catch2/catch.hpp>
#include <cstring>

#include "backend/contact_cloud.hpp"
#include "terms/contact/candidate_search.hpp"

namespace cleave::contact_points_test {

/// Notes points that have sunk too far.
struct NoteFault {
  std::uint8_t* sunk;  ///< [point]
  CLEAVE_HD void operator()(Index point, Index /*part*/) const { sunk[point] = 1; }
};

}  // namespace cleave::contact_points_test

namespace cleave::test {
namespace {

using contact_points_test::NoteFault;
constexpr double coulomb = 0.3;

/// Points on the host, and the same loops over all of them.
struct PlainPoints {
  std::vector<ContactPoint> points;
  std::vector<double> booked, dissipated;
  std::vector<std::uint8_t> sunk;

  explicit PlainPoints(Index count)
      : points(contacts_of_point * count), booked(count), dissipated(count), sunk(count) {}
  void step(const ContactCloud& cloud) {
    std::vector<Index> all(cloud.parts());
    for (Index i = 0; i < cloud.parts(); ++i) all[i] = i;
    std::vector<Index> exposed;
    for (const Index part : all)
      if (cloud.is_exposed(part)) exposed.push_back(part);
    for (Index p = 0; p < cloud.points(); ++p) {
      if (!cloud.has_point(p)) continue;
      const PointPlace place = cloud.place(p);
      std::vector<Index> others;
      for (const Index part : exposed)
        if (!place.own.has(part)) others.push_back(part);
      for (int contact = 0; contact < contacts_of_point; ++contact) {
        ContactPoint& mine = points[contacts_of_point * p + contact];
        const ContactPoint& beside = points[contacts_of_point * p + 1 - contact];
        const Index other = beside.touching ? beside.part : -1;
        if (contact == 1 && other < 0 && mine.part < 0) continue;
        const ContactStep step = step_contact_point(
            cloud, place, NearParts::all(others.data(), static_cast<Index>(others.size())), other,
            [&](Index part) { return cloud.stiffness(p, part); }, Real(coulomb), mine);
        booked[p] += step.booked - step.dissipated;
        dissipated[p] += step.dissipated;
        if (step.sunk > cloud.depth_limit(p) || (mine.part >= 0 && step.sunk > cloud.limit(mine.part))) sunk[p] = 1;
      }
    }
  }
  std::vector<Vec2> forces(const ContactCloud& cloud) const {
    std::vector<Vec2> force(3 * static_cast<std::size_t>(cloud.triangles), Vec2{0, 0});
    for (Index i = 0; i < static_cast<Index>(points.size()); ++i) {
      const ContactPoint& point = points[i];
      if (point.part < 0) continue;
      for (const Index n : cloud.place(i / contacts_of_point).node) force[n] += Real(0.5) * point.acting.on_point;
      force[cloud.node(point.part, 0)] += point.acting.on_start;
      force[cloud.node(point.part, 1)] += point.acting.on_end;
    }
    return force;
  }
};

/// The same on the device, with candidates of the search.
class DevicePoints {
 public:
  DevicePoints(Backend& backend, Index points, Index nodes, double skin)
      : backend_(backend), points_(points), nodes_(nodes), skin_(static_cast<Real>(skin)) {
    part_.upload(std::vector<Index>(contacts_of_point * points, -1));
    touching_.upload(std::vector<std::uint8_t>(contacts_of_point * points, 0));
    across_.upload(std::vector<std::uint8_t>(contacts_of_point * points, 0));
    sunk_.upload(std::vector<std::uint8_t>(points, 0));
    state_.upload(std::vector<PointState>(contacts_of_point * points));
    acting_.upload(std::vector<PartForces>(contacts_of_point * points));
    works_.upload(std::vector<double>(PointSums::count * points, 0));
    force_.upload(std::vector<Vec2>(nodes, Vec2{0, 0}));
    due_.upload({1});
    near_count_.upload({0});
    near_point_.resize(points);
    near_parts_.resize(points);
  }
  void step(const ContactCloud& cloud) {
    search_.place_parts(backend_, cloud, skin_, DeviceGate::always(), searches_ > 0 ? due_.data() : nullptr);
    if (due_.download(1)[0] != 0) {
      search_.build(backend_, cloud, skin_);
      due_.upload({0});
      ++searches_;
    }
    const ContactPointTable table{part_.data(), touching_.data(), across_.data(), state_.data(), acting_.data()};
    const NearPoints near{near_count_.data(), near_point_.data(), near_parts_.data()};
    backend_.launch(ListNearPoints<ContactCloud>{cloud, search_.candidates(), table, DeviceGate::always(),
                                                 search_.close_state(), near});
    backend_.launch(ContactPointStep<ContactCloud, NoteFault>{cloud,
                                                              search_.candidates(),
                                                              near,
                                                              table,
                                                              {{works_.data()}},
                                                              Real(coulomb),
                                                              DeviceGate::always(),
                                                              {sunk_.data()}});
    backend_.launch(ContactNodeForces<ContactCloud>{cloud, search_.points_of_parts(), table, near_count_.data(),
                                                    DeviceGate::always(), false, force_.data()});
  }
  std::vector<Index> parts() const { return part_.download(contacts_of_point * points_); }
  std::vector<PointState> states() const { return state_.download(contacts_of_point * points_); }
  /// A quantity of each point.
  std::vector<double> sums(int field) const {
    const auto all = works_.download(PointSums::count * static_cast<std::size_t>(points_));
    std::vector<double> of;
    for (std::size_t i = field; i < all.size(); i += PointSums::count) of.push_back(all[i]);
    return of;
  }
  std::vector<double> booked() const { return sums(0); }
  std::vector<double> dissipated() const { return sums(1); }
  std::vector<double> touching() const { return sums(2); }
  std::vector<std::uint8_t> sunk() const { return sunk_.download(points_); }
  std::vector<Vec2> forces() const { return force_.download(nodes_); }
  int searches() const { return searches_; }

 private:
  Backend& backend_;
  Index points_, nodes_;
  Real skin_;
  CandidateSearch<Backend> search_;
  Backend::Buffer<Index> part_, due_, near_count_, near_point_;
  Backend::Buffer<std::uint64_t> near_parts_;
  Backend::Buffer<std::uint8_t> touching_, across_, sunk_;
  Backend::Buffer<PointState> state_;
  Backend::Buffer<PartForces> acting_;
  Backend::Buffer<double> works_;
  Backend::Buffer<Vec2> force_;
  int searches_ = 0;
};

/// Triangles that fly and turn, each as it goes.
class Flight {
 public:
  explicit Flight(Index count) : cloud_(random_cloud(23, count, 3, 3, 0.5)) {
    std::mt19937 random(4);
    std::uniform_real_distribution<> speed(-0.006, 0.006);
    for (Index e = 0; e < count; ++e) velocity_.push_back({Real(speed(random)), Real(speed(random))});
    for (Index e = 0; e < count; ++e) spin_.push_back(speed(random));
  }
  void move() {
    for (std::size_t n = 0; n < cloud_.x.size(); ++n) {
      const std::size_t e = n / 3;
      const Vec2 centre = Real(1) / 3 * (before_at(3 * e) + before_at(3 * e + 1) + before_at(3 * e + 2));
      const Vec2 r = before_at(n) - centre;
      cloud_.moved[n] = velocity_[e] + Real(spin_[e]) * Vec2{-r.y, r.x};
    }
    for (std::size_t n = 0; n < cloud_.x.size(); ++n) cloud_.x[n] += cloud_.moved[n];
  }
  const CloudOnHost& cloud() const { return cloud_; }

 private:
  Vec2 before_at(std::size_t n) const { return cloud_.x[n]; }
  CloudOnHost cloud_;
  std::vector<Vec2> velocity_;
  std::vector<double> spin_;
};

template <class T>
bool equal_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("contact points do on a device what loops over all points and parts do", "[contact]") {
  // These triangles go through each other, which a run would not let them. With the wide skin, points have their rows
  // even so, and parts find the points that press them.
  const double skin = GENERATE(0.05, 1.0);
  CAPTURE(skin);
  constexpr Index count = 120;
  Flight flight(count);
  Backend backend;
  DevicePoints there(backend, 9 * count, 3 * count, skin);
  PlainPoints here(9 * count);
  int tracked = 0, second = 0;
  for (int step = 0; step < 60; ++step) {
    flight.move();
    CloudOnDevice cloud(flight.cloud());
    there.step(cloud.there());
    here.step(flight.cloud().here());
  }
  const auto parts = there.parts();
  const auto states = there.states();
  for (Index p = 0; p < contacts_of_point * 9 * count; ++p) {
    CAPTURE(p);
    CHECK(parts[p] == here.points[p].part);
    CHECK(states[p].account == here.points[p].state.account);
    CHECK(states[p].closing == here.points[p].state.closing);
    tracked += parts[p] >= 0;
    second += p % contacts_of_point == 1 && parts[p] >= 0;
  }
  CHECK(tracked > 100);
  CHECK(second > 10);
  CHECK(there.searches() == (skin < 1 ? 20 : 2));
  CHECK(there.booked() == here.booked);
  CHECK(there.dissipated() == here.dissipated);
  const auto touching = there.touching();
  for (Index p = 0; p < 9 * count; ++p)
    CHECK(touching[p] == here.points[2 * p].touching + here.points[2 * p + 1].touching);
  CHECK(there.sunk() == here.sunk);
  CHECK(std::count(here.sunk.begin(), here.sunk.end(), 1) > 0);
  if (skin < 1) return;
  const auto forces = there.forces(), expected = here.forces(flight.cloud().here());
  Vec2 sum{0, 0};
  double largest = 0, difference = 0, moment = 0;
  for (Index n = 0; n < 3 * count; ++n) {
    sum += forces[n];
    moment += cross(flight.cloud().x[n], forces[n]);
    largest = std::max<double>(largest, length_of(forces[n]));
    difference = std::max<double>(difference, length_of(forces[n] - expected[n]));
  }
  const double of_rounding = sizeof(Real) == 8 ? 1e-13 : 1e-4;
  CHECK(largest > 0.1);
  CHECK(difference < of_rounding * largest);
  CHECK(length_of(sum) < 100 * of_rounding * largest);
  CHECK(std::abs(moment) < 100 * of_rounding * largest);
}

TEST_CASE("a tip that lies across the corner of another triangle is found by every search", "[contact]") {
  // The tip of the second triangle comes in through the upper side of the first one and goes out through the right one.
  const auto crossing = [](double tip_x) {
    CloudOnHost cloud;
    cloud.x = {
        {0, 0}, {1, 0}, {Real(0.9), 1}, {Real(0.5), Real(1.3)}, {Real(tip_x), Real(0.7)}, {Real(0.55), Real(1.35)}};
    cloud.moved.assign(6, {0, 0});
    cloud.exposed = {1, 1};
    Backend backend;
    CandidateSearch<Backend> search;
    CloudOnDevice there(cloud);
    search.build(backend, there.there(), Real(0.3));
    Backend::Buffer<std::uint8_t> sunk;
    sunk.upload(std::vector<std::uint8_t>(18, 0));
    backend.launch(CheckCrossings<ContactCloud, NoteFault>{there.there(), search.candidates().rows, {sunk.data()}});
    const auto found = sunk.download(18);
    return std::count(found.begin(), found.end(), 1);
  };
  CHECK(crossing(0.85) == 0);
  CHECK(crossing(1.1) > 0);
}

#if !defined(__CUDACC__)
TEST_CASE("contact points have the same bytes for any number of threads", "[contact]") {
  constexpr Index count = 400;
  Flight flight(count);
  CpuBackend one(1), two(2);
  DevicePoints first(one, 9 * count, 3 * count, 0.05), second(two, 9 * count, 3 * count, 0.05);
  for (int step = 0; step < 30; ++step) {
    flight.move();
    CloudOnDevice cloud(flight.cloud());
    first.step(cloud.there());
    second.step(cloud.there());
  }
  CHECK(equal_bytes(first.forces(), second.forces()));
  CHECK(equal_bytes(first.booked(), second.booked()));
  CHECK(equal_bytes(first.parts(), second.parts()));
}
#endif

}  // namespace cleave::test
