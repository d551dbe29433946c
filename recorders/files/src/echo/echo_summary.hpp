// What can be told of Echo VR ticks by looking at each: who played, how long, which values are odd.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "echo_input.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

class echo_summary {
 public:
  void add(const echo::state& tick, const tick_place& place);

  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Adds to what the format told: ticks, keyframes, duration, players' teams, facts about the match.
  void describe(summary& out) const;
  // Values out of range and times out of order, one finding for each kind.
  void inspect(std::vector<finding>& out) const;

 private:
  // One kind of oddity: the first place and how often.
  struct oddity {
    const char* what;
    std::uint64_t count = 0;
    std::uint64_t first_offset = 0;
    std::uint64_t first_tick = 0;
  };
  enum kind : std::size_t {
    time_backwards,
    time_gap,
    not_finite,
    not_unit,
    clock_range,
    unknown_player,
    far_away,
    new_session,
    kind_count
  };
  void note(kind what, const tick_place& place);
  void look_at_times(const echo::state& tick, const tick_place& place);
  void look_at_values(const echo::state& tick, const tick_place& place);
  void look_at_players(const echo::state& tick, const tick_place& place);
  void look_at_score(const echo::session& match);
  void describe_score(summary& out) const;

  oddity oddities_[kind_count] = {
      {"ticks are recorded earlier than the tick before"},
      {"gaps of more than 5 s between ticks"},
      {"ticks hold values that are not finite numbers"},
      {"ticks hold axes that are not of length 1"},
      {"ticks show a game clock outside 0 to 24 h"},
      {"ticks name a player that the file does not know"},
      {"ticks place something more than 10 km away"},
      {"changes of session or map inside the file"},
  };
  struct seen_player {
    player_summary who;
    std::optional<echo::stats> stats;  // as the last tick that shows the player has them
  };
  struct score {
    std::optional<float> blue_points, orange_points;
    int rounds = 0;  // to be played
    int blue_rounds = 0, orange_rounds = 0;
    std::string status;  // the game's
  };

  std::vector<seen_player> players_;
  score score_;
  std::uint64_t ticks_ = 0;
  std::uint64_t keyframes_ = 0;
  std::uint64_t ticks_with_bones_ = 0;
  std::int64_t first_time_ms_ = 0;
  std::int64_t last_time_ms_ = 0;
  std::string session_id_;
  std::string map_name_;
  std::string client_name_;
  std::string match_type_;
};

}  // namespace tickreel::files
