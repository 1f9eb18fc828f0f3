/// Fragmentation of a stretching bar in one dimension, written by itself: central differences on two-node elements with
/// nodes of their own, the linear cohesive law between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace cleave::reference {

/// In units in which E, density and E Gc / strength^2 are 1.
struct Bar {
  double rate;  ///< in strength / E
  double length;
  int elements;
  double disturbance;  ///< of each node's velocity, in strength / E
  unsigned seed;
  double step = 0.1;  ///< in element lengths; the cap of the cohesive stiffness is 0.25 * 2 * mass / step^2
};

/// Number of fragments when none has come off for twice the time that the last one took.
inline int fragments(const Bar& bar) {
  const double strength = 1e-3, energy = strength * strength;
  const int n = bar.elements;
  const double h = bar.length / n, dt = bar.step * h, mass = h / 2, cap = 0.25 * 2 * mass / (dt * dt);
  // [element][end]; [interface] to the left of the element: whether it has opened, its strength and largest opening.
  std::vector<double> u(2 * n), v(2 * n), a(2 * n, 0.0), begun(n, 0.0), largest(n, 0.0);
  std::vector<char> open(n, 0);
  std::mt19937 random(bar.seed);
  std::vector<double> noise(n + 1);
  for (double& each : noise)
    each = bar.disturbance * strength * (2 * (static_cast<double>(random()) / 4294967295.0) - 1);
  for (int i = 0; i < 2 * n; ++i) {
    const int node = i / 2 + i % 2;
    u[i] = 0.98 * strength * (node * h - bar.length / 2);
    v[i] = bar.rate * strength * (node * h - bar.length / 2) + noise[node];
  }
  double time = 0, last = 0;
  int count = 1;
  while (time < std::max(6.0, 3 * last) && time < 200) {
    for (int i = 0; i < 2 * n; ++i) {
      v[i] += dt / 2 * a[i];
      u[i] += dt * v[i];
    }
    time += dt;
    int now = 1;
    for (int i = 1; i < n; ++i) {
      const double left = (u[2 * i - 1] - u[2 * i - 2]) / h, right = (u[2 * i + 1] - u[2 * i]) / h;
      if (!open[i] && (left + right) / 2 >= strength) {
        open[i] = 1;
        begun[i] = (left + right) / 2;
      }
      if (!open[i]) {
        a[2 * i - 1] = a[2 * i] = (right - left) / (2 * mass);
        continue;
      }
      const double opening = u[2 * i] - u[2 * i - 1];
      largest[i] = std::max(largest[i], opening);
      const double envelope = std::max(0.0, begun[i] * (1 - largest[i] * begun[i] / (2 * energy)));
      const double secant = largest[i] > 0 ? std::min(envelope / largest[i], cap) : cap;
      const double traction = largest[i] == 0 ? begun[i] : (opening < 0 ? cap : secant) * opening;
      a[2 * i - 1] = (traction - left) / mass;
      a[2 * i] = (right - traction) / mass;
      now += envelope == 0 ? 1 : 0;
    }
    if (now != count) last = time;
    count = now;
    for (int i = 0; i < 2 * n; ++i) v[i] += dt / 2 * a[i];
  }
  return count;
}

}  // namespace cleave::reference
