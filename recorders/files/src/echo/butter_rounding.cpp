#include "butter_rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tickreel/bytes/writer.hpp"

namespace tickreel::files {

namespace {

constexpr butter_precision precision;

float distance(const echo::vec3& a, const echo::vec3& b) noexcept {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

bool is_near(float a, float b, float limit) noexcept {
  return std::fabs(a - b) <= limit;
}

// Sets `out` to `stored` if that is close to `exact`, and to `exact` otherwise.
template <class Value>
void settle(Value& out, const Value& exact, const Value& stored, bool near) noexcept {
  out = near ? stored : exact;
}

// If the vectors are too far apart, only the components that differ show it: a component that is close
// becomes that of `stored`, unless only the sum of all components exceeds the limit.
void settle(echo::vec3& out, const echo::vec3& exact, const echo::vec3& stored, float limit) noexcept {
  out = stored;
  if (distance(exact, stored) <= limit) return;
  const std::array<float, 3> apart = {std::fabs(exact.x - stored.x), std::fabs(exact.y - stored.y),
                                      std::fabs(exact.z - stored.z)};
  const bool any_far = std::any_of(apart.begin(), apart.end(), [&](float each) { return !(each <= limit); });
  const float most = any_far ? limit : std::nextafter(*std::max_element(apart.begin(), apart.end()), 0.0f);
  if (!(apart[0] <= most)) out.x = exact.x;
  if (!(apart[1] <= most)) out.y = exact.y;
  if (!(apart[2] <= most)) out.z = exact.z;
}

float furthest(const echo::vec3& place) noexcept {
  return std::max({std::fabs(place.x), std::fabs(place.y), std::fabs(place.z)});
}

// A keyframe rounds the position, a delta rounds the movement.
void settle_place(echo::vec3& out, const echo::vec3& exact, const echo::vec3& stored,
                  const echo::vec3& before) noexcept {
  const float way = furthest({exact.x - before.x, exact.y - before.y, exact.z - before.z});
  const float rounded = std::max(furthest(exact), std::isfinite(way) ? way : 0.0f);
  settle(out, exact, stored, precision.position_m + 1.75f * rounded * precision.half_precision);
}

void settle_velocity(echo::vec3& out, const echo::vec3& exact, const echo::vec3& stored) noexcept {
  settle(out, exact, stored, precision.velocity_mps);
}

void settle_pose(echo::pose& out, const echo::pose& exact, const echo::pose& stored,
                 const echo::vec3& before) noexcept {
  if (out.fields != stored.fields) return;
  if ((exact.fields & echo::pose::has_position) != 0) {
    settle_place(out.position, exact.position, stored.position, before);
  }
  for (const auto& [axis, bit] :
       {std::pair(&echo::pose::forward, echo::pose::has_forward),
        std::pair(&echo::pose::left, echo::pose::has_left), std::pair(&echo::pose::up, echo::pose::has_up)}) {
    if ((exact.fields & bit) == 0) continue;
    settle(out.*axis, exact.*axis, stored.*axis, precision.axis);
  }
}

void settle_possession(echo::stats& out, const echo::stats& exact, const echo::stats& stored) noexcept {
  const float limit =
      precision.possession_time_s + 2 * std::fabs(exact.possession_time) * precision.half_precision;
  settle(out.possession_time, exact.possession_time, stored.possession_time,
         is_near(exact.possession_time, stored.possession_time, limit));
}

constexpr std::array<echo::pose echo::player::*, 4> poses = {&echo::player::head, &echo::player::body,
                                                             &echo::player::lhand, &echo::player::rhand};

void settle_player(echo::player& out, const echo::player& exact, const echo::player& stored,
                   const std::array<echo::vec3, 4>* before) noexcept {
  if (out.fields != stored.fields) return;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto pose = poses[i];
    settle_pose(out.*pose, exact.*pose, stored.*pose, before == nullptr ? echo::vec3{} : (*before)[i]);
  }
  settle_velocity(out.velocity, exact.velocity, stored.velocity);
  settle_possession(out.stats, exact.stats, stored.stats);
  settle(out.packetlossratio, exact.packetlossratio, stored.packetlossratio,
         is_near(exact.packetlossratio, stored.packetlossratio, precision.packet_loss));
  // A .butter stores them once per player; before the game knows them it reports 0.
  if (exact.number == 0 && exact.level == 0) {
    out.number = stored.number;
    out.level = stored.level;
  }
}

void settle_bones(echo::bone_player& out, const echo::bone_player& exact,
                  const echo::bone_player& stored) noexcept {
  for (std::size_t bone = 0; bone < out.positions.size(); ++bone) {
    settle_place(out.positions[bone], exact.positions[bone], stored.positions[bone], exact.positions[bone]);
    const echo::quat& a = exact.rotations[bone];
    const echo::quat& b = stored.rotations[bone];
    // A quaternion and its negative are the same rotation.
    const float along = std::fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    const float least = std::cos(precision.axis / 2);
    settle(out.rotations[bone], a, b, along >= least - 1e-5f);
  }
}

}  // namespace

bool butter_rounding::pass_through(const echo::state& tick) {
  if (!encoder_ || encoder_->needs_new_file(tick)) {
    encoder_.emplace();
    decoder_.emplace();
    revision_.reset();
    room_.resize(std::max(encoder_->max_frame_size(), encoder_->max_header_size()));
  }
  byte_writer frame(room_);
  encoder_->encode(tick, frame_kind::keyframe, frame);
  if (!frame.ok()) return false;
  const byte_vector bytes(frame.written().begin(), frame.written().end());
  if (revision_ != encoder_->header_revision()) {
    revision_ = encoder_->header_revision();
    byte_writer head(room_);
    encoder_->write_header(head);
    if (!head.ok() || !decoder_->apply_header(head.written())) return false;
  }
  if (!decoder_->decode(frame_kind::keyframe, bytes)) return false;
  echo::copy_state(*out_, decoder_->state());
  return true;
}

void butter_rounding::hold(const echo::state& stored) noexcept {
  before_.disc = stored.match.disc.at.position;
  before_.headset = stored.match.vr.at.position;
  before_.player_count = std::min<std::size_t>(stored.match.player_count, echo::max_players);
  for (std::size_t i = 0; i < before_.player_count; ++i) {
    const echo::player& player = stored.players[i];
    before_.players[i].userid = player.userid;
    for (std::size_t k = 0; k < poses.size(); ++k) before_.players[i].poses[k] = (player.*poses[k]).position;
  }
}

const echo::state& butter_rounding::of(const echo::state& tick, const echo::state& stored) {
  const bool passed = pass_through(tick);
  if (passed) settle_all(tick, stored);
  hold(stored);
  return passed ? *out_ : tick;
}

void butter_rounding::settle_all(const echo::state& tick, const echo::state& stored) {
  echo::session& match = out_->match;
  out_->recorded_time_ms = tick.recorded_time_ms;
  if (match.fields == stored.match.fields) {
    settle(match.game_clock, tick.match.game_clock, stored.match.game_clock,
           is_near(tick.match.game_clock, stored.match.game_clock, precision.game_clock_s));
    settle_pose(match.disc.at, tick.match.disc.at, stored.match.disc.at, before_.disc);
    settle_velocity(match.disc.velocity, tick.match.disc.velocity, stored.match.disc.velocity);
    settle_pose(match.vr.at, tick.match.vr.at, stored.match.vr.at, before_.headset);
  }
  const std::size_t teams = std::min({match.team_count, stored.match.team_count, tick.match.team_count});
  for (std::size_t i = 0; i < teams; ++i) {
    settle_possession(match.teams[i].stats, tick.match.teams[i].stats, stored.match.teams[i].stats);
  }
  if (match.player_count == stored.match.player_count && match.player_count == tick.match.player_count) {
    for (std::size_t i = 0; i < match.player_count; ++i) {
      // The same search as a reader's for the player of a delta.
      const auto* const end = before_.players.data() + before_.player_count;
      const auto* const found =
          std::find_if(std::as_const(before_.players).data(), end,
                       [&](const player_places& each) { return each.userid == stored.players[i].userid; });
      settle_player(out_->players[i], tick.players[i], stored.players[i],
                    found == end ? nullptr : &found->poses);
    }
  }
  if (out_->bone_player_count == stored.bone_player_count &&
      out_->bone_player_count == tick.bone_player_count) {
    for (std::size_t i = 0; i < out_->bone_player_count; ++i) {
      settle_bones(out_->bone_players[i], tick.bone_players[i], stored.bone_players[i]);
    }
  }
  // A .butter has these only on maps whose mode is known. On others it lacks content.
  if (echo::mode_of(tick.match.map_name.view()) != echo::mode::other) return;
  const auto lost = tick.match.fields & ~stored.match.fields;
  match.fields |= lost & (echo::session::has_disc | echo::session::has_last_score);
  if ((lost & echo::session::has_disc) != 0) match.disc = tick.match.disc;
  if ((lost & echo::session::has_last_score) != 0) match.last_score = tick.match.last_score;
}

}  // namespace tickreel::files
