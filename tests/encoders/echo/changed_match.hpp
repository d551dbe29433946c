// A match that a test changes tick by tick, and the events that are detected in it.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tickreel/echo/events.hpp"

namespace encoders_echo_tests::changed_match {

using namespace tickreel;

struct collector final : echo::event_listener {
  std::vector<echo::event> all;
  void happened(const echo::event& one) noexcept override { all.push_back(one); }
  [[nodiscard]] std::vector<echo::event> of(std::string_view type) const {
    std::vector<echo::event> found;
    for (const echo::event& each : all) {
      if (echo::type_name(each) == type) found.push_back(each);
    }
    return found;
  }
};

// A 30 Hz match that a test changes tick by tick.
class match {
 public:
  match() {
    echo::session& s = now->match;
    using echo::session;
    s.fields = session::has_sessionid | session::has_map_name | session::has_game_status |
               session::has_game_clock | session::has_blue_points | session::has_orange_points |
               session::has_disc | session::has_last_score | session::has_teams | session::has_client_name;
    s.sessionid.assign("A");
    s.map_name.assign("mpl_arena_a");
    s.game_status.assign("playing");
    s.game_clock = 300;
    s.team_count = 3;
    s.last_score.goal_type.assign("[NO GOAL]");
    join("Ann", 1, 0);
    join("Bob", 2, 1);
  }
  echo::player& join(std::string_view name, std::uint64_t userid, int team, int slot = -1) {
    echo::session& s = now->match;
    const std::size_t place =
        echo::first_player(s, static_cast<std::size_t>(team)) + s.teams[team].player_count;
    for (std::size_t i = s.player_count; i > place; --i) now->players[i] = now->players[i - 1];
    echo::player& one = now->players[place];
    one = {};
    one.name.assign(name);
    one.userid = userid;
    one.playerid = slot >= 0 ? slot : static_cast<std::int32_t>(userid);
    one.fields = echo::player::has_name | echo::player::has_playerid | echo::player::has_userid |
                 echo::player::has_stats | echo::player::has_ping | echo::player::has_possession;
    one.ping = 40;
    one.holding_left.what = one.holding_right.what = echo::holding::none;
    ++s.teams[team].player_count;
    ++s.player_count;
    return one;
  }
  void leave(std::string_view name) {
    echo::session& s = now->match;
    std::size_t place = 0;
    for (int team = 0; team < 3; ++team) {
      for (int i = 0; i < s.teams[team].player_count; ++i, ++place) {
        if (now->players[place].name.view() != name) continue;
        for (std::size_t k = place; k + 1 < s.player_count; ++k) now->players[k] = now->players[k + 1];
        --s.teams[team].player_count;
        --s.player_count;
        return;
      }
    }
    BOOST_FAIL("no player is named " << name);
  }
  echo::player& of(std::string_view name) {
    for (std::size_t i = 0; i < now->match.player_count; ++i) {
      if (now->players[i].name.view() == name) return now->players[i];
    }
    BOOST_FAIL("no player is named " << name);
    return now->players[0];
  }
  void see(int times = 1) {
    for (int i = 0; i < times; ++i) {
      now->recorded_time_ms = 1'700'000'000'000 + static_cast<std::int64_t>(number) * 1000 / 30;
      detector.see(number++, *now, found);
    }
  }

  std::unique_ptr<echo::state> now = std::make_unique<echo::state>();
  echo::event_detector detector;
  collector found;
  std::uint64_t number = 0;
};

inline void hold(echo::player& one, bool disc) {
  one.holding_right.what = disc ? echo::holding::disc : echo::holding::none;
  one.possession = disc;
}

}  // namespace encoders_echo_tests::changed_match
