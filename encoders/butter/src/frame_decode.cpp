#include "frame_decode.hpp"

#include <charconv>
#include <cmath>

#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

// At least two characters, as %02d has them, and at most 12.
char* put_two(std::int32_t number, char* to) noexcept {
  if (number >= 0 && number < 10) *to++ = '0';
  return std::to_chars(to, to + 11, number).ptr;
}

// Minutes, seconds and hundredths, each truncated, in the single precision of the format's decoder.
void set_clock_display(session& match) noexcept {
  const float clock = match.game_clock;
  if (!(std::fabs(clock) < 2147483648.0f)) return;
  const auto seconds = static_cast<std::int32_t>(clock);
  const auto hundredths = static_cast<std::int32_t>((clock - static_cast<float>(seconds)) * 100.0f);
  char text[40];
  char* at = put_two(seconds / 60, text);
  *at++ = ':';
  at = put_two(seconds % 60, at);
  *at++ = '.';
  at = put_two(hundredths, at);
  match.game_clock_display.assign({text, static_cast<std::size_t>(at - text)});
  match.fields |= session::has_game_clock_display;
}

constexpr std::uint64_t input_fields =
    session::has_left_shoulder_pressed | session::has_right_shoulder_pressed |
    session::has_left_shoulder_pressed2 | session::has_right_shoulder_pressed2;

}  // namespace

file_facts facts_of(const file_header& header) noexcept {
  file_facts facts;
  facts.header = &header;
  facts.mode = echo::mode_of(header.map_name);
  session& common = facts.common;
  common.fields = session::has_sessionid | session::has_sessionip | session::has_client_name |
                  session::has_match_type | session::has_map_name | session::has_private_match |
                  session::has_game_clock | session::has_blue_round_score | session::has_orange_round_score |
                  session::has_total_round_count | session::has_teams |
                  session::has_blue_team_restart_request | session::has_orange_team_restart_request;
  common.sessionid.assign(header.session_id);
  common.sessionip.assign(header.session_ip);
  common.client_name.assign(header.client_name);
  common.map_name.assign(header.map_name);
  common.private_match = header.private_match;
  common.total_round_count = header.total_round_count;
  common.blue_round_score = header.blue_round_score;
  common.orange_round_score = header.orange_round_score;
  switch (facts.mode) {
    case echo::mode::arena:
      common.match_type.assign(header.private_match ? "Echo_Arena_Private" : "Echo_Arena");
      break;
    case echo::mode::combat:
      common.match_type.assign(header.private_match ? "Echo_Combat_Private" : "Echo_Combat");
      break;
    case echo::mode::other:
      common.match_type.assign("Unknown");
      break;
  }
  common.team_count = echo::max_teams;
  return facts;
}

bool frame_decode::decode() noexcept {
  out.match = file.common;
  if (repair != nullptr) repair->begin_frame();
  if (!decode_time()) return false;
  const std::uint8_t mask = in.u8();
  if (!in.ok()) return false;
  return (file.header->version == 3 ? decode_match_v3(mask) : decode_match_v2(mask)) && decode_teams() &&
         decode_bones() && in.ok();
}

bool frame_decode::decode_time() noexcept {
  const std::uint16_t magic = in.u16();
  if (!in.ok()) return false;
  if (magic != keyframe_magic && magic != delta_magic) {
    return fails(error_code::malformed, "chunk {}, byte {}: no frame begins here");
  }
  keyframe = magic == keyframe_magic;
  if (keyframe) previous = nullptr;
  const bool first = before == nullptr;
  if (!keyframe && first && repair == nullptr) {
    return fails(error_code::missing_keyframe, "chunk {}, byte {}: a delta without a keyframe before it");
  }
  const std::int64_t base_ms = previous != nullptr ? previous->recorded_time_ms : 0;
  if (keyframe) {
    out.recorded_time_ms = in.i64();
  } else {
    out.recorded_time_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(base_ms) + in.u16());
  }
  const float clock_step = in.f32();
  out.match.game_clock = clock_step + (previous != nullptr ? previous->match.game_clock : 0.0f);
  if (undoing() && previous != nullptr) repair_time(base_ms);
  set_clock_display(out.match);
  return in.ok();
}

// Milliseconds wrap at 65536, forward after a gap and backward when the recording clock was set back. The
// game clock counts down in seconds and does not wrap; while it runs, it gives the number of wraps.
void frame_decode::repair_time(std::int64_t base_ms) noexcept {
  constexpr double wrap_ms = 65536;
  const double ran_ms = 1000.0 * (double{previous->match.game_clock} - double{out.match.game_clock});
  if (!(ran_ms > 0) || !(ran_ms < 1e9)) return;
  const auto stored_ms = static_cast<double>(out.recorded_time_ms - base_ms);
  const double wraps = std::nearbyint((ran_ms - stored_ms) / wrap_ms);
  // One wrap backward is a clock that was set; several cannot be distinguished from a change of the game
  // clock.
  if (wraps == 0 || wraps < -1) return;
  out.recorded_time_ms += static_cast<std::int64_t>(wraps * wrap_ms);
}

bool frame_decode::decode_match_v3(std::uint8_t mask) noexcept {
  const auto bit = [mask](unsigned number) { return (mask >> number & 1) != 0; };
  if (bit(0)) {
    read_status();
    if (file.mode != echo::mode::other) read_points();
    read_inputs();
  } else {
    if (!holds("chunk {}, byte {}: no game status, and no frame to take it from")) return false;
    hold_status();
    // The format's decoder uses the round scores here, so points fall to 0 in combat.
    if (file.mode == echo::mode::arena || (file.mode == echo::mode::combat && undoing())) hold_points();
    hold_inputs();
  }
  if (file.mode == echo::mode::combat)
    out.match.fields |= session::has_blue_points | session::has_orange_points;
  if (!decode_pause(bit(1)) || !decode_last_score(bit(2)) || !decode_last_throw(bit(3)) ||
      !decode_vr_player(bit(4)) || !decode_disc(bit(5))) {
    return false;
  }
  decode_payload(bit(6));
  decode_rules(bit(7));
  return in.ok();
}

bool frame_decode::decode_match_v2(std::uint8_t mask) noexcept {
  const auto bit = [mask](unsigned number) { return (mask >> number & 1) != 0; };
  if (bit(0)) {
    read_status();
  } else {
    hold_status();
  }
  if (bit(1)) {
    out.match.blue_points = static_cast<float>(in.u8());
    out.match.orange_points = static_cast<float>(in.u8());
    out.match.fields |= session::has_blue_points | session::has_orange_points;
  } else {
    hold_points();
  }
  if (!decode_pause(bit(2))) return false;
  if (bit(3)) {
    read_inputs();
  } else {
    if (!holds("chunk {}, byte {}: no inputs, and no frame to take them from")) return false;
    hold_inputs();
  }
  return decode_last_score(bit(4)) && decode_last_throw(bit(5)) && decode_vr_player(bit(6)) &&
         decode_disc(bit(7));
}

void frame_decode::read_status() noexcept {
  const std::uint8_t code = in.u8();
  out.match.game_status.assign(code < game_statuses.size() ? game_statuses[code] : not_found);
  out.match.fields |= session::has_game_status;
}

void frame_decode::hold_status() noexcept {
  if (previous == nullptr) return;
  out.match.game_status = previous->match.game_status;
  out.match.fields |= previous->match.fields & session::has_game_status;
}

void frame_decode::read_points() noexcept {
  if (file.mode == echo::mode::arena) {
    out.match.blue_points = static_cast<float>(in.u8());
    out.match.orange_points = static_cast<float>(in.u8());
  } else {
    out.match.blue_points = read_half();
    out.match.orange_points = read_half();
  }
  out.match.fields |= session::has_blue_points | session::has_orange_points;
}

void frame_decode::hold_points() noexcept {
  if (previous == nullptr) return;
  out.match.blue_points = previous->match.blue_points;
  out.match.orange_points = previous->match.orange_points;
  out.match.fields |= previous->match.fields & (session::has_blue_points | session::has_orange_points);
}

void frame_decode::read_inputs() noexcept {
  const std::uint8_t inputs = in.u8();
  const auto pressed = [inputs](unsigned number) { return static_cast<float>(inputs >> number & 1); };
  out.match.left_shoulder_pressed = pressed(0);
  out.match.right_shoulder_pressed = pressed(1);
  out.match.left_shoulder_pressed2 = pressed(2);
  out.match.right_shoulder_pressed2 = pressed(3);
  out.match.fields |= input_fields;
}

void frame_decode::hold_inputs() noexcept {
  if (previous == nullptr) return;
  out.match.left_shoulder_pressed = previous->match.left_shoulder_pressed;
  out.match.right_shoulder_pressed = previous->match.right_shoulder_pressed;
  out.match.left_shoulder_pressed2 = previous->match.left_shoulder_pressed2;
  out.match.right_shoulder_pressed2 = previous->match.right_shoulder_pressed2;
  out.match.fields |= previous->match.fields & input_fields;
}

bool frame_decode::decode_pause(bool present) noexcept {
  echo::pause_state& pause = out.match.pause;
  if (present) {
    const std::uint8_t flags = in.u8();
    out.match.blue_team_restart_request = (flags & 1) != 0;
    out.match.orange_team_restart_request = (flags & 2) != 0;
    pause.paused_requested_team.assign(team_codes[flags >> 2 & 3]);
    pause.unpaused_team.assign(team_codes[flags >> 4 & 3]);
    const std::uint8_t state = file.header->version == 3 ? in.u8() : flags >> 6;
    pause.state.assign(state < pause_states.size() ? pause_states[state] : not_found);
    pause.paused_timer = read_half();
    pause.unpaused_timer = read_half();
    out.match.fields |= session::has_pause;
  } else {
    if (!holds("chunk {}, byte {}: no pause block, and no frame to take it from")) return false;
    if (previous != nullptr) {
      pause = previous->match.pause;
      out.match.fields |= previous->match.fields & session::has_pause;
      if (undoing()) {
        out.match.blue_team_restart_request = previous->match.blue_team_restart_request;
        out.match.orange_team_restart_request = previous->match.orange_team_restart_request;
      }
    }
  }
  if (undoing()) repair->follow_pause_timers(present, pause);
  return in.ok();
}

bool frame_decode::decode_last_score(bool present) noexcept {
  echo::last_score& score = out.match.last_score;
  if (!present) {
    if (previous != nullptr) {
      score = previous->match.last_score;
      out.match.fields |= previous->match.fields & session::has_last_score;
    }
    return true;
  }
  const std::uint8_t packed = in.u8();
  score.team.assign(team_codes[packed & 3]);
  score.point_amount = (packed & 4) != 0 ? 3 : 2;
  const std::uint8_t goal = packed >> 3;
  if (goal < goal_types.size()) {
    score.goal_type.assign(goal_types[goal]);
  } else {
    const char digits[2] = {static_cast<char>('0' + goal / 10), static_cast<char>('0' + goal % 10)};
    score.goal_type.assign(goal < 10 ? std::string_view(digits + 1, 1) : std::string_view(digits, 2));
  }
  for (echo::text<64>* name : {&score.person_scored, &score.assist_scored}) {
    const std::uint8_t index = in.u8();
    if (index > file.header->players.size()) {
      return fails(error_code::malformed, "chunk {}, byte {}: a scorer who is not in the player table");
    }
    name->assign(index == 0 ? invalid_player : std::string_view(file.header->players[index - 1u].name));
  }
  score.disc_speed = read_half();
  score.distance_thrown = read_half();
  out.match.fields |= session::has_last_score;
  return in.ok();
}

bool frame_decode::decode_last_throw(bool present) noexcept {
  echo::last_throw& thrown = out.match.last_throw;
  if (!present) {
    if (!holds("chunk {}, byte {}: no last throw, and no frame to take it from")) return false;
    if (previous == nullptr) return true;
    thrown = previous->match.last_throw;
    out.match.fields |= previous->match.fields & session::has_last_throw;
    return true;
  }
  for (float* value :
       {&thrown.arm_speed, &thrown.total_speed, &thrown.off_axis_spin_deg, &thrown.wrist_throw_penalty,
        &thrown.rot_per_sec, &thrown.pot_speed_from_rot, &thrown.speed_from_arm, &thrown.speed_from_movement,
        &thrown.speed_from_wrist, &thrown.wrist_align_to_throw_deg, &thrown.throw_align_to_movement_deg,
        &thrown.off_axis_penalty, &thrown.throw_move_penalty}) {
    *value = read_half();
  }
  out.match.fields |= session::has_last_throw;
  return in.ok();
}

bool frame_decode::decode_vr_player(bool present) noexcept {
  echo::pose& pose = out.match.vr.at;
  if (!present) {
    if (!holds("chunk {}, byte {}: no headset, and no frame to take it from")) return false;
    if (previous == nullptr) return true;
    pose = previous->match.vr.at;
    if (undoing()) pose.position = pose.position + repair->vr_step;
    out.match.fields |= previous->match.fields & session::has_player;
    return true;
  }
  const echo::vec3 step = read_halves();
  pose.position = step + (previous != nullptr ? previous->match.vr.at.position : echo::vec3{});
  pose.fields |= echo::pose::has_position;
  set_axes(pose, smallest_three_unpack(in.u32()));
  out.match.fields |= session::has_player;
  if (repair != nullptr) repair->vr_step = step;
  return in.ok();
}

bool frame_decode::decode_disc(bool present) noexcept {
  echo::disc_state& disc = out.match.disc;
  constexpr std::uint64_t disc_fields = session::has_disc | session::has_disc_velocity;
  if (!present) {
    if (previous == nullptr) return true;
    disc = previous->match.disc;
    out.match.fields |= previous->match.fields & disc_fields;
    if (undoing() && (out.match.fields & session::has_disc) != 0) {
      disc.at.position = disc.at.position + repair->disc_step;
      disc.velocity = disc.velocity + repair->disc_velocity_step;
    }
    return true;
  }
  const bool has_base = previous != nullptr && (previous->match.fields & session::has_disc) != 0;
  if (previous != nullptr && !has_base && repair == nullptr) {
    return fails(error_code::missing_keyframe, "chunk {}, byte {}: a disc, but none in the frame before");
  }
  const echo::vec3 step = read_halves();
  disc.at.position = step + (has_base ? previous->match.disc.at.position : echo::vec3{});
  disc.at.fields |= echo::pose::has_position;
  set_axes(disc.at, smallest_three_unpack(in.u32()));
  const echo::vec3 velocity_step = read_halves();
  disc.velocity = velocity_step + (has_base ? previous->match.disc.velocity : echo::vec3{});
  out.match.fields |= disc_fields;
  if (repair != nullptr) {
    repair->disc_step = step;
    repair->disc_velocity_step = velocity_step;
  }
  return in.ok();
}

void frame_decode::decode_payload(bool present) noexcept {
  if (file.mode == echo::mode::combat) {
    out.match.fields |= session::has_contested | session::has_payload;
    out.match.payload.fields = echo::payload_state::has_checkpoint | echo::payload_state::has_distance |
                               echo::payload_state::has_speed | echo::payload_state::has_defenders;
  }
  if (present) {
    out.match.contested = in.u8() != 0;
    out.match.payload.checkpoint = in.u8();
    out.match.payload.defenders = in.u8();
    out.match.payload.distance = read_half();
    out.match.payload.speed = read_half();
  } else if (previous != nullptr) {
    out.match.contested = previous->match.contested;
    out.match.payload = previous->match.payload;
  }
}

void frame_decode::decode_rules(bool present) noexcept {
  constexpr std::uint64_t rules_fields = session::has_rules_changed_at | session::has_rules_changed_by;
  if (present) {
    out.match.rules_changed_at = in.i64();
    out.match.rules_changed_by.assign(in.zero_terminated(name_limit));
    out.match.fields |= rules_fields;
  } else if (previous != nullptr) {
    out.match.rules_changed_at = previous->match.rules_changed_at;
    out.match.rules_changed_by = previous->match.rules_changed_by;
    out.match.fields |= previous->match.fields & rules_fields;
  }
}

}  // namespace tickreel::butter
