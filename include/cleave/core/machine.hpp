/// Memory and processors of the machine.
#pragma once

#include <malloc.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "cleave/core/environment.hpp"

namespace cleave {

/// Upper limit, bytes, of the memory that the processes of this program on this machine may use together: the memory of
/// the machine, the limit of the control group, or the memory that a Slurm job has asked for.
inline double machine_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double most = 0;
  if (limit >> most && most > 0) bytes = std::min(bytes, most);  // without a limit, the file holds a word
  if (const auto job = environment::memory(); job && *job > 0) bytes = std::min(bytes, *job);
  return bytes;
}

/// Memory that this program may still take, bytes: the smallest of the free memory of the machine, the memory left in
/// its control group (in a container), and the memory of the Slurm job that this process has not taken. Pages of cached
/// files count as free, as the system gives them up.
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
/// The same for a caller that needs `wanted` bytes. If there is less, memory that the program has freed but kept is
/// first returned to the system: it is fragmented and could not all be reused.
inline double available_memory(double wanted) {
  if (const double left = available_memory(); left >= wanted) return left;
  malloc_trim(0);
  return available_memory();
}

/// Largest resident memory that this process has had so far, bytes.
inline double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Number of processors that a process may run on, at least 1.
/// @param process  0: this program
inline int processors(pid_t process = 0) {
  cpu_set_t allowed;
  if (sched_getaffinity(process, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  // sched_getaffinity fails when the machine has more processors than the set can hold.
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Number of threads to use when a case or an option asks for `asked`. 0: the value of OMP_NUM_THREADS, which
/// schedulers of clusters set; without it, one thread per processor.
/// @param processes  number of processes that share the processors
inline int threads_for(int asked, int processes = 1) {
  if (asked > 0) return asked;
  return environment::threads().value_or(std::max(1, processors() / processes));
}

}  // namespace cleave
