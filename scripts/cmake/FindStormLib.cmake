# StormLib::storm, from the system or from a package manager. Debian's package has neither a CMake nor a
# pkg-config file.

if(NOT TARGET StormLib::storm)
  find_package(StormLib CONFIG QUIET)
endif()
if(TARGET StormLib::storm)
  set(StormLib_FOUND TRUE)
  return()
endif()

find_path(StormLib_INCLUDE_DIR StormLib.h)
find_library(StormLib_LIBRARY NAMES storm StormLib)
mark_as_advanced(StormLib_INCLUDE_DIR StormLib_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(StormLib REQUIRED_VARS StormLib_LIBRARY StormLib_INCLUDE_DIR)
if(StormLib_FOUND)
  add_library(StormLib::storm UNKNOWN IMPORTED)
  set_target_properties(StormLib::storm PROPERTIES
    IMPORTED_LOCATION "${StormLib_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${StormLib_INCLUDE_DIR}")
endif()
