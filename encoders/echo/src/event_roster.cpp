#include "event_roster.hpp"

#include <algorithm>

namespace tickreel::echo {

namespace {

bool is_same(const known_player& known, const player& one) noexcept {
  return known.who.userid == one.userid && known.who.name == one.name;
}

std::uint32_t rise(std::int32_t from, std::int32_t to) noexcept {
  return static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
}

// A fall means a reset of everything: a new round, or a new match.
void count(known_player& known, const player& one, std::int64_t now_ms) noexcept {
  known.gains = {};
  const bool has_stats = (one.fields & player::has_stats) != 0;
  if (has_stats && known.has_stats) {
    bool fell = false;
    for (std::size_t i = 0; i < counters; ++i) {
      const std::int32_t before = known.stats.*counter_members[i];
      const std::int32_t after = one.stats.*counter_members[i];
      fell = fell || after < before;
      known.gains[i] = rise(before, after);
    }
    if (fell) known.gains = {};
    if (one.stats.points > known.stats.points || one.stats.goals > known.stats.goals)
      known.scored_ms = now_ms;
    if (one.stats.assists > known.stats.assists) known.assisted_ms = now_ms;
  }
  if (has_stats) known.stats = one.stats;
  known.has_stats = known.has_stats || has_stats;
}

}  // namespace

int event_roster::find(const player& one) const noexcept {
  int found = nobody;
  for (std::size_t i = 0; i < used_; ++i) {
    const known_player& known = players_[i];
    // Already matched in this tick: another player of that name.
    if (known.seen == looks_ || !is_same(known, one)) continue;
    if (known.who.slot == one.playerid) return static_cast<int>(i);
    if (found == nobody) found = static_cast<int>(i);
  }
  return found;
}

int event_roster::take_place() noexcept {
  if (used_ < players_.size()) return static_cast<int>(used_++);
  const auto oldest = std::min_element(players_.begin(), players_.end(),
                                       [](const auto& a, const auto& b) { return a.seen < b.seen; });
  *oldest = {};
  return static_cast<int>(oldest - players_.begin());
}

void event_roster::look(const state& now) noexcept {
  ++looks_;
  for (known_player& each : all()) {
    each.was_present = each.present;
    each.team_before = each.who.team;
    each.present = false;
    each.newly_stunned = false;
  }
  const std::size_t count_now = std::min<std::size_t>(now.match.player_count, max_players);
  const std::size_t teams = std::min<std::size_t>(now.match.team_count, max_teams);
  std::size_t team = 0;
  std::size_t left_in_team = teams == 0 ? count_now : now.match.teams[0].player_count;
  for (std::size_t place = 0; place < count_now; ++place) {
    while (left_in_team == 0 && team + 1 < teams) left_in_team = now.match.teams[++team].player_count;
    if (left_in_team > 0) --left_in_team;
    const player& one = now.players[place];
    const int before = place < places_ ? by_place_[place] : nobody;
    const bool still = before != nobody && at(before).seen + 1 == looks_ &&
                       at(before).who.slot == one.playerid && is_same(at(before), one);
    int who = still ? before : find(one);
    if (who == nobody) who = take_place();
    known_player& known = at(who);
    known.seen = looks_;
    known.present = true;
    known.who.userid = one.userid;
    known.who.name = one.name;
    known.who.slot = (one.fields & player::has_playerid) != 0 ? one.playerid : -1;
    known.who.team = static_cast<side>(team);
    count(known, one, now.recorded_time_ms);
    known.newly_stunned = one.stunned && !known.stunned && known.was_present;
    if (known.newly_stunned) known.unexplained_stun_ms = now.recorded_time_ms;
    known.stunned = one.stunned;
    by_place_[place] = who;
  }
  places_ = count_now;
  for (known_player& each : all()) {
    if (!each.present) each.gains = {};
  }
}

int event_roster::named(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < used_; ++i) {
    if (players_[i].present && players_[i].who.name.view() == name) return static_cast<int>(i);
  }
  return nobody;
}

event_roster::match_by_name event_roster::named(std::string_view name, side team,
                                                std::optional<std::int64_t> known_player::* counted,
                                                std::int64_t since_ms) const noexcept {
  const auto only = [&](auto fits) {
    match_by_name found;
    for (std::size_t i = 0; i < used_; ++i) {
      const known_player& each = players_[i];
      if (!each.present || each.who.name.view() != name || !fits(each)) continue;
      found.is_ambiguous = found.who != nobody;
      if (found.is_ambiguous) break;
      found.who = static_cast<int>(i);
    }
    return found;
  };
  const auto in_team = only([&](const known_player& each) { return each.who.team == team; });
  if (!in_team.is_ambiguous && in_team.who != nobody) return in_team;
  const bool any_team = in_team.who == nobody;
  const auto of_name = any_team ? only([](const known_player&) { return true; }) : in_team;
  if (!of_name.is_ambiguous) return of_name;
  const auto by_counter = only([&](const known_player& each) {
    return (any_team || each.who.team == team) && each.*counted && *(each.*counted) >= since_ms;
  });
  return by_counter.who != nobody ? by_counter : match_by_name{nobody, true};
}

bool event_roster::counts(counter what) const noexcept {
  const auto member = counter_members[static_cast<std::size_t>(what)];
  for (std::size_t i = 0; i < used_; ++i) {
    if (players_[i].present && players_[i].stats.*member > 0) return true;
  }
  return false;
}

}  // namespace tickreel::echo
