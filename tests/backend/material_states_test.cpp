/// States of materials in memory: whatever lies side by side, a law sees the same values and gives the same bits.
#include "body/material_states.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "laws/user_history_example.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::test {
namespace {

/// Forces of every element, with states that lie `width` side by side.
template <class Element, int width>
struct LeadStates {
  static constexpr KernelTraits traits{.name = "states"};
  ElementTable<Element> elements;
  GeometryTable geometry;
  const Vec2* displacement;
  Spall law;
  MaterialStates<Element, Spall, width> states;
  Vec2* force;  ///< [element][node]
  Real dt;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 u[Element::nodes], f[Element::nodes];
    elements.gather(e, displacement, u);
    element_force(law, geometry.of(e), u, states.of(e), dt, f);
    for (int i = 0; i < Element::nodes; ++i) force[e * Element::nodes + i] = f[i];
  }
};

struct Result {
  std::vector<Vec2> force;
  std::vector<Spall::State> states;
};

/// Ten steps of a mesh. After five an element in three is eroded, and in the next one the last Gauss point raises the
/// flag.
template <class Element, int width>
Result lead(const Mesh& mesh, double spall_stress) {
  using States = MaterialStates<Element, Spall, width>;
  Backend backend;
  DeviceMesh<Element> device(mesh, 1);
  const Index elements = mesh.element_count();
  auto geometry = filled<Real>(GeometryTable::Rows<Real>::extent(elements), 0);
  backend.launch(StoreGeometry<Element>{device.table(), device.position.data(), {geometry.data()}});
  const Spall law = Spall::make({"spall", {3e9, 0.3, 1200, PlaneType::strain}, {spall_stress, 1e9, 1e6}});
  auto words = filled<Real>(States::extent(elements), 0);
  auto force = filled<Vec2>(static_cast<std::size_t>(elements) * Element::nodes, Vec2{});
  for (int step = 0; step < 10; ++step) {
    auto u = upload(random_vectors(mesh.nodes.size(), 1e-3, 40 + step));
    const GeometryTable table{{geometry.data()}, Real(0.5) / Element::gauss_points};
    backend.launch(LeadStates<Element, width>{
        device.table(), table, u.data(), law, {{words.data()}, nullptr}, force.data(), Real(1e-7)});
    if (step != 4) continue;
    auto host = words.download(words.size());
    const States on_host{{host.data()}, nullptr};
    for (Index e = 0; e < elements; ++e)
      for (int q = 0; q < Element::gauss_points; ++q) {
        auto state = on_host.at(e, q);
        if (e % 3 == 0) Spall::erode(state);
        if (e % 3 == 1 && q == Element::gauss_points - 1) state.porous = 1;
        on_host.set(e, q, state);
      }
    words.upload(host);
  }
  Result result{force.download(force.size()), {}};
  auto host = words.download(words.size());
  const States on_host{{host.data()}, nullptr};
  for (Index e = 0; e < elements; ++e)
    for (int q = 0; q < Element::gauss_points; ++q) result.states.push_back(on_host.at(e, q));
  return result;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEMPLATE_TEST_CASE("states in blocks of 1, 7, 32 or 128 are the same", "[states]", T3, T6) {
  const Mesh mesh = ring(TestType::type, {3, 25}, 1, 1.3);
  REQUIRE(mesh.element_count() % 32 != 0);
  const double spall_stress = GENERATE(1e6, 3e8, 1e300);
  CAPTURE(spall_stress);
  const Result one = lead<TestType, 1>(mesh, spall_stress), seven = lead<TestType, 7>(mesh, spall_stress),
               warp = lead<TestType, 32>(mesh, spall_stress), block = lead<TestType, 128>(mesh, spall_stress);
  for (const Result* other : {&seven, &warp, &block}) {
    CHECK(same_bytes(one.force, other->force));
    CHECK(same_bytes(one.states, other->states));
  }
  // All points of an element have its flag. Of those that no stress is enough for, those that it was raised in have
  // one.
  int porous = 0, sound = 0;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Spall::State* of = &one.states[static_cast<std::size_t>(e) * TestType::gauss_points];
    (of->porous == 1 ? porous : sound) += 1;
    for (int q = 0; q < TestType::gauss_points; ++q) {
      CHECK(of[q].porous == of->porous);
      if (spall_stress == 1e300) {
        CHECK(of[q].porous == (e % 3 == 1 ? 1 : 0));
        if (of->porous == 0) CHECK(of[q].impulse == 0);
      }
    }
  }
  CHECK(porous > 0);
  if (spall_stress > 1e6) CHECK(sound > 0);
  // Every kind of value came back: impulse, block of six, history, matrix, flags.
  const Spall::State& whole = one.states[1 * TestType::gauss_points];
  CHECK(whole.impulse > 0);
  CHECK(whole.stress[3] != 0);
  CHECK(whole.tension[3] != 0);
  CHECK(whole.gradient[1][0] != whole.gradient[0][1]);
  CHECK(whole.eroded == 0);
  const Spall::State& gone = one.states[3 * TestType::gauss_points];
  CHECK(gone.eroded == 1);
  for (int i = 0; i < TestType::nodes; ++i) CHECK(one.force[3 * TestType::nodes + i].x == 0);
}

}  // namespace cleave::test
