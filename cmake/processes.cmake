# cleave_add_processes(TARGET HEADER...): compiles processes of your own (docs/user_processes.md) into a program that links
# Cleave: each header once in each precision, for the CPU and, where Cleave has CUDA, for it.
function(cleave_add_processes target)
  set(suffix cpp)
  if(CLEAVE_HAS_CUDA)
    set(suffix cu)
    set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  endif()
  foreach(header ${ARGN})
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "cleave_add_processes: there is no file ${path}")
    endif()
    cmake_path(GET path STEM name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/processes/${target})
    file(CONFIGURE OUTPUT ${folder}/${name}_double.${suffix} @ONLY CONTENT "#include \"@path@\"\n")
    file(CONFIGURE OUTPUT ${folder}/${name}_single.${suffix} @ONLY
      CONTENT "#define CLEAVE_SINGLE_PRECISION 1\n#include \"@path@\"\n")
    set(sources ${folder}/${name}_double.${suffix} ${folder}/${name}_single.${suffix})
    # The same bits on the CPU and on the GPU: no contraction behind the source's back.
    if(suffix STREQUAL cu)
      set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS
        "-std=c++20;--fmad=false;--expt-relaxed-constexpr;-Xcompiler=-ffp-contract=off")
    else()
      set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-ffp-contract=off"
        SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    target_sources(${target} PRIVATE ${sources})
  endforeach()
endfunction()
