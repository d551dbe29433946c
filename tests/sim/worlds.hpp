// The implementations of recorded_world.
#pragma once

#include <optional>

#include "recorded_world.hpp"

namespace tickreel::sim {

[[nodiscard]] std::unique_ptr<recorded_world> make_echo_world(recorded_as format);

[[nodiscard]] inline recorder_options options_of(const script& how) {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = how.seal_frames;
  options.cadence.keyframe_interval_ticks = how.keyframe_ticks;
  options.sync_interval_ms = how.sync_interval_ms;
  options.ring_ticks = how.ring_ticks;
  options.ticks_per_second = 1000.0 / how.tick_ms;
  options.codec.codec = how.codec;
  options.seal_bytes = 256u << 10;  // less memory to clear in each simulation
  return options;
}

// What worlds do with a recorder, whatever it records.
template <class Recorder>
class world_with_recorder : public recorded_world {
 public:
  void pump() override { (void)recorder_->pump(); }
  void gap(std::uint64_t first, std::uint64_t count, std::int64_t time_us) override {
    recorder_->note_gap(count, {first, time_us}, {first + count - 1, time_us},
                        reel::gap_reason::source_failed);
  }
  result<close_report> close() override { return recorder_->close(); }
  void abandon() override { recorder_.reset(); }
  recorder_counters counters() const override { return recorder_->counters(); }

 protected:
  std::optional<Recorder> recorder_;
};

}  // namespace tickreel::sim
