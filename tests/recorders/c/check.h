/* Counts and prints what does not hold. */
#ifndef TICKREEL_TEST_CHECK_H
#define TICKREEL_TEST_CHECK_H

#include <stdio.h>

#include "tickreel.h"

static int failures = 0;
#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      printf("%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, tickreel_error()); \
      ++failures;                                                                               \
    }                                                                                           \
  } while (0)

#endif
