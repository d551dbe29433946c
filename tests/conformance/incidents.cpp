#include <limits>

#include "matches.hpp"

namespace tickreel::conformance {
namespace {

using echo::player;
using echo::session;
using echo::state;

template <class Change>
void from(match& ticks, std::size_t first, Change change) {
  for (std::size_t i = first; i < ticks.size(); ++i) change(ticks[i]);
}

template <class Change>
void each_player(match& ticks, Change change) {
  for (state& tick : ticks) {
    for (std::size_t p = 0; p < tick.match.player_count; ++p) change(tick.players[p], p);
  }
}

void remove_player(state& tick, std::size_t index) {
  if (index >= tick.match.player_count) return;
  for (std::size_t t = 0; t < echo::max_teams; ++t) {
    const std::size_t first = echo::first_player(tick.match, t);
    if (index < first || index >= first + tick.match.teams[t].player_count) continue;
    --tick.match.teams[t].player_count;
    break;
  }
  for (std::size_t p = index; p + 1 < tick.match.player_count; ++p) tick.players[p] = tick.players[p + 1];
  --tick.match.player_count;
}

// As the last of the blue team.
void add_player(state& tick, const player& joining) {
  const std::size_t place = tick.match.teams[0].player_count;
  for (std::size_t p = tick.match.player_count; p > place; --p) tick.players[p] = tick.players[p - 1];
  tick.players[place] = joining;
  ++tick.match.teams[0].player_count;
  ++tick.match.player_count;
}

void rename_in_the_middle(match& ticks) {
  from(ticks, 40, [](state& tick) { tick.players[1].name.assign("Another"); });
  from(ticks, 60, [](state& tick) { tick.players[1].name.assign("A third"); });
}

void stats_fall(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    echo::stats& of_player = ticks[i].players[0].stats;
    of_player.points = i < 50 ? 10 : 2;
    of_player.stuns = i < 60 ? 300 : 0;
    of_player.possession_time = i < 70 ? 100.5f : 0.25f;
    ticks[i].match.teams[0].stats.points = i < 50 ? 10 : 2;
    ticks[i].players[0].fields |= player::has_stats;
  }
}

void stats_jump(match& ticks) {
  from(ticks, 30, [](state& tick) {
    tick.players[0].fields |= player::has_stats;
    tick.players[0].stats.points = 255;
    tick.players[0].stats.stuns = 40'000;
  });
}

void long_gaps(match& ticks) {
  const std::int64_t gaps[] = {70'000, 65'535, 65'536, 0, 86'400'000};
  for (std::size_t g = 0; g < std::size(gaps); ++g) {
    from(ticks, 20 + 10 * g, [&](state& tick) { tick.recorded_time_ms += gaps[g]; });
  }
}

void clock_goes_back(match& ticks) {
  from(ticks, 70, [](state& tick) { tick.recorded_time_ms -= 500; });
  from(ticks, 80, [](state& tick) { tick.recorded_time_ms -= 1'000'000; });
}

void absent_for_one_tick(match& ticks) {
  ticks[82].players = ticks[81].players = ticks[80].players;
  ticks[82].match = ticks[81].match = ticks[80].match;
  remove_player(ticks[81], 0);
}

void bones_come_and_go(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    state& tick = ticks[i];
    if (i % 17 == 5) tick.bone_player_count = 0;
    if (i % 17 == 8 && tick.bone_player_count > 0) --tick.bone_player_count;
    if (i % 17 == 9 && tick.bone_player_count > 2) tick.bone_player_count = 2;
    if (i % 17 == 12) tick.bones = echo::bones_kind::absent;
    if (i % 17 == 14) tick.bones = echo::bones_kind::without_list;
    if (tick.bones != echo::bones_kind::present) tick.bone_player_count = 0;
  }
}

void bones_out_of_range(match& ticks) {
  from(ticks, 20, [](state& tick) {
    if (tick.bone_player_count == 0) return;
    tick.bone_players[0].positions[3] = {5, -7, 1e9f};
    tick.bone_players[0].rotations[4] = {0, 0, 0, 0};
    tick.bone_players[0].rotations[5] = {3, 4, 0, 0};
  });
}

void bones_out_of_range_and_back(match& ticks) {
  const match usual = ticks;
  bones_out_of_range(ticks);
  for (std::size_t i = 40; i < ticks.size(); ++i) ticks[i].bone_players = usual[i].bone_players;
}

void one_name_for_two(match& ticks) {
  each_player(ticks, [](player& p, std::size_t index) {
    if (index < 2) p.name.assign("Twin");
  });
}

void userid_0_for_three(match& ticks) {
  each_player(ticks, [](player& p, std::size_t index) {
    if (index < 3) p.userid = 0;
  });
}

void userid_0_for_all_with_one_name(match& ticks) {
  each_player(ticks, [](player& p, std::size_t) {
    p.userid = 0;
    p.name.assign("Bot");
  });
}

void someone_new_each_tick(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    player joining = ticks[i].players[0];
    joining.userid = 9'000'000 + i;
    joining.name.assign("Guest " + std::to_string(i));
    add_player(ticks[i], joining);
  }
}

void huge_values(match& ticks) {
  from(ticks, 25, [](state& tick) {
    tick.match.fields |=
        session::has_disc | session::has_disc_velocity | session::has_last_throw | session::has_pause;
    tick.match.game_clock = 100'000.5f;
    tick.match.blue_points = 300;
    tick.match.blue_round_score = 17;
    tick.match.disc.at.fields = echo::pose::has_all;
    tick.match.disc.at.position = {1e6f, -3e38f, 65'520};
    tick.match.disc.velocity = {1e5f, 0, 0};
    tick.match.last_throw.arm_speed = 1e30f;
    tick.match.pause.paused_timer = -1e9f;
    player& first = tick.players[0];
    first.fields |= player::has_stats | player::has_body | player::has_velocity;
    first.ping = 1'000'000;
    first.playerid = 300;
    first.number = 1000;
    first.level = -5;
    first.packetlossratio = 1e20f;
    first.stats.points = 100'000;
    first.stats.saves = -3;
    first.stats.possession_time = 1e7f;
    first.head.position = {200, 100, -300};
    first.body.fields = echo::pose::has_all;
    first.body.position = {1e9f, 1e9f, 1e9f};
    first.velocity = {1e9f, -1e9f, 1};
    tick.players[1].userid = std::numeric_limits<std::uint64_t>::max();
  });
  // And back to the usual values.
  for (std::size_t i = 60; i < ticks.size(); ++i) {
    const std::int64_t time = ticks[i].recorded_time_ms;
    ticks[i] = ticks[i % 20];
    ticks[i].recorded_time_ms = time;
  }
}

void ping_swings(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i].players[0].ping = i % 2 == 0 ? 32'767 : -32'768;
}

void far_jumps(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); i += 3) {
    ticks[i].players[0].head.position = {60, -20, static_cast<float>(i)};
    ticks[i].match.fields |= session::has_disc;
    ticks[i].match.disc.at.fields = echo::pose::has_all;
    ticks[i].match.disc.at.position = {-40, 15, 77};
  }
}

void unknown_map(match& ticks) {
  from(ticks, 0, [](state& tick) { tick.match.map_name.assign("mpl_arena_b"); });
}

void another_map(match& ticks) {
  from(ticks, 50, [](state& tick) { tick.match.map_name.assign("mpl_lobby_b2"); });
}

void another_session(match& ticks) {
  from(ticks, 50, [](state& tick) { tick.match.sessionid.assign("00000000-1111-2222-3333-444444444444"); });
}

void empty_texts(match& ticks) {
  for (state& tick : ticks) {
    session& match = tick.match;
    match.client_name.assign("");
    match.sessionid.assign("");
    match.sessionip.assign("");
    match.game_status.assign("");
    match.pause.state.assign("");
    match.pause.unpaused_team.assign("");
    match.pause.paused_requested_team.assign("");
    match.last_score.team.assign("");
    match.last_score.person_scored.assign("");
    match.rules_changed_by.assign("");
    tick.players[0].name.assign("");
  }
}

void odd_texts(match& ticks) {
  for (state& tick : ticks) {
    tick.match.sessionip.assign("fe80::1ff:fe23:4567:890a");
    tick.match.sessionid.assign("not-a-guid");
    tick.match.game_status.assign("intermission");
    tick.match.pause.state.assign("paused_requested");
    tick.match.fields |= session::has_pause | session::has_last_score | session::has_game_status;
    tick.match.last_score.goal_type.assign("LONG HEADBUTT");
    tick.match.last_score.person_scored.assign("Unknown Player");
  }
}

void names_beyond_ascii(match& ticks) {
  for (state& tick : ticks) {
    tick.players[0].name.assign("Jürgen");
    tick.players[1].name.assign("プレイヤー");
    tick.players[2].name.assign("Ω");
    tick.match.client_name.assign("Jürgen");
    tick.match.rules_changed_by.assign("Zoë");
  }
}

void restart_requests(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    ticks[i].match.fields |=
        session::has_blue_team_restart_request | session::has_orange_team_restart_request;
    ticks[i].match.blue_team_restart_request = i / 7 % 2 == 1;
    ticks[i].match.orange_team_restart_request = i / 5 % 3 == 1;
  }
}

void unknown_weapon(match& ticks) {
  from(ticks, 30, [](state& tick) {
    tick.players[0].weapon.assign("railgun");
    tick.players[0].ordnance.assign("");
    tick.players[0].tac_mod.assign("SENSOR");
    tick.players[0].arm.assign("None");
  });
}

void spectators_without_loadout(match& ticks) {
  for (state& tick : ticks) {
    const std::size_t first = echo::first_player(tick.match, 2);
    for (std::size_t p = first; p < tick.match.player_count; ++p) {
      player& spectator = tick.players[p];
      spectator.fields &= ~static_cast<std::uint32_t>(player::has_weapon | player::has_ordnance |
                                                      player::has_tac_mod | player::has_arm);
      spectator.weapon.assign("");
      spectator.ordnance.assign("");
      spectator.tac_mod.assign("");
      spectator.arm.assign("");
    }
  }
}

void parts_missing(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    session& match = ticks[i].match;
    const auto without = [&](std::uint64_t field) { match.fields &= ~field; };
    if (i % 13 < 6) {
      without(session::has_pause);
      match.pause = {};
    }
    if (i % 11 < 5) {
      without(session::has_disc | session::has_disc_velocity | session::has_disc_bounce_count);
      match.disc = {};
    }
    if (i % 7 < 3) {
      without(session::has_player);
      match.vr = {};
    }
    if (i % 5 < 2) {
      without(session::has_last_score);
      match.last_score = {};
    }
    if (i % 3 == 0) {
      without(session::has_last_throw);
      match.last_throw = {};
    }
    if (i % 17 < 2) {
      without(session::has_game_status);
      match.game_status.assign("");
    }
  }
}

void players_half_there(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    player& first = ticks[i].players[0];
    if (i % 4 == 0) {
      first.fields &= ~static_cast<std::uint32_t>(player::has_stats);
      first.stats = {};
    }
    if (i % 6 == 1) {
      first.fields &= ~static_cast<std::uint32_t>(player::has_body);
      first.body = {};
    }
    if (i % 9 == 2) {
      first.holding_left = {};
      first.fields &= ~static_cast<std::uint32_t>(player::has_velocity);
      first.velocity = {};
    }
  }
}

void directions_of_no_length(match& ticks) {
  for (std::size_t i = 10; i < ticks.size(); i += 2) {
    ticks[i].match.fields |= session::has_disc;
    ticks[i].players[2].fields |= player::has_body;
    ticks[i].players[0].head.forward = {};
    ticks[i].players[1].lhand.up = {};
    ticks[i].match.disc.at.fields = echo::pose::has_all;
    ticks[i].match.disc.at.forward = {};
    ticks[i].match.disc.at.up = {};
    ticks[i].players[2].body.up = ticks[i].players[2].body.forward;
  }
}

void fewer_teams(match& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    session& match = ticks[i].match;
    const std::size_t keep = i % 20 < 10 ? 2 : i % 20 < 15 ? 1 : 0;
    match.player_count = static_cast<std::uint8_t>(echo::first_player(match, keep));
    match.team_count = static_cast<std::uint8_t>(keep);
    for (std::size_t t = keep; t < echo::max_teams; ++t) match.teams[t] = {};
  }
}

void changes_team(match& ticks) {
  for (std::size_t i = 33; i < ticks.size(); ++i) {
    if (i / 9 % 2 == 0) continue;
    // The last blue player is first in orange's list.
    --ticks[i].match.teams[0].player_count;
    ++ticks[i].match.teams[1].player_count;
  }
}

void everyone_stands_still(match& ticks) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const std::int64_t time = ticks[i].recorded_time_ms;
    ticks[i] = ticks[0];
    ticks[i].recorded_time_ms = time;
  }
}

void nobody_is_there(match& ticks) {
  from(ticks, 30, [](state& tick) {
    while (tick.match.player_count > 0) remove_player(tick, 0);
    tick.bone_player_count = 0;
  });
}

}  // namespace

const std::vector<incident>& incidents() {
  static const std::vector<incident> all = {
      {"a player is renamed, twice", rename_in_the_middle},
      {"stats fall", stats_fall},
      {"stats jump", stats_jump},
      {"gaps of 70 s and at the edge of 16 bits", long_gaps},
      {"the clock goes back", clock_goes_back},
      {"a player is absent for one tick and back unchanged", absent_for_one_tick},
      {"bones come and go", bones_come_and_go},
      {"bones out of range", bones_out_of_range},
      {"bones out of range and back", bones_out_of_range_and_back},
      {"two players of one name", one_name_for_two},
      {"three players with userid 0", userid_0_for_three},
      {"all players with userid 0 and one name", userid_0_for_all_with_one_name},
      {"someone new each tick", someone_new_each_tick},
      {"huge values", huge_values},
      {"ping swings over its whole range", ping_swings},
      {"far jumps", far_jumps},
      {"an unknown map", unknown_map},
      {"another map in the middle", another_map},
      {"another session in the middle", another_session},
      {"empty texts", empty_texts},
      {"odd texts", odd_texts},
      {"names beyond ASCII", names_beyond_ascii},
      {"restart requests", restart_requests},
      {"an unknown weapon", unknown_weapon},
      {"spectators without loadout", spectators_without_loadout},
      {"parts missing", parts_missing},
      {"players half there", players_half_there},
      {"directions of no length", directions_of_no_length},
      {"fewer than three teams", fewer_teams},
      {"a player changes team", changes_team},
      {"everyone stands still", everyone_stands_still},
      {"no player is present", nobody_is_there},
  };
  return all;
}

}  // namespace tickreel::conformance
