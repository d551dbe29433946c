# Fails when the C++ program in README is not the example that CI compiles and runs.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```cpp\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md does not show ${EXAMPLE} as it is; copy it into the ```cpp block")
endif()
