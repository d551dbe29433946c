# Where find_package() finds what sdk and encoders need when they are built for WebAssembly: headers of Debian's
# packages, and the libraries that scripts/wasm_libraries made from Debian's sources. Given to CMake as
# CMAKE_PROJECT_TOP_LEVEL_INCLUDES.

include_guard(GLOBAL)

# tickreel_wasm_package(ZLIB::ZLIB libz.a): a target for an archive in TICKREEL_WASM_LIBRARIES; without one only
# headers, and a program that calls them does not link.
function(tickreel_wasm_package target)
  if(TARGET ${target})
    return()
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  if(ARGC GREATER 1)
    target_link_libraries(${target} INTERFACE ${TICKREEL_WASM_LIBRARIES}/${ARGV1})
  endif()
endfunction()

macro(tickreel_wasm_find method package)
  set(${package}_FOUND TRUE)
  if("${package}" STREQUAL tl-expected)
    tickreel_wasm_package(tl::expected)
  elseif("${package}" STREQUAL ZLIB)
    tickreel_wasm_package(ZLIB::ZLIB libz.a)
  elseif("${package}" STREQUAL BZip2)
    tickreel_wasm_package(BZip2::BZip2 libbz2.a)
  elseif("${package}" STREQUAL simdjson)
    tickreel_wasm_package(simdjson::simdjson libsimdjson.a)
  elseif(NOT "${package}" STREQUAL PkgConfig)
    message(FATAL_ERROR "${package} is not there for WebAssembly: scripts/cmake/wasm_packages.cmake")
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER tickreel_wasm_find SUPPORTED_METHODS FIND_PACKAGE)

# Replaces the function of FindPkgConfig: pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
function(pkg_check_modules prefix)
  string(REGEX REPLACE "^lib" "" name ${prefix})
  tickreel_wasm_package(PkgConfig::${prefix} lib${name}.a)
endfunction()
