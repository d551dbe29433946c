#include "tape_players.hpp"

#include "axes.hpp"

namespace tickreel::tape {

namespace {

bool is_finite(const echo::vec3& value) noexcept {
  return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z);
}

void read_player(byte_span message, echo::player& to, std::uint64_t& flags, reading& with) {
  to = {};
  to.fields = usual_player_fields;
  flags = 0;
  const auto take_pose = [&](const wire_field& from, echo::pose& pose, std::uint32_t bit) {
    read_pose(from.bytes, pose, with);
    to.fields |= bit;
  };
  read_fields(message, with, [&](const wire_field& each) {
    switch (each.number) {
      case 1:
        to.playerid = each.signed_whole();
        break;
      case 2:
        take_pose(each, to.head, echo::player::has_head);
        break;
      case 3:
        take_pose(each, to.body, echo::player::has_body);
        break;
      case 4:
        take_pose(each, to.lhand, echo::player::has_lhand);
        break;
      case 5:
        take_pose(each, to.rhand, echo::player::has_rhand);
        break;
      case 6:
        if (read_vector(each.bytes, to.velocity, with)) to.fields |= echo::player::has_velocity;
        break;
      case 7:
        flags = each.whole();
        break;
      case 8:
        to.ping = each.signed_whole();
        break;
      case 9:
        to.packetlossratio = finite(each.real(), with);
        break;
      case 10:
        to.stats.possession_time = finite(each.real(), with);
        break;
      default:
        break;
    }
  });
  to.stunned = (flags & flag_stunned) != 0;
  to.invulnerable = (flags & flag_invulnerable) != 0;
  to.blocking = (flags & flag_blocking) != 0;
  to.possession = (flags & flag_possession) != 0;
  to.is_emote_playing = (flags & flag_emote) != 0;
}

void add_memory(const slot_memory& from, echo::player& to) {
  to.userid = from.userid;
  to.name = from.name;
  if (!to.name.empty()) to.fields |= echo::player::has_name;
  to.number = from.number;
  to.level = from.level;
  to.weapon = from.weapon;
  to.ordnance = from.ordnance;
  to.tac_mod = from.tac_mod;
  if (!to.weapon.empty()) to.fields |= echo::player::has_weapon;
  if (!to.ordnance.empty()) to.fields |= echo::player::has_ordnance;
  if (!to.tac_mod.empty()) to.fields |= echo::player::has_tac_mod;
  to.holding_left = from.holding_left;
  to.holding_right = from.holding_right;
  if (from.has_stats) {
    const float possession_time = to.stats.possession_time;
    to.stats = from.stats;
    to.stats.possession_time = possession_time;
    to.fields |= echo::player::has_stats;
  }
}

struct skeleton_parts {
  std::int32_t slot = 0;
  byte_span positions;
  byte_span rotations;

  // False if the lengths are those of no skeleton.
  bool read(byte_span message, reading& with) {
    read_fields(message, with, [&](const wire_field& each) {
      if (each.number == 1) slot = each.signed_whole();
      if (each.number == 2) positions = each.bytes;
      if (each.number == 3) rotations = each.bytes;
    });
    return positions.size() % 12 == 0 && rotations.size() % 16 == 0 && positions.size() / 12 <= max_bones &&
           rotations.size() / 16 <= max_bones;
  }
};

void read_skeleton(const skeleton_parts& from, echo::bone_player& to, reading& with) {
  to = {};
  to.playerid = from.slot;
  const byte_span positions = from.positions;
  const byte_span rotations = from.rotations;
  const std::size_t position_count = positions.size() / 12;
  const std::size_t rotation_count = rotations.size() / 16;
  const auto number = [&](byte_span values, std::size_t place) {
    return finite(detail::load<std::endian::little, float>(&values[place * 4]), with);
  };
  for (std::size_t i = 0; i < (std::min)(position_count, echo::bone_count); ++i) {
    to.positions[i] = {number(positions, 3 * i), number(positions, 3 * i + 1), number(positions, 3 * i + 2)};
  }
  for (std::size_t i = 0; i < (std::min)(rotation_count, echo::bone_count); ++i) {
    to.rotations[i] = {number(rotations, 4 * i), number(rotations, 4 * i + 1), number(rotations, 4 * i + 2),
                       number(rotations, 4 * i + 3)};
  }
  const std::size_t bones = (std::max)(position_count, rotation_count);
  if (bones > echo::bone_count) with.oddities.extra_bones += bones - echo::bone_count;
}

void add_teams(echo::state& out, const std::array<std::uint8_t, echo::max_players>& teams) {
  echo::session& match = out.match;
  std::size_t place = 0;
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    echo::team& team = match.teams[i];
    for (; place < match.player_count && teams[place] == i; ++place) {
      const echo::player& one = out.players[place];
      ++team.player_count;
      team.fields |= echo::team::has_players;
      team.possession = team.possession || one.possession;
      if ((one.fields & echo::player::has_stats) == 0) continue;
      // In combat only players have statistics.
      if ((match.fields & echo::session::has_disc) != 0) team.fields |= echo::team::has_stats;
      add(team.stats, one.stats);
    }
  }
}

// The place of the player who holds the disc, as the API numbers it.
void add_possession(echo::state& out, std::optional<std::int32_t> holder) {
  std::size_t place = 0;
  for (std::size_t team = 0; team < echo::max_teams; ++team) {
    for (std::int32_t i = 0; i < out.match.teams[team].player_count; ++i, ++place) {
      const echo::player& one = out.players[place];
      if (holder ? one.playerid != *holder : !one.possession) continue;
      out.match.possession[0] = static_cast<std::int32_t>(team);
      out.match.possession[1] = i;
      return;
    }
  }
}

}  // namespace

bool read_vector(byte_span message, echo::vec3& to, reading& with) {
  to = {};
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) to.x = each.real();
    if (each.number == 2) to.y = each.real();
    if (each.number == 3) to.z = each.real();
  });
  if (is_finite(to)) return true;
  to = {};
  ++with.oddities.invalid_values;
  return false;
}

void read_pose(byte_span message, echo::pose& to, reading& with) {
  to = {};
  read_fields(message, with, [&](const wire_field& field) {
    if (field.number == 1) {
      if (read_vector(field.bytes, to.position, with)) to.fields |= echo::pose::has_position;
    } else if (field.number == 2) {
      echo::quat rotation{0, 0, 0, 0};
      read_fields(field.bytes, with, [&](const wire_field& each) {
        if (each.number == 1) rotation.x = each.real();
        if (each.number == 2) rotation.y = each.real();
        if (each.number == 3) rotation.z = each.real();
        if (each.number == 4) rotation.w = each.real();
      });
      if (axes_of(rotation, to)) {
        to.fields |= echo::pose::has_forward | echo::pose::has_left | echo::pose::has_up;
      } else {
        ++with.oddities.invalid_values;
      }
    }
  });
}

void add(echo::stats& to, const echo::stats& from) noexcept {
  // Sums of a hostile file must not overflow.
  const auto sum = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  };
  to.possession_time += from.possession_time;
  to.points = sum(to.points, from.points);
  to.saves = sum(to.saves, from.saves);
  to.goals = sum(to.goals, from.goals);
  to.stuns = sum(to.stuns, from.stuns);
  to.passes = sum(to.passes, from.passes);
  to.catches = sum(to.catches, from.catches);
  to.steals = sum(to.steals, from.steals);
  to.blocks = sum(to.blocks, from.blocks);
  to.interceptions = sum(to.interceptions, from.interceptions);
  to.assists = sum(to.assists, from.assists);
  to.shots_taken = sum(to.shots_taken, from.shots_taken);
}

void read_players(std::span<const byte_span> messages, const std::vector<slot_memory>& slots,
                  std::optional<std::int32_t> holder, echo::state& out, reading& with) {
  echo::session& match = out.match;
  std::array<std::uint8_t, echo::max_players> teams{};
  std::size_t count = 0;
  for (const byte_span message : messages) {
    if (count == echo::max_players) {
      with.left_out(echo::omission_kind::dropped_player, "teams.players", "");
      continue;
    }
    echo::player& to = out.players[count];
    std::uint64_t flags = 0;
    read_player(message, to, flags, with);
    for (std::size_t other = 0; other < count; ++other) {
      if (out.players[other].playerid == to.playerid) with.reject("two players have one slot");
    }
    const auto team = static_cast<std::uint8_t>(flags >> flag_team_shift & 3);
    for (const slot_memory& memory : slots) {
      if (memory.slot == to.playerid) add_memory(memory, to);
    }
    if (team >= echo::max_teams) {
      with.left_out(echo::omission_kind::dropped_player, "teams.players", to.name.view());
      continue;
    }
    teams[count++] = team;
  }
  if (with.problem != nullptr) return;
  sort_by_team(out, teams, count);
  match.player_count = static_cast<std::uint8_t>(count);
  add_teams(out, teams);
  if ((match.fields & echo::session::has_possession) != 0) add_possession(out, holder);
}

void read_skeletons(std::span<const byte_span> messages, bool are_wanted, echo::state& out, reading& with) {
  out.bone_player_count = 0;
  for (const byte_span message : messages) {
    skeleton_parts parts;
    if (!parts.read(message, with)) return with.reject("the length of a skeleton is wrong");
    if (!are_wanted) continue;
    if (out.bone_player_count == echo::max_players) {
      with.left_out(echo::omission_kind::dropped_player, "user_bones", "");
      continue;
    }
    read_skeleton(parts, out.bone_players[out.bone_player_count++], with);
  }
}

}  // namespace tickreel::tape
