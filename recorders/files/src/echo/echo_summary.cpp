#include "echo_summary.hpp"

#include <algorithm>
#include <cmath>

#include "tickreel/counted.hpp"
#include "tickreel/echo/time.hpp"

namespace tickreel::files {

namespace {

constexpr const char* team_names[] = {"blue", "orange", "spectator"};
constexpr std::size_t spectators = 2;
// More than any match has; limits the memory for a damaged file.
constexpr std::size_t max_listed_players = 4096;

bool is_finite(const echo::vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool is_finite(const echo::quat& q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

bool is_near(const echo::vec3& v) {
  constexpr float ten_km = 10'000;  // the largest map is 500 m wide
  return std::abs(v.x) < ten_km && std::abs(v.y) < ten_km && std::abs(v.z) < ten_km;
}

// The game rounds to 3 decimals: each component is at most 0.0005 off. Missing and zero axes are accepted.
bool is_unit(const echo::vec3& v) {
  const float square = v.x * v.x + v.y * v.y + v.z * v.z;
  return square == 0 || std::abs(square - 1) < 0.02f;
}

struct pose_check {
  bool finite = true;
  bool unit = true;
  bool near = true;

  void look(const echo::pose& at) {
    const bool axes = is_finite(at.forward) && is_finite(at.left) && is_finite(at.up);
    finite = finite && axes && is_finite(at.position);
    unit = unit && (!axes || (is_unit(at.forward) && is_unit(at.left) && is_unit(at.up)));
    near = near && (!is_finite(at.position) || is_near(at.position));
  }
  void look(const echo::vec3& vector) { finite = finite && is_finite(vector); }
};

// A round, or the whole match.
bool is_over(std::string_view status) {
  return status == "round_over" || status == "post_sudden_death" || status == "post_match";
}

std::vector<fact> facts_of(const echo::stats& stats) {
  std::vector<fact> out;
  const auto number = [&](const char* key, std::int32_t value) { out.push_back({key, std::int64_t{value}}); };
  number("points", stats.points);
  number("goals", stats.goals);
  number("assists", stats.assists);
  number("saves", stats.saves);
  number("stuns", stats.stuns);
  number("steals", stats.steals);
  number("blocks", stats.blocks);
  number("passes", stats.passes);
  number("catches", stats.catches);
  number("interceptions", stats.interceptions);
  number("shots_taken", stats.shots_taken);
  if (std::isfinite(stats.possession_time)) {
    // .butter stores half-precision floats, so more digits would be noise.
    out.push_back({"possession_time", std::round(static_cast<double>(stats.possession_time) * 10) / 10});
  }
  return out;
}

}  // namespace

void echo_summary::note(kind what, const tick_place& place) {
  oddity& entry = oddities_[what];
  if (entry.count++ == 0) {
    entry.first_offset = place.offset;
    entry.first_tick = place.tick;
  }
}

void echo_summary::add(const echo::state& tick, const tick_place& place) {
  look_at_times(tick, place);
  look_at_values(tick, place);
  look_at_players(tick, place);
  look_at_score(tick.match);
  if (place.keyframe) ++keyframes_;
  if (tick.bones == echo::bones_kind::present) ++ticks_with_bones_;
  ++ticks_;
}

void echo_summary::look_at_times(const echo::state& tick, const tick_place& place) {
  constexpr std::int64_t long_gap_ms = 5000;
  const echo::session& match = tick.match;
  if (ticks_ == 0) {
    first_time_ms_ = tick.recorded_time_ms;
    session_id_ = match.sessionid.view();
    map_name_ = match.map_name.view();
    client_name_ = match.client_name.view();
    match_type_ = match.match_type.view();
  } else {
    if (tick.recorded_time_ms < last_time_ms_) note(time_backwards, place);
    if (tick.recorded_time_ms > last_time_ms_ + long_gap_ms) note(time_gap, place);
    if (match.sessionid.view() != session_id_ || match.map_name.view() != map_name_) {
      note(new_session, place);
      session_id_ = match.sessionid.view();
      map_name_ = match.map_name.view();
      score_ = {};
    }
  }
  last_time_ms_ = tick.recorded_time_ms;
}

void echo_summary::look_at_values(const echo::state& tick, const tick_place& place) {
  const echo::session& match = tick.match;
  pose_check check;
  check.look(match.disc.at);
  check.look(match.disc.velocity);
  check.look(match.vr.at);
  for (std::size_t each = 0; each < match.player_count; ++each) {
    const echo::player& player = tick.players[each];
    check.look(player.head);
    check.look(player.body);
    check.look(player.lhand);
    check.look(player.rhand);
    check.look(player.velocity);
  }
  const std::size_t bone_players = tick.bones == echo::bones_kind::present ? tick.bone_player_count : 0;
  for (std::size_t each = 0; each < bone_players; ++each) {
    const echo::bone_player& player = tick.bone_players[each];
    check.finite = check.finite &&
                   std::all_of(player.positions.begin(), player.positions.end(),
                               [](const echo::vec3& v) { return is_finite(v); }) &&
                   std::all_of(player.rotations.begin(), player.rotations.end(),
                               [](const echo::quat& q) { return is_finite(q); });
  }
  const float clock = match.game_clock;
  if (!check.finite || !std::isfinite(clock)) note(not_finite, place);
  if (!check.unit) note(not_unit, place);
  if (!check.near) note(far_away, place);
  if (clock < -1 || clock > 86'400) note(clock_range, place);
}

void echo_summary::look_at_players(const echo::state& tick, const tick_place& place) {
  std::size_t player = 0;
  bool unknown = false;
  for (std::size_t team = 0; team < tick.match.team_count && team < echo::max_teams; ++team) {
    for (std::size_t each = 0; each < tick.match.teams[team].player_count && player < echo::max_players;
         ++each, ++player) {
      const echo::player& who = tick.players[player];
      const std::string_view name = who.name.view();
      if (name == "[INVALID]") unknown = true;  // the name of index 0 in a .butter
      auto known = std::find_if(players_.begin(), players_.end(), [&](const seen_player& seen) {
        return seen.who.userid == who.userid && seen.who.name == name;
      });
      if (known == players_.end()) {
        if (players_.size() >= max_listed_players) continue;
        players_.push_back({{std::string(name), team_names[team], who.userid}, std::nullopt});
        known = players_.end() - 1;
      }
      if (known->who.team != team_names[team]) known->who.team = team_names[team];
      const bool plays = team != spectators;
      if (plays && (who.fields & echo::player::has_stats) != 0) known->stats = who.stats;
    }
  }
  if (unknown) note(unknown_player, place);
}

// Counts rounds from the first tick on, since a .butter stores only the round score at its start.
void echo_summary::look_at_score(const echo::session& match) {
  using echo::session;
  const auto has = [&](std::uint64_t field) { return (match.fields & field) != 0; };
  if (has(session::has_blue_points)) score_.blue_points = match.blue_points;
  if (has(session::has_orange_points)) score_.orange_points = match.orange_points;
  const std::string_view status = match.game_status.view();
  const bool first = score_.status.empty();
  if (status == score_.status) return;
  if (first) {
    score_.rounds = match.total_round_count;
    score_.blue_rounds = match.blue_round_score;
    score_.orange_rounds = match.orange_round_score;
  } else if (status == "pre_match") {
    score_.blue_rounds = score_.orange_rounds = 0;  // a new match begins
  } else if (is_over(status) && !is_over(score_.status) && score_.blue_points && score_.orange_points) {
    if (*score_.blue_points > *score_.orange_points) ++score_.blue_rounds;
    if (*score_.blue_points < *score_.orange_points) ++score_.orange_rounds;
  }
  score_.status = status;
}

void echo_summary::describe_score(summary& out) const {
  const echo::mode mode = echo::mode_of(map_name_);
  if (mode == echo::mode::other) return;
  const bool arena = mode == echo::mode::arena;
  const auto points = [&](const char* key, const std::optional<float>& value) {
    if (!value || !std::isfinite(*value)) return;
    if (arena) {
      out.facts.push_back({key, static_cast<std::int64_t>(std::clamp(*value, -1e6f, 1e6f))});
    } else {
      out.facts.push_back({key, static_cast<double>(*value)});
    }
  };
  points("blue_points", score_.blue_points);
  points("orange_points", score_.orange_points);
  // In combat, points are the payload's progress, not a score.
  if (!arena || score_.blue_rounds == score_.orange_rounds) return;
  const int most = std::max(score_.blue_rounds, score_.orange_rounds);
  const bool decided = score_.rounds > 0 && most > score_.rounds / 2;
  if (score_.status != "post_match" && !decided) return;
  out.facts.push_back({"winner", score_.blue_rounds > score_.orange_rounds ? "blue" : "orange"});
}

void echo_summary::describe(summary& out) const {
  out.ticks = ticks_;
  out.keyframes = keyframes_;
  out.duration_ms = duration_between(first_time_ms_, last_time_ms_);
  // Players in the order of the file's own table, then the others.
  for (const seen_player& seen : players_) {
    auto listed = std::find_if(out.players.begin(), out.players.end(), [&](const player_summary& each) {
      return each.userid == seen.who.userid && each.name == seen.who.name;
    });
    if (listed == out.players.end()) {
      listed = out.players.insert(listed, seen.who);
    } else {
      listed->team = seen.who.team;
    }
    if (seen.stats) listed->facts = facts_of(*seen.stats);
  }
  if (ticks_ == 0) return;
  const auto has = [&](std::string_view key) {
    return std::any_of(out.facts.begin(), out.facts.end(), [&](const fact& each) { return each.key == key; });
  };
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty() && !has(key)) out.facts.push_back({key, value});
  };
  const auto time = [](std::int64_t ms) {
    const auto formatted = echo::format_time(ms);
    return std::string(formatted.data(), formatted.size());
  };
  text("session_id", session_id_);
  text("map_name", map_name_);
  text("match_type", match_type_);
  text("client_name", client_name_);
  text("first_time", time(first_time_ms_));
  text("last_time", time(last_time_ms_));
  describe_score(out);
  if (!has("ticks_with_bones")) {
    out.facts.push_back({"ticks_with_bones", static_cast<std::int64_t>(ticks_with_bones_)});
  }
  if (out.duration_ms > 0 && ticks_ > 1) {
    const double rate = static_cast<double>(ticks_ - 1) * 1000 / static_cast<double>(out.duration_ms);
    out.facts.push_back({"measured_rate_hz", std::round(rate * 100) / 100});
  }
}

void echo_summary::inspect(std::vector<finding>& out) const {
  for (std::size_t each = 0; each < kind_count; ++each) {
    const oddity& entry = oddities_[each];
    if (entry.count == 0) continue;
    const severity level = each == time_gap ? severity::note : severity::warning;
    out.push_back({level, entry.first_offset,
                   counted(entry.count, entry.noun) + entry.what + ", the first at tick " +
                       std::to_string(entry.first_tick)});
  }
}

}  // namespace tickreel::files
