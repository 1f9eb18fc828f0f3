/// A field of a process as it was copied for output.
#pragma once

#include "backend/host_copy.hpp"
#include "cleave/process/process_type.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend>
struct CopiedProcessField {
  const ProcessField* field;
  std::size_t rows;
  typename HostCopy<Backend>::template Part<double> values;

  Snapshot::ProcessValues shown(HostCopy<Backend>& copy) const {
    const double* const first = copy.data(values);
    return {field->name, field->on, field->width, {first, first + rows * static_cast<std::size_t>(field->width)}};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
