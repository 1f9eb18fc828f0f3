# What `cmake --install` puts under the prefix: the program, and for programs of users headers, static libraries and a
# package, with which find_package(cleave) gives the target cleave::cleave (docs/library.md).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries cleave_mesh cleave_case cleave_model cleave_output cleave_partition cleave_cpu)
if(CLEAVE_HAS_CUDA)
  list(APPEND libraries cleave_cuda)
endif()
# All of them by one name.
add_library(cleave_libraries INTERFACE)
target_link_libraries(cleave_libraries INTERFACE ${libraries})
set_target_properties(cleave_libraries PROPERTIES EXPORT_NAME cleave)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cleave)
install(TARGETS cleave RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${libraries} cleave_libraries EXPORT cleave_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cleave_targets NAMESPACE cleave:: DESTINATION ${package})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cleave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/generated/cleave_user_laws.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The package looks for what was built in, no more.
set(has_mpi OFF)
if(CLEAVE_MPI AND MPI_CXX_FOUND)
  set(has_mpi ON)
endif()
set(has_hdf5 OFF)
if(CLEAVE_HDF5 AND hdf5_FOUND)
  set(has_hdf5 ON)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/cleave-config.cmake.in ${PROJECT_BINARY_DIR}/cleave-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cleave-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cleave-config.cmake ${PROJECT_BINARY_DIR}/cleave-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/linked_libraries.cmake ${CMAKE_CURRENT_LIST_DIR}/processes.cmake DESTINATION ${package})
