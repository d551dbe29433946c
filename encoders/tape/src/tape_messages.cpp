// Version 2: constants in the header, motion in every frame, everything else in events. docs/formats/tape.md
// lists the fields.
#include "tape_players.hpp"
#include "tickreel/echo/described.hpp"

namespace tickreel::tape {

namespace {

// What a frame holds beside the members of its session.
struct frame_parts {
  std::array<byte_span, max_players> players;
  std::size_t player_count = 0;
  std::array<byte_span, max_players> skeletons;
  std::size_t skeleton_count = 0;
  std::optional<std::int32_t> holder;  // of the disc
  std::uint64_t status = 0;
  std::uint64_t pause = 0;
  byte_span pause_detail;
  bool has_clock = true;
};

void read_string(const wire_field& from, std::string& to, reading& with) {
  if (from.bytes.size() > max_text_bytes || !text::is_utf8(from.text())) {
    return with.reject("a text is not UTF-8");
  }
  to = from.text();
}

void set_match_type(std::string_view type, echo::session& base, reading& with) {
  if (!base.match_type.assign(type)) with.left_out(echo::omission_kind::cut_text, "match_type", type);
  base.private_match = base.private_match || has_part(type, "private");
  base.tournament_match = base.tournament_match || has_part(type, "tournament");
}

byte_span read_envelope(byte_span message, std::uint64_t& offset_ms, reading& with) {
  byte_span content;
  bool has_content = false;
  read_fields(message, with, [&](const wire_field& field) {
    if (field.number == 2) offset_ms = field.whole() & 0xFFFFFFFF;
    if (field.number == 10 && field.type == wire_type::bytes) {
      if (has_content) return with.reject("a frame has two contents");
      has_content = true;
      content = field.bytes;
    }
  });
  if (!has_content) with.reject("a frame has no content");
  return content;
}

void read_disc(byte_span message, echo::session& match, reading& with) {
  match.fields |= echo::session::has_disc | echo::session::has_disc_bounce_count;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) read_pose(each.bytes, match.disc.at, with);
    if (each.number == 2 && read_vector(each.bytes, match.disc.velocity, with)) {
      match.fields |= echo::session::has_disc_velocity;
    }
    if (each.number == 3) match.disc.bounce_count = each.signed_whole();
  });
}

void read_payload(byte_span message, echo::session& match, reading& with) {
  match.fields |= echo::session::has_payload;
  match.payload.fields = echo::payload_state::has_checkpoint | echo::payload_state::has_distance |
                         echo::payload_state::has_speed | echo::payload_state::has_defenders |
                         echo::payload_state::has_multiplier;
  payload_fields::read_message(message, match.payload, with);
}

void read_content(byte_span content, echo::session& match, frame_parts& parts, reading& with) {
  read_fields(content, with, [&](const wire_field& field) {
    if (field.number == 2) parts.has_clock = std::isfinite(field.real());
    if (frame_fields::read(field, match, with)) return;
    switch (field.number) {
      case 1:
        parts.status = field.whole();
        break;
      case 3:
        parts.pause = field.whole();
        break;
      case 4:
        read_disc(field.bytes, match, with);
        break;
      case 5:
        if (parts.player_count == max_players) return with.reject("too many players", error_code::over_limit);
        parts.players[parts.player_count++] = field.bytes;
        break;
      case 6:
        if (parts.skeleton_count == max_players) {
          return with.reject("too many skeletons", error_code::over_limit);
        }
        parts.skeletons[parts.skeleton_count++] = field.bytes;
        break;
      case 7:
        parts.holder = field.signed_whole();
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
        read_payload(field.bytes, match, with);
        break;
      case 21:
        parts.pause_detail = field.bytes;
        break;
      default:
        break;
    }
  });
}

void add_status(const frame_parts& parts, echo::session& match, reading& with) {
  (void)match.game_status.assign(text_of(status_texts, parts.status, with));
  if ((match.fields & echo::session::has_disc) != 0 || parts.status != 0 || match.game_clock != 0) {
    match.fields |= clock_fields & ~echo::session::has_possession;
  }
  // Only a match with a disc has it.
  if ((match.fields & echo::session::has_disc) != 0) match.fields |= echo::session::has_possession;
  if (!parts.has_clock) {
    match.fields &= ~(echo::session::has_game_clock | echo::session::has_game_clock_display);
  }
  if ((match.fields & echo::session::has_game_clock_display) != 0) {
    match.game_clock_display = echo::shown_clock((std::max)(match.game_clock, 0.0f));
  }
}

void add_pause(const frame_parts& parts, echo::session& match, reading& with) {
  (void)match.pause.state.assign(text_of(pause_texts, parts.pause, with));
  (void)match.pause.unpaused_team.assign("none");
  (void)match.pause.paused_requested_team.assign("none");
  read_fields(parts.pause_detail, with, [&](const wire_field& each) {
    if (each.number == 1) (void)match.pause.unpaused_team.assign(role_text(each.whole(), "none", with));
    if (each.number == 2)
      (void)match.pause.paused_requested_team.assign(role_text(each.whole(), "none", with));
    if (each.number == 3) match.pause.unpaused_timer = finite(each.real(), with);
    if (each.number == 4) match.pause.paused_timer = finite(each.real(), with);
  });
}

}  // namespace

void tape_messages::read_header(byte_span message, capture_decoder& of, reading& with) {
  capture_facts& facts = of.facts_;
  echo::session& base = of.base_;
  facts.version = 0;
  std::size_t roster = 0;
  std::size_t teams = 0;
  std::uint64_t old_match_type = 0;
  std::string_view game_type;
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
        read_string(field, facts.capture_id, with);
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
        read_string(field, facts.producer, with);
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
        read_string(field, facts.engine_version, with);
        break;
      default:
        if (field.number > 10 && field.number < 100) {
          with.reject("a .tape of another game", error_code::unsupported_version);
        }
        break;
    }
  });
  if (!game_type.empty()) {
    set_match_type(game_type, base, with);
  } else if (old_match_type != 0) {
    (void)base.match_type.assign(text_of(match_texts, old_match_type, with));
  }
  base.fields |= usual_fields;
}

void tape_messages::read_events(byte_span content, capture_decoder& of, reading& with) {
  std::size_t count = 0;
  read_fields(content, with, [&](const wire_field& field) {
    if (field.number != 12) return;
    if (++count > max_events) return with.reject("too many events", error_code::over_limit);
    read_fields(field.bytes, with, [&](const wire_field& event) {
      if (event.type != wire_type::bytes) return;
      if (const auto type = type_of_event(event.number)) of.events_.push_back(*type);
      read_event_content(event, of.base_, of.slots_, with);
    });
  });
}

void tape_messages::read_frame(byte_span message, capture_decoder& of, echo::state& out, reading& with) {
  std::uint64_t offset_ms = 0;
  const byte_span content = read_envelope(message, offset_ms, with);
  if (with.problem != nullptr) return;
  // Events first: they belong to the values of their own frame.
  read_events(content, of, with);
  if (with.problem != nullptr) return;
  of.may_continue_ = true;

  echo::session& match = out.match;
  match = of.base_;
  frame_parts parts;
  read_content(content, match, parts, with);
  if (with.problem != nullptr) return;
  out.recorded_time_ms = of.facts_.created_at_ms.value_or(0) + static_cast<std::int64_t>(offset_ms);
  add_status(parts, match, with);
  add_pause(parts, match, with);
  match.team_count = echo::max_teams;
  for (std::size_t i = 0; i < echo::max_teams; ++i) {
    match.teams[i].fields = echo::team::has_possession;
    if (!of.has_team_names_) continue;
    match.teams[i].name = of.team_names_[i];
    match.teams[i].fields |= echo::team::has_name;
  }
  read_players(std::span(parts.players).first(parts.player_count), of.slots_, parts.holder, out, with);
  if (with.problem != nullptr) return;

  of.has_bones_ = of.has_bones_ || parts.skeleton_count != 0;
  read_skeletons(std::span(parts.skeletons).first(parts.skeleton_count), !of.without_bones_, out, with);
  if (with.problem != nullptr) return;
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
