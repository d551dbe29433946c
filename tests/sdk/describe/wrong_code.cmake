# The compiler's first error about wrong code says in one sentence what is wrong; about a misspelled member, the whole output fits
# on a screen.
cmake_minimum_required(VERSION 3.25)
set(sentences
  "wrong_code\\.cpp:[0-9]+:.*mots.*game::health"
  "tickreel: a bit-field of health cannot be recorded"
  "tickreel: TICKREEL_DESCRIBE must be at namespace level, not in a function"
  "wrong_code\\.cpp:[0-9]+:.*'decimal'"
  "wrong_code\\.cpp:[0-9]+:.*mots.*game::health"
  "tickreel: a recorded struct has at most 1048576 bytes"
  "tickreel: this member's type cannot be recorded"
  "tickreel: a member is a struct without a TICKREEL_DESCRIBE line"
  "deleted.*at")
set(case 0)
foreach(sentence IN LISTS sentences)
  math(EXPR case "${case} + 1")
  execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -fno-diagnostics-color -DCASE=${case} -I${INCLUDE} ${SOURCE}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(code EQUAL 0)
    message(SEND_ERROR "case ${case} compiled")
  endif()
  string(REGEX MATCH "[^\n]*error:[^\n]*" first "${text}")
  string(REPLACE "‘" "'" first "${first}")
  string(REPLACE "’" "'" first "${first}")
  if(NOT first MATCHES "${sentence}")
    message(SEND_ERROR "case ${case}: the first error does not say what is wrong: ${first}")
  endif()
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" lines)
  if(case EQUAL 1 AND lines GREATER 45)
    message(SEND_ERROR "case ${case}: ${lines} lines about one mistake:\n${text}")
  endif()
endforeach()
