#include "case/range.hpp"

#include <fmt/format.h>

#include <cmath>

#include "case/number.hpp"

namespace cleave::case_file {

std::string Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "finite";
  if (std::isinf(high)) return fmt::format("{} {}", with_low ? ">=" : ">", number_text(low));
  if (std::isinf(low)) return fmt::format("{} {}", with_high ? "<=" : "<", number_text(high));
  return fmt::format("in {}{}, {}{}", with_low ? '[' : '(', number_text(low), number_text(high), with_high ? ']' : ')');
}

}  // namespace cleave::case_file
