/// A switch in solver memory that launches look at: what they do may depend on what earlier launches found, without the
/// host.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

/// Lets the work of a kernel through, or not. A kernel whose gate is closed changes nothing.
class DeviceGate {
 public:
  /// As `always()`.
  constexpr DeviceGate() = default;
  CLEAVE_HD static constexpr DeviceGate always() { return {}; }
  /// @param flag  in solver memory; open while it is not 0
  CLEAVE_HD static constexpr DeviceGate open_if(const Index* flag) { return {flag, true}; }
  /// @param flag  in solver memory; closed while it is not 0
  CLEAVE_HD static constexpr DeviceGate closed_if(const Index* flag) { return {flag, false}; }

  /// Reads the flag: inside kernels.
  CLEAVE_HD bool is_open() const { return flag_ == nullptr || (*flag_ != 0) == opens_; }

 private:
  CLEAVE_HD constexpr DeviceGate(const Index* flag, bool opens) : flag_(flag), opens_(opens) {}

  const Index* flag_ = nullptr;  ///< null: always open
  bool opens_ = true;            ///< the flag, where it is set
};

}  // namespace cleave
