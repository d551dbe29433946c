#include "event_writer.hpp"

namespace tickreel::tape {

namespace {

struct counter {
  event_type type;
  std::int32_t echo::stats::* member;
};
// In the order of their events.
constexpr counter counters[] = {{event_type::player_goal, &echo::stats::goals},
                                {event_type::player_save, &echo::stats::saves},
                                {event_type::player_stun, &echo::stats::stuns},
                                {event_type::player_pass, &echo::stats::passes},
                                {event_type::player_steal, &echo::stats::steals},
                                {event_type::player_block, &echo::stats::blocks},
                                {event_type::player_interception, &echo::stats::interceptions},
                                {event_type::player_assist, &echo::stats::assists},
                                {event_type::player_shot_taken, &echo::stats::shots_taken}};

bool is_in_round(std::string_view status) noexcept {
  return status == "round_start" || status == "playing";
}

bool is_paused(std::string_view state) noexcept {
  return state == "paused" || state == "paused_requested" || state == "autopause_replay";
}

bool same_score(const echo::last_score& a, const echo::last_score& b) noexcept {
  return a.disc_speed == b.disc_speed && a.distance_thrown == b.distance_thrown &&
         a.point_amount == b.point_amount && a.team == b.team && a.goal_type == b.goal_type &&
         a.person_scored == b.person_scored && a.assist_scored == b.assist_scored;
}

bool same_counters(echo::stats a, const echo::stats& b) noexcept {
  a.possession_time = b.possession_time;
  return a == b;
}

bool same_texts(const slot_memory& a, const echo::player& b) noexcept {
  return a.weapon == b.weapon && a.ordnance == b.ordnance && a.tac_mod == b.tac_mod;
}

}  // namespace

std::int32_t role_of(const echo::player& from, std::size_t team) noexcept {
  return from.number == -1 || team >= 2 ? 3 : static_cast<std::int32_t>(team) + 1;
}

std::int32_t holder_of(const echo::state& from) noexcept {
  const echo::session& match = from.match;
  const std::int32_t team = match.possession[0];
  if ((match.fields & echo::session::has_possession) == 0) return -1;
  if (team < 0 || team >= match.team_count || match.possession[1] < 0 ||
      match.possession[1] >= match.teams[team].player_count) {
    return -1;
  }
  const std::size_t place = echo::first_player(match, static_cast<std::size_t>(team)) +
                            static_cast<std::size_t>(match.possession[1]);
  return from.players[place].playerid;
}

std::uint64_t role_number(std::string_view team) noexcept {
  return team == "blue" ? 1 : team == "orange" ? 2 : 0;
}

template <class Write>
void event_writer::event(event_type type, Write&& write) {
  const std::size_t outer = to_.begin(12);
  const std::size_t inner = to_.begin(field_of_event(type));
  write();
  to_.end(inner);
  to_.end(outer);
  of_.frames_of_events_[static_cast<std::size_t>(type)].push_back(static_cast<std::uint32_t>(of_.ticks_));
}

void event_writer::slot_event(event_type type, std::int32_t slot) {
  event(type, [&] { to_.signed_whole(1, slot); });
}

std::size_t event_writer::place_of(std::int32_t slot) {
  const auto found = std::find_if(of_.slots_.begin(), of_.slots_.end(),
                                  [&](const slot_memory& each) { return each.slot == slot; });
  if (found != of_.slots_.end()) return static_cast<std::size_t>(found - of_.slots_.begin());
  of_.slots_.emplace_back();
  of_.slots_.back().slot = slot;
  of_.emotes_.push_back(0);
  return of_.slots_.size() - 1;
}

void event_writer::find_players() {
  std::size_t place = 0;
  for (std::size_t team = 0; team < now_.match.team_count; ++team) {
    for (std::size_t i = 0; i < now_.match.teams[team].player_count; ++i, ++place) {
      const echo::player& from = now_.players[place];
      players_[player_count_++] = {&from, place_of(from.playerid), role_of(from, team), false};
    }
  }
  // Events of several players follow in the order of their slots.
  std::sort(
      players_.begin(), players_.begin() + static_cast<std::ptrdiff_t>(player_count_),
      [](const present_player& a, const present_player& b) { return a.from->playerid < b.from->playerid; });
}

void event_writer::write_roster() {
  for (std::size_t i = 0; i < player_count_; ++i) {
    present_player& one = players_[i];
    slot_memory& memory = of_.slots_[one.place];
    one.is_new = of_.ticks_ == 0 || !memory.is_present || memory.userid != one.from->userid ||
                 !(memory.name == one.from->name);
    if (!one.is_new) continue;
    memory.is_present = true;
    memory.userid = one.from->userid;
    memory.name = one.from->name;
    memory.role = one.role;
    memory.number = one.from->number;
    memory.level = one.from->level;
    event(event_type::player_joined, [&] { joined_fields::write<false>(memory, to_); });
  }
  for (slot_memory& memory : of_.slots_) {
    if (!memory.is_present) continue;
    const bool is_here =
        std::any_of(players_.begin(), players_.begin() + static_cast<std::ptrdiff_t>(player_count_),
                    [&](const present_player& each) { return each.from->playerid == memory.slot; });
    if (is_here) continue;
    memory.is_present = false;
    event(event_type::player_left, [&] {
      to_.signed_whole(1, memory.slot);
      to_.text(2, memory.name.view());
    });
  }
  for (std::size_t i = 0; i < player_count_; ++i) {
    slot_memory& memory = of_.slots_[players_[i].place];
    if (memory.role == players_[i].role) continue;
    event(event_type::player_switched_team, [&] {
      to_.signed_whole(1, memory.slot);
      to_.signed_whole(2, players_[i].role);
      to_.signed_whole(3, memory.role);
    });
    memory.role = players_[i].role;
  }
  for (std::size_t i = 0; i < player_count_; ++i) {
    std::uint8_t& before = of_.emotes_[players_[i].place];
    const auto after = static_cast<std::uint8_t>(players_[i].from->is_emote_playing ? 1 : 0);
    if (after > before) {
      event(event_type::emote_played, [&] {
        to_.signed_whole(1, players_[i].from->playerid);
        to_.whole(2, 1);
      });
    }
    before = after;
  }
}

void event_writer::write_score() {
  const echo::session& match = now_.match;
  const echo::session& last = of_.last_;
  const bool changed = of_.ticks_ == 0 || whole_points(match.blue_points) != whole_points(last.blue_points) ||
                       whole_points(match.orange_points) != whole_points(last.orange_points) ||
                       match.blue_round_score != last.blue_round_score ||
                       match.orange_round_score != last.orange_round_score;
  if (changed) {
    event(event_type::scoreboard_updated, [&] {
      to_.signed_whole(1, whole_points(match.blue_points));
      to_.signed_whole(2, whole_points(match.orange_points));
      to_.signed_whole(3, match.blue_round_score);
      to_.signed_whole(4, match.orange_round_score);
      to_.text(5, match.game_clock_display.view());
    });
  }
  const bool has_goal = (match.fields & echo::session::has_last_score) != 0;
  const bool had_goal = of_.ticks_ != 0 && (last.fields & echo::session::has_last_score) != 0;
  if (has_goal && !(had_goal && same_score(match.last_score, last.last_score))) {
    event(event_type::goal_scored, [&] {
      goal_fields::write<false>(match.last_score, to_);
      to_.whole(2, role_number(match.last_score.team.view()));
      to_.whole(3, number_of(goal_texts, match.last_score.goal_type.view()));
    });
  }
}

void event_writer::write_disc() {
  const std::int32_t holder = holder_of(now_);
  if (of_.ticks_ != 0 && holder != of_.holder_) {
    event(event_type::disc_possession_changed, [&] {
      if (holder >= 0) to_.signed_whole_present(1, holder);
      if (of_.holder_ >= 0) to_.signed_whole_present(2, of_.holder_);
    });
  }
  const echo::session& match = now_.match;
  const bool has_throw = (match.fields & echo::session::has_last_throw) != 0;
  const bool had_throw = of_.ticks_ != 0 && (of_.last_.fields & echo::session::has_last_throw) != 0;
  if (has_throw && !(had_throw && match.last_throw == of_.last_.last_throw)) {
    event(event_type::disc_thrown, [&] {
      // The API says nothing about who threw.
      to_.signed_whole(1, -1);
      const std::size_t details = to_.begin(2);
      throw_fields::write<false>(match.last_throw, to_);
      to_.end(details);
    });
  }
  for (std::size_t i = 0; i < player_count_; ++i) {
    const present_player& one = players_[i];
    const slot_memory& memory = of_.slots_[one.place];
    if (of_.ticks_ != 0 && !one.is_new && memory.has_stats &&
        one.from->stats.catches > memory.stats.catches) {
      slot_event(event_type::disc_caught, one.from->playerid);
    }
  }
  of_.holder_ = holder;
}

void event_writer::write_counters() {
  if (of_.ticks_ == 0) return;
  for (std::size_t i = 0; i < player_count_; ++i) {
    const present_player& one = players_[i];
    const slot_memory& memory = of_.slots_[one.place];
    if (one.is_new || !memory.has_stats || (one.from->fields & echo::player::has_stats) == 0) continue;
    for (const counter& each : counters) {
      const std::int32_t total = one.from->stats.*each.member;
      if (total <= memory.stats.*each.member) continue;
      event(each.type, [&] {
        to_.signed_whole(1, one.from->playerid);
        to_.signed_whole(2, total);
        if (each.type == event_type::player_goal) to_.signed_whole(3, one.from->stats.points);
      });
    }
  }
}

void event_writer::write_round() {
  const echo::session& match = now_.match;
  const std::string_view now = match.game_status.view();
  const std::string_view before = of_.ticks_ == 0 ? std::string_view() : of_.last_.game_status.view();
  const auto winner = [](auto blue, auto orange) -> std::uint64_t {
    return blue > orange ? 1 : blue < orange ? 2 : 0;
  };
  const bool starts =
      is_in_round(now) && (now == "round_start" ? before != now
                                                : !is_in_round(before) && before != "score" &&
                                                      (of_.ticks_ == 0 || before != "playing"));
  if (starts) {
    of_.round_number_ = static_cast<std::int32_t>(static_cast<std::uint32_t>(match.blue_round_score) +
                                                  static_cast<std::uint32_t>(match.orange_round_score) + 1);
    event(event_type::round_started, [&] { to_.signed_whole(1, of_.round_number_); });
  }
  if (of_.ticks_ != 0 && now != before && now == "round_over") {
    event(event_type::round_ended, [&] {
      to_.signed_whole(1, of_.round_number_);
      to_.whole(2, winner(match.blue_points, match.orange_points));
    });
  }
  if (of_.ticks_ != 0 && now != before && now == "post_match") {
    event(event_type::match_ended, [&] {
      const bool is_even = match.blue_round_score == match.orange_round_score;
      to_.whole(1, is_even ? winner(match.blue_points, match.orange_points)
                           : winner(match.blue_round_score, match.orange_round_score));
    });
  }
  const std::string_view pause = match.pause.state.view();
  const std::string_view pause_before = of_.ticks_ == 0 ? std::string_view() : of_.last_.pause.state.view();
  if (is_paused(pause) && !is_paused(pause_before)) {
    event(event_type::round_paused, [&] {
      to_.whole(1, number_of(pause_texts, pause));
      to_.whole(2, role_number(match.pause.paused_requested_team.view()));
      to_.real32(3, match.pause.paused_timer);
    });
  } else if (is_paused(pause_before) && !is_paused(pause)) {
    event(event_type::round_unpaused, [&] { to_.whole(1, number_of(pause_texts, pause)); });
  }
}

void event_writer::write_slots() {
  for (std::size_t i = 0; i < player_count_; ++i) {
    const present_player& one = players_[i];
    const echo::player& from = *one.from;
    slot_memory& memory = of_.slots_[one.place];
    if (!same_texts(memory, from)) {
      memory.weapon = from.weapon;
      memory.ordnance = from.ordnance;
      memory.tac_mod = from.tac_mod;
      event(event_type::loadout_changed, [&] {
        to_.signed_whole(1, from.playerid);
        loadout_fields::write<false>(memory, to_);
      });
    }
    if (memory.number != from.number || memory.level != from.level) {
      memory.number = from.number;
      memory.level = from.level;
      event(event_type::player_info_updated, [&] { info_fields::write<false>(memory, to_); });
    }
    const bool has_stats = (from.fields & echo::player::has_stats) != 0;
    if (has_stats && !(memory.has_stats && same_counters(memory.stats, from.stats))) {
      memory.has_stats = true;
      memory.stats = from.stats;
      event(event_type::player_stats_updated, [&] {
        to_.signed_whole(1, from.playerid);
        counter_fields<2>::write<false>(from.stats, to_);
      });
    }
    if (!(memory.holding_left == from.holding_left && memory.holding_right == from.holding_right)) {
      memory.holding_left = from.holding_left;
      memory.holding_right = from.holding_right;
      event(event_type::grab_changed, [&] {
        to_.signed_whole(1, from.playerid);
        to_.text(2, text_of(from.holding_left).view());
        to_.text(3, text_of(from.holding_right).view());
      });
    }
  }
}

void event_writer::write() {
  find_players();
  write_roster();
  write_score();
  write_disc();
  write_counters();
  write_round();
  write_slots();
  of_.last_ = now_.match;
}

}  // namespace tickreel::tape
