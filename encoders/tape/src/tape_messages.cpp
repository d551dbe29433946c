// Version 2: constants in the header, motion in every frame, everything else in events. docs/formats/tape.md
// lists the fields.
#include "axes.hpp"
#include "messages.hpp"
#include "tape_tables.hpp"
#include "tickreel/echo/described.hpp"

namespace tickreel::tape {

namespace {

bool is_finite(const echo::vec3& value) noexcept {
  return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z);
}

// False, and counted, if a number is not finite.
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

// A skeleton whose lengths are valid, also if its values are not wanted: that must not affect which ticks
// there are.
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

void tape_messages::read_header(byte_span message, capture_decoder& of, reading& with) {
  capture_facts& facts = of.facts_;
  echo::session& base = of.base_;
  facts.version = 0;
  std::size_t roster = 0;
  std::size_t teams = 0;
  std::uint64_t old_match_type = 0;
  std::string_view game_type;
  const auto read_string = [&](const wire_field& from, std::string& to) {
    if (from.bytes.size() > max_text_bytes || !text::is_utf8(from.text())) {
      return with.reject("a text is not UTF-8");
    }
    to = from.text();
  };
  const auto read_arena = [&](const wire_field& field) {
    if (arena_header_fields::read(field, base, with)) return;
    if (field.number == 3) old_match_type = field.whole();
    if (field.number == 8) {
      if (++roster > max_players) return with.reject("too many players", error_code::over_limit);
      read_joined(field.bytes, of.slots_, with);
    }
    if (field.number == 13 && teams < echo::max_teams) {
      read_text(field, of.team_names_[teams++], with);
      of.has_team_names_ = true;
    }
  };
  read_fields(message, with, [&](const wire_field& field) {
    switch (field.number) {
      case 1:
        read_string(field, facts.capture_id);
        break;
      case 2:
        facts.created_at_ms = read_time(field.bytes, with);
        break;
      case 3:
        facts.version = static_cast<std::uint32_t>(field.whole());
        if (field.whole() != 0 && field.whole() != 2) {
          with.reject("a .tape of a newer version than 2", error_code::unsupported_version);
        }
        break;
      case 5:
        facts.minor = static_cast<std::uint32_t>(field.whole());
        break;
      case 6:
        facts.patch = static_cast<std::uint32_t>(field.whole());
        break;
      case 7:
        if (field.whole() > 1) {
          with.reject("a .tape with another encoding of frames than the sparse one",
                      error_code::unsupported_version);
        }
        break;
      case 8:
        if (!text::is_utf8(field.text())) return with.reject("a text is not UTF-8");
        game_type = field.text();
        break;
      case 9:
        read_string(field, facts.producer);
        break;
      case 10:
        read_fields(field.bytes, with, read_arena);
        break;
      case 100:
        if (!field.bytes.empty()) {
          with.reject("a .tape that needs a zstd dictionary", error_code::unsupported_version);
        }
        break;
      case 101:
        read_string(field, facts.engine_version);
        break;
      default:
        if (field.number > 10 && field.number < 100) {
          with.reject("a .tape of another game", error_code::unsupported_version);
        }
        break;
    }
  });
  if (!game_type.empty()) {
    if (!base.match_type.assign(game_type)) {
      with.left_out(echo::omission_kind::cut_text, "match_type", game_type);
    }
    base.private_match = base.private_match || has_part(game_type, "private");
    base.tournament_match = base.tournament_match || has_part(game_type, "tournament");
  } else if (old_match_type != 0) {
    (void)base.match_type.assign(text_of(match_texts, old_match_type, with));
  }
  base.fields |= usual_fields;
}

void tape_messages::read_frame(byte_span message, capture_decoder& of, echo::state& out, reading& with) {
  echo::session& match = out.match;
  std::array<byte_span, max_players> players;
  std::array<byte_span, max_players> skeletons;
  std::size_t player_count = 0;
  std::size_t skeleton_count = 0;
  std::size_t event_count = 0;
  std::optional<std::int32_t> holder;
  std::uint64_t status = 0;
  std::uint64_t pause = 0;
  byte_span pause_detail;
  bool has_content = false;
  std::uint64_t offset_ms = 0;

  // Events first: they belong to the values of their own frame.
  byte_span content;
  read_fields(message, with, [&](const wire_field& field) {
    if (field.number == 2) offset_ms = field.whole() & 0xFFFFFFFF;
    if (field.number == 10 && field.type == wire_type::bytes) {
      if (has_content) return with.reject("a frame has two contents");
      has_content = true;
      content = field.bytes;
    }
  });
  if (!has_content) return with.reject("a frame has no content");
  read_fields(content, with, [&](const wire_field& field) {
    if (field.number != 12) return;
    if (++event_count > max_events) return with.reject("too many events", error_code::over_limit);
    read_fields(field.bytes, with, [&](const wire_field& event) {
      if (event.type != wire_type::bytes) return;
      if (const auto type = type_of_event(event.number)) of.events_.push_back(*type);
      read_event_content(event, of.base_, of.slots_, with);
    });
  });
  if (with.problem != nullptr) return;
  of.may_continue_ = true;

  match = of.base_;
  bool has_clock = true;
  read_fields(content, with, [&](const wire_field& field) {
    if (field.number == 2) has_clock = std::isfinite(field.real());
    if (frame_fields::read(field, match, with)) return;
    switch (field.number) {
      case 1:
        status = field.whole();
        break;
      case 3:
        pause = field.whole();
        break;
      case 4:
        match.fields |= echo::session::has_disc | echo::session::has_disc_bounce_count;
        read_fields(field.bytes, with, [&](const wire_field& each) {
          if (each.number == 1) read_pose(each.bytes, match.disc.at, with);
          if (each.number == 2 && read_vector(each.bytes, match.disc.velocity, with)) {
            match.fields |= echo::session::has_disc_velocity;
          }
          if (each.number == 3) match.disc.bounce_count = each.signed_whole();
        });
        break;
      case 5:
        if (player_count == max_players) return with.reject("too many players", error_code::over_limit);
        players[player_count++] = field.bytes;
        break;
      case 6:
        if (skeleton_count == max_players) return with.reject("too many skeletons", error_code::over_limit);
        skeletons[skeleton_count++] = field.bytes;
        break;
      case 7:
        holder = field.signed_whole();
        break;
      case 8:
        read_pose(field.bytes, match.vr.at, with);
        match.fields |= echo::session::has_player;
        break;
      case 9:
        match.blue_points = static_cast<float>(field.signed_whole());
        break;
      case 10:
        match.orange_points = static_cast<float>(field.signed_whole());
        break;
      case 13:
        match.fields |= echo::session::has_payload;
        match.payload.fields = echo::payload_state::has_checkpoint | echo::payload_state::has_distance |
                               echo::payload_state::has_speed | echo::payload_state::has_defenders |
                               echo::payload_state::has_multiplier;
        payload_fields::read_message(field.bytes, match.payload, with);
        break;
      case 21:
        pause_detail = field.bytes;
        break;
      default:
        break;
    }
  });
  if (with.problem != nullptr) return;

  out.recorded_time_ms = of.facts_.created_at_ms.value_or(0) + static_cast<std::int64_t>(offset_ms);
  (void)match.game_status.assign(text_of(status_texts, status, with));
  if ((match.fields & echo::session::has_disc) != 0 || status != 0 || match.game_clock != 0) {
    match.fields |= clock_fields & ~echo::session::has_possession;
  }
  // Only a match with a disc has it.
  if ((match.fields & echo::session::has_disc) != 0) match.fields |= echo::session::has_possession;
  if (!has_clock) match.fields &= ~(echo::session::has_game_clock | echo::session::has_game_clock_display);
  if ((match.fields & echo::session::has_game_clock_display) != 0) {
    match.game_clock_display = echo::shown_clock((std::max)(match.game_clock, 0.0f));
  }
  (void)match.pause.state.assign(text_of(pause_texts, pause, with));
  (void)match.pause.unpaused_team.assign("none");
  (void)match.pause.paused_requested_team.assign("none");
  read_fields(pause_detail, with, [&](const wire_field& each) {
    if (each.number == 1) (void)match.pause.unpaused_team.assign(role_text(each.whole(), "none", with));
    if (each.number == 2)
      (void)match.pause.paused_requested_team.assign(role_text(each.whole(), "none", with));
    if (each.number == 3) match.pause.unpaused_timer = finite(each.real(), with);
    if (each.number == 4) match.pause.paused_timer = finite(each.real(), with);
  });

  match.team_count = echo::max_teams;
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    match.teams[i].fields = echo::team::has_possession;
    if (!of.has_team_names_) continue;
    match.teams[i].name = of.team_names_[i];
    match.teams[i].fields |= echo::team::has_name;
  }
  std::array<std::uint8_t, echo::max_players> teams{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < player_count; ++i) {
    if (count == echo::max_players) {
      with.left_out(echo::omission_kind::dropped_player, "teams.players", "");
      continue;
    }
    echo::player& to = out.players[count];
    std::uint64_t flags = 0;
    read_player(players[i], to, flags, with);
    for (std::size_t other = 0; other < count; ++other) {
      if (out.players[other].playerid == to.playerid) with.reject("two players have one slot");
    }
    const auto team = static_cast<std::uint8_t>(flags >> flag_team_shift & 3);
    for (const slot_memory& memory : of.slots_) {
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

  out.bone_player_count = 0;
  for (std::size_t i = 0; i < skeleton_count; ++i) {
    of.has_bones_ = true;
    skeleton_parts parts;
    if (!parts.read(skeletons[i], with)) return with.reject("the length of a skeleton is wrong");
    if (of.without_bones_) continue;
    if (out.bone_player_count == echo::max_players) {
      with.left_out(echo::omission_kind::dropped_player, "user_bones", "");
      continue;
    }
    read_skeleton(parts, out.bone_players[out.bone_player_count++], with);
  }
  out.bones = of.has_bones_ && !of.without_bones_ ? echo::bones_kind::present : echo::bones_kind::absent;
}

void tape_messages::read_footer(byte_span message, capture_decoder& of, reading& with) {
  capture_footer footer;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) footer.frame_count = each.whole();
    if (each.number == 2) footer.duration_ms = each.whole();
  });
  of.footer_ = footer;
}

}  // namespace tickreel::tape
