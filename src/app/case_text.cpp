#include "app/case_text.hpp"

#include <fmt/format.h>

#include "app/console.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/output/vtkhdf.hpp"

namespace cleave {

std::string output_origin(const Case& c) {
  if (c.line_of_output == 0) return c.file.string() + ": output.directory";
  return fmt::format("{}:{}: output.directory", c.file.string(), c.line_of_output);
}

void tell_notes(const Case& c) {
  for (const std::string& note : c.notes) tell("note: {}", note);
  const int machine = processors();
  if (c.run.threads > machine)
    tell("note: {} threads exceed the {} that this machine runs at once, which slows the run down", c.run.threads,
         machine);
}

void check_output_format(const Case& c) {
  if (c.output.format != OutputFormat::vtkhdf || built_with_hdf5()) return;
  const std::string line = c.line_of_format > 0 ? fmt::format(":{}", c.line_of_format) : "";
  throw InputError(
      fmt::format("{}{}: output.format: this program was built without HDF5, which vtkhdf needs: take vtu, or install "
                  "libhdf5-dev and build again",
                  c.file.string(), line));
}

}  // namespace cleave
