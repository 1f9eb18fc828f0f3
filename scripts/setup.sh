# Sourced by the scripts that build: installs what is missing, configures and builds.
# Sets `build` to the build folder. Set `without_tests=1` before to skip packages for tests, `with_python=1` to install packages
# for virtual environments of Python.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'cleave: %s\n' "$*" >&2; }

# The Debian package of each command or file that the build needs.
install_missing() {
  local missing=() prefix=/usr
  command -v g++ >/dev/null || missing+=(g++)
  command -v cmake >/dev/null || missing+=(cmake)
  command -v ninja >/dev/null || missing+=(ninja-build)
  if [ -z "${without_tests:-}" ]; then
    compgen -G "$prefix/lib/*/cmake/vtk-9*/vtk-config.cmake" >/dev/null || missing+=(libvtk9-dev)
    [ -f $prefix/include/catch2/catch.hpp ] || missing+=(catch2)
  fi
  compgen -G "$prefix/lib/*/cmake/yaml-cpp/yaml-cpp-config.cmake" >/dev/null || missing+=(libyaml-cpp-dev)
  compgen -G "$prefix/lib/*/cmake/fmt/fmt-config.cmake" >/dev/null || missing+=(libfmt-dev)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  [ -f $prefix/include/libdeflate.h ] || missing+=(libdeflate-dev)
  [ -f $prefix/include/isa-l.h ] || [ "$(uname -m)" != x86_64 ] || missing+=(libisal-dev)
  [ -f $prefix/include/lz4.h ] || missing+=(liblz4-dev)
  pkg-config --exists hdf5-serial 2>/dev/null || pkg-config --exists hdf5 2>/dev/null || missing+=(libhdf5-dev)
  command -v mpirun >/dev/null || missing+=(openmpi-bin)
  command -v mpicc >/dev/null || missing+=(libopenmpi-dev)
  [ -d $prefix/include/eigen3/Eigen ] || missing+=(libeigen3-dev)
  [ -f $prefix/include/CLI/CLI.hpp ] || missing+=(libcli11-dev)
  [ -f $prefix/include/nlohmann/json.hpp ] || missing+=(nlohmann-json3-dev)
  [ -f $prefix/include/xxhash.h ] || missing+=(libxxhash-dev)
  [ -z "${with_python:-}" ] || python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  [ ${#missing[@]} -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    say "these Debian packages are missing: ${missing[*]}; install their equivalents of this system by hand"
    exit 1
  fi
  local sudo=
  if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    if ! command -v sudo >/dev/null; then
      say "these packages are missing: ask an administrator for: apt-get install ${missing[*]}"
      exit 1
    fi
  fi
  say "installing ${missing[*]}"
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Path of nvcc in the folder of CUDA's installer, if the PATH lacks nvcc and it can be used.
find_nvcc() {
  has_nvcc && return
  [ -x /usr/local/cuda/bin/nvcc ] || return 0
  if [ "${CLEAVE_CUDA:-}" = ON ] || { [ -z "${CLEAVE_CUDA:-}" ] && has_device; }; then export PATH=$PATH:/usr/local/cuda/bin; fi
}

has_device() { [[ $(nvidia-smi -L 2>/dev/null) == *GPU* ]]; }
has_nvcc() { command -v "${CUDACXX:-nvcc}" >/dev/null; }
has_avx512() { grep -q avx512f /proc/cpuinfo; }

# Sets `options` of a program in build/run. Kernels for CUDA and for AVX-512 take minutes each to compile. They are built on machines
# that can run them, and stay enabled for other machines that share this folder. CLEAVE_CUDA=ON builds the CUDA kernels wherever nvcc
# is installed.
choose_kernels() {
  local first
  first=$([ -f "$root/build/run/CMakeCache.txt" ] || echo yes)
  options=()
  if [ -n "${CLEAVE_CUDA:-}" ]; then
    options+=(-DCLEAVE_CUDA="$CLEAVE_CUDA")
  elif has_device || ! has_nvcc; then
    options+=(-DCLEAVE_CUDA=AUTO)
  elif [ -n "$first" ]; then
    options+=(-DCLEAVE_CUDA=OFF)
    say "no CUDA device here: this is the CPU program only (CLEAVE_CUDA=ON scripts/run builds it with CUDA)"
  fi
  if has_avx512; then
    options+=(-DCLEAVE_AVX512=ON)
  elif [ -n "$first" ]; then
    options+=(-DCLEAVE_AVX512=OFF)
  fi
}

# build_cleave FOLDER CMAKE-ARGUMENTS...: configures and builds `build_targets`, or everything; prints errors only.
build_targets=()
build_cleave() {
  build=$1
  shift
  local log=$build/build.log launcher=()
  mkdir -p "$build"
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  # Unity builds take half the time.
  if ! cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON "${launcher[@]}" "$@" \
    >"$log" 2>&1; then
    cat "$log" >&2
    say "configuring failed (see above)"
    exit 1
  fi
  if grep -q 'No CUDA compiler found' "$log"; then say "no CUDA compiler found: this is the CPU program only"; fi
  # The first build takes minutes: show progress.
  if [ -t 2 ]; then
    ninja -C "$build" "${build_targets[@]}" >&2 || exit 1
  elif ! ninja -C "$build" "${build_targets[@]}" >>"$log" 2>&1; then
    sed -n '/^FAILED/,$p' "$log" >&2
    say "building failed (see above; all of it in $log)"
    exit 1
  fi
}

install_missing
find_nvcc
