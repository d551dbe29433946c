// How loops over a few lanes become vector instructions.
#pragma once

// Only where the compiler does not unroll them before.
#if defined(__GNUC__) && !defined(__clang__)
#define TICKREEL_AS_VECTOR _Pragma("GCC unroll 1")
#else
#define TICKREEL_AS_VECTOR
#endif
