/// Sums of named quantities: a kernel says which ones its blocks add up, and they arrive under these names.
///
/// A list is a type, `using Sums = QuantityList<Quantity::kinetic_energy, ...>;`, and whatever holds a value for each
/// quantity of a list takes the name in brackets: `sum[Quantity::kinetic_energy]`. A name that is not in the list does
/// not compile, and what is left at run time is a constant.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "cleave/core/quantities.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"

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

/// Adds up the rows of several kernels into totals by quantity, in one launch: a block for each quantity. What several
/// kernels add to one quantity is added in the order of `add`.
struct SumTables {
  static constexpr KernelTraits traits{.name = "sum of sums"};
  static constexpr int workers = 256;
  static constexpr int most_entries = 64, most_of_one = 8;
  struct Shared {
    BlockSum<most_of_one, workers> sum;
  };
  /// The contribution of one kernel to one quantity.
  struct Entry {
    Quantity quantity;
    const double* first;  ///< of the kernel's rows
    Index rows;
    int stride;  ///< values from row to row
  };
  Entry entries[most_entries];
  int count = 0;
  QuantityTotals* totals;
  Quantity watched{};
  Index* changed = nullptr;  ///< set to 1 when the watched total is another than it was, else to 0

  template <class List>
  void add(SumRows<List> sums, Index rows) {
    if (rows == 0) return;
    for (int field = 0; field < List::count; ++field) {
      const Quantity quantity = List::at(field);
      const auto of_one =
          std::count_if(entries, entries + count, [&](const Entry& t) { return t.quantity == quantity; });
      if (count == most_entries || of_one == most_of_one) throw std::logic_error("too many sums of quantities");
      entries[count++] = {quantity, sums.rows.data + field, rows, List::count};
    }
  }
  CLEAVE_HD Index blocks() const { return quantity_count; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const auto quantity = static_cast<Quantity>(worker.block);
    ForEachIdx each{worker};
    int found = 0;
    for (int t = 0; t < count; ++t) {
      if (entries[t].quantity != quantity) continue;
      each([&](Idx i) {
        double sum = 0;
        for (Index row = i; row < entries[t].rows; row += workers)
          sum += entries[t].first[static_cast<std::size_t>(row) * entries[t].stride];
        shared.sum.value[found][i] = sum;
      });
      ++found;
    }
    shared.sum.reduce(worker, found);
    only_master(worker, [&] {
      double total = 0;
      for (int f = 0; f < found; ++f) total += shared.sum.total(f);
      double& last = (*totals)[quantity];
      if (changed != nullptr && quantity == watched) *changed = last != total;
      last = total;
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
