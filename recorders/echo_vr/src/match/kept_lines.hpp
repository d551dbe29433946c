// The .echoreplay lines of polls, stored in a reel beside the rows of their ticks.
#pragma once

#include <cstdint>
#include <string>

#include "match_file.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/record/options.hpp"

namespace tickreel::echo_vr {

// Lines depend on events, which can be lost: too many wait, or the disk fails. The dependent lines are
// missing then, which readers report. While events are lost no line is stored; after it, lines begin again.
// Call it on the thread that adds ticks.
class kept_lines {
 public:
  // Encodes the tick's line. Its events go to `to`, before the tick itself. `to` must have event(stamp, type,
  // bytes, needed_later) and counters().events_lost.
  template <class Recorder>
  echo::line_reference keep(Recorder& to, const match_tick& tick) {
    const std::uint64_t lost = to.counters().events_lost;
    if (lost != events_lost_) restart_at(tick.stamp, lost);
    if (tick.stamp.time_us < kept_again_us_) return missing();
    line_.clear();
    echoreplay::append_answers(tick.time_ms, tick.session, tick.bones, tick.asked_for_bones, line_);
    const echo::line_reference how = keeper_.keep({}, line_, *tick.state);
    for (const byte_vector& each : keeper_.events()) {
      const bool is_shape = echoreplay::line_restorer::is_shape(each);
      if (!to.event(tick.stamp, echoreplay::line_event, each, is_shape)) return missing();
    }
    if (how.kind == echo::line_kind::missing) ++missing_;
    return how;
  }

  // Lines that readers will not get back.
  [[nodiscard]] std::uint64_t missing_lines() const noexcept { return missing_; }

 private:
  static constexpr std::int64_t wait_us = 1'000'000;

  void restart_at(const frame_stamp& now, std::uint64_t lost) {
    events_lost_ = lost;
    kept_again_us_ = now.time_us + wait_us;
    keeper_.forget_shapes();
  }
  echo::line_reference missing() noexcept {
    ++missing_;
    return {echo::line_kind::missing, 0};
  }

  echoreplay::line_keeper keeper_;
  std::string line_;
  std::uint64_t events_lost_ = 0;
  std::int64_t kept_again_us_ = 0;
  std::uint64_t missing_ = 0;
};

}  // namespace tickreel::echo_vr
