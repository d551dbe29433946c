/* The C library, found by pkg-config. */
#include <stdio.h>
#include <string.h>
#include <tickreel.h>

int main(int count, char** arguments) {
  return count == 2 && strcmp(tickreel_version(), arguments[1]) == 0 ? 0 : 1;
}
