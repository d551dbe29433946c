#include <bit>
#include <cmath>
#include <cstring>

#include "model.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

void put_half(std::uint8_t* to, std::uint16_t half) noexcept {
  to[0] = static_cast<std::uint8_t>(half);
  to[1] = static_cast<std::uint8_t>(half >> 8);
}

template <std::size_t Size>
void put(byte_writer& out, const std::array<std::uint8_t, Size>& block, std::size_t size = Size) noexcept {
  out.bytes(std::as_bytes(std::span(block).first(size)));
}

std::array<float, 13> throw_values(const echo::last_throw& t) noexcept {
  return {t.arm_speed,
          t.total_speed,
          t.off_axis_spin_deg,
          t.wrist_throw_penalty,
          t.rot_per_sec,
          t.pot_speed_from_rot,
          t.speed_from_arm,
          t.speed_from_movement,
          t.speed_from_wrist,
          t.wrist_align_to_throw_deg,
          t.throw_align_to_movement_deg,
          t.off_axis_penalty,
          t.throw_move_penalty};
}

}  // namespace

std::uint8_t encoder::model::counted_u8(std::int32_t value) noexcept {
  if (value >= 0 && value <= 255) return static_cast<std::uint8_t>(value);
  ++left_out.clamped_values;
  return value < 0 ? 0 : 255;
}

std::uint16_t encoder::model::counted_half(float value) noexcept {
  if (!(std::fabs(value) <= half_max)) ++left_out.clamped_values;
  return clamped_half(value);
}

void encoder::model::encode_match(const echo::state& next, byte_writer& out) noexcept {
  const mutable_byte_span mask_place = out.reserve(1);
  const session& match = next.match;
  const bool bits[8] = {put_status(match, out),     put_pause(match, out),     put_last_score(match, out),
                        put_last_throw(match, out), put_vr_player(match, out), put_disc(match, out),
                        put_payload(match, out),    put_rules(match, out)};
  std::uint8_t mask = 0;
  for (unsigned i = 0; i < 8; ++i) mask = static_cast<std::uint8_t>(mask | (bits[i] ? 1u << i : 0u));
  if (!mask_place.empty()) mask_place[0] = static_cast<std::byte>(mask);
}

bool encoder::model::put_status(const session& match, byte_writer& out) noexcept {
  std::array<std::uint8_t, 7> block{};
  std::size_t size = 0;
  const std::uint8_t status = (match.fields & session::has_game_status) == 0
                                  ? std::uint8_t{0}
                                  : code_of(game_statuses, match.game_status.view(), 0);
  if (status == 0 && !match.game_status.empty() && match.game_status.view() != not_found) {
    ++left_out.clamped_values;
  }
  block[size++] = status;
  if (table.mode() == echo::mode::arena) {
    for (const float points : {match.blue_points, match.orange_points}) {
      const bool fits = points >= 0 && points <= 255;
      if (!fits) ++left_out.clamped_values;
      block[size++] = static_cast<std::uint8_t>(fits ? points : points > 255 ? 255.0f : 0.0f);
    }
  } else if (table.mode() == echo::mode::combat) {
    for (const float points : {match.blue_points, match.orange_points}) {
      put_half(&block[size], counted_half(points));
      size += 2;
    }
  }
  std::uint8_t inputs = 0;
  unsigned bit = 0;
  for (const float pressed : {match.left_shoulder_pressed, match.right_shoulder_pressed,
                              match.left_shoulder_pressed2, match.right_shoulder_pressed2}) {
    inputs = static_cast<std::uint8_t>(inputs | (pressed != 0 ? 1u << bit : 0u));
    ++bit;
  }
  block[size++] = inputs;
  // Without this block a decoder sets combat points to 0.
  if (!keyframe_ && table.mode() != echo::mode::combat && block == held_.status) return false;
  held_.status = block;
  put(out, block, size);
  return true;
}

bool encoder::model::put_pause(const session& match, byte_writer& out) noexcept {
  std::array<std::uint8_t, 6> block{};
  std::uint8_t requested = team_code_none;
  std::uint8_t unpaused = team_code_none;
  block[1] = code_of(pause_states, "none", 0);
  if ((match.fields & session::has_pause) != 0) {
    const echo::pause_state& pause = match.pause;
    requested = code_of(team_codes, pause.paused_requested_team.view(), team_code_none);
    unpaused = code_of(team_codes, pause.unpaused_team.view(), team_code_none);
    block[1] = code_of(pause_states, pause.state.view(), pause_state_other);
    put_half(&block[2], counted_half(pause.paused_timer));
    put_half(&block[4], counted_half(pause.unpaused_timer));
  }
  const unsigned requests =
      (match.blue_team_restart_request ? 1u : 0u) | (match.orange_team_restart_request ? 2u : 0u);
  block[0] = static_cast<std::uint8_t>(unsigned{requested} << 2 | unsigned{unpaused} << 4);
  // A decoder resets the requests in every frame without this block, and keeps the rest.
  if (!keyframe_ && requests == 0 && block == held_.pause) return false;
  if ((match.fields & session::has_pause) != 0 && block[1] == pause_state_other) ++left_out.clamped_values;
  held_.pause = block;
  block[0] = static_cast<std::uint8_t>(block[0] | requests);
  put(out, block);
  return true;
}

bool encoder::model::put_last_score(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::arena || (match.fields & session::has_last_score) == 0) return false;
  const echo::last_score& score = match.last_score;
  // Only a shortcut: different padding bits cost one comparison.
  const bool seen = held_.has_last_score && seen_score_revision_ == table.revision() &&
                    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                    std::memcmp(&seen_score_, &score, sizeof(score)) == 0;
  if (seen) return false;
  seen_score_ = score;
  seen_score_revision_ = table.revision();
  std::array<std::uint8_t, 7> block;
  const unsigned team = code_of(team_codes, score.team.view(), team_code_none);
  const unsigned goal = code_of(goal_types, score.goal_type.view(), 0);
  block[0] = static_cast<std::uint8_t>(team | (score.point_amount == 2 ? 0u : 4u) | goal << 3);
  block[1] = table.index_of_name(score.person_scored.view());
  block[2] = table.index_of_name(score.assist_scored.view());
  put_half(&block[3], counted_half(score.disc_speed));
  put_half(&block[5], counted_half(score.distance_thrown));
  if (held_.has_last_score && block == held_.last_score) return false;
  if (score.point_amount != 2 && score.point_amount != 3) ++left_out.clamped_values;
  if (goal == 0 && score.goal_type.view() != goal_types[0]) ++left_out.clamped_values;
  held_.has_last_score = true;
  held_.last_score = block;
  put(out, block);
  return true;
}

bool encoder::model::put_last_throw(const session& match, byte_writer& out) noexcept {
  const bool present = (match.fields & session::has_last_throw) != 0;
  // The same shortcut; a NaN is the same as itself, too.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  if (!keyframe_ && (!present || std::memcmp(&seen_throw_, &match.last_throw, sizeof(seen_throw_)) == 0)) {
    return false;
  }
  seen_throw_ = match.last_throw;
  const std::array<float, 13> values = throw_values(present ? match.last_throw : echo::last_throw{});
  std::array<std::uint16_t, 13> halves;
  for (std::size_t i = 0; i < values.size(); ++i) halves[i] = counted_half(values[i]);
  if (!keyframe_ && halves == held_.last_throw) return false;
  held_.last_throw = halves;
  for (const std::uint16_t half : halves) out.u16(half);
  return true;
}

bool encoder::model::put_payload(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::combat) return false;
  const echo::payload_state& payload = match.payload;
  const auto clamped = [this](std::int32_t value) { return counted_u8(value); };
  std::array<std::uint8_t, 7> block{};
  block[0] = match.contested ? 1 : 0;
  if ((match.fields & session::has_payload) != 0) {
    block[1] = clamped(payload.checkpoint);
    block[2] = clamped(payload.defenders);
    put_half(&block[3], counted_half(payload.distance));
    put_half(&block[5], counted_half(payload.speed));
  }
  if (!keyframe_ && block == held_.payload) return false;
  held_.payload = block;
  put(out, block);
  return true;
}

bool encoder::model::put_rules(const session& match, byte_writer& out) noexcept {
  constexpr std::uint64_t rules = session::has_rules_changed_by | session::has_rules_changed_at;
  if ((match.fields & rules) == 0) return false;
  if (held_.has_rules && held_.rules_changed_at == match.rules_changed_at &&
      held_.rules_changed_by == match.rules_changed_by) {
    return false;
  }
  held_.has_rules = true;
  held_.rules_changed_at = match.rules_changed_at;
  held_.rules_changed_by = match.rules_changed_by;
  echo::text<64> name;
  (void)transliterate(match.rules_changed_by.view(), name);
  out.i64(match.rules_changed_at);
  out.zero_terminated(name.view());
  return true;
}

void encoder::model::count_unsupported(const echo::state& next) noexcept {
  const session& match = next.match;
  constexpr std::uint64_t never = session::has_possession | session::has_tournament_match |
                                  session::has_err_code | session::has_err_description |
                                  session::has_overtime_timer | session::has_game_timer |
                                  session::has_disc_bounce_count;
  std::uint64_t unsupported = match.fields & never;
  if (table.mode() != echo::mode::arena) {
    unsupported |= match.fields & (session::has_disc | session::has_disc_velocity | session::has_last_score);
  }
  constexpr std::uint8_t never_of_payload =
      echo::payload_state::has_pos | echo::payload_state::has_multiplier | echo::payload_state::has_attackers;
  std::uint32_t parts = match.payload.fields & never_of_payload;
  for (const echo::team& team : match.teams) {
    if ((team.fields & echo::team::has_name) != 0) parts |= 1u << 8;
  }
  for (const float pressed : {match.left_shoulder_pressed, match.right_shoulder_pressed,
                              match.left_shoulder_pressed2, match.right_shoulder_pressed2}) {
    if (pressed != 0 && pressed != 1) parts |= 1u << 9;
  }
  unsupported_session_ |= unsupported;
  unsupported_parts_ |= parts;
  left_out.unsupported_fields = static_cast<std::uint64_t>(std::popcount(unsupported_session_)) +
                                static_cast<std::uint64_t>(std::popcount(unsupported_parts_));
}

}  // namespace tickreel::butter
