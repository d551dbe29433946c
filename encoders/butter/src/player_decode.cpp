#include "frame_decode.hpp"
#include "tables.hpp"
#include "tickreel/bytes/flatten.hpp"

namespace tickreel::butter {
namespace {

using echo::player;

// Counters rise in small steps, so +248 is read as -8.
std::int32_t as_signed_step(std::int32_t step) noexcept {
  return step > 127 ? step - 256 : step;
}

echo::stats sum(const echo::stats& base, const echo::stats& step, bool signed_steps) noexcept {
  const auto added = [signed_steps](std::int32_t from, std::int32_t by) {
    if (!signed_steps) return from + by;
    const std::int32_t value = from + as_signed_step(by);
    return value < 0 ? 0 : value;
  };
  echo::stats total;
  total.assists = added(base.assists, step.assists);
  total.blocks = added(base.blocks, step.blocks);
  total.catches = added(base.catches, step.catches);
  total.goals = added(base.goals, step.goals);
  total.interceptions = added(base.interceptions, step.interceptions);
  total.passes = added(base.passes, step.passes);
  total.points = added(base.points, step.points);
  total.saves = added(base.saves, step.saves);
  total.steals = added(base.steals, step.steals);
  total.shots_taken = added(base.shots_taken, step.shots_taken);
  total.possession_time = step.possession_time + base.possession_time;
  total.stuns = base.stuns + step.stuns;
  return total;
}

echo::holding holding_of(std::uint8_t code) noexcept {
  echo::holding held;
  switch (code) {
    case holding_none:
      held.what = echo::holding::none;
      break;
    case holding_geo:
      held.what = echo::holding::geo;
      break;
    case holding_disc:
      held.what = echo::holding::disc;
      break;
    case holding_absent:
      break;
    default:
      held.what = echo::holding::player;
      held.playerid = code;
  }
  return held;
}

// Version 3 moved the flags of the blocks up by one to insert the emote.
struct block_bits {
  bool stats, connection, holding, velocity;
};

block_bits blocks_of(std::uint8_t version, std::uint8_t state) noexcept {
  const auto bit = [state](unsigned number) { return (state >> number & 1) != 0; };
  if (version == 3) return {bit(5), bit(6), bit(6), bit(7)};
  return {bit(4), bit(5), bit(6), bit(7)};
}

void take_flags(std::uint8_t version, std::uint8_t state, player& next) noexcept {
  next.fields = player::has_name | player::has_playerid | player::has_userid | player::has_number |
                player::has_level | player::has_ping | player::has_packetlossratio | player::has_stunned |
                player::has_invulnerable | player::has_blocking | player::has_possession |
                player::has_is_emote_playing | player::has_velocity | player::has_head | player::has_body |
                player::has_lhand | player::has_rhand;
  next.possession = (state & 1) != 0;
  next.blocking = (state & 2) != 0;
  next.stunned = (state & 4) != 0;
  next.invulnerable = (state & 8) != 0;
  next.is_emote_playing = version == 3 && (state & 16) != 0;
}

void set_loadout(std::uint8_t loadout, player& next) noexcept {
  next.weapon.assign(weapons[loadout & 3]);
  next.ordnance.assign(ordnances[loadout >> 2 & 3]);
  next.tac_mod.assign(tac_mods[loadout >> 4 & 3]);
  next.arm.assign(arms[loadout >> 6 & 1]);
  next.fields |= player::has_weapon | player::has_ordnance | player::has_tac_mod | player::has_arm;
}

}  // namespace

const player* find_player(const echo::state& in, std::uint64_t userid) noexcept {
  for (std::size_t i = 0; i < in.match.player_count; ++i) {
    if (in.players[i].userid == userid) return &in.players[i];
  }
  return nullptr;
}

echo::stats frame_decode::read_stats() noexcept {
  echo::stats stats;
  for (std::int32_t* value :
       {&stats.assists, &stats.blocks, &stats.catches, &stats.goals, &stats.interceptions, &stats.passes,
        &stats.points, &stats.saves, &stats.steals, &stats.shots_taken}) {
    *value = in.u8();
  }
  stats.possession_time = read_half();
  stats.stuns = in.u16();
  return stats;
}

bool frame_decode::decode_teams() noexcept {
  const std::uint8_t mask = in.u8();
  if (!in.ok()) return false;
  if (repair != nullptr && keyframe) repair->set_active((mask & closed_loop_mark) == 0);
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    echo::team& team = out.match.teams[i];
    team.fields = echo::team::has_possession | echo::team::has_stats | echo::team::has_players;
    team.possession = i < 2 && (mask >> i & 1) != 0;
    const echo::stats held = previous != nullptr ? previous->match.teams[i].stats : echo::stats{};
    if ((mask >> (i + 2) & 1) != 0) {
      const echo::stats stored = read_stats();
      team.stats = undoing() ? sum(held, stored, previous != nullptr) : stored;
    } else {
      team.stats = held;
    }
    const std::size_t count = in.u8();
    if (count > echo::max_players - out.match.player_count) {
      return fails(error_code::over_limit, "chunk {}, byte {}: too many players");
    }
    for (std::size_t j = 0; j < count; ++j) {
      echo::player& next = out.players[out.match.player_count];
      if (!decode_player(next)) return false;
      ++out.match.player_count;
    }
    team.player_count = static_cast<std::uint8_t>(count);
  }
  return in.ok();
}

// Flattened, because it runs for every player of every frame.
TICKREEL_FLATTEN bool frame_decode::decode_player(player& next) noexcept {
  next = {};
  const std::uint8_t index = in.u8();
  next.playerid = in.u8();
  const std::uint8_t state = in.u8();
  if (!in.ok() || !name_player(index, next)) return false;
  const player_sources from = sources_of(next);
  const std::uint8_t version = file.header->version;
  take_flags(version, state, next);
  const block_bits blocks = blocks_of(version, state);
  decode_player_stats(blocks.stats, from, next);
  if (!decode_connection(blocks.connection, from, next)) return false;
  if (version == 3 ? file.mode == echo::mode::arena : file.mode != echo::mode::combat) {
    if (!decode_holdings(blocks.holding, from, next)) return false;
  }
  if (blocks.velocity) {
    next.velocity = read_halves() + (from.base != nullptr ? from.base->velocity : echo::vec3{});
  } else if (from.held != nullptr) {
    next.velocity = from.held->velocity;
  }
  if (!decode_poses(from, next)) return false;
  if (version >= 2 && file.mode == echo::mode::combat) set_loadout(in.u8(), next);
  if (!in.ok()) return false;
  if (from.memory != nullptr) repair->remember(*from.memory, next);
  return true;
}

// From the player table; 0 is a player without an entry.
bool frame_decode::name_player(std::uint8_t index, player& next) noexcept {
  const auto& known = file.header->players;
  if (index > known.size()) {
    return fails(error_code::malformed, "chunk {}, byte {}: a player who is not in the player table");
  }
  if (index != 0) {
    const player_entry& entry = known[index - 1u];
    next.name.assign(entry.name);
    next.userid = static_cast<std::uint64_t>(entry.userid);
    next.number = entry.number;
    next.level = entry.level;
    return true;
  }
  next.name.assign(invalid_player);
  next.number = -1;
  next.level = -1;
  // Usually a player who changed the name; the slot identifies the player.
  if (!undoing() || before == nullptr) return true;
  for (std::size_t i = 0; i < before->match.player_count; ++i) {
    const player& was = before->players[i];
    if (was.playerid != next.playerid) continue;
    next.name = was.name;
    next.number = was.number;
    next.level = was.level;
    next.userid = was.userid;
    break;
  }
  return true;
}

// If the frame before lacks the player, the format's decoder fails on omitted values; a repairing one
// remembers players who left and returned.
player_sources frame_decode::sources_of(const player& next) noexcept {
  player_sources from;
  from.base = previous != nullptr ? find_player(*previous, next.userid) : nullptr;
  from.held = from.base;
  if (undoing()) {
    from.memory = &repair->of(next.userid);
    if (from.held == nullptr && previous != nullptr && from.memory->seen != 0) from.held = &from.memory->last;
  }
  return from;
}

void frame_decode::decode_player_stats(bool present, const player_sources& from, player& next) noexcept {
  if (present) {
    const bool adds = from.base != nullptr && (from.base->fields & player::has_stats) != 0;
    const echo::stats stored = read_stats();
    next.stats = adds ? sum(from.base->stats, stored, undoing()) : stored;
    next.fields |= player::has_stats;
  } else if (from.held != nullptr) {
    next.stats = from.held->stats;
    next.fields |= from.held->fields & player::has_stats;
  }
}

bool frame_decode::decode_connection(bool present, const player_sources& from, player& next) noexcept {
  if (present) {
    const std::uint8_t version = file.header->version;
    const std::int32_t step = version == 1 ? std::int32_t{in.u16()} : std::int32_t{in.i16()};
    next.ping = step + (from.base != nullptr ? from.base->ping : 0);
    next.packetlossratio = read_half() + (from.base != nullptr ? from.base->packetlossratio : 0.0f);
    if (undoing() && version == 1 && next.ping >= 32768) next.ping -= 65536;
    return true;
  }
  if (from.held != nullptr) {
    next.ping = from.held->ping;
    next.packetlossratio = from.held->packetlossratio;
    return true;
  }
  return repair != nullptr ||
         fails(error_code::missing_keyframe, "chunk {}, byte {}: no ping, and no frame to take it from");
}

bool frame_decode::decode_holdings(bool present, const player_sources& from, player& next) noexcept {
  if (present) {
    next.holding_left = holding_of(in.u8());
    next.holding_right = holding_of(in.u8());
    return true;
  }
  if (from.held != nullptr) {
    next.holding_left = from.held->holding_left;
    next.holding_right = from.held->holding_right;
    return true;
  }
  return repair != nullptr || fails(error_code::missing_keyframe,
                                    "chunk {}, byte {}: nothing on the hands, and no frame to take it from");
}

bool frame_decode::decode_poses(const player_sources& from, player& next) noexcept {
  const auto& [base, held, memory] = from;
  static constexpr echo::pose player::* parts[] = {&player::head, &player::body, &player::lhand,
                                                   &player::rhand};
  const std::uint8_t mask = in.u8();
  if (!in.ok()) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    echo::pose& pose = next.*parts[i];
    if (held != nullptr) pose = held->*parts[i];
    pose.fields |= echo::pose::has_position;
    if ((mask >> (2 * i) & 1) != 0) {
      const echo::vec3 step = read_halves();
      pose.position = step + (base != nullptr ? (base->*parts[i]).position : echo::vec3{});
      if (memory != nullptr) memory->step[i] = step;
    } else {
      // Only the absence of the head stops the format's decoder at a keyframe.
      if (held == nullptr && repair == nullptr && (i == 0 || previous != nullptr)) {
        return fails(error_code::missing_keyframe,
                     "chunk {}, byte {}: no position, and no frame to take it from");
      }
      // The known writer omits a position whose step equals the one before.
      if (memory != nullptr && base != nullptr) pose.position = pose.position + memory->step[i];
    }
    if ((mask >> (2 * i + 1) & 1) != 0) {
      set_axes(pose, smallest_three_unpack(in.u32()));
    } else if (held == nullptr) {
      if (previous != nullptr && repair == nullptr) {
        return fails(error_code::missing_keyframe,
                     "chunk {}, byte {}: no rotation, and no frame to take it from");
      }
      set_axes(pose, {0, 0, 0, 1});
    }
  }
  return in.ok();
}

}  // namespace tickreel::butter
