/// Matrix-vector products and norms on a backend.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "body/norms.hpp"
#include "strategies/kernels/matrix_vector.hpp"
#include "strategies/studied_mesh.hpp"
#include "strategies/study.hpp"

namespace cleave {

template <class Backend>
class VectorStudy final : public KernelStudy {
 public:
  template <class... Args>
  VectorStudy(const VectorSizes& sizes, Args&&... backend)
      : backend_(std::forward<Args>(backend)...), rows_(sizes.rows), columns_(sizes.columns), alpha_(1.5), beta_(-0.5) {
    const auto wave = [](std::size_t i) { return static_cast<Real>(static_cast<int>(i * 7919 % 2003) - 1001) / 1001; };
    const auto values = [&](std::size_t count) {
      std::vector<Real> v(count);
      for (std::size_t i = 0; i < count; ++i) v[i] = wave(i);
      return v;
    };
    matrix_.upload(values(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_)));
    x_.upload(values(static_cast<std::size_t>(columns_)));
    start_ = values(static_cast<std::size_t>(rows_));
    y_.upload(start_);
  }

  std::vector<Way> ways() override {
    std::vector<Way> list;
    list.push_back(product<RowProduct>("block per row"));
    list.push_back(product<ColumnsOverBlocks>("columns over blocks"));
    list.push_back(product<SquareTiles>("16 x 16, two-dimensional shared"));
    list.push_back(product<CoalescedTiles>("16 x 16, coalesced"));
    list.push_back(product<RectangularTiles>("4 x 64, coalesced"));
    list.push_back(product<FewerWorkers>("8 x 32 by 96 workers"));
    list.push_back(norms());
    return list;
  }

 private:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  template <class Product>
  Way product(const std::string& name) {
    const Index parts = Product::parts_of(columns_);
    parts_.resize(static_cast<std::size_t>(parts) * static_cast<std::size_t>(rows_));
    const auto launches = [this, parts] {
      backend_.launch(Product{{matrix_.data(), rows_, columns_}, x_.data(), parts_.data()});
      backend_.launch(FinishProduct{rows_, parts, parts_.data(), alpha_, beta_, y_.data()});
    };
    Way w;
    w.task = "y = alpha A x + beta y";
    w.name = name;
    w.same_bits = false;
    w.run = repeated(backend_, launches);
    w.result = [this, launches] {
      y_.upload(start_);
      launches();
      backend_.synchronise();
      const std::vector<Real> y = y_.download(static_cast<std::size_t>(rows_));
      return std::vector<double>(y.begin(), y.end());
    };
    return w;
  }
  /// All six norms of the matrix' values in one pass.
  Way norms() {
    const auto sums = [this] { return backend_.reduce(rows_ * columns_, NormsOfValues{matrix_.data()}, NormSums{}); };
    Way w;
    w.task = "norms";
    w.name = "one reduction";
    w.run = [sums](Step n) {
      for (Step i = 0; i < n; ++i) sums();
    };
    w.result = [sums] {
      const Norms n = sums().norms();
      return std::vector<double>{n.least, n.largest, static_cast<double>(n.l0),        n.l1,
                                 n.l2,    n.linf,    static_cast<double>(n.not_finite)};
    };
    return w;
  }

  Backend backend_;
  Index rows_, columns_;
  Real alpha_, beta_;
  Buffer<Real> matrix_, x_, y_, parts_;
  std::vector<Real> start_;  ///< y before a product
};

}  // namespace cleave
