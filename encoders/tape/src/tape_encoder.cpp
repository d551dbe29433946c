#include "tickreel/tape/encoder.hpp"

#include "axes.hpp"
#include "event_writer.hpp"
#include "tickreel/version.hpp"

namespace tickreel::tape {

namespace {

void write_vector32(std::uint32_t number, const echo::vec3& from, message_writer& to) {
  const std::size_t begin = to.begin(number);
  to.real32(1, from.x);
  to.real32(2, from.y);
  to.real32(3, from.z);
  to.end(begin);
}

void write_tape_pose(std::uint32_t number, const echo::pose& from, message_writer& to) {
  constexpr std::uint8_t axes = echo::pose::has_forward | echo::pose::has_left | echo::pose::has_up;
  const std::size_t begin = to.begin(number);
  if ((from.fields & echo::pose::has_position) != 0) write_vector32(1, from.position, to);
  if ((from.fields & axes) == axes) {
    const echo::quat rotation = rotation_of(from);
    const std::size_t inner = to.begin(2);
    to.real32(1, rotation.x);
    to.real32(2, rotation.y);
    to.real32(3, rotation.z);
    to.real32(4, rotation.w);
    to.end(inner);
  }
  to.end(begin);
}

void write_player_state(const echo::player& from, std::size_t team, message_writer& to) {
  const std::size_t begin = to.begin(5);
  to.signed_whole(1, from.playerid);
  if ((from.fields & echo::player::has_head) != 0) write_tape_pose(2, from.head, to);
  if ((from.fields & echo::player::has_body) != 0) write_tape_pose(3, from.body, to);
  if ((from.fields & echo::player::has_lhand) != 0) write_tape_pose(4, from.lhand, to);
  if ((from.fields & echo::player::has_rhand) != 0) write_tape_pose(5, from.rhand, to);
  if ((from.fields & echo::player::has_velocity) != 0) write_vector32(6, from.velocity, to);
  const auto flag = [](bool set, std::uint32_t value) { return set ? value : 0u; };
  to.whole(7, flag(from.stunned, flag_stunned) | flag(from.invulnerable, flag_invulnerable) |
                  flag(from.blocking, flag_blocking) | flag(from.possession, flag_possession) |
                  flag(from.is_emote_playing, flag_emote) |
                  static_cast<std::uint32_t>(team) << flag_team_shift);
  to.whole(8, static_cast<std::uint32_t>(from.ping));
  to.real32(9, from.packetlossratio);
  if ((from.fields & echo::player::has_stats) != 0) to.real32(10, from.stats.possession_time);
  to.end(begin);
}

void write_skeleton(const echo::bone_player& from, message_writer& to) {
  const std::size_t begin = to.begin(6);
  to.signed_whole(1, from.playerid);
  const std::size_t positions = to.begin(2);
  for (const echo::vec3& each : from.positions) {
    for (const float value : {each.x, each.y, each.z}) to.little(value);
  }
  to.end(positions);
  const std::size_t rotations = to.begin(3);
  for (const echo::quat& each : from.rotations) {
    for (const float value : {each.x, each.y, each.z, each.w}) to.little(value);
  }
  to.end(rotations);
  to.end(begin);
}

std::string producer_name() {
  return std::string("tickreel/") + std::string(version_text);
}

}  // namespace

bool has_slot_twice(const echo::state& in) noexcept {
  for (std::size_t i = 1; i < in.match.player_count; ++i) {
    for (std::size_t other = 0; other < i; ++other) {
      if (in.players[i].playerid == in.players[other].playerid) return true;
    }
  }
  return false;
}

void number_slots(echo::state& in) noexcept {
  const auto is_taken = [&](std::int32_t slot, std::size_t but) {
    for (std::size_t i = 0; i < in.match.player_count; ++i) {
      if (i != but && in.players[i].playerid == slot) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < in.match.player_count; ++i) {
    std::int32_t& slot = in.players[i].playerid;
    if (!is_taken(slot, i)) continue;
    for (slot = 0; is_taken(slot, i);) ++slot;
  }
}

void tape_encoder::append_header(const echo::state& first, byte_vector& out) {
  const echo::session& match = first.match;
  start_ms_ = first.recorded_time_ms;
  message_writer to(out);
  const std::size_t record = to.begin_record();
  const std::size_t header = to.begin(1);
  to.text(1, match.sessionid.view());
  write_time(2, start_ms_, to);
  to.whole(3, 2);
  // Minor version 2: the match type is text. Its readers ignore the numbers of version 2.1.
  to.whole(5, 2);
  to.whole(7, 1);
  to.text(8, match.match_type.view());
  to.text(9, producer_name());
  const std::size_t arena = to.begin(10);
  arena_header_fields::write<false>(match, to);
  to.whole(3, number_of(match_texts, match.match_type.view()));
  std::size_t place = 0;
  for (std::size_t team = 0; team < match.team_count; ++team) {
    for (std::size_t i = 0; i < match.teams[team].player_count; ++i) {
      const echo::player& from = first.players[place++];
      slot_memory info;
      info.slot = from.playerid;
      info.userid = from.userid;
      info.name = from.name;
      info.role = role_of(from, team);
      info.number = from.number;
      info.level = from.level;
      const std::size_t one = to.begin(8);
      joined_fields::write<false>(info, to);
      to.end(one);
    }
  }
  const std::size_t skeleton = to.begin(9);
  to.whole(1, echo::bone_count);
  to.whole(2, 3);
  to.whole(3, 4);
  to.end(skeleton);
  const bool has_names = std::any_of(match.teams, match.teams + match.team_count,
                                     [](const echo::team& each) { return !each.name.empty(); });
  for (std::size_t team = 0; has_names && team < match.team_count; ++team) {
    to.text_present(13, match.teams[team].name.view());
  }
  to.end(arena);
  to.end(header);
  to.end(record);
}

void tape_encoder::append_frame(const echo::state& from, bool is_keyframe, byte_vector& out) {
  const echo::session& match = from.match;
  message_writer to(out);
  const std::size_t record = to.begin_record();
  const std::size_t frame = to.begin(2);
  to.whole(1, ticks_);
  constexpr std::int64_t max_ms = 0xFFFFFFFF;
  last_offset_ms_ =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(from.recorded_time_ms - start_ms_, 0, max_ms));
  to.whole(2, last_offset_ms_);
  to.whole(3, is_keyframe ? 1 : 0);
  const std::size_t arena = to.begin(10);
  to.whole(1, number_of(status_texts, match.game_status.view()));
  frame_fields::write<false>(match, to);
  to.whole(3, number_of(pause_texts, match.pause.state.view()));
  if ((match.fields & echo::session::has_disc) != 0) {
    const std::size_t disc = to.begin(4);
    write_tape_pose(1, match.disc.at, to);
    if ((match.fields & echo::session::has_disc_velocity) != 0) write_vector32(2, match.disc.velocity, to);
    to.whole(3, static_cast<std::uint32_t>(match.disc.bounce_count));
    to.end(disc);
  }
  std::size_t place = 0;
  for (std::size_t team = 0; team < match.team_count; ++team) {
    for (std::size_t i = 0; i < match.teams[team].player_count; ++i) {
      write_player_state(from.players[place++], team, to);
    }
  }
  for (std::size_t i = 0; i < from.bone_player_count; ++i) write_skeleton(from.bone_players[i], to);
  if (const std::int32_t holder = holder_of(from); holder >= 0) to.signed_whole_present(7, holder);
  if ((match.fields & echo::session::has_player) != 0) write_tape_pose(8, match.vr.at, to);
  to.signed_whole(9, whole_points(match.blue_points));
  to.signed_whole(10, whole_points(match.orange_points));
  event_writer(*this, from, to).write();
  to.signed_whole(11, round_number_);
  if ((match.fields & echo::session::has_payload) != 0) {
    const std::size_t payload = to.begin(13);
    payload_fields::write<false>(match.payload, to);
    to.end(payload);
  }
  const echo::pause_state& pause = match.pause;
  const std::uint64_t unpaused = role_number(pause.unpaused_team.view());
  const std::uint64_t requested = role_number(pause.paused_requested_team.view());
  if (unpaused != 0 || requested != 0 || pause.unpaused_timer != 0 || pause.paused_timer != 0) {
    const std::size_t detail = to.begin(21);
    to.whole(1, unpaused);
    to.whole(2, requested);
    to.real32(3, pause.unpaused_timer);
    to.real32(4, pause.paused_timer);
    to.end(detail);
  }
  to.end(arena);
  to.end(frame);
  to.end(record);
  ++ticks_;
}

void tape_encoder::replace_frame(std::span<const event_type> events) {
  const auto frame = static_cast<std::uint32_t>(ticks_ - 1);
  for (std::vector<std::uint32_t>& each : frames_of_events_) {
    while (!each.empty() && each.back() == frame) each.pop_back();
  }
  for (const event_type each : events) frames_of_events_[static_cast<std::size_t>(each)].push_back(frame);
}

void tape_encoder::append_footer(std::uint64_t offset, std::span<const keyframe> keyframes,
                                 byte_vector& out) const {
  message_writer to(out);
  const std::size_t record = to.begin_record();
  const std::size_t footer = to.begin(3);
  to.whole(1, ticks_);
  to.whole(2, last_offset_ms_);
  to.whole(3, offset);
  for (const keyframe& each : keyframes) {
    const std::size_t entry = to.begin(4);
    to.whole(1, each.frame);
    to.whole(2, each.offset);
    to.end(entry);
  }
  for (std::size_t type = 0; type < frames_of_events_.size(); ++type) {
    if (frames_of_events_[type].empty()) continue;
    const std::size_t entry = to.begin(5);
    to.whole(1, type);
    const std::size_t frames = to.begin(2);
    for (const std::uint32_t each : frames_of_events_[type]) to.varint(each);
    to.end(frames);
    to.end(entry);
  }
  to.end(footer);
  to.end(record);
}

void nevrcap_encoder::append_header(const echo::state& first, byte_vector& out) {
  message_writer to(out);
  const std::size_t record = to.begin_record();
  to.text(1, first.match.sessionid.view());
  write_time(2, first.recorded_time_ms, to);
  const std::size_t entry = to.begin(3);
  to.text(1, "format");
  to.text(2, "nevrcap");
  to.end(entry);
  to.end(record);
}

void nevrcap_encoder::append_frame(const echo::state& from, byte_vector& out) {
  message_writer to(out);
  const std::size_t record = to.begin_record();
  write_nevrcap_frame(from, ticks_, to);
  to.end(record);
  ++ticks_;
}

}  // namespace tickreel::tape
