#include "commands/case_text.hpp"

#include <fmt/format.h>

namespace cleave {

const char* assembly_name(Assembly assembly) {
  return assembly == Assembly::gather ? "gather" : assembly == Assembly::coloured ? "coloured" : "atomic";
}

const char* precision_name(Precision precision) {
  return precision == Precision::double_precision ? "double" : "single";
}

const char* aggregate_name(Aggregate aggregate) { return aggregate == Aggregate::mean ? "mean" : "max"; }

std::string output_origin(const Case& c) {
  if (c.line_of_output == 0) return c.file.string() + ": output.directory";
  return fmt::format("{}:{}: output.directory", c.file.string(), c.line_of_output);
}

}  // namespace cleave
