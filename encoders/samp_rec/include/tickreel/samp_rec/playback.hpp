// Measures the distance between a recording as a client sees it and its intended path.
//
// The game's rules: at every server tick at most one due block is applied, nothing is interpolated,
// and between blocks a client extrapolates the last position with the last velocity.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "tickreel/samp_rec/block.hpp"

namespace tickreel::samp_rec {

struct point_m {
  double x = 0;
  double y = 0;
  double z = 0;
};

// The intended position; time by the recording's clock.
using intended_path = std::function<point_m(double time_ms)>;

struct playback_options {
  std::uint32_t server_tick_ms = 5;
  // The interval of a client's samples. 5 covers the end of every extrapolation.
  std::uint32_t client_step_ms = 5;
};

struct playback_report {
  std::uint64_t samples = 0;
  double worst_error_m = 0;  // between seen and intended
  double worst_time_ms = 0;
  double mean_error_m = 0;
  double worst_snap_m = 0;  // from a client's position to that of the next block
  double mean_snap_m = 0;
  std::uint32_t worst_lateness_ms = 0;  // from a block's time to the tick that applies it
  std::uint32_t end_ms = 0;             // the tick that stops the playback
};

// From the first block's time to the last one's. A report of zeros for no blocks.
template <block_type Block>
[[nodiscard]] playback_report simulate_playback(std::span<const Block> blocks, const intended_path& intended,
                                                const playback_options& options = {});

}  // namespace tickreel::samp_rec
