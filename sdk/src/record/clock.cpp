#include "tickreel/record/clock.hpp"

#include "writer_thread.hpp"

namespace tickreel::detail {

namespace {

template <class Clock>
std::int64_t microseconds_of() noexcept {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
}

}  // namespace

clock_functions& clocks() noexcept {
  static constinit clock_functions in_use{&microseconds_of<std::chrono::steady_clock>,
                                          &microseconds_of<std::chrono::system_clock>};
  return in_use;
}

void sleep_for(std::chrono::microseconds time) noexcept {
  if (const auto wait_us = clocks().wait_us; wait_us != nullptr) return wait_us(time.count());
  rest_for(time);
}

}  // namespace tickreel::detail
