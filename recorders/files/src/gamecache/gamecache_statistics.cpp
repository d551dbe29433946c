#include "gamecache_statistics.hpp"

#include "tickreel/gamecache/names.hpp"

namespace tickreel::files {

namespace {

player_row row_of(const gamecache::player& from, const gamecache::item& game, bool flat) {
  namespace field = gamecache::field;
  const auto has = [&](std::uint32_t bit) { return flat || (game.fields & bit) != 0; };
  player_row out;
  const auto set = [&out](statistic which, auto value) { out.set(which, static_cast<double>(value)); };
  out.player = gamecache::to_utf8(from.name);
  if (has(field::teams)) {
    out.team = gamecache::team_name(from.team);
    if (const auto winner = gamecache::winning_team(game.winner)) {
      out.result = *winner == from.team ? "won" : "lost";
    }
  }
  const bool left = has(field::leave_times) && from.leave_ms != 0;
  if (left || has(field::length)) {
    set(statistic::time_s, static_cast<double>(left ? from.leave_ms : game.length_ms) / 1000);
  }
  if (has(field::actions_per_minute)) set(statistic::apm, from.actions_per_minute);
  // All -1: they were not recorded.
  if (has(field::stats) && from.kills >= 0) {
    set(statistic::kills, from.kills);
    set(statistic::deaths, from.deaths);
    set(statistic::creeps, from.creeps);
    set(statistic::denies, from.denies);
    if (from.assists >= 0 && (flat || game.stats_per_player != 4)) set(statistic::assists, from.assists);
  }
  if (has(field::levels)) set(statistic::level, from.level);
  if (has(field::item_gold)) set(statistic::item_gold, from.item_gold);
  if (flat) {
    set(statistic::gold, from.gold);
    set(statistic::neutrals, from.neutrals);
  }
  return out;
}

}  // namespace

match_rows statistics_of(const gamecache::item& from, gamecache::layout layout) {
  match_rows out;
  out.format = "gamecache";
  out.session = gamecache::to_utf8(from.name);
  if (from.map_version != 0) out.map = "DotA " + gamecache::version_text(from.map_version);
  out.duration_ms = from.length_ms;
  if (const auto saved = gamecache::unix_seconds(from.modified)) {
    out.started_ms = *saved * 1000 - out.duration_ms;  // a replay is saved at the end of the game
  }
  for (const gamecache::player& each : from.players) {
    out.players.push_back(row_of(each, from, layout == gamecache::layout::flat));
  }
  return out;
}

}  // namespace tickreel::files
