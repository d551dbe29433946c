#include "tickreel/echo_vr/deadline_schedule.hpp"

#include <algorithm>

namespace tickreel::echo_vr {
namespace {

constexpr std::uint64_t nanoseconds_per_thousand_seconds = 1'000'000'000'000;

}  // namespace

deadline_schedule::deadline_schedule(time_point start, std::uint32_t rate_millihertz) noexcept
    : start_(start), rate_millihertz_(std::clamp<std::uint32_t>(rate_millihertz, 1, 1'000'000)) {}

deadline_schedule::time_point deadline_schedule::deadline(std::uint64_t number) const noexcept {
  // At intervals of whole thousands of seconds, so that the product always fits 64 bits.
  const std::uint64_t whole = number / rate_millihertz_;
  const std::uint64_t rest = number % rate_millihertz_;
  const std::uint64_t nanoseconds =
      whole * nanoseconds_per_thousand_seconds + rest * nanoseconds_per_thousand_seconds / rate_millihertz_;
  return start_ + std::chrono::duration_cast<time_point::duration>(
                      std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds)));
}

deadline_schedule::slot deadline_schedule::next(time_point earliest) noexcept {
  std::uint64_t number = next_;
  if (earliest > start_) {
    // The first deadline not before `earliest`, found by division and then corrected.
    const auto since = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(earliest - start_).count());
    const std::uint64_t whole = since / nanoseconds_per_thousand_seconds;
    const std::uint64_t rest = since % nanoseconds_per_thousand_seconds;
    // rest < 1e12 and rate <= 1e6: the product fits.
    const std::uint64_t before =
        whole * rate_millihertz_ + rest * rate_millihertz_ / nanoseconds_per_thousand_seconds;
    number = std::max(number, before);
    while (number > next_ && deadline(number) > earliest) --number;
    const auto half_period = std::chrono::nanoseconds(
        static_cast<std::int64_t>(nanoseconds_per_thousand_seconds / rate_millihertz_ / 2));
    while (earliest - deadline(number) >= half_period) ++number;
  }
  const slot found{deadline(number), number, number - next_};
  next_ = number + 1;
  return found;
}

}  // namespace tickreel::echo_vr
