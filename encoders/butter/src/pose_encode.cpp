#include <limits>

#include "lane_rounding.hpp"
#include "model.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

constexpr unsigned headset = 0;  // places in held_frame::things
constexpr unsigned disc = 1;

bool has(unsigned mask, unsigned which) noexcept {
  return (mask >> which & 1u) != 0;
}

// Sets those of the masks to the reached values.
void bring(held_poses& held, const held_poses& reached, unsigned moved, unsigned turned) noexcept {
  using lanes = native_lanes;
  const lanes::ints come = lanes::where(moved);
  const auto take = [](const auto& where, auto& to, const auto& from) {
    lanes::store(to.data(), choose<lanes>(where, lanes::load(from.data()), lanes::load(to.data())));
  };
  take(come, held.x, reached.x);
  take(come, held.y, reached.y);
  take(come, held.z, reached.z);
  take(lanes::where(turned), held.rotation, reached.rotation);
}

// It has axes, but they are not a rotation.
bool is_aimless(const pose_steps& way, unsigned which, const echo::pose& wanted) noexcept {
  return has(way.aimless, which) && (wanted.fields & (echo::pose::has_forward | echo::pose::has_up)) != 0;
}

}  // namespace

void encoder::model::steps_toward(const echo::vec3& wanted, const echo::vec3& held,
                                  const step_rounding& rounding, steps& taken) noexcept {
  const echo::vec3 way = wanted - held;
  // A distance beyond the range of a half takes several frames; an infinite one is ignored.
  if (!(square(way) <= half_max * half_max)) {
    ++left_out.clamped_values;
    const float ways[3] = {way.x, way.y, way.z};
    const float from[3] = {held.x, held.y, held.z};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint16_t half = std::isfinite(ways[i]) ? rounding.half(ways[i]) : std::uint16_t{0};
      taken.halves[i] = half;
      taken.reached[i] = half_to_float(half) + from[i];
    }
    return;
  }
  using lanes = native_lanes;
  const lane_rounding<lanes> rounded(rounding);
  const lanes::floats written = rounded.writable(lanes::make(way.x, way.y, way.z, 0.0f));
  lanes::store(taken.halves.data(), rounded.halves(written));
  lanes::store(taken.reached.data(), written + lanes::make(held.x, held.y, held.z, 0.0f));
}

bool encoder::model::moves(const echo::vec3& wanted, const echo::vec3& held, float limit_square,
                           const step_rounding& rounding, steps& taken) noexcept {
  if (square(wanted - held) <= limit_square) return false;
  steps_toward(wanted, held, rounding, taken);
  return !taken.none();
}

void encoder::model::measure_poses(const echo::state& next) noexcept {
  static constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
  static constexpr pose_axes::vectors unknown_vectors{{unknown, unknown, unknown, unknown},
                                                      {unknown, unknown, unknown, unknown},
                                                      {unknown, unknown, unknown, unknown}};
  static constexpr pose_axes unknown_axes{unknown_vectors, unknown_vectors};
  pose_axes unread;
  std::array<pose_task, 1 + echo::max_players> tasks;
  const echo::session& match = next.match;
  tasks[0] = {
      {&match.vr.at, &match.disc.at, &match.vr.at, &match.disc.at}, &held_.things, &unknown_axes, &unread};
  const std::size_t count = roster_.total;
  for (std::size_t i = 0; i < count; ++i) {
    const echo::player& player = next.players[i];
    const held_player* base = roster_.bases[i];
    pose_task& task = tasks[1 + i];
    task.wanted = {&player.head, &player.body, &player.lhand, &player.rhand};
    task.held = &players_[now_][i].poses;
    if (seen_ == nullptr) continue;
    task.axes_before = &unknown_axes;
    if (base != nullptr) {
      task.axes_before = &seen_->poses[now_ ^ 1][static_cast<std::size_t>(base - players_[now_ ^ 1].data())];
    }
    task.axes_now = &seen_->poses[now_][i];
  }
  const std::span<const pose_task> all(tasks.data(), 1 + count);
  if (seen_ == nullptr) {
    kernels_.measure_poses(all, pose_limits_, pose_steps_.data());
  } else {
    kernels_.measure_poses_ahead(all, pose_lead_, pose_limits_, pose_steps_.data());
  }
}

void encoder::model::complete_steps(const echo::pose& wanted, unsigned which, const held_poses& held,
                                    std::uint32_t otherwise, pose_steps& way) noexcept {
  if (has(way.aimless, which)) way.reached.rotation[which] = otherwise;
  if (!has(way.unreachable, which)) return;
  steps taken;
  steps_toward(wanted.position, {held.x[which], held.y[which], held.z[which]}, pose_limits_.rounding, taken);
  way.xy_half[which] = taken.halves[0] | taken.halves[1] << 16;
  way.z_half[which] = taken.halves[2];
  way.reached.x[which] = taken.reached[0];
  way.reached.y[which] = taken.reached[1];
  way.reached.z[which] = taken.reached[2];
}

void encoder::model::put_pose(const echo::pose& wanted, unsigned which, bool first,
                              byte_writer& out) noexcept {
  pose_steps& way = pose_steps_[0];
  held_poses& held = held_.things;
  // The held value is as good as any.
  complete_steps(wanted, which, held, first ? identity_rotation : held.rotation[which], way);
  bring(held, way.reached, 1u << which, 1u << which);
  out.u32(way.xy_half[which]);
  out.u16(static_cast<std::uint16_t>(way.z_half[which]));
  out.u32(held.rotation[which]);
}

bool encoder::model::put_vr_player(const session& match, byte_writer& out) noexcept {
  const pose_steps& way = pose_steps_[0];
  const bool present = (match.fields & session::has_player) != 0;
  if (is_aimless(way, headset, match.vr.at)) ++left_out.clamped_values;
  // Position and rotation come together.
  if (!keyframe_ && !(present && has(way.moved | way.unreachable | way.turned, headset))) return false;
  put_pose(match.vr.at, headset, keyframe_, out);
  return true;
}

bool encoder::model::put_disc(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::arena || (match.fields & session::has_disc) == 0) return false;
  const pose_steps& way = pose_steps_[0];
  const echo::disc_state& wanted = match.disc;
  if (is_aimless(way, disc, wanted.at)) ++left_out.clamped_values;
  steps sped_up;
  const bool faster =
      moves(wanted.velocity, held_.disc_velocity, velocity_limit_, velocity_rounding_, sped_up);
  if (!keyframe_ && !faster && !has(way.moved | way.unreachable | way.turned, disc)) return false;
  if (!faster) steps_toward(wanted.velocity, held_.disc_velocity, velocity_rounding_, sped_up);
  put_pose(wanted.at, disc, !held_.has_disc, out);
  out.u32(static_cast<std::uint32_t>(sped_up.word()));
  out.u16(static_cast<std::uint16_t>(sped_up.halves[2]));
  held_.disc_velocity = sped_up.place();
  held_.has_disc = true;
  return true;
}

void encoder::model::put_poses(const echo::player& player, bool first, pose_steps& way, held_poses& held,
                               player_bytes& out) noexcept {
  const std::array<const echo::pose*, 4> wanted = {&player.head, &player.body, &player.lhand, &player.rhand};
  unsigned written = 0;
  for (unsigned i = 0; i < 4; ++i) written |= (first || wanted[i]->fields != 0 ? 1u : 0u) << i;
  if (((way.aimless | way.unreachable) & written) != 0) {
    for (unsigned i = 0; i < 4; ++i) {
      if (!has(written, i)) continue;
      if (is_aimless(way, i, *wanted[i])) ++left_out.clamped_values;
      complete_steps(*wanted[i], i, held, first ? identity_rotation : held.rotation[i], way);
    }
  }
  const unsigned moved = first ? 15u : (way.moved | way.unreachable) & written;
  const unsigned turned = first ? 15u : way.turned & written;
  bring(held, way.reached, moved, turned);
  // Position and rotation of the first, of the second ...
  static constexpr std::array<std::uint8_t, 16> every_other{0,  1,  4,  5,  16, 17, 20, 21,
                                                            64, 65, 68, 69, 80, 81, 84, 85};
  out.put(every_other[moved] | unsigned{every_other[turned]} << 1, 1);
  out.put_all<8>([&way, moved, turned](std::size_t piece) -> std::pair<std::uint64_t, std::size_t> {
    const std::size_t i = piece / 2;
    if (piece % 2 != 0) return {way.reached.rotation[i], 4 * (turned >> i & 1u)};
    return {way.xy_half[i] | std::uint64_t{way.z_half[i]} << 32, 6 * (moved >> i & 1u)};
  });
}

}  // namespace tickreel::butter
