# Sourced by scripts/sanitize and scripts/fuzz: builds with a sanitizer. Both use the same folder for the address sanitizer, so
# that tests and fuzz targets share its libraries.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Whether clang++ can link fuzz targets.
can_fuzz() {
  local folder=$root/build/try_clang
  mkdir -p "$folder"
  { echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$folder/try" && "$folder/try" -runs=1; } >/dev/null 2>&1
}

# build_with_sanitizer address|kernels|thread: the first two use clang++ with fuzz targets if possible. With g++ warnings are no
# errors, as a sanitizer causes false ones. clang++ 14 reports false data races in every std::thread.
build_with_sanitizer() {
  local sanitizer=$1 kernels=OFF compiler=(-DCLEAVE_WERROR=OFF) laws= examples=docs/examples/laws
  # For the test user_program; a second program with these laws would take minutes to build.
  [ "$1" != thread ] || laws="$examples/user_example.hpp;$examples/user_table_example.hpp;$examples/user_force_example.hpp"
  if [ "$1" = kernels ]; then sanitizer=address kernels=ON; fi
  if [ $sanitizer = address ] && can_fuzz; then
    compiler=(-DCMAKE_CXX_COMPILER=clang++ -DCLEAVE_FUZZ=ON -DCLEAVE_WERROR="${CLEAVE_WERROR:-OFF}")
  fi
  build_cleave "$root/build/$1" -DCLEAVE_SANITIZE="$sanitizer" -DCLEAVE_SANITIZE_KERNELS="$kernels" \
    -DCLEAVE_USER_LAWS="$laws" "${compiler[@]}" -DCLEAVE_CUDA=OFF -DCLEAVE_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
}
