# Users' laws: CLEAVE_USER_LAWS names headers; each says with CLEAVE_USER_MATERIAL(type) and CLEAVE_USER_TRACTION_LAW(type)
# which laws it has (docs/user_laws.md). A generated header hands them to include/cleave/material/user_laws.hpp.
set(user_includes "")
set(user_materials "")
set(user_traction_laws "")
foreach(header ${CLEAVE_USER_LAWS})
  cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "CLEAVE_USER_LAWS: there is no file ${path}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(STRINGS ${path} lines REGEX "^CLEAVE_USER_(MATERIAL|TRACTION_LAW)\\(")
  if(NOT lines)
    message(FATAL_ERROR "CLEAVE_USER_LAWS: ${path} has no line CLEAVE_USER_MATERIAL(type) or "
      "CLEAVE_USER_TRACTION_LAW(type), which names its law")
  endif()
  string(APPEND user_includes "#include \"${path}\"\n")
  foreach(line ${lines})
    string(REGEX REPLACE "^[A-Z_]+\\(([^)]*)\\).*" "\\1" type "${line}")
    if(line MATCHES "^CLEAVE_USER_MATERIAL")
      string(APPEND user_materials ", ${type}")
      message(STATUS "Material law of a user: ${type} (${path})")
    else()
      string(APPEND user_traction_laws ", ${type}")
      message(STATUS "Traction law of a user: ${type} (${path})")
    endif()
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/cleave_user_laws.hpp @ONLY CONTENT
"/// The laws of CLEAVE_USER_LAWS. Made by CMake.
#pragma once

@user_includes@
#define CLEAVE_USER_MATERIALS @user_materials@
#define CLEAVE_USER_TRACTION_LAWS @user_traction_laws@
")
