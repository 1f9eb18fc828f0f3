/// The reference of the cohesive rule against independently computed paths of one Gauss point: offsets at insertion,
/// damage, contact, failure and the account.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "reference/energy_account.hpp"
#include "reference/linear_irreversible.hpp"
#include "reference/ppr.hpp"

namespace cleave::reference {
namespace {

struct Printed {
  Pair opening, traction;
  double w, account, dissipated;
};

/// Numbers printed with 12 digits; what cancels is as wrong as the largest of its kind is rounded.
class Column {
 public:
  void compare(const char* name, double value, double printed) {
    CAPTURE(name, value, printed);
    scale_ = std::max(scale_, std::abs(printed));
    CHECK(std::abs(value - printed) <= 1e-11 * std::abs(printed) + 1e-13 * scale_);
  }

 private:
  double scale_ = 0;
};

void follow(const CohesiveLaw& law, const Printed& start, const std::vector<Printed>& path, double printed_work) {
  AccountedPoint point = insert_point(law, 1e15, 4e14, {300e6, -50e6});
  Column normal, tangential, stored, account, dissipated, total;
  normal.compare("Tn at the start", point.traction.normal, start.traction.normal);
  tangential.compare("Tt at the start", point.traction.tangential, start.traction.tangential);
  account.compare("A at the start", point.account, start.account);
  stored.compare("w at the start", -point.account, start.w);
  double work = 0, lost = 0;
  StepAnswer answer;
  for (const Printed& step : path) {
    CAPTURE(step.opening.normal, step.opening.tangential);
    const AccountedPoint before = point;
    answer = move_point(law, point, step.opening);
    work += 0.5 * dot(before.traction + answer.traction, step.opening - before.opening);
    lost += answer.dissipated;
    normal.compare("Tn", answer.traction.normal, step.traction.normal);
    tangential.compare("Tt", answer.traction.tangential, step.traction.tangential);
    stored.compare("w", answer.w, step.w);
    account.compare("A", answer.account, step.account);
    dissipated.compare("D", answer.dissipated, step.dissipated);
  }
  total.compare("work", work, printed_work);
  total.compare("w + A + sum of D", answer.w + answer.account + lost, printed_work);
  CHECK(std::abs(work - (answer.w + answer.account + lost)) < 1e-14 * 8 * work);
}

}  // namespace

TEST_CASE("the cohesive step of ppr agrees with the reference on a path") {
  follow(PprCohesive({352, 352, 324e6, 324e6, 2, 2}), {{}, {300000000, -50000000}, 46.25, -46.25, 0},
         {
             {{1e-07, 2e-08}, {307527203.847, -27500000}, 59.4554407694, -46.0051338274, 16.1510532504},
             {{6e-07, -1e-07}, {265768146.091, -165000000}, 102.720665741, -26.9270108617, 92.5304895471},
             {{4e-07, 5e-07}, {89681046.4007, 209609497.674}, 70.4255032169, -58.8754271031, 42.0815088187},
             {{-2e-07, 6e-07}, {-60463658.869, 139296262.768}, 35.5957893177, -25.6128471554, 10.247205714},
             {{-9e-07, 8e-07}, {-226300673.164, 111169792.956}, 113.688672358, 4.79476439251, 16.9136271955},
             {{-5e-07, 9e-07}, {-98836574.3992, 103356558.049}, 51.926537171, 3.76731487983, 8.4884527376},
             {{3e-07, 9e-07}, {85417271.782, 103356558.049}, 61.3121811191, -10.9860501152, 0},
             {{1.6e-06, 1.2e-06}, {25759976.1316, 12177279.5746}, 24.0772344887, -4.67711825689, 120.521301559},
             {{3e-06, 1e-06}, {-4937757.21297, 0}, 0, 3.45643004908, 29.3015114683},
             {{-2e-07, 9e-07}, {3549012.99682, 0}, 0, 5.67842079492, 0},
             {{-8e-07, 1.4e-06}, {-175643805.174, 0}, 50, 7.30685844794, 0},
             {{1e-07, 1.5e-06}, {24147615.4224, 0}, 0, -10.8664269401, 0},
         },
         325.368723351);
}

TEST_CASE("the cohesive step of linear agrees with the reference on a path") {
  follow(LinearIrreversibleLaw(352, 2, 1.5), {{}, {300000000, -50000000}, 121.25, -121.25, 0},
         {
             {{1e-07, 2e-08}, {300625159.479, -23111125.287}, 130.040488645, -120.618538347, 19.8781964234},
             {{6e-07, -1e-07}, {282595388.069, -77884396.5912}, 158.783101393, -101.835995347, 104.339712451},
             {{4e-07, 5e-07}, {163653189.774, 263653189.774}, 155.638881563, -87.5859953466, 0},
             {{-2e-07, 6e-07}, {19326594.8868, 243076120.834}, 91.7064116955, -53.2109953466, 0},
             {{-9e-07, 8e-07}, {-66324750.1299, 314421982.956}, 119.908243609, -9.21366254548, 0},
             {{-5e-07, 9e-07}, {92464416.6917, 356344914.017}, 158.521083074, -9.06022384965, 0},
             {{3e-07, 9e-07}, {140071642.803, 288565206.643}, 199.661661361, -0.0130581847594, 42.8266798459},
             {{1.6e-06, 1.2e-06}, {35882530.1799, 41596882.2617}, 61.563759924, -2.78095261019, 304.760321637},
             {{3e-06, 1e-06}, {-9191655.78902, 0}, 0, 6.43415905232, 66.8725721089},
             {{-2e-07, 9e-07}, {6606502.59836, 0}, 0, 10.5704041574, 0},
             {{-8e-07, 1.4e-06}, {14314088.9631, 0}, 0, 4.29422668893, 0},
             {{1e-07, 1.5e-06}, {-11928407.4693, 0}, 0, 5.36778336117, 0},
         },
         544.045265828);
}

TEST_CASE("the cohesive step agrees with the reference in an impact on a failed point") {
  // A mass of 1 kg on a contact stiffness of 1 N/m: omega dt is the step in seconds.
  const PprCohesive ppr({352, 352, 324e6, 324e6, 2, 2});
  const LinearIrreversibleLaw linear(352, 2, 1.5);
  const bool is_ppr = GENERATE(true, false);
  const CohesiveLaw& law = is_ppr ? static_cast<const CohesiveLaw&>(ppr) : linear;
  const double dt = GENERATE(0.1, 0.28, 0.5, 0.7, 1.0);
  const double kc = GENERATE(1.0, 2.0);
  const double overlap = GENERATE(0.0, 0.3);  // x0: contact begins where the faces overlap by it
  const double slip = GENERATE(0.0, 3.0);
  CAPTURE(is_ppr, dt, kc, overlap, slip);
  double worst_energy = 0, worst_slip = 0;
  for (int phase = 0; phase < 200; ++phase) {
    AccountedPoint point;
    point.constants = {kc, 1, {overlap, 0}, 1};
    point.history = {1e9, 1e9};
    REQUIRE(law.failed(point.constants, point.history));
    Pair x{(phase + 0.5) / 200 * dt - overlap, 0}, v{-1, slip};
    point.opening = x;
    for (int n = 0; n < 200; ++n) {
      x = x + dt * v;
      v = v - dt * move_point(law, point, x).traction;
    }
    worst_energy = std::max(worst_energy, std::abs(v.normal * v.normal - 1));
    worst_slip = std::max(worst_slip, std::abs(v.tangential - slip));
    CHECK(v.normal > 0);
  }
  CHECK(worst_slip <= 1e-14 * slip);
  // The rule lets an account of 1e-12 kc |d|^2 be, of which the energy 1/2 m v^2 of the normal motion is so much off.
  const double left_alone = 2e-12 * kc * dt * dt * (1 + slip * slip);
  CHECK(worst_energy < 1.01 * left_alone);
  if (slip == 0)
    CHECK(worst_energy < 1e-11);
  else  // Target, NOT met by the rule where left_alone is larger: |d| counts the sliding, which settles no account.
    CHECK_NOFAIL(worst_energy < 1e-11);
}

TEST_CASE("the dissipation of the cohesive step is that of the law on any path") {
  const PprCohesive ppr({8, 11, 10e6, 12e6, 2, 2.5});
  const LinearIrreversibleLaw linear(8, 1.2, 11.0 / 8);
  const bool is_ppr = GENERATE(true, false);
  const CohesiveLaw& law = is_ppr ? static_cast<const CohesiveLaw&>(ppr) : linear;
  CAPTURE(is_ppr);
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
  };
  int failed = 0;
  for (int run = 0; run < 100; ++run) {
    const double kc = std::pow(10, uniform(12.5, 15)), kp = kc * uniform(0.1, 1);
    AccountedPoint point = insert_point(law, kc, kp, {uniform(-5e6, 10e6), uniform(-12e6, 12e6)});
    const double debt = -point.account;
    double work = 0, lost = 0;
    Pair x, v;
    StepAnswer answer;
    for (int s = 0; s < 400; ++s) {  // a smooth wander about zero, of the size of the openings at failure
      v = 0.95 * v + 1e-8 * Pair{uniform(-1, 1), uniform(-1, 1)};
      const Pair held = point.traction, to = 0.995 * (x + v);
      answer = move_point(law, point, to);
      work += 0.5 * dot(held + answer.traction, to - x);
      lost += answer.dissipated;
      x = to;
      if (answer.dissipated < 0) FAIL("dissipation fell");
    }
    failed += answer.failed;
    // Rounding of 400 works as large as 1 kJ/m^2 of contact under the stiffest cap.
    CHECK(std::abs(work - (answer.w + answer.account + lost)) < 1e-10);
    // A law cannot dissipate more than the larger fracture energy and what it held at insertion; the trapezoid of a
    // piece adds up to 2 %.
    CHECK(lost < 1.02 * (11 + debt));
  }
  CHECK(failed > 10);
  CHECK(failed < 95);
}

}  // namespace cleave::reference
