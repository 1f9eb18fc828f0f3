/// Arrays of a body to a stream.
#pragma once

#include "backend/host_copy.hpp"
#include "body/fields.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds the rows of an array to a copy. Returns their offset there.
/// @param rows  of the whole body
template <class Backend>
std::size_t add_rows(HostCopy<Backend>& copy, AnyField<Backend>& field, const RowCounts& rows) {
  const std::size_t values = field.extent(field.body_row_count(rows[field.use.on]));
  return copy.add(field.buffer(), field.data(), values * field.value_bytes);
}

/// Writes the rows in use of all arrays that are part of the state, one after the other.
/// @param rows    of the whole body
/// @param writes  whether this rank does; others take part in the copies
/// @param start   start(copy) starts a copy of the array in it
template <class Backend, class Start>
void save_fields(Fields<Backend>& fields, const RowCounts& rows, bool writes, StateWriter& to, const Start& start) {
  fields.for_each([&](AnyField<Backend>& field) {
    if (!field.use.saved) return;
    HostCopy<Backend> copy;
    const std::size_t offset = add_rows(copy, field, rows);
    start(copy);
    if (!writes) return;
    copy.wait();
    const Index count = field.body_row_count(rows[field.use.on]);
    field.clear_behind(copy.bytes(offset), count);
    field.save(to, copy.bytes(offset), field.extent(count));
  });
}

}  // namespace cleave::inline CLEAVE_PRECISION
