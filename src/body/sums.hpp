/// Sums of named quantities: a kernel says which ones its blocks add up, and they arrive under these names.
///
/// A list is a type, `using Sums = QuantityList<Quantity::kinetic_energy, ...>;`, and whatever holds a value for each
/// quantity of a list takes the name in brackets: `sum[Quantity::kinetic_energy]`. A name that is not in the list does
/// not compile, and what is left at run time is a constant.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "body/gather_table.hpp"
#include "cleave/core/fixed_sum.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/process/process_type.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <Quantity... q>
struct QuantityList {
  static constexpr int count = sizeof...(q);
  static_assert(((info_of(q).kind == QuantityKind::summed) && ...), "kernels add up quantities of this kind only");

  static constexpr Quantity at(int field) {
    constexpr Quantity all[] = {q...};
    return all[field];
  }
  static consteval int field_of(Quantity wanted) {
    for (int field = 0; field < count; ++field)
      if (at(field) == wanted) return field;
    throw "this quantity is not in the list";
  }
};

template <class First, class Second>
struct JoinedLists;
template <Quantity... first, Quantity... second>
struct JoinedLists<QuantityList<first...>, QuantityList<second...>> {
  using Type = QuantityList<first..., second...>;
};
/// The quantities of one list, then those of another.
template <class First, class Second>
using Joined = typename JoinedLists<First, Second>::Type;

/// Place of a quantity in a list, made from a Quantity at compile time.
template <class List>
struct FieldOf {
  int index;
  consteval FieldOf(Quantity q) : index(List::field_of(q)) {}
};

/// A value for each quantity of a list.
template <class List>
struct QuantityValues {
  double value[List::count] = {};

  CLEAVE_HD_INLINE double& operator[](FieldOf<List> field) { return value[field.index]; }
  CLEAVE_HD_INLINE double operator[](FieldOf<List> field) const { return value[field.index]; }
  CLEAVE_HD_INLINE QuantityValues& operator+=(const QuantityValues& other) {
    CLEAVE_UNROLL
    for (int field = 0; field < List::count; ++field) value[field] += other.value[field];
    return *this;
  }
};

/// Rows of sums, one a block of a kernel.
template <class List>
struct SumRows {
  using Sums = List;
  Table<double, List::count> rows;  ///< [block][quantity of the list]

  CLEAVE_HD double& at(Index block, FieldOf<List> field) const { return rows(block, field.index); }
  static constexpr std::size_t extent(Index blocks) { return Table<double, List::count>::extent(blocks); }
};

/// Adds up the quantities of a list over the workers of a block.
template <class List, int Workers>
struct QuantitySum : BlockSum<List::count, Workers> {
  CLEAVE_HD double (&operator[](FieldOf<List> field))[Workers] { return this->value[field.index]; }

  /// Leaves the sums in this block's row.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Worker>
  CLEAVE_HD void store(SumRows<List> sums, Worker const& worker) {
    this->reduce(worker);
    only_master(worker, [&] {
      for (int field = 0; field < List::count; ++field) sums.rows(worker.block, field) = this->total(field);
    });
  }
  /// Adds a factor times the sums to this block's row of a list that has all of them.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Ledger, class Worker>
  CLEAVE_HD void add_to(Ledger sums, double factor, Worker const& worker) {
    this->reduce(worker);
    only_master(worker, [&] { add_to_row(sums, worker.block, factor, List{}); });
  }

 private:
  template <class Ledger, Quantity... q>
  CLEAVE_HD void add_to_row(Ledger sums, Index block, double factor, QuantityList<q...>) {
    ((sums.at(block, q) += factor * (*this)[q][0]), ...);
  }
};

/// Adds up terms in fixed point, into sums to which other blocks add at the same time. On a GPU several workers share
/// the terms of a sum.
template <int Workers>
struct FixedBlockSum {
  std::int64_t word[FixedSum::words][Workers];  ///< of the terms of a worker

  /// @param sums   number of sums, up to Workers
  /// @param terms  number of terms of each
  /// @param term   (s, k): term k of sum s; consecutive workers ask for consecutive sums
  /// @param total  (s): where sum s is added
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Worker, class Term, class Total>
  CLEAVE_HD void add(int sums, int terms, const Term& term, const Total& total, Worker const& worker) {
    worker.sync();
    if constexpr (Worker::slots == 1) {
      ForEachIdx each{worker};
      each([&](Idx i) { add_terms_of(i, Workers / sums, sums, terms, term); });
      worker.sync();
      each([&](Idx i) {
        for (int j = i; j < sums * FixedSum::words; j += Workers) {
          const int s = j % sums, w = j / sums;
          std::int64_t all = 0;
          for (int lane = 0; lane < Workers / sums; ++lane) all += word[w][lane * sums + s];
          if (all != 0) atomic_add(total(s).word[w], all);
        }
      });
    } else {
      for (int s = 0; s < sums; ++s) {
        FixedSum sum;
        for (int k = 0; k < terms; ++k) sum.add(term(s, k));
        sum.add_to(total(s));
      }
    }
  }

 private:
  /// Worker i adds every lanes-th term of its sum. Several are read before the first is added.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Term>
  CLEAVE_HD void add_terms_of(int i, int lanes, int sums, int terms, const Term& term) {
    constexpr int together = 4;
    for (int w = 0; w < FixedSum::words; ++w) word[w][i] = 0;
    if (i >= lanes * sums) return;
    for (int first = i / sums; first < terms; first += together * lanes) {
      double value[together];
      CLEAVE_UNROLL
      for (int k = 0; k < together; ++k) value[k] = first + k * lanes < terms ? term(i % sums, first + k * lanes) : 0;
      CLEAVE_UNROLL
      for (int k = 0; k < together; ++k)
        FixedSum::for_each_part(value[k], [&](int w, std::int64_t part) { word[w][i] += part; });
    }
  }
};

/// Which rows by node count: those of nodes in use that this rank adds up.
struct CountedNodes {
  const NodeAssembly* assembly = nullptr;  ///< [node]; null: rows are not by node, and all count
  Index first = 0;                         ///< node of the first row
  const LiveCounts* live = nullptr;

  CLEAVE_HD bool has(Index row) const {
    return assembly == nullptr || (first + row < live->nodes && !(assembly[first + row].flags & ghost_node));
  }
};

/// Reads the sums of a row of history, and sets them to zero for the next one.
struct TakeTotals {
  static constexpr KernelTraits traits{.name = "totals"};
  FixedSum* sums;  ///< [quantity], [most_process_columns], then [group][GroupSums::count]
  QuantityTotals* totals;
  double* columns;  ///< of processes
  GroupSums* groups;
  Index group_count;

  static constexpr Index before_groups = quantity_count + most_process_columns;

  CLEAVE_HD Index size() const { return before_groups + group_count * GroupSums::count; }
  CLEAVE_HD void operator()(Index i) const {
    const double total = sums[i].value();
    sums[i] = {};
    if (i >= before_groups) {
      const Index of_group = i - before_groups;
      groups[of_group / GroupSums::count].value[of_group % GroupSums::count] = total;
      return;
    }
    if (i >= quantity_count) {
      columns[i - quantity_count] = total;
      return;
    }
    totals->value[i] = total;
  }
};

/// Adds the rows of several kernels to the sums of quantities, in one launch. Its last block can make totals of them.
struct SumTables {
  static constexpr KernelTraits traits{.name = "sum of sums"};
  static constexpr int workers = 256, rows_of_block = 128;
  static constexpr int most_tables = 28, most_fields = 16;
  struct Shared {
    FixedBlockSum<workers> sum;
    bool is_last;
  };
  struct Rows {
    const double* values;  ///< [row][field]
    Index count;
    int fields;
    Index end_block;  ///< one past the last block that adds them up
    CountedNodes nodes;
    int sum[most_fields];  ///< [field] its number among `sums`
  };
  Rows tables[most_tables];
  int count = 0;
  FixedSum* sums = nullptr;      ///< see TakeTotals
  Index* blocks_done = nullptr;  ///< 0 before and after; null: no totals
  TakeTotals totals{};

  template <class List>
  void add(SumRows<List> rows, ElementRange range, const CountedNodes& nodes = {}) {
    static_assert(List::count <= most_fields);
    if (range.size() <= 0) return;
    Rows& table = add_table(&rows.rows(range.begin, 0), range, List::count, nodes);
    for (int field = 0; field < List::count; ++field) table.sum[field] = static_cast<int>(List::at(field));
  }
  /// Values whose sum is that column of a process.
  void add_column(int column, const double* values, ElementRange range, const CountedNodes& nodes = {}) {
    if (range.size() > 0) add_table(values + range.begin, range, 1, nodes).sum[0] = quantity_count + column;
  }
  template <class List>
  void add(SumRows<List> rows, Index row_count) {
    add(rows, ElementRange{0, row_count});
  }
  CLEAVE_HD Index blocks() const { return count > 0 ? tables[count - 1].end_block : 0; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    int t = 0;
    while (worker.block >= tables[t].end_block) ++t;
    const Rows& table = tables[t];
    const Index first = (worker.block - (t > 0 ? tables[t - 1].end_block : 0)) * rows_of_block;
    const Index rows = table.count - first < rows_of_block ? table.count - first : rows_of_block;
    shared.sum.add(
        table.fields, rows,
        [&](int field, int k) {
          const Index row = first + k;
          return table.nodes.has(row) ? table.values[static_cast<std::size_t>(row) * table.fields + field] : 0.0;
        },
        [&](int field) -> FixedSum& { return sums[table.sum[field]]; }, worker);
    if (blocks_done != nullptr) end(worker, shared);
  }

 private:
  Rows& add_table(const double* values, ElementRange range, int fields, const CountedNodes& nodes) {
    if (count == most_tables) throw std::logic_error("too many tables of sums");
    const Index end_block = blocks() + (range.size() + rows_of_block - 1) / rows_of_block;
    tables[count] = {values, range.size(), fields, end_block, nodes, {}};
    return tables[count++];
  }
  template <class Worker>
  CLEAVE_HD void end(Worker const& worker, Shared& shared) const {
    worker.sync();
    only_master(worker, [&] { shared.is_last = atomic_arrive(*blocks_done) == blocks() - 1; });
    worker.sync();
    if (!shared.is_last) return;
    ForEachIdx{worker}([&](Idx i) {
      for (Index t = i; t < totals.size(); t += workers) totals(t);
    });
    only_master(worker, [&] { *blocks_done = 0; });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
