# cleave_options: flags shared by every target of the project.
add_library(cleave_options INTERFACE)
target_include_directories(cleave_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_include_directories(cleave_options INTERFACE ${CMAKE_BINARY_DIR}/generated)
target_compile_features(cleave_options INTERFACE cxx_std_20)
target_compile_options(cleave_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-unknown-pragmas>
  # The same expressions round the same way on the CPU and on the GPU: no contraction behind the source's back
  # (kernels call fma where it pays), so that both give the same bits.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
  # Nobody reads errno of std::sqrt or the flags of floating-point exceptions, which would keep loops over lanes with a
  # root or a choice from becoming vector instructions. No value depends on these two.
  $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-fno-trapping-math>
  # -std by hand: CMake 3.25 does not know that nvcc speaks C++20.
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--fmad=false;--expt-relaxed-constexpr;--extended-lambda;-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,-ffp-contract=off>)
if(CLEAVE_NATIVE)
  target_compile_options(cleave_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
else()
  target_compile_options(cleave_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64-v3>)
endif()
if(CLEAVE_SANITIZE STREQUAL "address")
  # Without what makes compilers take up to twice as long: the address sanitizer sees null pointers and objects that are too small.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=null,object-size,alignment,vptr -fno-sanitize-recover=undefined)
elseif(CLEAVE_SANITIZE STREQUAL "thread")
  set(sanitize -fsanitize=thread)
elseif(CLEAVE_SANITIZE)
  message(FATAL_ERROR "CLEAVE_SANITIZE: expected address or thread, found ${CLEAVE_SANITIZE}")
endif()
if(CLEAVE_SANITIZE)
  # Not for CUDA sources: the sanitizers are for the CPU program. Compiling takes longest, and half as long without optimisation:
  # only libraries that compute have it.
  set(optimise $<IF:$<BOOL:$<TARGET_PROPERTY:CLEAVE_COMPUTES>>,-O1,-O0>)
  target_compile_options(cleave_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize};-fno-omit-frame-pointer;${optimise};-g1>)
  target_link_options(cleave_options INTERFACE ${sanitize})
endif()
# A second version of the kernels, for AVX-512, takes minutes to compile, and sanitizers would find the same in it.
if(CLEAVE_SANITIZE OR NOT CLEAVE_AVX512)
  target_compile_definitions(cleave_options INTERFACE CLEAVE_ONE_INSTRUCTION_SET=1)
endif()
if(CLEAVE_FUZZ)
  target_compile_options(cleave_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
if(CLEAVE_WERROR)
  target_compile_options(cleave_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
