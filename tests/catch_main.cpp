#include "catch_main.hpp"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <iostream>

std::string (*cleave::test::obstacle)() = nullptr;

int main(int count, char** arguments) {
  constexpr int skipped = 77;  // as CTest is told
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(count, arguments)) return wrong;
  const Catch::ConfigData& asked = session.configData();
  const bool runs =
      !(asked.listTests || asked.listTestNamesOnly || asked.listTags || asked.listReporters || asked.showHelp);
  if (const std::string why = runs && cleave::test::obstacle ? cleave::test::obstacle() : ""; !why.empty()) {
    std::cerr << "SKIPPED: " << why << '\n';
    return skipped;
  }
  return session.run();
}
