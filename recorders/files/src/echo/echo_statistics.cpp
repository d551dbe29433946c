#include "echo_statistics.hpp"

#include <algorithm>

#include "tickreel/files/info.hpp"

namespace tickreel::files {

namespace {

// Values that are not counters of the game and depend on every tick.
constexpr statistic from_ticks[] = {
    statistic::time_s,    statistic::shot_speed_mps,      statistic::top_shot_speed_mps,
    statistic::throws,    statistic::top_throw_speed_mps, statistic::distance_m,
    statistic::speed_mps, statistic::top_speed_mps,       statistic::fast_s,
    statistic::ping_ms,   statistic::top_ping_ms,         statistic::goals_other,
};

constexpr auto first_goal_type = static_cast<std::size_t>(statistic::goals_slam_dunk);
static_assert(static_cast<std::size_t>(statistic::goals_other) ==
              first_goal_type + echo::goal_type_count - 1);

constexpr std::size_t own_goal_type = static_cast<std::size_t>(statistic::goals_self) - first_goal_type;

void set_counters(const echo::player_statistics& from, player_row& to) {
  const echo::stats& counted = from.counted;
  std::uint32_t typed = 0;
  for (std::size_t type = 0; type < echo::goal_type_count; ++type) {
    // Own goals count for the other team, not for the player.
    if (type != own_goal_type) typed += from.goals[type];
  }
  const auto goals = std::max(static_cast<std::uint32_t>(counted.goals), typed);
  to.set(statistic::points, counted.points);
  to.set(statistic::goals, goals);
  for (std::size_t type = 0; type < echo::goal_type_count; ++type) {
    to.values[first_goal_type + type] = from.goals[type];
  }
  to.set(statistic::goals_other, from.goals.back() + (goals - typed));
  to.set(statistic::assists, counted.assists);
  to.set(statistic::saves, counted.saves);
  to.set(statistic::stuns, counted.stuns);
  to.set(statistic::steals, counted.steals);
  to.set(statistic::blocks, counted.blocks);
  // Many versions of the game leave these counters at 0; they are then derived from possession.
  to.set(statistic::interceptions, std::max<double>(counted.interceptions, from.interceptions_seen));
  to.set(statistic::passes, std::max<double>(counted.passes, from.passes_seen));
  to.set(statistic::catches, std::max<double>(counted.catches, from.catches_seen));
  to.set(statistic::shots, counted.shots_taken);
  to.set(statistic::possession_s, static_cast<double>(counted.possession_time));
}

void set_ways(const echo::player_statistics& from, player_row& to) {
  to.set(statistic::time_s, from.time_s);
  to.set(statistic::throws, from.throws);
  if (from.throws != 0) to.set(statistic::top_throw_speed_mps, static_cast<double>(from.top_throw_speed));
  if (from.shots_with_speed != 0) {
    to.set(statistic::shot_speed_mps, from.shot_speed_sum / from.shots_with_speed);
    to.set(statistic::top_shot_speed_mps, static_cast<double>(from.top_shot_speed));
  }
  to.set(statistic::distance_m, from.distance_m);
  to.set(statistic::top_speed_mps, static_cast<double>(from.top_speed));
  to.set(statistic::fast_s, from.fast_s);
  to.set(statistic::top_ping_ms, from.top_ping_ms);
  if (from.time_s <= 0) return;
  to.set(statistic::speed_mps, from.distance_m / from.time_s);
  to.set(statistic::ping_ms, from.ping_ms_s / from.time_s);
}

player_row row_of(const echo::player_statistics& from, const echo::statistics& match) {
  player_row out;
  out.player = from.who.name.view();
  if (from.who.userid != 0) out.id = std::to_string(from.who.userid);
  out.team = echo::words(std::type_identity<echo::side>{})[static_cast<std::size_t>(from.who.team)];
  if (match.winner() != echo::side::none) out.result = match.winner() == from.who.team ? "won" : "lost";
  if (match.is_even()) out.result = "tie";
  out.partial = from.began_before;
  if (from.has_counters) set_counters(from, out);
  set_ways(from, out);
  return out;
}

// Values from times and events are uncertain if ticks are missing between, and all values if the recording
// lacks more.
std::vector<player_row> rows_of(const echo::statistics& from, const source_losses& losses) {
  std::vector<player_row> out;
  const bool lacks_more = losses.cut_short || losses.damaged || losses.torn_bytes != 0 ||
                          losses.skipped_lines != 0 || losses.damaged_places != 0 ||
                          losses.doubtful_ticks != 0 || (losses.lost_ticks != 0 && from.missing_s() <= 0);
  for (const echo::player_statistics& each : from.players()) {
    player_row row = row_of(each, from);
    if (lacks_more) row.doubt_all();
    if (each.missing_s > 0 || each.uncertain) {
      for (const statistic which : from_ticks) {
        if (row.get(which)) row.doubt(which);
      }
      for (std::size_t type = 0; type < echo::goal_type_count; ++type) {
        if (row.values[first_goal_type + type]) row.uncertain.set(first_goal_type + type);
      }
      for (const statistic which : {statistic::passes, statistic::catches, statistic::interceptions}) {
        if (row.get(which)) row.doubt(which);
      }
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

bool echo_matches::see(const echo::state& now, std::uint64_t tick, const echo_source& source) {
  const std::string_view session = now.match.sessionid.view();
  if (any_ && session != match_.session && !give(source)) return false;
  if (!any_) {
    match_.session = session;
    match_.started_ms = first_time_ms_ = now.recorded_time_ms;
  }
  any_ = true;
  if (match_.map.empty()) match_.map = now.match.map_name.view();
  last_time_ms_ = now.recorded_time_ms;
  detector_.see(tick, now, counted_);
  counted_.see(now, detector_.missed_ms());
  return true;
}

bool echo_matches::give(const echo_source& source) {
  detector_.finish(counted_);
  match_.format = "echo";
  match_.has_match_id = !match_.session.empty();
  match_.cut_from = source.cut_from();
  match_.duration_ms = duration_between(first_time_ms_, last_time_ms_);
  match_.players = rows_of(counted_, source.losses());
  players_left_out_ += counted_.players_left_out();
  const bool more = (*each_)(match_);
  detector_.clear();
  counted_.clear();
  match_ = {};
  any_ = false;
  return more;
}

void echo_matches::finish(const echo_source& source) {
  if (any_) (void)give(source);
}

}  // namespace tickreel::files
