#include "tickreel/samp_rec/playback.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::samp_rec {

namespace {

// The maximum number of samples between two blocks.
constexpr double max_samples = 1000;

// The position that a client that received `block` at `applied_ms` shows later.
template <class Block>
point_m extrapolated(const Block& block, double since_ms) noexcept {
  const double steps = since_ms / game_step_ms;
  const auto along = [steps](float from, float velocity) {
    return static_cast<double>(from) + static_cast<double>(velocity) * steps;
  };
  return {along(block.position_m.x, block.velocity_m_per_20ms.x),
          along(block.position_m.y, block.velocity_m_per_20ms.y),
          along(block.position_m.z, block.velocity_m_per_20ms.z)};
}

double distance(point_m a, point_m b) noexcept {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

}  // namespace

template <block_type Block>
playback_report simulate_playback(std::span<const Block> blocks, const intended_path& intended,
                                  const playback_options& options) {
  playback_report report;
  if (blocks.empty()) return report;
  const std::uint64_t tick_ms = std::max(options.server_tick_ms, 1u);
  const double client_step_ms = std::max(options.client_step_ms, 1u);
  const auto due_tick = [tick_ms](std::uint32_t time_ms) {
    return (time_ms + tick_ms - 1) / tick_ms * tick_ms;
  };

  double error_sum = 0, snap_sum = 0;
  const auto sample = [&](const Block& block, double applied_ms, double at_ms) {
    const double off = distance(extrapolated(block, at_ms - applied_ms), intended(at_ms));
    ++report.samples;
    error_sum += off;
    if (off > report.worst_error_m) {
      report.worst_error_m = off;
      report.worst_time_ms = at_ms;
    }
  };

  std::uint64_t applied_ms = due_tick(blocks.front().time_ms);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    const auto now = static_cast<double>(applied_ms);
    report.worst_lateness_ms =
        std::max(report.worst_lateness_ms,
                 static_cast<std::uint32_t>(applied_ms - std::min<std::uint64_t>(applied_ms, block.time_ms)));
    sample(block, now, now);
    if (i + 1 == blocks.size()) break;
    // At most one block per tick.
    const std::uint64_t next_ms = std::max(due_tick(blocks[i + 1].time_ms), applied_ms + tick_ms);
    const auto until = static_cast<double>(next_ms);
    const double step_ms = std::max(client_step_ms, (until - now) / max_samples);
    for (double at_ms = now + step_ms; at_ms < until; at_ms += step_ms) sample(block, now, at_ms);
    const point_m next{static_cast<double>(blocks[i + 1].position_m.x),
                       static_cast<double>(blocks[i + 1].position_m.y),
                       static_cast<double>(blocks[i + 1].position_m.z)};
    const double snap = distance(extrapolated(block, until - now), next);
    snap_sum += snap;
    report.worst_snap_m = std::max(report.worst_snap_m, snap);
    applied_ms = next_ms;
  }
  report.end_ms = static_cast<std::uint32_t>(std::min<std::uint64_t>(applied_ms + tick_ms, 0xFFFFFFFF));
  report.mean_error_m = error_sum / static_cast<double>(report.samples);
  if (blocks.size() > 1) report.mean_snap_m = snap_sum / static_cast<double>(blocks.size() - 1);
  return report;
}

template playback_report simulate_playback(std::span<const vehicle_block>, const intended_path&,
                                           const playback_options&);
template playback_report simulate_playback(std::span<const on_foot_block>, const intended_path&,
                                           const playback_options&);

}  // namespace tickreel::samp_rec
