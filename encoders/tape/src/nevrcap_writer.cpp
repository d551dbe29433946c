// Frames of version 1, written.
#include "nevrcap_tables.hpp"

namespace tickreel::tape {

namespace {

using namespace nevrcap;

void write_vector(std::uint32_t number, const echo::vec3& value, message_writer& to) {
  const std::size_t begin = to.begin(number);
  for (const float each : {value.x, value.y, value.z}) to.little(static_cast<double>(each));
  to.end(begin);
}

void write_pose_fields(const echo::pose& from, const pose_numbers& numbers, message_writer& to) {
  if ((from.fields & echo::pose::has_position) != 0) write_vector(numbers.position, from.position, to);
  if ((from.fields & echo::pose::has_forward) != 0) write_vector(numbers.forward, from.forward, to);
  if ((from.fields & echo::pose::has_left) != 0) write_vector(numbers.left, from.left, to);
  if ((from.fields & echo::pose::has_up) != 0) write_vector(numbers.up, from.up, to);
}
void write_pose(std::uint32_t number, const echo::pose& from, const pose_numbers& numbers,
                message_writer& to) {
  const std::size_t begin = to.begin(number);
  write_pose_fields(from, numbers, to);
  to.end(begin);
}

void write_stats(std::uint32_t number, const echo::stats& from, message_writer& to) {
  const std::size_t begin = to.begin(number);
  possession_time_field::write<true>(from, to);
  counter_fields<2>::write<true>(from, to);
  to.end(begin);
}

void write_player(const echo::player& from, message_writer& to) {
  const std::size_t begin = to.begin(1);
  player_fields::write<true>(from, to);
  if ((from.fields & echo::player::has_head) != 0) write_pose(5, from.head, body_numbers, to);
  if ((from.fields & echo::player::has_body) != 0) write_pose(6, from.body, body_numbers, to);
  to.text(16, text_of(from.holding_left).view());
  to.text(17, text_of(from.holding_right).view());
  if ((from.fields & echo::player::has_lhand) != 0) write_pose(21, from.lhand, hand_numbers, to);
  if ((from.fields & echo::player::has_rhand) != 0) write_pose(22, from.rhand, hand_numbers, to);
  if ((from.fields & echo::player::has_velocity) != 0) write_vector(23, from.velocity, to);
  if ((from.fields & echo::player::has_stats) != 0) write_stats(24, from.stats, to);
  to.end(begin);
}

void write_reply(const echo::state& from, message_writer& to) {
  const echo::session& match = from.match;
  const std::size_t begin = to.begin(4);
  // Points are whole numbers in a capture.
  echo::session whole = match;
  to.signed_whole(19, whole_points(match.blue_points));
  to.signed_whole(12, whole_points(match.orange_points));
  whole.blue_points = whole.orange_points = 0;
  session_fields::write<true>(whole, to);
  if ((match.fields & echo::session::has_payload) != 0) reply_payload_fields::write<true>(match.payload, to);
  if ((match.fields & echo::session::has_disc) != 0) {
    const std::size_t disc = to.begin(8);
    write_pose_fields(match.disc.at, disc_numbers, to);
    if ((match.fields & echo::session::has_disc_velocity) != 0) write_vector(5, match.disc.velocity, to);
    to.signed_whole(6, match.disc.bounce_count);
    to.end(disc);
  }
  const auto write_part = [&](std::uint32_t number, auto&& write) {
    const std::size_t part = to.begin(number);
    write();
    to.end(part);
  };
  if ((match.fields & echo::session::has_last_throw) != 0) {
    write_part(20, [&] { throw_fields::write<true>(match.last_throw, to); });
  }
  if ((match.fields & echo::session::has_player) != 0) write_pose(21, match.vr.at, headset_numbers, to);
  if ((match.fields & echo::session::has_pause) != 0) {
    write_part(22, [&] { pause_fields::write<true>(match.pause, to); });
  }
  if ((match.fields & echo::session::has_possession) != 0) {
    write_part(23, [&] {
      for (const std::int32_t each : match.possession)
        to.varint(static_cast<std::uint64_t>(std::int64_t{each}));
    });
  }
  if ((match.fields & echo::session::has_last_score) != 0) {
    write_part(31, [&] { score_fields::write<true>(match.last_score, to); });
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < match.team_count; ++i) {
    const echo::team& team = match.teams[i];
    write_part(32, [&] {
      for (std::size_t each = 0; each < team.player_count; ++each) write_player(from.players[place++], to);
      to.text(2, team.name.view());
      to.whole(3, team.possession ? 1 : 0);
      if ((team.fields & echo::team::has_stats) != 0) write_stats(4, team.stats, to);
    });
  }
  to.end(begin);
}

void write_bones(const echo::state& from, message_writer& to) {
  const std::size_t begin = to.begin(5);
  for (std::size_t i = 0; i < from.bone_player_count; ++i) {
    const echo::bone_player& bones = from.bone_players[i];
    const std::size_t one = to.begin(1);
    const std::size_t positions = to.begin(1);
    for (const echo::vec3& each : bones.positions) {
      for (const float value : {each.x, each.y, each.z}) to.little(value);
    }
    to.end(positions);
    to.signed_whole(2, bones.playerid);
    const std::size_t rotations = to.begin(3);
    for (const echo::quat& each : bones.rotations) {
      for (const float value : {each.x, each.y, each.z, each.w}) to.little(value);
    }
    to.end(rotations);
    to.end(one);
  }
  to.end(begin);
}

}  // namespace

void write_nevrcap_frame(const echo::state& from, std::uint64_t index, message_writer& to) {
  to.whole(1, index);
  write_time(2, from.recorded_time_ms, to);
  write_reply(from, to);
  if (from.bones != echo::bones_kind::absent) write_bones(from, to);
}

}  // namespace tickreel::tape
