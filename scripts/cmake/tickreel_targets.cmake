# Settings common to all of our targets.

include_guard(GLOBAL)

# Applied to each target that this project compiles; never exported to users.
function(tickreel_common_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # TICKREEL_UNITY decides, never CMAKE_UNITY_BUILD of a project that embeds this one.
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ${TICKREEL_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  if(TICKREEL_UNITY)
    # simdjson's header also contains its code for other processors than the target, and with it all intrinsics of the compiler:
    # half of its compile time. The library itself still selects the code by the processor at run time.
    target_compile_definitions(${target} PRIVATE
      SIMDJSON_IMPLEMENTATION_HASWELL=0 SIMDJSON_IMPLEMENTATION_ICELAKE=0 SIMDJSON_IMPLEMENTATION_WESTMERE=0)
  endif()
  if(WIN32)
    # <windows.h> without the macros min() and max(), and without rarely used parts.
    target_compile_definitions(${target} PRIVATE NOMINMAX WIN32_LEAN_AND_MEAN)
  endif()
  if(NOT MSVC)
    # Without optimisation, classes of simdjson's header have more members. Targets that are optimised differently are
    # linked with each other, so this must not depend on it.
    target_compile_definitions(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:SIMDJSON_DEVELOPMENT_CHECKS=0>)
  endif()
  if(TICKREEL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC treats the sources of a batch as headers, where a member with a file-local type is a mistake.
    # Its garbage collection takes a twentieth of its time, unless it starts later.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage "SHELL:--param ggc-min-heapsize=400000")
  endif()
  if(MSVC)
    target_compile_options(${target} PRIVATE
      /W4 /permissive- /utf-8 /bigobj
      # Members are aligned so that threads do not share cache lines: the padding is intended.
      /wd4324
      $<$<BOOL:${TICKREEL_WARNINGS_AS_ERRORS}>:/WX>)
  else()
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
      # A fused multiply-add would change the last bit of values that other programs compute without it.
      -ffp-contract=off
      $<$<BOOL:${TICKREEL_WARNINGS_AS_ERRORS}>:-Werror>)
  endif()
  if(TICKREEL_HARDENED AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    # Compilers of some distributions define _FORTIFY_SOURCE. Without optimisation it is an error.
    target_compile_options(${target} PRIVATE -fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
      $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL STATIC_LIBRARY)
      target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now $<$<STREQUAL:${type},EXECUTABLE>:-pie>)
    endif()
  endif()
  if(TICKREEL_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${TICKREEL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
      # Objects made without RTTI have no type information for this check.
      -fno-sanitize=vptr)
    target_link_options(${target} PUBLIC -fsanitize=${TICKREEL_SANITIZE})
  endif()
endfunction()

# Whether tickreel_components.cmake lists a dependency of one of our libraries.
function(tickreel_check_links name)
  set(ours ${ARGN})
  list(FILTER ours INCLUDE REGEX "^tickreel::")
  list(TRANSFORM ours REPLACE "^tickreel::" "")
  set(known ${tickreel_links_${name}})
  list(SORT ours)
  list(SORT known)
  if(NOT "${ours}" STREQUAL "${known}")
    message(FATAL_ERROR "${name} links ${ours}; tickreel_components.cmake says ${known}")
  endif()
endfunction()

# Code that waits for people, files and networks, and leaves the encoding of ticks to other libraries: optimised less if sources
# compile in batches, which saves a third of the time. Whole runs of the program then take at most 5 % more processor time.
function(tickreel_optimise_less target)
  # Code for WebAssembly is optimised for its size.
  if(TICKREEL_UNITY AND NOT MSVC AND NOT TICKREEL_SANITIZE AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# A library on one floor: tickreel_library(butter SOURCES ... LINK ... [EMBEDDABLE] [OPTIMISE_LESS] [BATCH 12])
# makes target tickreel_butter with alias tickreel::butter, public headers in ./include.
# EMBEDDABLE code is compiled as a game compiles it, without exceptions and RTTI.
function(tickreel_library name)
  cmake_parse_arguments(arg "EMBEDDABLE;OPTIMISE_LESS" "BATCH" "SOURCES;LINK;LINK_PRIVATE" ${ARGN})
  set(target tickreel_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(tickreel::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  tickreel_common_options(${target})
  # Half as many batches parse the same headers half as often. They stay small in programs, so that a file is rebuilt
  # sooner, in libraries that reuse names, and for WebAssembly, whose programs replace parts of a library.
  if(NOT arg_BATCH AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
    set(arg_BATCH 24)
  endif()
  if(arg_BATCH)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${arg_BATCH})
  endif()
  if(arg_OPTIMISE_LESS)
    tickreel_optimise_less(${target})
  endif()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
  if(TICKREEL_BUILD_FUZZ)
    # Coverage of the fuzzed code; programs and tests around it need none.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(arg_EMBEDDABLE AND NOT MSVC)
    target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
  endif()
  tickreel_check_links(${name} ${arg_LINK} ${arg_LINK_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY TICKREEL_LIBRARIES ${target})
  set_property(GLOBAL APPEND PROPERTY TICKREEL_HEADER_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR}/include)
endfunction()

# A program: tickreel_program(name SOURCES ... LINK ...)
function(tickreel_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  tickreel_common_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(TICKREEL_SANITIZE AND NOT MSVC)
    # Optimising instrumented code takes longer than everything else; the libraries are optimised, programs are not.
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()

# Optimises a program for WebAssembly once more than the compiler does. Its stack is first in memory, so nothing else uses its
# lowest bytes.
function(tickreel_smaller_wasm name)
  find_program(TICKREEL_WASM_OPT wasm-opt)
  if(TICKREEL_WASM_OPT)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${TICKREEL_WASM_OPT} -Oz --converge --low-memory-unused --enable-simd --enable-bulk-memory --enable-sign-ext
              --enable-mutable-globals --enable-nontrapping-float-to-int $<TARGET_FILE:${name}> -o $<TARGET_FILE:${name}>
      VERBATIM)
  endif()
endfunction()
