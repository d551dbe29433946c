#include <algorithm>
#include <cstring>

#include "model.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using echo::player;

// The same numbers, and almost the same time.
bool good_enough(const std::array<std::uint8_t, 14>& wanted, const std::array<std::uint8_t, 14>& held,
                 float possession_limit_s) noexcept {
  if (wanted == held) return true;
  std::array<std::uint8_t, 14> otherwise = wanted;
  otherwise[10] = held[10];
  otherwise[11] = held[11];
  const auto possession = [](const std::array<std::uint8_t, 14>& block) {
    return half_to_float(static_cast<std::uint16_t>(block[10] | block[11] << 8));
  };
  return otherwise == held && std::fabs(possession(wanted) - possession(held)) <= possession_limit_s;
}

}  // namespace

const held_player* encoder::model::find_held(std::uint64_t userid) const noexcept {
  const std::array<held_player, echo::max_players>& held = players_[now_];
  for (std::size_t i = 0; i < player_counts_[now_]; ++i) {
    if (held[i].userid == userid) return &held[i];
  }
  return nullptr;
}

void encoder::model::match_roster(const echo::state& next, roster& result) const noexcept {
  result.total = 0;
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    const std::size_t room = echo::max_players - result.total;
    const std::size_t count = std::min<std::size_t>(next.match.teams[i].player_count, room);
    result.counts[i] = static_cast<std::uint8_t>(count);
    result.total += count;
  }
  for (std::size_t i = 0; i < result.total; ++i) result.bases[i] = find_held(next.players[i].userid);
}

void encoder::model::place_players(const echo::state& next) noexcept {
  const std::size_t now = now_ ^ 1;
  for (std::size_t i = 0; i < roster_.total; ++i) {
    const player& wanted = next.players[i];
    const held_player*& base = roster_.bases[i];
    const std::uint8_t index = table.index_of(wanted, base != nullptr ? base->index : std::uint8_t{0});
    const std::uint64_t userid = table.userid(index);
    if (userid != wanted.userid) base = find_held(userid);
    held_player& held = players_[now][i];
    held = base != nullptr ? *base : held_player{};
    held.index = index;
    held.userid = userid;
  }
  player_counts_[now] = roster_.total;
  now_ = now;
}

void encoder::model::encode_teams(const echo::state& next, byte_writer& out) noexcept {
  const mutable_byte_span mask_place = out.reserve(1);
  unsigned mask = keyframe_ ? closed_loop_mark : 0u;
  std::size_t number = 0;
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    const echo::team& team = next.match.teams[i];
    if (team.possession && i < 2) mask |= 1u << i;
    if (put_team_stats(team, i, out)) mask |= 4u << i;
    out.u8(roster_.counts[i]);
    for (std::size_t j = 0; j < roster_.counts[i]; ++j, ++number) {
      player_bytes bytes;
      encode_player(next.players[number], roster_.bases[number], pose_steps_[1 + number],
                    players_[now_][number], bytes);
      out.bytes(bytes.written());
    }
  }
  if (!mask_place.empty()) mask_place[0] = static_cast<std::byte>(mask);
}

bool encoder::model::put_team_stats(const echo::team& team, std::size_t which, byte_writer& out) noexcept {
  if ((team.fields & echo::team::has_stats) == 0) return false;
  // The last decision for the same numbers is reused. Different padding bytes cost one more decision.
  echo::stats& seen = held_.team_stats_seen[which];
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  if (std::memcmp(&seen, &team.stats, sizeof(seen)) == 0) return false;
  seen = team.stats;
  std::array<std::uint8_t, 14> block;
  for (std::size_t j = 0; j < counters.size(); ++j) {
    block[j] = counted_u8(team.stats.*counters[j]);
  }
  const std::uint16_t possession = counted_half(team.stats.possession_time);
  const std::int32_t stuns = std::clamp(team.stats.stuns, 0, 65535);
  if (stuns != team.stats.stuns) ++left_out.clamped_values;
  block[10] = static_cast<std::uint8_t>(possession);
  block[11] = static_cast<std::uint8_t>(possession >> 8);
  block[12] = static_cast<std::uint8_t>(stuns);
  block[13] = static_cast<std::uint8_t>(stuns >> 8);
  // These are whole values and not differences, unlike those of the known writer.
  if (good_enough(block, held_.team_stats[which], options.hold.possession_time_s)) return false;
  held_.team_stats[which] = block;
  out.bytes(std::as_bytes(std::span(block)));
  return true;
}

void encoder::model::encode_player(const player& wanted, const held_player* base, pose_steps& way,
                                   held_player& held, player_bytes& out) noexcept {
  out.put(held.index, 1);
  out.put(static_cast<std::uint8_t>(wanted.playerid), 1);
  const std::size_t state_place = out.reserve();
  unsigned state = (wanted.possession ? 1u : 0u) | (wanted.blocking ? 2u : 0u) | (wanted.stunned ? 4u : 0u) |
                   (wanted.invulnerable ? 8u : 0u) | (wanted.is_emote_playing ? 16u : 0u);
  if (put_player_stats(wanted, base, held, out)) state |= 32;
  if (put_connection(wanted, base, held, out)) state |= 64;
  steps sped_up;
  if ((wanted.fields & player::has_velocity) != 0 &&
      moves(wanted.velocity, held.velocity, velocity_limit_, velocity_rounding_, sped_up)) {
    state |= 128;
    out.put(sped_up.word(), 6);
    held.velocity = sped_up.place();
  }
  out.fill(state_place, static_cast<std::uint8_t>(state));
  put_poses(wanted, base == nullptr, way, held.poses, out);
  if (table.mode() == echo::mode::combat) out.put(loadout_of(wanted), 1);
}

bool encoder::model::put_player_stats(const player& wanted, const held_player* base, held_player& held,
                                      player_bytes& out) noexcept {
  if ((wanted.fields & player::has_stats) == 0) return false;
  const bool first = base == nullptr || !held.has_stats;
  const float possession =
      std::isfinite(wanted.stats.possession_time) ? wanted.stats.possession_time : held.stats.possession_time;
  if (!first && same_counters(wanted.stats, held.stats) &&
      std::fabs(possession - held.stats.possession_time) <= options.hold.possession_time_s) {
    return false;
  }
  echo::stats now = held.stats;
  std::array<std::uint8_t, 10> rises;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    // Later rises reach what this one cannot.
    const std::int64_t rise = std::int64_t{wanted.stats.*counters[i]} - now.*counters[i];
    if (rise < 0 || rise > 255) ++left_out.clamped_values;
    rises[i] = static_cast<std::uint8_t>(rise < 0 ? 0 : rise > 255 ? 255 : rise);
    now.*counters[i] += rises[i];
  }
  const std::int64_t stun_step = std::int64_t{wanted.stats.stuns} - held.stats.stuns;
  if (stun_step < 0 || stun_step > 65535) ++left_out.clamped_values;
  const auto stuns = static_cast<std::uint16_t>(stun_step < 0 ? 0 : stun_step > 65535 ? 65535 : stun_step);
  const std::uint16_t possession_step = counted_half(possession - held.stats.possession_time);
  if (!first && stuns == 0 && rises == std::array<std::uint8_t, 10>{} &&
      half_to_float(possession_step) == 0) {
    return false;
  }
  held.stats = now;
  held.stats.stuns += stuns;
  held.stats.possession_time = half_to_float(possession_step) + held.stats.possession_time;
  held.has_stats = true;
  for (const std::uint8_t rise : rises) out.put(rise, 1);
  out.put(possession_step, 2);
  out.put(stuns, 2);
  return true;
}

bool encoder::model::put_connection(const player& wanted, const held_player* base, held_player& held,
                                    player_bytes& out) noexcept {
  const bool arena = table.mode() == echo::mode::arena;
  const std::array<std::uint8_t, 2> holding = {holding_code(wanted.holding_left),
                                               holding_code(wanted.holding_right)};
  const float loss = std::isfinite(wanted.packetlossratio) ? wanted.packetlossratio : held.packetlossratio;
  const float loss_step = loss - held.packetlossratio;
  if (base != nullptr && wanted.ping == held.ping && std::fabs(loss_step) <= options.hold.packet_loss &&
      (!arena || holding == held.holding)) {
    return false;
  }
  const std::int64_t ping_step = std::int64_t{wanted.ping} - held.ping;
  const auto ping = static_cast<std::int16_t>(ping_step < -32768  ? -32768
                                              : ping_step > 32767 ? 32767
                                                                  : ping_step);
  if (ping != ping_step) ++left_out.clamped_values;
  const std::uint16_t loss_half = counted_half(loss_step);
  held.ping += ping;
  held.packetlossratio = half_to_float(loss_half) + held.packetlossratio;
  held.holding = holding;
  out.put(static_cast<std::uint16_t>(ping), 2);
  out.put(loss_half, 2);
  if (arena) {
    out.put(holding[0], 1);
    out.put(holding[1], 1);
  }
  return true;
}

std::uint8_t encoder::model::holding_code(const echo::holding& hand) noexcept {
  switch (hand.what) {
    case echo::holding::none:
      return holding_none;
    case echo::holding::geo:
      return holding_geo;
    case echo::holding::disc:
      return holding_disc;
    case echo::holding::player:
      if (hand.playerid >= 0 && hand.playerid < holding_absent)
        return static_cast<std::uint8_t>(hand.playerid);
      ++left_out.clamped_values;
      return holding_none;
    case echo::holding::other:
      ++left_out.clamped_values;
      return holding_none;
    case echo::holding::absent:
      break;
  }
  return holding_absent;
}

std::uint8_t encoder::model::loadout_of(const player& wanted) noexcept {
  const auto code = [this](const auto& words, std::string_view word) {
    const std::uint8_t found = code_of(words, word, 255);
    if (found != 255) return unsigned{found};
    if (!word.empty()) ++left_out.clamped_values;
    return 0u;
  };
  return static_cast<std::uint8_t>(
      code(weapons, wanted.weapon.view()) | code(ordnances, wanted.ordnance.view()) << 2 |
      code(tac_mods, wanted.tac_mod.view()) << 4 | code(arms, wanted.arm.view()) << 6);
}

}  // namespace tickreel::butter
