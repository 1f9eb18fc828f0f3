# Libraries that a program with Cleave's libraries is linked with. Read by the build, and by find_package(cleave), where
# CLEAVE_MPI and CLEAVE_HDF5 say what was built.
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
set(MPI_CXX_SKIP_MPICXX ON) # the C interface is enough
if(CLEAVE_MPI STREQUAL "ON")
  find_package(MPI REQUIRED COMPONENTS CXX)
elseif(CLEAVE_MPI)
  find_package(MPI COMPONENTS CXX)
endif()
if(CLEAVE_HDF5 STREQUAL "ON")
  pkg_search_module(hdf5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
elseif(CLEAVE_HDF5)
  pkg_search_module(hdf5 IMPORTED_TARGET hdf5-serial hdf5)
endif()
