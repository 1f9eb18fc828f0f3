# Sources of the solvers on a backend: each part of src/solvers in each precision is a file of its own, so that a change
# of a term compiles that term alone. Sets `solver_sources`, and those of single precision as `single_sources`.
#   cleave_solver_sources(cpu CpuBackend "backend/cpu/cpu_backend.hpp" cpp published)
# The last argument is the part of the published pipeline, or `no_published`, which refuses it.
function(cleave_solver_sources name backend header suffix)
  foreach(part gather cohesive terms ${ARGN})
    foreach(precision double single)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/solvers/${name}_${part}_${precision}.${suffix})
      set(define "")
      if("${precision}" STREQUAL "single")
        set(define "#define CLEAVE_SINGLE_PRECISION\n")
        list(APPEND of_single ${file})
      endif()
      file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
        "${define}#define CLEAVE_BACKEND ${backend}\n#include \"${header}\"\n#include \"solvers/${part}_part.hpp\"\n")
      list(APPEND all ${file})
    endforeach()
  endforeach()
  set(solver_sources ${all} PARENT_SCOPE)
  set(single_sources ${of_single} PARENT_SCOPE)
endfunction()
