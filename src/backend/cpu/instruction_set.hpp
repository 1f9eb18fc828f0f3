/// Which vector instructions the loops over lanes use: those that the program is built for, or AVX-512 where the
/// machine has it. Results do not depend on it (cleave/lockstep/lanes.hpp).
#pragma once

#include <string>

#include "cleave/core/environment.hpp"

// A program built for AVX-512 has one version of a kernel, that of the build. So has one with a sanitizer.
#if defined(__x86_64__) && defined(__AVX2__) && !defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(CLEAVE_ONE_INSTRUCTION_SET)
#define CLEAVE_AVX512_BESIDE 1
/// A function that may use AVX-512, with all that it calls and that may be inlined.
#define CLEAVE_AVX512 \
  __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512cd,prefer-vector-width=512"), flatten))
#endif

namespace cleave {

enum class InstructionSet { built, avx512 };

/// Instruction set that the program is built for.
inline const char* built_instructions() {
#if defined(__AVX512F__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#else
  return "baseline";
#endif
}

inline bool has_avx512_beside() {
#if defined(CLEAVE_AVX512_BESIDE)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
#else
  return false;
#endif
}

/// The widest that program and machine have, or what the environment's CLEAVE_INSTRUCTIONS asks for.
/// Throws InputError when there is no such instruction set.
inline InstructionSet chosen_instructions() {
  const std::string name = environment::instructions(), built = built_instructions();
  if (name == built) return InstructionSet::built;
  if (name.empty()) return has_avx512_beside() ? InstructionSet::avx512 : InstructionSet::built;
  if (name == "avx512" && has_avx512_beside()) return InstructionSet::avx512;
  environment::refuse("CLEAVE_INSTRUCTIONS", name,
                      built + (has_avx512_beside() ? " or avx512" : "") + ", which this program and machine have");
}

inline std::string name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : built_instructions();
}

}  // namespace cleave
