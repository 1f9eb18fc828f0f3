#include "model/critical_step.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/material/material_laws.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave {
namespace {

/// Largest eigenvalue of a symmetric positive semidefinite matrix by power iteration. The error of the Rayleigh
/// quotient is the square of that of the vector, also for a multiple largest eigenvalue.
template <int N>
double largest_eigenvalue(const Eigen::Matrix<double, N, N>& a) {
  Eigen::Matrix<double, N, 1> x;
  for (int i = 0; i < N; ++i) x[i] = 1 + 0.37 * i - 0.21 * ((i * i) % 5);  // asymmetric
  double value = 0;
  for (int iteration = 0; iteration < 500; ++iteration) {
    const Eigen::Matrix<double, N, 1> y = a * x;
    const double next = x.dot(y) / x.squaredNorm();
    x = y / y.norm();
    if (iteration > 5 && std::fabs(next - value) <= 1e-10 * next) return next;
    value = next;
  }
  return value;
}

template <class Element>
using ElementMatrix = Eigen::Matrix<double, Element::dofs, Element::dofs>;

/// Matrix of one element with the eigenvalues omega^2, 1/s^2. The thickness cancels.
template <class Element>
ElementMatrix<Element> omega2_matrix(const Mesh& mesh, const LinearElastic& material, Index e) {
  constexpr int dofs = Element::dofs;
  Vec2 x[Element::nodes];
  for (int i = 0; i < Element::nodes; ++i) x[i] = {mesh.nodes[mesh.node(e, i)].x, mesh.nodes[mesh.node(e, i)].y};
  Eigen::Matrix3d d;
  d << material.d11, material.d12, 0, material.d12, material.d11, 0, 0, 0, material.d33;
  ElementMatrix<Element> k = ElementMatrix<Element>::Zero();
  double area = 0;
  for (int q = 0; q < Element::gauss_points; ++q) {
    const auto g = Element::gradients(x, q);
    Eigen::Matrix<double, 3, dofs> b = Eigen::Matrix<double, 3, dofs>::Zero();
    for (int i = 0; i < Element::nodes; ++i) {
      b(0, 2 * i) = b(2, 2 * i + 1) = g.x[i];
      b(1, 2 * i + 1) = b(2, 2 * i) = g.y[i];
    }
    k += g.area * b.transpose() * d * b;
    area += g.area;
  }
  Eigen::Matrix<double, dofs, 1> scale;
  for (int i = 0; i < dofs; ++i) scale[i] = 1 / std::sqrt(Element::mass_fraction(i / 2) * material.density * area);
  return scale.asDiagonal() * k * scale.asDiagonal();
}

/// Damping time (see Damps) of forces of an element besides those of its law, s.
double damping_time(const Model& model, const LinearElastic& material, Index e) {
  const double damping = model.materials[model.element_material[e]].damping();
  if (damping == 0) return 0;
  const Mesh& mesh = model.mesh;
  const Point o = mesh.nodes[mesh.node(e, 0)], p = mesh.nodes[mesh.node(e, 1)], q = mesh.nodes[mesh.node(e, 2)];
  const double area = 0.5 * ((p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x));
  return std::sqrt(area * material.density / material.d11) * damping;
}

/// Largest stable step of an element. The force of a dashpot, which depends on the rate of the last step, shortens it:
/// (omega^2 + support) dt^2 + 2 (damping time) omega^2 dt = 4.
struct StepLimit {
  double damping = 0;  ///< damping time, s
  double support = 0;  ///< largest stiffness of springs at its nodes over their mass, 1/s^2

  double operator()(double omega2) const {
    if (support > 0) {
      const double rate = damping * omega2, all = omega2 + support;
      return (std::sqrt(rate * rate + 4 * all) - rate) / all;
    }
    if (damping == 0) return 2 / std::sqrt(omega2);
    return std::sqrt(damping * damping + 4 / omega2) - damping;
  }
};

/// The smaller of `smallest` and the stable step of an element. For most elements cheap bounds of the largest
/// eigenvalue show that theirs is not smaller.
template <class Matrix>
double smaller_step(double smallest, const Matrix& omega2, const StepLimit& limit) {
  const auto is_no_smaller = [&](double bound) {
    constexpr double rounding = 1 + 1e-12;
    return limit(rounding * bound) >= smallest;
  };
  // The norm of a matrix is at least its largest eigenvalue; the norm of its square is a closer bound.
  if (is_no_smaller(omega2.norm())) return smallest;
  const Matrix square = omega2.lazyProduct(omega2);  // faster than blocks for such small matrices
  if (is_no_smaller(std::sqrt(square.norm()))) return smallest;
  return std::min(smallest, limit(largest_eigenvalue<Matrix::RowsAtCompileTime>(omega2)));
}

/// Critical steps of the elements of a model.
template <class Element>
class ElementSteps {
 public:
  /// @param damping  [material] damping time, s
  ElementSteps(const Model& model, const std::vector<double>& damping) : model_(model), damping_(damping) {
    for (const MaterialCase& material : model.materials) materials_.push_back(LinearElastic::make(material.parameters));
  }

  double of(Index e) const { return smaller(std::numeric_limits<double>::infinity(), e); }
  /// The smaller of `smallest` and the step of an element.
  double smaller(double smallest, Index e) const {
    const Index m = model_.element_material[e];
    StepLimit limit{damping_[m] + damping_time(model_, materials_[m], e)};
    for (int i = 0; i < Element::nodes && model_.has_springs(); ++i)
      limit.support = std::max(limit.support, model_.springs_at(model_.mesh.node(e, i)));
    return smaller_step(smallest, omega2_matrix<Element>(model_.mesh, materials_[m], e), limit);
  }

 private:
  const Model& model_;
  const std::vector<double>& damping_;
  std::vector<LinearElastic> materials_;
};

/// f.operator()<Element>() for the elements of the mesh.
template <class F>
auto with_element(const Mesh& mesh, const F& f) {
  return mesh.type == ElementType::t3 ? f.template operator()<T3>() : f.template operator()<T6>();
}

template <class Element>
double smallest_step(const Model& model, const std::vector<double>& damping) {
  const ElementSteps<Element> steps(model, damping);
  std::mutex mutex;
  double smallest = std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::size_t>(model.mesh.element_count());
  parallel_for(threads_for(0), count, 1024, [&](std::size_t begin, std::size_t end) {
    double here = 0;
    {
      const std::lock_guard lock(mutex);
      here = smallest;
    }
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) here = steps.smaller(here, e);
    const std::lock_guard lock(mutex);
    smallest = std::min(smallest, here);
  });
  return smallest;
}

/// The first element whose step is that of the model.
template <class Element>
Index first_critical(const Model& model, const ElementSteps<Element>& steps) {
  constexpr double rounding = 1 + 1e-9;
  const double above = rounding * model.critical_step;
  const auto look = [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
      if (steps.smaller(above, e) < above) return e;
    return Index{-1};
  };
  for (const Index found :
       parallel_results(threads_for(0), static_cast<std::size_t>(model.mesh.element_count()), 1024, look))
    if (found >= 0) return found;
  return 0;
}

template <class Element>
UsualSteps sample_steps(const Model& model, const ElementSteps<Element>& steps) {
  constexpr Index most = 1000;
  const Index elements = model.mesh.element_count(), count = std::min(elements, most);
  std::vector<double> sample;
  for (std::int64_t i = 0; i < count; ++i) sample.push_back(steps.of(static_cast<Index>(i * elements / count)));
  std::sort(sample.begin(), sample.end());
  return {sample[count / 2], sample[std::min(std::max(Index{2}, count / 100), count - 1)]};
}

std::vector<double> damping_times(const Model& model) {
  std::vector<double> damping;
  for (const MaterialCase& material : model.materials) damping.push_back(damping_time<MaterialLaws>(material));
  return damping;
}

}  // namespace

double checked_damping_time(const char* law, double time) {
  if (time >= 0 && std::isfinite(time)) return time;
  throw InputError(fmt::format("the law `{}` says that its damping time is {:g} s: expected a number >= 0", law, time));
}

double critical_step(const Model& model, const std::vector<double>& damping) {
  return with_element(model.mesh, [&]<class Element>() { return smallest_step<Element>(model, damping); });
}

double critical_step(const Model& model) { return critical_step(model, damping_times(model)); }

Index limiting_element(const Model& model) {
  const std::vector<double> damping = damping_times(model);
  return with_element(model.mesh,
                      [&]<class Element>() { return first_critical(model, ElementSteps<Element>(model, damping)); });
}

UsualSteps usual_steps(const Model& model) {
  const std::vector<double> damping = damping_times(model);
  return with_element(model.mesh,
                      [&]<class Element>() { return sample_steps(model, ElementSteps<Element>(model, damping)); });
}

}  // namespace cleave
