# Sourced by scripts/sanitize and scripts/fuzz: builds with a sanitizer. Both share the folder of the address sanitizer, whose
# libraries serve tests and fuzz targets.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Whether clang++ is there with all that fuzz targets are linked with.
can_fuzz() {
  local folder=$root/build/try_clang
  mkdir -p "$folder"
  { echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$folder/try" && "$folder/try" -runs=1; } >/dev/null 2>&1
}

# build_with_sanitizer address|kernels|thread: the first two with fuzz targets by clang++ where that can be had. g++ does not stop at
# warnings: with a sanitizer it has false ones. clang++ 14 finds data races in every std::thread.
build_with_sanitizer() {
  local sanitizer=$1 kernels=OFF compiler=(-DCLEAVE_WERROR=OFF) laws= examples=include/cleave/material
  # For the test user_program. A second program with these laws would take minutes to build.
  [ "$1" != thread ] || laws="$examples/user_example.hpp;$examples/user_table_example.hpp"
  if [ "$1" = kernels ]; then sanitizer=address kernels=ON; fi
  if [ $sanitizer = address ] && can_fuzz; then
    compiler=(-DCMAKE_CXX_COMPILER=clang++ -DCLEAVE_FUZZ=ON -DCLEAVE_WERROR="${CLEAVE_WERROR:-OFF}")
  fi
  build_cleave "$root/build/$1" -DCLEAVE_SANITIZE="$sanitizer" -DCLEAVE_SANITIZE_KERNELS="$kernels" \
    -DCLEAVE_USER_LAWS="$laws" "${compiler[@]}" -DCLEAVE_CUDA=OFF -DCLEAVE_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
}
