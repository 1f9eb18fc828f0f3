/// The ladder of kernels for f += K u of listed T6 elements, from the naive one up (A. Alhadeff's thesis chapter,
/// section 3.2.5). All multiply each row from its first column to its last with one fma each, so all leave the same
/// bits.
///
/// How values are loaded is chosen apart: `matrices(e, row, column)` in N/m, `displacements(node, component)` in m.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "published/internal_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Reads a value that no kernel running now writes: on CUDA through the texture path.
template <class T>
CLEAVE_HD T read_only(const T& source) {
#if defined(__CUDA_ARCH__)
  return __ldg(&source);
#else
  return source;
#endif
}

// Matrices as records of 144 values.
struct RowByRow {
  const Real* data;
  CLEAVE_HD Real operator()(Index e, int row, int column) const {
    return data[static_cast<std::size_t>(e) * T6::dofs * T6::dofs + row * T6::dofs + column];
  }
};
/// The threads of consecutive rows read consecutive words.
struct Transposed {
  const Real* data;
  CLEAVE_HD Real operator()(Index e, int row, int column) const {
    return data[static_cast<std::size_t>(e) * T6::dofs * T6::dofs + column * T6::dofs + row];
  }
};
struct TransposedReadOnly {
  const Real* data;
  CLEAVE_HD Real operator()(Index e, int row, int column) const {
    return read_only(data[static_cast<std::size_t>(e) * T6::dofs * T6::dofs + column * T6::dofs + row]);
  }
};

struct NodalVectors {
  const Vec2* data;  ///< [node]
  CLEAVE_HD Real operator()(Index node, int component) const { return component == 0 ? data[node].x : data[node].y; }
};
struct NodalVectorsReadOnly {
  const Vec2* data;  ///< [node]
  CLEAVE_HD Real operator()(Index node, int component) const {
    return component == 0 ? read_only(data[node].x) : read_only(data[node].y);
  }
};

#if defined(__CUDACC__)
/// Values of 8 bytes through a texture object, as two words each: textures have no double.
CLEAVE_HD inline double fetch_double([[maybe_unused]] cudaTextureObject_t texture, [[maybe_unused]] int at) {
#if defined(__CUDA_ARCH__)
  const int2 words = tex1Dfetch<int2>(texture, at);
  return __hiloint2double(words.y, words.x);
#else
  return 0;
#endif
}
/// A texture of linear memory has at most 2^27 or 2^28 texels, so that large meshes need several.
struct TransposedInTextures {
  static constexpr int most = 16;
  cudaTextureObject_t parts[most];
  Index elements_of_part;
  CLEAVE_HD Real operator()(Index e, int row, int column) const {
    const int at = (e % elements_of_part * T6::dofs + column) * T6::dofs + row;
    return fetch_double(parts[e / elements_of_part], at);
  }
};
struct NodalVectorsInTexture {
  cudaTextureObject_t texture;
  CLEAVE_HD Real operator()(Index node, int component) const { return fetch_double(texture, 2 * node + component); }
};
#endif

/// Counts what it loads.
template <class Values>
struct Counting {
  Values values;
  Index* loads;
  template <class... At>
  CLEAVE_HD Real operator()(At... at) const {
    atomic_add(*loads, Index{1});
    return values(at...);
  }
};

/// A thread an element, which loads a displacement again for every entry of the matrix.
template <class Matrices, class Displacements>
struct NaiveForce {
  static constexpr KernelTraits traits{.name = "forces, naive"};
  static constexpr int threads = 1;
  ElementTable<T6> elements;
  ElementList list;
  Matrices matrices;
  Displacements displacements;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = list[i];
    for (int row = 0; row < T6::dofs; ++row) {
      component(force[elements.node(e, row / 2)], row) +=
          row_times<T6::dofs>([&](int column) { return matrices(e, row, column); },
                              [&](int column) { return displacements(elements.node(e, column / 2), column % 2); });
    }
  }
};

/// A thread an element, with its displacements in shared memory.
template <class Matrices, class Displacements>
struct SharedForce {
  static constexpr KernelTraits traits{.name = "forces, shared displacements"};
  static constexpr int threads = 1;
  static constexpr int workers = 192;
  struct Shared {
    Real displacement[T6::dofs][workers];
  };
  ElementTable<T6> elements;
  ElementList list;
  Matrices matrices;
  Displacements displacements;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index blocks() const { return (list.count + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * workers;
    ForEachIdx each{worker};
    each([&](Idx i) {
      if (first + i >= list.count) return;
      for (int dof = 0; dof < T6::dofs; ++dof)
        shared.displacement[dof][i] = displacements(elements.node(list[first + i], dof / 2), dof % 2);
    });
    worker.sync();
    each([&](Idx i) {
      if (first + i >= list.count) return;
      const Index e = list[first + i];
      for (int row = 0; row < T6::dofs; ++row) {
        component(force[elements.node(e, row / 2)], row) +=
            row_times<T6::dofs>([&](int column) { return matrices(e, row, column); },
                                [&](int column) { return shared.displacement[column][i]; });
      }
    });
  }
};

/// Twelve threads an element, each with one row: it loads one displacement for all of them and twelve entries.
template <class Matrices, class Displacements>
struct RowForce {
  static constexpr KernelTraits traits{.name = "forces, a thread a row"};
  static constexpr int threads = T6::dofs;
  static constexpr int elements_per_block = 16;
  static constexpr int workers = elements_per_block * T6::dofs;
  struct Shared {
    Real displacement[elements_per_block][T6::dofs];
  };
  ElementTable<T6> elements;
  ElementList list;
  Matrices matrices;
  Displacements displacements;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index blocks() const { return (list.count + elements_per_block - 1) / elements_per_block; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * elements_per_block;
    ForEachIdx each{worker};
    const auto node = each([&](Idx i) -> Index {
      const Index n = node_of_row(elements, list, first, i);
      if (n >= 0) shared.displacement[i / T6::dofs][i % T6::dofs] = displacements(n, i % 2);
      return n;
    });
    worker.sync();
    each([&](Idx i) {
      if (node[i] < 0) return;
      const int member = i / T6::dofs, row = i % T6::dofs;
      const Index e = list[first + member];
      component(force[node[i]], row) +=
          row_times<T6::dofs>([&](int column) { return matrices(e, row, column); },
                              [&](int column) { return shared.displacement[member][column]; });
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
