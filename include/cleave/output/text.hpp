/// Numbers as readable text, and fields of CSV files.
#pragma once

#include <cstdint>
#include <string>

namespace cleave {

/// 36864 as "36,864".
std::string with_thousands(std::int64_t n);

/// Bytes as "512 B", "1.5 KiB", "23.4 MiB", "1.2 GiB".
std::string as_bytes(double bytes);

/// Seconds as "0.42 s", "12.3 s", "2:05" (minutes) or "1:02:05" (hours).
std::string as_duration(double seconds);

/// The text as a field of a CSV file, in quotes if needed (RFC 4180).
std::string csv_field(std::string text);

}  // namespace cleave
