// TICKREEL_FLATTEN: inlines every call in a function, where the compiler supports it.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TICKREEL_FLATTEN [[gnu::flatten]]
#else
#define TICKREEL_FLATTEN
#endif
