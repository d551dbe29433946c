// From ticks and events to what each player of an Echo VR match did: the numbers of a season's table.
//
//   echo::event_detector detector;
//   echo::statistics counted;
//   for each tick:   detector.see(number, state, counted);
//                    counted.see(state, detector.missed_ms());
//   at the end:      detector.finish(counted);
//
// What happened before the first tick is not counted: two recordings that share one tick, the last of the
// first and the first of the second, add up to what one over both has, but for players who were away in that
// tick and came back with what they had. docs/statistics.md defines each value.
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

// The types of goals that the game names, and behind them one for all others.
inline constexpr std::size_t goal_type_count = 11;
// "SLAM DUNK", ... and "" for the last. Static storage.
[[nodiscard]] std::span<const std::string_view, goal_type_count> goal_types() noexcept;

struct player_statistics {
  participant who;  // as they were called last, in the team that they last played in
  // The game's counters, by how much they rose while the player was looked at. A reset counts as none.
  echo::stats counted;
  bool has_counters = false;
  // They were above 0 when the first tick came: more was played than was recorded.
  bool began_before = false;
  // Goals by their type, of goal events; these may be fewer than counted.goals.
  std::array<std::uint32_t, goal_type_count> goals{};
  // Of events, which possession tells where the game's counters stay 0.
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
  double distance_m = 0;  // the speed that the game gives, over time
  float top_speed = 0;    // metres per second
  double fast_s = 0;      // at statistics_options::fast_speed or above
  double ping_ms_s = 0;   // the sum of pings, each times how long it was shown
  std::int32_t top_ping_ms = 0;
  double missing_s = 0;    // between ticks of which some are missing: in none of the times above
  bool uncertain = false;  // an event that names the player is
};

struct statistics_options {
  float fast_speed = 10;  // metres per second; our own choice, well above what thrusters alone give
};

// Not thread-safe. Allocates for players that it has not seen before.
class statistics final : public event_listener {
 public:
  explicit statistics(const statistics_options& options = {}) : options_(options) {}

  // The next tick of one match; `missed_ms` as event_detector::missed_ms() has it.
  void see(const state& now, std::int32_t missed_ms) noexcept;
  void happened(const event& what) noexcept override;
  // As if nothing had been seen.
  void clear() noexcept;

  // Everybody who played, in the order in which they came; who only watched is none of them. Valid until the
  // next call.
  [[nodiscard]] std::span<const player_statistics> players() const noexcept { return players_; }
  // Of whom too many came: at most 1024 are told apart.
  [[nodiscard]] std::uint64_t players_left_out() const noexcept { return left_out_; }
  // none: not known, or even.
  [[nodiscard]] side winner() const noexcept { return winner_; }
  [[nodiscard]] bool is_even() const noexcept { return ended_ && winner_ == side::none; }
  // Ticks are missing in between, in seconds of play.
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
