/// Tables of laws in the memory of a GPU.
#pragma once

#include <vector>

#include "cleave/material/law_table.hpp"

namespace cleave {

template <class Backend>
class PlacedTables {
  using Rows = typename Backend::template Buffer<TableRow>;

 public:
  /// The numbers of a case, of which laws are made that kernels may ask as long as this object lives.
  template <class Numbers>
  Numbers place(Numbers numbers) {
    if constexpr (!Rows::is_host_memory) {
      for (LawTable& table : numbers.tables) upload(table);
      if constexpr (requires { numbers.hardening; }) upload(numbers.hardening.table);
    }
    return numbers;
  }

 private:
  void upload(LawTable& table) {
    if (table.rows.empty()) return;
    uploaded_.emplace_back().upload(table.rows);
    table.on_gpu = uploaded_.back().data();
  }

  std::vector<Rows> uploaded_;
};

}  // namespace cleave
