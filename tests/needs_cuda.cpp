/// Part of programs whose tests need a CUDA device.
#include "catch_main.hpp"
#include "cleave/solver/solver.hpp"

namespace {

const bool asked = [] {
  cleave::test::obstacle = [] {
    const std::string why = cleave::why_no_cuda();
    return why.empty() ? why : "no CUDA device (" + why + ")";
  };
  return true;
}();

}  // namespace
