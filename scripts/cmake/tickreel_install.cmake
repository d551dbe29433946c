# cmake --install creates a package: find_package(tickreel COMPONENTS butter) and tickreel::butter. Parts of it, by
# cmake --install --component NAME: program; c, the shared library; c_development, its header; sdk, which needs no other part;
# libraries, which need sdk.

include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

get_property(tickreel_libraries GLOBAL PROPERTY TICKREEL_LIBRARIES)
get_property(tickreel_header_folders GLOBAL PROPERTY TICKREEL_HEADER_FOLDERS)
list(REMOVE_DUPLICATES tickreel_header_folders)

if(TARGET tickreel)
  install(TARGETS tickreel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
if(NOT TICKREEL_INSTALL_LIBRARIES)
  return()
endif()
# All installed targets, including those that the program does not link.
add_custom_target(tickreel_installed DEPENDS ${tickreel_libraries})

set(tickreel_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tickreel)
foreach(component sdk libraries)
  if(component STREQUAL sdk)
    set(export tickreel_sdk_targets)
    set(targets tickreel_sdk)
    set(folders ${PROJECT_SOURCE_DIR}/sdk/include)
  else()
    set(export tickreel_targets)
    set(targets ${tickreel_libraries})
    list(REMOVE_ITEM targets tickreel_sdk)
    set(folders ${tickreel_header_folders})
    list(REMOVE_ITEM folders ${PROJECT_SOURCE_DIR}/sdk/include)
  endif()
  if(NOT targets)
    continue()
  endif()
  install(TARGETS ${targets} EXPORT ${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  foreach(folder IN LISTS folders)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component} FILES_MATCHING PATTERN "*.hpp")
  endforeach()
  install(EXPORT ${export} NAMESPACE tickreel:: DESTINATION ${tickreel_package_folder} COMPONENT ${component})
endforeach()

# The packages that find_package() has to find for each component: its dependencies, transitively.
set(tickreel_component_table "")
foreach(target IN LISTS tickreel_libraries)
  get_target_property(name ${target} EXPORT_NAME)
  tickreel_with_links(parts ${name})
  set(needs "")
  foreach(part IN LISTS parts)
    get_target_property(links tickreel_${part} LINK_LIBRARIES)
    list(FILTER links INCLUDE REGEX "^[A-Za-z0-9-]+::[A-Za-z0-9_-]+$")
    list(FILTER links EXCLUDE REGEX "^tickreel::")
    list(APPEND needs ${links})
  endforeach()
  list(REMOVE_DUPLICATES needs)
  string(APPEND tickreel_component_table "set(tickreel_needs_${name} \"${needs}\")\n")
endforeach()

set(tickreel_all_components sdk ${tickreel_encoders} ${tickreel_recorders})
list(REMOVE_ITEM tickreel_all_components c cli)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/tickreel-config.cmake.in ${PROJECT_BINARY_DIR}/tickreel-config.cmake
  INSTALL_DESTINATION ${tickreel_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tickreel-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/tickreel-config.cmake
  ${PROJECT_BINARY_DIR}/tickreel-config-version.cmake
  DESTINATION ${tickreel_package_folder} COMPONENT sdk)

# pkg-config finds tickreel, the C library, and tickreel-sdk.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
  OUTPUT_VARIABLE tickreel_pc_include)
get_target_property(tickreel_pc_requires tickreel_sdk LINK_LIBRARIES)
list(FILTER tickreel_pc_requires INCLUDE REGEX "^(PkgConfig|ZLIB)::")
list(TRANSFORM tickreel_pc_requires REPLACE "^PkgConfig::" "lib")
list(TRANSFORM tickreel_pc_requires REPLACE "^ZLIB::ZLIB$" "zlib")
list(JOIN tickreel_pc_requires " " tickreel_pc_requires)
set(tickreel_pc_name tickreel-sdk)
set(tickreel_pc_description "${PROJECT_DESCRIPTION} (C++)")
set(tickreel_pc_libs "-ltickreel_sdk -pthread")
configure_file(${CMAKE_CURRENT_LIST_DIR}/tickreel.pc.in ${PROJECT_BINARY_DIR}/tickreel-sdk.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tickreel-sdk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT sdk)
if(TARGET tickreel_c)
  set(tickreel_pc_name tickreel)
  set(tickreel_pc_description "${PROJECT_DESCRIPTION} (C)")
  set(tickreel_pc_requires "")
  set(tickreel_pc_libs -ltickreel)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/tickreel.pc.in ${PROJECT_BINARY_DIR}/tickreel.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/tickreel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT c_development)
endif()

# For Windows the libraries of third parties are included.
get_property(tickreel_bundled_files GLOBAL PROPERTY TICKREEL_BUNDLED_FILES)
if(tickreel_bundled_files)
  list(REMOVE_DUPLICATES tickreel_bundled_files)
  install(FILES ${tickreel_bundled_files} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sdk)
  # The only third-party header that ours include.
  file(REAL_PATH "${TICKREEL_WINDOWS_LIBRARIES}/include/tl" tickreel_tl)
  install(DIRECTORY ${tickreel_tl} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
  get_property(tickreel_bundled_targets GLOBAL PROPERTY TICKREEL_BUNDLED_TARGETS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tickreel-libraries.cmake @ONLY CONTENT
    "get_filename_component(tickreel_prefix \"\${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n${tickreel_bundled_targets}")
  install(FILES ${PROJECT_BINARY_DIR}/tickreel-libraries.cmake DESTINATION ${tickreel_package_folder} COMPONENT sdk)
endif()
