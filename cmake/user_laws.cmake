# Users' laws: CLEAVE_USER_LAWS names headers; each says with CLEAVE_USER_MATERIAL(type), CLEAVE_USER_TRACTION_LAW(type)
# and CLEAVE_USER_FORCE(type) which laws it has (docs/user_laws.md). A generated header hands them to include/cleave/material/user_laws.hpp.
# Headers with CLEAVE_USER_PROCESS(type) are sources of a program by themselves (processes.cmake).

# Sets `laws` and `processes` to the headers of each kind, by their whole paths.
function(cleave_kinds_of_headers headers)
  set(found_laws "")
  set(found_processes "")
  foreach(header ${headers})
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "CLEAVE_USER_LAWS: there is no file ${path}")
    endif()
    file(STRINGS ${path} of_laws REGEX "^CLEAVE_USER_(MATERIAL|TRACTION_LAW|FORCE)\\(")
    file(STRINGS ${path} of_processes REGEX "^CLEAVE_USER_PROCESS\\(")
    if(of_laws AND of_processes)
      message(FATAL_ERROR "CLEAVE_USER_LAWS: ${path} has laws and processes: move the processes to a header of their own")
    elseif(of_processes)
      list(APPEND found_processes ${path})
      foreach(line ${of_processes})
        string(REGEX REPLACE "^[A-Z_]+\\(([^)]*)\\).*" "\\1" type "${line}")
        message(STATUS "Process of a user: ${type} (${path})")
      endforeach()
    else()
      list(APPEND found_laws ${path})
    endif()
  endforeach()
  foreach(path ${found_processes})
    cleave_compile_user_law(${path})
  endforeach()
  set(laws "${found_laws}" PARENT_SCOPE)
  set(processes "${found_processes}" PARENT_SCOPE)
endfunction()

# A header that does not compile by itself, in both precisions, ends the configuration with its first errors: a build would
# tell them once for every source that has all laws. The macros ask for what a law must have.
function(cleave_compile_user_law path)
  set(folder ${CMAKE_BINARY_DIR}/generated/user_law)
  file(CONFIGURE OUTPUT ${folder}/double.cpp @ONLY CONTENT "#include \"@path@\"\n")
  file(CONFIGURE OUTPUT ${folder}/single.cpp @ONLY CONTENT "#define CLEAVE_SINGLE_PRECISION 1\n#include \"@path@\"\n")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(language "$ENV{LC_ALL}")
  set(ENV{LC_ALL} C)
  try_compile(compiles ${folder} SOURCES ${folder}/double.cpp ${folder}/single.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${CMAKE_SOURCE_DIR}/include CXX_STANDARD 20 NO_CACHE OUTPUT_VARIABLE output)
  set(ENV{LC_ALL} "${language}")
  if(compiles)
    return()
  endif()
  file(WRITE ${folder}/errors.txt "${output}")
  # Errors, and of a law that lacks something its line and what it is, as GCC and Clang say it.
  file(STRINGS ${folder}/errors.txt errors REGEX " error: |in expansion of macro .?CLEAVE_USER_|note: (the required|because|nested)|note: .*(does not satisfy|evaluated to)")
  set(first "")
  set(lines 0)
  foreach(line IN LISTS errors)
    string(FIND "${first}" "${line}" at)
    if(at EQUAL -1)
      string(APPEND first "\n  ${line}")
      math(EXPR lines "${lines} + 1")
    endif()
    if(lines EQUAL 4)
      break()
    endif()
  endforeach()
  message(FATAL_ERROR "CLEAVE_USER_LAWS: ${path} does not compile:${first}\n"
    "All that the compiler says is in ${folder}/errors.txt, what a law must have in docs/user_laws.md")
endfunction()

# Writes a header that adds the laws of some headers to the lists of laws.
# few  ON: the lists hold these laws, linear elasticity and PPR alone, for which a program compiles in half the time
function(cleave_write_user_laws headers file few)
  set(user_includes "")
  set(user_materials "")
  set(user_traction_laws "")
  set(user_forces "")
  foreach(path ${headers})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(STRINGS ${path} lines REGEX "^CLEAVE_USER_(MATERIAL|TRACTION_LAW|FORCE)\\(")
    if(NOT lines)
      message(FATAL_ERROR "CLEAVE_USER_LAWS: ${path} has no line CLEAVE_USER_MATERIAL(type), "
        "CLEAVE_USER_TRACTION_LAW(type), CLEAVE_USER_FORCE(type) or CLEAVE_USER_PROCESS(type), which names its law")
    endif()
    cleave_compile_user_law(${path})
    string(APPEND user_includes "#include \"${path}\"\n")
    foreach(line ${lines})
      string(REGEX REPLACE "^[A-Z_]+\\(([^)]*)\\).*" "\\1" type "${line}")
      if(line MATCHES "^CLEAVE_USER_MATERIAL")
        string(APPEND user_materials ", ${type}")
        message(STATUS "Material law of a user: ${type} (${path})")
      elseif(line MATCHES "^CLEAVE_USER_FORCE")
        string(APPEND user_forces ", ${type}")
        message(STATUS "Force of a user: ${type} (${path})")
      else()
        string(APPEND user_traction_laws ", ${type}")
        message(STATUS "Traction law of a user: ${type} (${path})")
      endif()
    endforeach()
  endforeach()
  if(few)
    string(PREPEND user_includes "#define CLEAVE_FEW_LAWS 1\n")
  endif()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
"/// The laws of users. Made by CMake.
#pragma once

@user_includes@
#define CLEAVE_USER_MATERIALS @user_materials@
#define CLEAVE_USER_TRACTION_LAWS @user_traction_laws@
#define CLEAVE_USER_FORCES @user_forces@
")
endfunction()

# The sources that name laws, in src.
set(names_laws app/point.cpp case/cohesive_section.cpp case/force_section.cpp case/material_section.cpp case/output_fields.cpp
  model/critical_step.cpp model/forces.cpp model/magnitudes.cpp)

# Writes for a program that has its own laws: their header, as above, and with_laws.cpp, which has the given sources that name laws.
function(cleave_write_laws_beside headers folder few)
  cleave_write_user_laws("${headers}" ${folder}/cleave_user_laws.hpp ${few})
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"${PROJECT_SOURCE_DIR}/src/\\1\"\n" OUTPUT_VARIABLE includes)
  string(JOIN "" includes ${includes})
  file(CONFIGURE OUTPUT ${folder}/with_laws.cpp @ONLY CONTENT "@includes@")
endfunction()

cleave_kinds_of_headers("${CLEAVE_USER_LAWS}")
cleave_write_user_laws("${laws}" ${CMAKE_BINARY_DIR}/generated/cleave_user_laws.hpp OFF)
set(user_processes ${processes})
