// Live events and scores of the recorded games, for overlays, bots and scripts.
//
// The poll threads write: they copy a few hundred bytes per tick under a lock that is never held longer than
// such a copy. Any number of readers read, each at its own pace. A slow reader loses events, which are
// reported to it; it never delays a poll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/echo/events.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo_vr {

// The score and state of one game. Texts come from the game, and players chose some of them.
struct live_score {
  std::string target;  // "host:port"
  bool in_match = false;
  std::string sessionid;
  std::string map;
  std::string game_status;
  std::string game_clock;  // as displayed, "09:58.42"
  std::int32_t blue_points = 0;
  std::int32_t orange_points = 0;
  std::string blue_team;
  std::string orange_team;
  echo::side possession = echo::side::none;
  std::string possession_player;  // empty: no team, or unknown
  // The game's last_score, after the first goal.
  bool has_goal = false;
  std::string goal_by;
  std::string goal_assist;  // empty: none
  std::string goal_type;
  echo::side goal_team = echo::side::none;
  std::int32_t goal_points = 0;
  float goal_speed = 0;       // metres per second
  float goal_distance_m = 0;  // metres
  friend bool operator==(const live_score&, const live_score&) = default;
};

// One object: target, in_match, and within a match sessionid, map, game_status, game_clock, blue and orange
// (each with team and points), possession (team and player, or null) and last_goal (or null).
void append_json(const live_score& now, std::string& out);

struct live_event {
  std::string target;
  std::string sessionid;
  std::int64_t first_time_ms = 0;  // of the session's first observed tick, since 1970
  echo::event what;
};

class live_feed {
 public:
  // Events that are stored for slow readers.
  explicit live_feed(std::size_t max_events = 1024);
  live_feed(const live_feed&) = delete;
  live_feed& operator=(const live_feed&) = delete;
  ~live_feed();

  // Increases with every change of a score or state and with every event.
  [[nodiscard]] std::uint64_t changes() const;
  // In the order in which the games were first observed.
  [[nodiscard]] std::vector<live_score> standings() const;

  // The events from number `next`, which starts at 0 and is advanced past them. Returns the number of dropped
  // events between.
  [[nodiscard]] std::uint64_t take(std::uint64_t& next, std::vector<live_event>& into) const;

  // For pollers; one thread for each writer. Detects the events.
  class writer {
   public:
    // The feed must outlive it.
    writer(live_feed& to, std::string target);
    writer(writer&&) noexcept;
    ~writer();
    // `lost`: polls missed before this one.
    void see(const echo::state& state, std::uint64_t lost) noexcept;
    void out_of_match() noexcept;
    // Ends the match or its file: detected events that waited for more ticks are reported now. The next state
    // begins another match.
    void finish_match() noexcept;

   private:
    struct internals;
    std::unique_ptr<internals> internals_;
  };

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
