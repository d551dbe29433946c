#include "tickreel/echo/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "event_roster.hpp"

namespace tickreel::echo {

namespace {

constexpr std::size_t max_counted_players = 1024;
constexpr std::size_t no_place = std::numeric_limits<std::size_t>::max();

constexpr std::array<std::string_view, goal_type_count> types = {
    "SLAM DUNK", "INSIDE SHOT",   "LONG SHOT",   "BOUNCE SHOT",      "LONG BOUNCE SHOT",
    "HEADBUTT",  "LONG HEADBUTT", "BUMPER SHOT", "LONG BUMPER SHOT", "SELF GOAL",
    ""};

constexpr std::int32_t stats::* whole_counters[] = {
    &stats::points,  &stats::saves,         &stats::goals,      &stats::stuns,
    &stats::passes,  &stats::catches,       &stats::steals,     &stats::blocks,
    &stats::assists, &stats::interceptions, &stats::shots_taken};

std::size_t type_of(std::string_view word) noexcept {
  const auto found = std::find(types.begin(), types.end(), word);
  return static_cast<std::size_t>(std::min(found, types.end() - 1) - types.begin());
}

// The disc is in play; always, if the game has no status.
bool is_play(const state& now) noexcept {
  if ((now.match.fields & session::has_game_status) == 0) return true;
  const std::string_view word = now.match.game_status.view();
  return word == "playing" || word == "sudden_death";
}

bool is_same(const participant& known, std::uint64_t userid, const text<64>& name) noexcept {
  return known.userid == userid && known.name == name;
}

float speed_of(const vec3& v) noexcept {
  const float speed = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return std::isfinite(speed) ? speed : 0;
}

// A damaged file may contain any number.
std::int32_t sum(std::int32_t a, std::int32_t b) noexcept {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(std::int64_t{a} + b, 0, most));
}

}  // namespace

std::span<const std::string_view, goal_type_count> goal_types() noexcept {
  return types;
}

void statistics::clear() noexcept {
  const statistics_options options = options_;
  *this = statistics(options);
}

std::size_t statistics::find(const player& one) noexcept {
  std::size_t found = no_place;
  for (std::size_t place = 0; place < players_.size(); ++place) {
    const participant& who = players_[place].who;
    // Already seen in this tick: another player of that name.
    if (memories_[place].seen == ticks_ || !is_same(who, one.userid, one.name)) continue;
    if (who.slot == one.playerid) return place;
    if (found == no_place) found = place;
  }
  if (found != no_place) return found;
  if (players_.size() == max_counted_players) {
    ++left_out_;
    return no_place;
  }
  players_.emplace_back();
  memories_.emplace_back();
  return players_.size() - 1;
}

player_statistics* statistics::find(const participant& who) noexcept {
  player_statistics* found = nullptr;
  for (player_statistics& each : players_) {
    if (!is_same(each.who, who.userid, who.name)) continue;
    if (each.who.slot == who.slot) return &each;
    if (found == nullptr) found = &each;
  }
  return found;
}

void statistics::see(const state& now, std::int32_t missed_ms) noexcept {
  const bool first = ticks_++ == 0;
  const std::int32_t elapsed = first ? 0 : elapsed_ms(now.recorded_time_ms, time_ms_);
  // Whether the time from the tick before to this one was in play.
  const bool played = in_play_ && !first;
  const double seconds = played && missed_ms == 0 ? elapsed / 1000.0 : 0;
  if (played && missed_ms != 0) missing_s_ += elapsed / 1000.0;
  time_ms_ = now.recorded_time_ms;
  in_play_ = is_play(now);

  const std::size_t count_now = std::min<std::size_t>(now.match.player_count, max_players);
  const std::size_t teams = std::min<std::size_t>(now.match.team_count, max_teams);
  for (std::size_t team = 0; team < std::min<std::size_t>(teams, 2); ++team) {
    const std::size_t begin = first_player(now.match, team);
    const std::size_t end = std::min(begin + now.match.teams[team].player_count, count_now);
    for (std::size_t at = begin; at < end; ++at) {
      const player& one = now.players[at];
      const std::size_t place = find(one);
      if (place == no_place) continue;
      player_statistics& who = players_[place];
      const bool was_here = memories_[place].seen + 1 == ticks_ && ticks_ > 1;
      who.who.name = one.name;
      who.who.userid = one.userid;
      who.who.slot = (one.fields & player::has_playerid) != 0 ? one.playerid : -1;
      who.who.team = static_cast<side>(team);
      if (was_here && played && missed_ms != 0) who.missing_s += elapsed / 1000.0;
      count(place, one);
      measure(place, one, was_here ? seconds : 0, in_play_);
      memories_[place].seen = ticks_;
    }
  }
}

void statistics::count(std::size_t place, const player& now) noexcept {
  if ((now.fields & player::has_stats) == 0) return;
  player_statistics& who = players_[place];
  memory& before = memories_[place];
  const stats& to = now.stats;
  if (!before.has_stats) {
    // The counters of a player who joins later are not counted, because they were counted before.
    const bool first = ticks_ == 1;
    for (const auto counter : whole_counters) {
      if (first && to.*counter > 0) who.began_before = true;
    }
    before.stats = first ? to : stats{};
    before.has_stats = who.has_counters = true;
  }
  const bool fell = std::any_of(std::begin(whole_counters), std::end(whole_counters),
                                [&](const auto counter) { return to.*counter < before.stats.*counter; });
  if (!fell) {
    for (const auto counter : whole_counters) {
      who.counted.*counter = sum(who.counted.*counter, sum(to.*counter, -(before.stats.*counter)));
    }
    const float more = to.possession_time - before.stats.possession_time;
    if (more > 0 && std::isfinite(more)) who.counted.possession_time += more;
  }
  before.stats = to;
}

void statistics::measure(std::size_t place, const player& now, double seconds, bool in_play) noexcept {
  player_statistics& who = players_[place];
  memory& before = memories_[place];
  const bool has_ping = (now.fields & player::has_ping) != 0;
  if (seconds > 0) {
    who.time_s += seconds;
    who.distance_m += static_cast<double>(before.speed) * seconds;
    if (before.speed >= options_.fast_speed) who.fast_s += seconds;
    if (has_ping) who.ping_ms_s += now.ping * seconds;
  }
  before.speed = (now.fields & player::has_velocity) != 0 ? speed_of(now.velocity) : 0;
  if (!in_play) return;
  who.top_speed = std::max(who.top_speed, before.speed);
  if (has_ping) who.top_ping_ms = std::max(who.top_ping_ms, now.ping);
}

void statistics::happened(const event& what) noexcept {
  const auto mark = [&](player_statistics* who) {
    if (who != nullptr && what.uncertain) who->uncertain = true;
    return who;
  };
  if (const auto* made = std::get_if<goal>(&what.what)) {
    if (player_statistics* const who = mark(find(made->player)))
      ++who->goals[type_of(made->goal_type.view())];
  } else if (const auto* taken = std::get_if<shot>(&what.what)) {
    player_statistics* const who = mark(find(taken->player));
    if (who == nullptr || !std::isfinite(taken->speed)) return;
    ++who->shots_with_speed;
    who->shot_speed_sum += static_cast<double>(taken->speed);
    who->top_shot_speed = std::max(who->top_shot_speed, taken->speed);
  } else if (const auto* thrown = std::get_if<disc_thrown>(&what.what)) {
    player_statistics* const who = mark(find(thrown->player));
    if (who == nullptr) return;
    ++who->throws;
    if (std::isfinite(thrown->speed)) who->top_throw_speed = std::max(who->top_throw_speed, thrown->speed);
  } else if (const auto* passed = std::get_if<disc_passed>(&what.what)) {
    if (player_statistics* const who = mark(find(passed->player))) who->passes_seen += what.count;
  } else if (const auto* caught = std::get_if<disc_caught>(&what.what)) {
    if (player_statistics* const who = mark(find(caught->player))) who->catches_seen += what.count;
  } else if (const auto* intercepted = std::get_if<interception>(&what.what)) {
    if (player_statistics* const who = mark(find(intercepted->player))) who->interceptions_seen += what.count;
  } else if (const auto* over = std::get_if<match_ended>(&what.what)) {
    ended_ = true;
    winner_ = over->winner;
  }
}

}  // namespace tickreel::echo
