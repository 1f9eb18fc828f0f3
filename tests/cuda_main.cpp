/// The tests' program for CUDA. Without a device it runs none, says so, and ends with the code that CTest calls skipped.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <iostream>

#include "cleave/solver/solver.hpp"

int main(int count, char** arguments) {
  constexpr int skipped = 77;
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(count, arguments)) return wrong;
  const Catch::ConfigData& asked = session.configData();
  const bool lists = asked.listTests || asked.listTestNamesOnly || asked.listTags || asked.listReporters;
  if (const std::string why = lists || asked.showHelp ? "" : cleave::why_no_cuda(); !why.empty()) {
    std::cerr << "SKIPPED: no CUDA device (" << why << ")\n";
    return skipped;
  }
  return session.run();
}
