/// What the machine has.
#pragma once

#include <malloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "cleave/core/environment.hpp"

namespace cleave {

/// Memory that the processes of this program on this machine may use together at most, bytes: that of the machine, what
/// their control group gets, or what a job of Slurm has asked for.
inline double machine_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double most = 0;
  if (limit >> most && most > 0) bytes = std::min(bytes, most);  // without a limit, it holds a word
  if (const auto job = environment::memory(); job && *job > 0) bytes = std::min(bytes, *job);
  return bytes;
}

/// Memory that this program may still take, bytes: of what the machine has left, its control group (in a container)
/// and, of what this process has not taken, a job of Slurm. Pages of files, which the system gives up for it, count as
/// free.
inline double available_memory() {
  const auto number_behind = [](const char* file, const std::string& key) {
    std::ifstream in(file);
    double number = 0;
    for (std::string word; in >> word;)
      if (word == key && in >> number) break;
    return number;
  };
  constexpr double kib = 1024;
  const double in_use = number_behind("/proc/self/status", "VmRSS:") * kib;
  double bytes = std::min(kib * number_behind("/proc/meminfo", "MemAvailable:"), machine_memory() - in_use);
  std::ifstream limit("/sys/fs/cgroup/memory.max"), used("/sys/fs/cgroup/memory.current");
  double most = 0, now = 0;
  if (limit >> most && used >> now)
    bytes = std::min(bytes, most - now + number_behind("/sys/fs/cgroup/memory.stat", "inactive_file"));
  return std::max(bytes, 0.0);
}
/// The same, where so much is wanted. If there is less, what the program has freed and kept goes back to the system
/// before: it lies in pieces, so that not all of it could be used again.
inline double available_memory(double wanted) {
  if (const double left = available_memory(); left >= wanted) return left;
  malloc_trim(0);
  return available_memory();
}

/// Processors that this program may run on, at least 1.
inline int processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // more processors than the set can name
}

/// Threads to work with, where a case or an option asks for so many. 0: as OMP_NUM_THREADS says, as schedulers of
/// clusters set it; without it, one a processor.
/// @param processes  that share the processors
inline int threads_for(int asked, int processes = 1) {
  if (asked > 0) return asked;
  return environment::threads().value_or(std::max(1, processors() / processes));
}

}  // namespace cleave
