#include <algorithm>

#include "match.hpp"

namespace tickreel::echo_vr {

namespace {

// Fourteen players and their observers; no real people.
constexpr std::string_view names[] = {
    "Halyard",    "moss-picker",  "KITE_77",    "Ambergris",  "Õhtu",      "tin.whistle",
    "Perihelion", "xX_Dynamo_Xx", "Brackwater", "o7Sparrow",  "Zugzwang-", "lumen",
    "Coriolis2",  "ひかり",       "QuietMoth",  "Basalt Ben",
};

constexpr float spectator_drift = 0.2f;

}  // namespace

match::match(const simulation_options& options) noexcept : options_(options), random_(options.seed) {
  options_.rate_hz = std::clamp<std::uint32_t>(options_.rate_hz, 1, 1000);
  options_.players_per_team = std::clamp<std::uint32_t>(options_.players_per_team, 1, 5);
  options_.spectators = std::min<std::uint32_t>(options_.spectators, 5);
  options_.match_seconds = std::clamp(options_.match_seconds, 1.0f, 86400.0f);
  step_ = 1.0 / options_.rate_hz;
  seconds_ = static_cast<float>(step_);

  const double length = options_.match_seconds;
  schedule& s = schedule_;
  s.match_end = length;
  s.source_end = length + 5;
  if (options_.incidents) {
    const double lead = std::min(3.0, length / 20);
    s.round_start = lead;
    s.playing = 2 * lead;
    s.ending = std::min(12.0, length / 10);
    s.score_pause = std::min(4.0, length / 30);
    s.leave = 0.15 * length;
    s.come_back = s.leave + std::min(8.0, length / 15);
    s.join = 0.3 * length;
    s.pause_requested = 0.4 * length;
    s.paused = s.pause_requested + std::min(1.0, length / 60);
    s.unpausing = s.paused + std::min(5.0, length / 30);
    s.unpaused = s.unpausing + std::min(3.0, length / 60);
    s.change_team = 0.5 * length;
    s.blue_restart = 0.6 * length;
    s.orange_restart = s.blue_restart + std::min(2.0, length / 60);
    s.restart_end = s.orange_restart + std::min(2.0, length / 60);
    s.change_back = 0.7 * length;
    // A shorter match is too short for typical values.
    if (length >= 30) s.ping_spike = 0.25 * length;
    s.ping_calm = s.ping_spike + (length >= 30 ? std::min(2.0, length / 60) : 0);
    s.clock_start = length - s.playing - s.ending - (s.unpaused - s.paused);
  } else {
    s.clock_start = length;
    stage_ = stage::playing;
  }
  clock_ = s.clock_start;

  static constexpr char hex[] = "0123456789ABCDEF";
  char id[36];
  for (std::size_t i = 0; i < sizeof id; ++i) {
    id[i] = i == 8 || i == 13 || i == 18 || i == 23 ? '-' : hex[random_.below(16)];
  }
  sessionid_.assign({id, sizeof id});
  sessionip_.assign("203.0.113.77");  // an address reserved for examples (RFC 5737)
  last_score_.team.assign("blue");
  last_score_.goal_type.assign("[NO GOAL]");
  last_score_.person_scored.assign("[INVALID]");
  last_score_.assist_scored.assign("[INVALID]");
  objective_.map = static_cast<int>(random_.below(4));
  objective_.timer = 180;
  invite();
  if (!is_arena()) scatter_over_map();
  reset_disc();
}

void match::invite() noexcept {
  const int flyers = static_cast<int>(options_.players_per_team) * 2;
  const int spectators = static_cast<int>(options_.spectators);
  athlete_count_ = flyers + spectators + 1;
  guest_ = athlete_count_ - 1;
  const std::uint32_t first_name = random_.below(std::size(names));
  for (int i = 0; i < athlete_count_; ++i) {
    athlete& a = athletes_[i];
    a.name = names[(first_name + static_cast<std::uint32_t>(i)) % std::size(names)];
    a.userid = 1'000'000'000'000'000u + random_.bits() % 4'000'000'000'000'000u;
    a.slot = i;
    a.number = static_cast<std::int32_t>(random_.below(100));
    a.level = static_cast<std::int32_t>(1 + random_.below(50));
    a.usual_ping_ms = static_cast<std::int32_t>(18 + random_.below(90));
    a.right_handed = random_.chance(0.85f);
    a.gear = {static_cast<std::uint8_t>(random_.below(4)), static_cast<std::uint8_t>(random_.below(4)),
              static_cast<std::uint8_t>(random_.below(4)), static_cast<std::uint8_t>(random_.below(2))};
    teams_by_athlete_[i] = -1;
  }
  // Alternates between blue and orange, as players join.
  for (int i = 0; i < flyers; ++i) enter(i, i % 2);
  for (int i = 0; i < spectators; ++i) enter(flyers + i, 2);
}

void match::enter(int who, int team) noexcept {
  const bool is_new = team_of(who) < 0;
  if (!is_new) leave(who);
  athlete& a = athletes_[who];
  if (is_new) a.appear(random_, tick_, seconds_);
  list_of_members& list = teams_[team];
  const float side = team == 0 ? -1.0f : 1.0f;  // blue defends -z
  if (team == 2) {
    a.position = {random_.between(-8, 8), random_.between(4, 8), random_.between(-20, 20)};
    a.velocity = random_.inside({spectator_drift, spectator_drift, spectator_drift});
  } else {
    a.position = {static_cast<float>(list.count) * 2.5f - 4.0f, random_.between(-3, 3),
                  side * random_.between(26, 34)};
    a.velocity = {0, 0, -side * 2.0f};
  }
  a.facing = {0, 0, -side};
  a.gaze = a.facing;
  a.target = {0, 0, 0};
  list.athletes[list.count++] = static_cast<std::uint8_t>(who);
  teams_by_athlete_[who] = static_cast<std::int8_t>(team);
}

void match::leave(int who) noexcept {
  const int team = team_of(who);
  if (team < 0) return;
  list_of_members& list = teams_[team];
  const auto end = list.athletes + list.count;
  list.count =
      static_cast<int>(std::remove(list.athletes, end, static_cast<std::uint8_t>(who)) - list.athletes);
  teams_by_athlete_[who] = -1;
  if (disc_.holder == who) disc_.holder = -1;
  if (disc_.thrower == who) disc_.thrower = -1;
  if (disc_.before_thrower == who) disc_.before_thrower = -1;
}

void match::follow_roster_schedule() noexcept {
  const int flyers = static_cast<int>(options_.players_per_team) * 2;
  const auto leave = [&](int who) {
    if (team_of(who) >= 0) note(echo::player_left{person(who)});
    this->leave(who);
  };
  const auto enter = [&](int who, int team) {
    const int from = team_of(who);
    this->enter(who, team);
    if (from < 0) {
      note(echo::player_joined{person(who)});
    } else if (from != team) {
      note(echo::team_changed{person(who), static_cast<echo::side>(from)});
    }
  };
  if (is_due(schedule_.leave)) leave(flyers - 1);
  if (is_due(schedule_.come_back)) enter(flyers - 1, 1);
  if (is_due(schedule_.join)) enter(guest_, options_.players_per_team < 5 ? 0 : 2);
  const int changer = flyers > 2 ? 2 : guest_;
  if (is_due(schedule_.change_team)) enter(changer, 1);
  if (is_due(schedule_.change_back)) enter(changer, 0);
}

bool match::next(echo::state& out) noexcept {
  before_ = now_;
  now_ = static_cast<double>(tick_) * step_;
  if (now_ >= schedule_.source_end) return false;
  if (tick_ == 0) {
    note(echo::match_started{});
  } else {
    const int owner_before = owner();
    const stage stage_before = stage_;
    if (options_.incidents) follow_roster_schedule();
    if (options_.incidents) note_schedule();
    if (is_arena()) {
      step_arena();
    } else {
      const echo::payload_changed before = payload_now();
      step_combat();
      const echo::payload_changed after = payload_now();
      if (before.state != after.state || before.checkpoint < after.checkpoint) note(after);
    }
    note_owner(owner_before);
    note_stage(stage_before);
  }
  publish(out);
  ++tick_;
  return true;
}

}  // namespace tickreel::echo_vr
