#include <cstdio>
#include <cstdlib>

#include "tickreel/record/recorder_base.hpp"

namespace tickreel::detail {

void end_for_overlapping_pushes() noexcept {
  std::fputs(
      "tickreel: two threads push into one recorder at the same time: push from one thread, or under a "
      "lock\n",
      stderr);
  (void)std::fflush(stderr);
  std::abort();
}

}  // namespace tickreel::detail
