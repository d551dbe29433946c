#include "model.hpp"
#include "pose_group.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

constexpr unsigned headset = 0;  // places in held_frame::things
constexpr unsigned disc = 1;

bool has(unsigned mask, unsigned which) noexcept {
  return (mask >> which & 1u) != 0;
}

// It has axes, and they make no rotation.
bool is_aimless(const pose_steps& way, unsigned which, const echo::pose& wanted) noexcept {
  return has(way.aimless, which) && (wanted.fields & (echo::pose::has_forward | echo::pose::has_up)) != 0;
}

}  // namespace

void encoder::model::steps_toward(const echo::vec3& wanted, const echo::vec3& held,
                                  const step_rounding& rounding, steps& taken) noexcept {
  const echo::vec3 way = wanted - held;
  // Farther than a half can tell is walked in several frames, to infinity not at all.
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
  const lanes::floats told = rounded.tellable(lanes::make(way.x, way.y, way.z, 0.0f));
  lanes::store(taken.halves.data(), rounded.halves(told));
  lanes::store(taken.reached.data(), told + lanes::make(held.x, held.y, held.z, 0.0f));
}

void encoder::model::put_steps(const steps& taken, echo::vec3& held, byte_writer& out) noexcept {
  out.u32(taken.halves[0] | taken.halves[1] << 16);
  out.u16(static_cast<std::uint16_t>(taken.halves[2]));
  held = {taken.reached[0], taken.reached[1], taken.reached[2]};
}

bool encoder::model::moves(const echo::vec3& wanted, const echo::vec3& held, float limit_square,
                           const step_rounding& rounding, steps& taken) noexcept {
  if (square(wanted - held) <= limit_square) return false;
  steps_toward(wanted, held, rounding, taken);
  return !taken.none();
}

void encoder::model::measure(const std::array<const echo::pose*, 4>& wanted, const held_poses& held,
                             pose_steps& out) noexcept {
  kernels_.measure_poses(wanted, held, position_rounding_, pose_limits_, out);
  out.moved |= out.unreachable;
}

void encoder::model::turn_ahead(const std::array<const echo::pose*, 4>& wanted,
                                const lead_memory::axes& before, const held_poses& held,
                                pose_steps& way) const noexcept {
  std::array<echo::pose, 4> targets;
  std::array<const echo::pose*, 4> target_places;
  unsigned led_at_all = 0;
  for (unsigned i = 0; i < 4; ++i) {
    target_places[i] = wanted[i];
    if (!has(way.turned, i) || !pose_lead_.ahead(*wanted[i], before[i], targets[i])) continue;
    target_places[i] = &targets[i];
    led_at_all |= 1u << i;
  }
  if (led_at_all == 0) return;
  pose_steps led;
  kernels_.measure_poses(target_places, held, position_rounding_, pose_limits_, led);
  held_poses reached;
  reached.rotation = led.packed;
  pose_steps off;
  kernels_.measure_poses(wanted, reached, position_rounding_, pose_limits_, off);
  for (unsigned i = 0; i < 4; ++i) {
    if (has(led_at_all & ~off.turned & ~led.aimless, i)) way.packed[i] = led.packed[i];
  }
}

void encoder::model::put_position(const pose_steps& way, unsigned which, const echo::vec3& wanted,
                                  held_poses& held, byte_writer& out) noexcept {
  if (has(way.unreachable, which)) {
    echo::vec3 reached{held.x[which], held.y[which], held.z[which]};
    steps taken;
    steps_toward(wanted, reached, position_rounding_, taken);
    put_steps(taken, reached, out);
    held.x[which] = reached.x;
    held.y[which] = reached.y;
    held.z[which] = reached.z;
    return;
  }
  out.u32(way.halves[0][which] | way.halves[1][which] << 16);
  out.u16(static_cast<std::uint16_t>(way.halves[2][which]));
  held.x[which] = way.reached[0][which];
  held.y[which] = way.reached[1][which];
  held.z[which] = way.reached[2][which];
}

void encoder::model::put_rotation(const pose_steps& way, unsigned which, bool first, held_poses& held,
                                  byte_writer& out) noexcept {
  if (!has(way.aimless, which)) {
    held.rotation[which] = way.packed[which];
  } else if (first) {
    // Later, what is held is as good as anything.
    held.rotation[which] = identity_rotation;
  }
  out.u32(held.rotation[which]);
}

bool encoder::model::put_vr_player(const session& match, byte_writer& out) noexcept {
  const bool present = (match.fields & session::has_player) != 0;
  if (is_aimless(things_, headset, match.vr.at)) ++left_out.clamped_values;
  // Position and rotation come together.
  if (!keyframe_ && !(present && has(things_.moved | things_.turned, headset))) return false;
  put_position(things_, headset, match.vr.at.position, held_.things, out);
  put_rotation(things_, headset, keyframe_, held_.things, out);
  return true;
}

bool encoder::model::put_disc(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::arena || (match.fields & session::has_disc) == 0) return false;
  const echo::disc_state& wanted = match.disc;
  if (is_aimless(things_, disc, wanted.at)) ++left_out.clamped_values;
  steps sped_up;
  const bool faster =
      moves(wanted.velocity, held_.disc_velocity, velocity_limit_, velocity_rounding_, sped_up);
  if (!keyframe_ && !faster && !has(things_.moved | things_.turned, disc)) return false;
  if (!faster) steps_toward(wanted.velocity, held_.disc_velocity, velocity_rounding_, sped_up);
  put_position(things_, disc, wanted.at.position, held_.things, out);
  put_rotation(things_, disc, !held_.has_disc, held_.things, out);
  put_steps(sped_up, held_.disc_velocity, out);
  held_.has_disc = true;
  return true;
}

void encoder::model::put_poses(const echo::player& player, const held_player* base, held_player& held,
                               byte_writer& out) noexcept {
  const mutable_byte_span mask_place = out.reserve(1);
  const std::array<const echo::pose*, 4> wanted = {&player.head, &player.body, &player.lhand, &player.rhand};
  const bool fresh = base == nullptr;
  held.poses = fresh ? held_poses{} : base->poses;
  pose_steps way;
  measure(wanted, held.poses, way);
  if (seen_ != nullptr) {
    if (!fresh && way.turned != 0) {
      const auto number_before = static_cast<std::size_t>(base - players_[now_ ^ 1].data());
      turn_ahead(wanted, seen_->poses[now_ ^ 1][number_before], held.poses, way);
    }
    lead_memory::axes& axes = seen_->poses[now_][static_cast<std::size_t>(&held - players_[now_].data())];
    for (std::size_t i = 0; i < 4; ++i) axes[i] = {wanted[i]->forward, wanted[i]->up};
  }
  unsigned mask = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (!fresh && wanted[i]->fields == 0) continue;
    if (fresh || has(way.moved, i)) {
      mask |= 1u << (2 * i);
      put_position(way, i, wanted[i]->position, held.poses, out);
    }
    if (fresh || has(way.turned, i)) {
      mask |= 2u << (2 * i);
      put_rotation(way, i, fresh, held.poses, out);
    }
    if (is_aimless(way, i, *wanted[i])) ++left_out.clamped_values;
  }
  if (!mask_place.empty()) mask_place[0] = static_cast<std::byte>(mask);
}

}  // namespace tickreel::butter
