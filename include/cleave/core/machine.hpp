/// What the machine has.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace cleave {

/// Memory that this program may use at most, bytes: that of the machine, or what its control group gets.
inline double machine_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double most = 0;
  if (limit >> most && most > 0) bytes = std::min(bytes, most);  // without a limit, it holds a word
  return bytes;
}

}  // namespace cleave
