// Collects facts from each Echo VR tick: players, duration, invalid values.
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
  // Adds to the format's own facts: ticks, keyframes, duration, players' teams, facts about the match.
  void describe(summary& out) const;
  // Values out of range and times out of order, one finding per kind.
  void inspect(std::vector<finding>& out) const;

 private:
  // A kind of invalid value: its first position and count.
  struct oddity {
    const char* noun;
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
      {"tick", " with an earlier time than the previous tick"},
      {"gap", " of more than 5 s between ticks"},
      {"tick", " with values that are not finite numbers"},
      {"tick", " with axes whose length is not 1"},
      {"tick", " with a game clock outside 0 to 24 h"},
      {"tick", " with a player who is not in the file's table"},
      {"tick", " with a position more than 10 km away"},
      {"change", " of session or map inside the file"},
  };
  struct seen_player {
    player_summary who;
    std::optional<echo::stats> stats;  // of the last tick that contains the player
  };
  struct score {
    std::optional<float> blue_points, orange_points;
    int rounds = 0;  // rounds of the match
    int blue_rounds = 0, orange_rounds = 0;
    std::string status;  // of the game
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
