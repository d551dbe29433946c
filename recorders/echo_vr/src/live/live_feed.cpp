#include "tickreel/echo_vr/live_feed.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>

#include "tickreel/text/json.hpp"

namespace tickreel::echo_vr {
namespace {

std::string_view side_name(echo::side side) noexcept {
  return echo::words(std::type_identity<echo::side>{})[static_cast<std::size_t>(side)];
}

echo::side side_of(std::string_view word) noexcept {
  if (word == "blue") return echo::side::blue;
  if (word == "orange") return echo::side::orange;
  return echo::side::none;
}

// Text from the network; the game's points are floats of any value.
std::int32_t whole(float points) noexcept {
  return std::isfinite(points) && std::abs(points) < 1e6f ? static_cast<std::int32_t>(std::lround(points))
                                                          : 0;
}

void set_possession(live_score& to, const echo::state& from) {
  to.possession = echo::side::none;
  to.possession_player.clear();
  const echo::session& match = from.match;
  std::size_t first = 0;
  for (std::size_t team = 0; team < std::min<std::size_t>(match.team_count, 2); ++team) {
    const std::size_t end = std::min<std::size_t>(first + match.teams[team].player_count, match.player_count);
    for (std::size_t i = first; i < end; ++i) {
      if (!from.players[i].possession) continue;
      to.possession = team == 0 ? echo::side::blue : echo::side::orange;
      to.possession_player = from.players[i].name.view();
    }
    first = end;
  }
}

void set_goal(live_score& to, const echo::last_score& goal) {
  const std::string_view nobody = "[INVALID]";
  const std::string_view by = goal.person_scored.view();
  to.has_goal = !by.empty() && by != nobody;
  if (!to.has_goal) return;
  to.goal_by = by;
  to.goal_assist = goal.assist_scored.view() == nobody ? std::string_view() : goal.assist_scored.view();
  to.goal_type = goal.goal_type.view();
  to.goal_team = side_of(goal.team.view());
  to.goal_points = goal.point_amount;
  to.goal_speed = goal.disc_speed;
  to.goal_distance_m = goal.distance_thrown;
}

void set(live_score& to, const echo::state& from) {
  const echo::session& match = from.match;
  if (to.sessionid != match.sessionid.view()) {
    std::string target = std::move(to.target);
    to = {};
    to.target = std::move(target);
  }
  to.in_match = true;
  to.sessionid = match.sessionid.view();
  to.map = match.map_name.view();
  to.game_status = match.game_status.view();
  to.game_clock = match.game_clock_display.view();
  to.blue_points = whole(match.blue_points);
  to.orange_points = whole(match.orange_points);
  to.blue_team = match.teams[0].name.view();
  to.orange_team = match.teams[1].name.view();
  set_possession(to, from);
  set_goal(to, match.last_score);
}

}  // namespace

void append_json(const live_score& now, std::string& out) {
  text::json_writer json(out);
  json.begin_object().member("target", now.target).member("in_match", now.in_match);
  if (now.in_match) {
    json.member("sessionid", now.sessionid).member("map", now.map).member("game_status", now.game_status);
    json.member("game_clock", now.game_clock);
    json.key("blue")
        .begin_object()
        .member("team", now.blue_team)
        .member("points", now.blue_points)
        .end_object();
    json.key("orange").begin_object().member("team", now.orange_team).member("points", now.orange_points);
    json.end_object().key("possession");
    if (now.possession == echo::side::none) {
      json.null();
    } else {
      json.begin_object().member("team", side_name(now.possession)).member("player", now.possession_player);
      json.end_object();
    }
    json.key("last_goal");
    if (!now.has_goal) {
      json.null();
    } else {
      json.begin_object().member("player", now.goal_by).member("assist", now.goal_assist);
      json.member("team", side_name(now.goal_team)).member("points", now.goal_points);
      json.member("goal_type", now.goal_type).member("speed", now.goal_speed);
      json.member("distance_m", now.goal_distance_m).end_object();
    }
  }
  json.end_object();
}

struct live_feed::internals {
  explicit internals(std::size_t most) : max_events(std::max<std::size_t>(most, 1)) {}

  const std::size_t max_events;
  mutable std::mutex mutex;
  std::uint64_t changes = 0;
  std::vector<live_score> standings;
  std::deque<live_event> events;
  std::uint64_t first_event = 0;  // number of events.front()
};

live_feed::live_feed(std::size_t max_events) : internals_(std::make_unique<internals>(max_events)) {}
live_feed::~live_feed() = default;

std::uint64_t live_feed::changes() const {
  const std::lock_guard lock(internals_->mutex);
  return internals_->changes;
}

std::vector<live_score> live_feed::standings() const {
  const std::lock_guard lock(internals_->mutex);
  return internals_->standings;
}

std::uint64_t live_feed::take(std::uint64_t& next, std::vector<live_event>& into) const {
  const std::lock_guard lock(internals_->mutex);
  const std::uint64_t first = internals_->first_event;
  const std::uint64_t lost = next < first ? first - next : 0;
  next = std::max(next, first);
  for (; next - first < internals_->events.size(); ++next) into.push_back(internals_->events[next - first]);
  return lost;
}

struct live_feed::writer::internals final : echo::event_listener {
  internals(live_feed::internals& feed, std::string target) : to(feed) {
    now.target = std::move(target);
    const std::lock_guard lock(to.mutex);
    place = to.standings.size();
    to.standings.push_back(now);
  }

  void happened(const echo::event& what) noexcept override {
    try {
      found.push_back({now.target, now.sessionid, first_time_ms, what});
    } catch (const std::exception&) {
      return;  // out of memory: the recording contains the event
    }
  }

  // Swaps instead of writing under the lock: only the queue allocates there.
  void publish() {
    const std::lock_guard lock(to.mutex);
    if (!(to.standings[place] == now)) {
      to.standings[place] = now;
      ++to.changes;
    }
    for (live_event& each : found) {
      to.events.push_back(std::move(each));
      ++to.changes;
      if (to.events.size() <= to.max_events) continue;
      to.events.pop_front();
      ++to.first_event;
    }
    found.clear();
  }

  live_feed::internals& to;
  std::size_t place = 0;
  live_score now;
  std::vector<live_event> found;
  echo::event_detector detector;
  std::uint64_t tick = 0;
  std::int64_t first_time_ms = 0;
  std::uint64_t missed = 0;  // polls without a match since the last poll with one
  bool begun = false;
};

live_feed::writer::writer(live_feed& to, std::string target)
    : internals_(std::make_unique<internals>(*to.internals_, std::move(target))) {}
live_feed::writer::writer(writer&&) noexcept = default;
live_feed::writer::~writer() = default;

void live_feed::writer::see(const echo::state& state, std::uint64_t lost) noexcept {
  internals& to = *internals_;
  try {
    if (to.begun && to.now.sessionid != state.match.sessionid.view()) finish_match();
    if (!to.begun) lost = to.missed = 0;
    if (!std::exchange(to.begun, true)) to.first_time_ms = state.recorded_time_ms;
    lost += std::exchange(to.missed, 0);
    if (lost != 0) to.detector.note_lost();
    to.tick += lost;
    set(to.now, state);
    to.detector.see(to.tick++, state, to);
    to.publish();
  } catch (const std::exception&) {
    return;  // out of memory: the next tick reports it again
  }
}

void live_feed::writer::finish_match() noexcept {
  internals& to = *internals_;
  if (!std::exchange(to.begun, false)) return;
  to.detector.finish(to);
  to.detector.clear();
  try {
    to.publish();
  } catch (const std::exception&) {
    return;  // the rest follows with the next tick
  }
}

void live_feed::writer::out_of_match() noexcept {
  internals& to = *internals_;
  if (to.begun) ++to.missed;
  if (!to.now.in_match) return;
  try {
    to.now.in_match = false;
    to.publish();
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace tickreel::echo_vr
