# Users' laws: CLEAVE_USER_LAWS names headers; each says with CLEAVE_USER_MATERIAL(type) which laws it has
# (docs/user_laws.md). A generated header hands them to include/cleave/material/material_laws.hpp.
set(user_includes "")
set(user_materials "")
foreach(header ${CLEAVE_USER_LAWS})
  cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "CLEAVE_USER_LAWS: there is no file ${path}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(STRINGS ${path} lines REGEX "^CLEAVE_USER_MATERIAL\\(")
  if(NOT lines)
    message(FATAL_ERROR "CLEAVE_USER_LAWS: ${path} has no line CLEAVE_USER_MATERIAL(type), which names its law")
  endif()
  string(APPEND user_includes "#include \"${path}\"\n")
  foreach(line ${lines})
    string(REGEX REPLACE "^CLEAVE_USER_MATERIAL\\(([^)]*)\\).*" "\\1" type "${line}")
    string(APPEND user_materials ", ${type}")
    message(STATUS "Material law of a user: ${type} (${path})")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/cleave_user_laws.hpp @ONLY CONTENT
"/// The laws of CLEAVE_USER_LAWS. Made by CMake.
#pragma once

@user_includes@
#define CLEAVE_USER_MATERIALS @user_materials@
")
