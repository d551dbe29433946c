// Computes statistics of each player of an Echo VR match from ticks and events: the numbers of a season's table.
//
//   echo::event_detector detector;
//   echo::statistics counted;
//   for each tick:   detector.see(number, state, counted);
//                    counted.see(state, detector.missed_ms());
//   at the end:      detector.finish(counted);
//
// Events before the first tick are not counted. Two recordings that share one tick, the last of the first and the
// first of the second, add up to one recording of both, except for players who were away in that
// tick and returned with their counters. docs/statistics.md defines each value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/echo/event_types.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo {

// The types of goals that the game names, followed by one for all others.
inline constexpr std::size_t goal_type_count = 11;
// "SLAM DUNK", ... and "" for the last. Static storage.
[[nodiscard]] std::span<const std::string_view, goal_type_count> goal_types() noexcept;

struct player_statistics {
  participant who;  // the last name, in the team of the last play
  // The increase of the game's counters while the player was present. A reset counts as none.
  echo::stats counted;
  bool has_counters = false;
  // They were above 0 at the first tick: a part of the match was not recorded.
  bool began_before = false;
  // Goals by type, from goal events, which may be fewer than counted.goals.
  std::array<std::uint32_t, goal_type_count> goals{};
  // From events, which follow possession where the game's counters stay 0.
  std::uint32_t passes_seen = 0;
  std::uint32_t catches_seen = 0;
  std::uint32_t interceptions_seen = 0;
  std::uint32_t throws = 0;
  float top_throw_speed = 0;  // of the disc; metres per second
  std::uint32_t shots_with_speed = 0;
  double shot_speed_sum = 0;
  float top_shot_speed = 0;
  // While the disc is in play and the player takes part.
  double time_s = 0;
  double distance_m = 0;  // the game's speed, integrated over time
  float top_speed = 0;    // metres per second
  double fast_s = 0;      // at statistics_options::fast_speed or above
  double ping_ms_s = 0;   // the sum of pings, each weighted by its duration
  std::int32_t top_ping_ms = 0;
  double missing_s = 0;    // between ticks with missing ticks: in none of the times above
  bool uncertain = false;  // an event with this player is uncertain
};

struct statistics_options {
  float fast_speed = 10;  // metres per second; chosen well above the speed of thrusters alone
};

// Not thread-safe. Allocates for new players.
class statistics final : public event_listener {
 public:
  explicit statistics(const statistics_options& options = {}) : options_(options) {}

  // The next tick of one match; `missed_ms` is that of event_detector::missed_ms().
  void see(const state& now, std::int32_t missed_ms) noexcept;
  void happened(const event& what) noexcept override;
  // Resets all state.
  void clear() noexcept;

  // All players, in the order in which they appeared, without observers. Valid until the next call.
  [[nodiscard]] std::span<const player_statistics> players() const noexcept { return players_; }
  // The number of players beyond 1024, the most that are distinguished.
  [[nodiscard]] std::uint64_t players_left_out() const noexcept { return left_out_; }
  // none: unknown, or even.
  [[nodiscard]] side winner() const noexcept { return winner_; }
  [[nodiscard]] bool is_even() const noexcept { return ended_ && winner_ == side::none; }
  // Time with missing ticks, in seconds of play.
  [[nodiscard]] double missing_s() const noexcept { return missing_s_; }

 private:
  struct memory {
    echo::stats stats;
    std::uint64_t seen = 0;
    bool has_stats = false;
    float speed = 0;
  };
  [[nodiscard]] std::size_t find(const player& one) noexcept;
  player_statistics* find(const participant& who) noexcept;
  void count(std::size_t place, const player& now) noexcept;
  void measure(std::size_t place, const player& now, double seconds, bool in_play) noexcept;

  statistics_options options_;
  std::vector<player_statistics> players_;
  std::vector<memory> memories_;  // of each player
  std::uint64_t ticks_ = 0;
  std::int64_t time_ms_ = 0;
  bool in_play_ = false;
  bool ended_ = false;
  side winner_ = side::none;
  double missing_s_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace tickreel::echo
