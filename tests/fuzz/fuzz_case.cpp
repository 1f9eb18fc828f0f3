/// Any bytes as a case file are read, or refused with an InputError; and a case that was read is read again from what
/// it resolves to, with the same result.
#include <cstdlib>
#include <iostream>

#include "cleave/case/case.hpp"
#include "cleave/core/error.hpp"
#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cleave;
  std::string resolved;
  try {
    resolved = resolved_yaml(read_case(fuzz::input_file("case.yaml", data, size)));
  } catch (const InputError&) {
    return 0;
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(resolved.data());
  if (resolved_yaml(read_case(fuzz::input_file("resolved.yaml", bytes, resolved.size()))) != resolved) {
    std::cerr << "reading this again gives another case:\n" << resolved;
    std::abort();
  }
  return 0;
}
