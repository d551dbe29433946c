// With sanitizers code takes about ten times as long. Tests that repeat one thing many times then repeat it less often: the same
// code runs, and all repetitions run in builds without sanitizers.
#pragma once

namespace tickreel::test {

#ifdef TICKREEL_SANITIZED
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace tickreel::test
