// Turns loops over a few lanes into vector instructions.
#pragma once

// Only where the compiler does not unroll them earlier.
#if defined(__GNUC__) && !defined(__clang__)
#define TICKREEL_AS_VECTOR _Pragma("GCC unroll 1")
#else
#define TICKREEL_AS_VECTOR
#endif
