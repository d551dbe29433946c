// What happens in the games that are recorded, at the moment it does: for overlays, bots and scripts.
//
// The poll threads write, and copy a few hundred bytes a tick under a lock that nobody holds for longer than
// such a copy; any number of readers read, each at its own pace. A reader that falls behind loses events,
// which it is told; it never slows a poll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/echo/events.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo_vr {

// How one game stands. Texts are the game's, and players chose some of them.
struct live_standing {
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
  std::string possession_player;  // empty: nobody, or not known
  // The game's last_score, once there was a goal.
  bool has_goal = false;
  std::string goal_by;
  std::string goal_assist;  // empty: none
  std::string goal_type;
  echo::side goal_team = echo::side::none;
  std::int32_t goal_points = 0;
  float goal_speed = 0;       // metres per second
  float goal_distance_m = 0;  // metres
  friend bool operator==(const live_standing&, const live_standing&) = default;
};

// One object: target, in_match, and within a match sessionid, map, game_status, game_clock, blue and orange
// (each with team and points), possession (team and player, or null) and last_goal (or null).
void append_json(const live_standing& now, std::string& out);

struct live_event {
  std::string target;
  std::string sessionid;
  std::int64_t first_time_ms = 0;  // of the session's first tick that was seen, since 1970
  echo::event what;
};

class live_feed {
 public:
  // Events that are kept for readers that are behind.
  explicit live_feed(std::size_t max_events = 1024);
  live_feed(const live_feed&) = delete;
  live_feed& operator=(const live_feed&) = delete;
  ~live_feed();

  // Rises with every change of any standing and with every event.
  [[nodiscard]] std::uint64_t changes() const;
  // In the order in which the games were first seen.
  [[nodiscard]] std::vector<live_standing> standings() const;

  // The events from number `next` on, which begins at 0 and is moved behind them. Returns how many between
  // are gone.
  [[nodiscard]] std::uint64_t take(std::uint64_t& next, std::vector<live_event>& into) const;

  // For whoever polls; one thread for each writer. Finds the events itself.
  class writer {
   public:
    // The feed outlives it.
    writer(live_feed& to, std::string target);
    writer(writer&&) noexcept;
    ~writer();
    // `lost`: polls before this one that were missed.
    void see(const echo::state& state, std::uint64_t lost) noexcept;
    void out_of_match() noexcept;
    // The match is over, or its file: what waited for more ticks is told now. The next state begins another.
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
