// TICKREEL_FLATTEN: everything that a function calls becomes part of it, where a compiler can be told so.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define TICKREEL_FLATTEN [[gnu::flatten]]
#else
#define TICKREEL_FLATTEN
#endif
