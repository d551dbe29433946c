# The compiler's first error about a misspelled member names the member, its struct and the line, and the whole output fits on a
# screen.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -fno-diagnostics-color -I${INCLUDE} ${SOURCE}
  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(code EQUAL 0)
  message(FATAL_ERROR "it compiled")
endif()
string(REGEX MATCH "[^\n]*error:[^\n]*" first "${text}")
if(NOT first MATCHES "misspelt\\.cpp:10:.*mots.*game::health")
  message(FATAL_ERROR "the first error does not say what is wrong: ${first}")
endif()
string(REGEX REPLACE "[^\n]" "" newlines "${text}")
string(LENGTH "${newlines}" lines)
if(lines GREATER 45)
  message(FATAL_ERROR "${lines} lines about one misspelt name:\n${text}")
endif()
