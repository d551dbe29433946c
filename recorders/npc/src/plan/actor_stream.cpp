#include "tickreel/npc/actor_stream.hpp"

#include <algorithm>
#include <cmath>

#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::npc {

namespace {

// The threshold of motion (readers of recordings use it, too).
constexpr double standing_mps = 0.05;
// The path's speed is already limited by its bends; this limits rounding errors.
constexpr double turn_allowance = 1.1;

double towards(double from, double to, double most) noexcept {
  return from + std::clamp(to - from, -most, most);
}

template <class Block>
const std::vector<Block>& blocks_of(const recorded& of) noexcept {
  if constexpr (std::is_same_v<Block, samp_rec::on_foot_block>) {
    return of.on_foot;
  } else {
    return of.vehicle;
  }
}

std::uint32_t time_in(const recorded& of, std::size_t block) noexcept {
  return recorded::visit(of, [block](const auto& blocks) { return blocks[block].time_ms; });
}

double value_of(const looks& look, field what) noexcept {
  return look[static_cast<std::size_t>(what)];
}

// What all kinds of blocks share.
template <class Block>
void fill_common(Block& to, const looks& look, std::int64_t time_ms, const vec3& position,
                 const vec3& velocity_mps) {
  to.time_ms = static_cast<std::uint32_t>(time_ms);
  to.position_m = {static_cast<float>(position.x), static_cast<float>(position.y),
                   static_cast<float>(position.z)};
  to.velocity_m_per_20ms = samp_rec::velocity_from_m_per_s(velocity_mps.x, velocity_mps.y, velocity_mps.z);
  to.weapon_and_key = static_cast<std::uint8_t>(value_of(look, field::weapon));
  to.keys = static_cast<std::uint16_t>(value_of(look, field::extra_keys));
}

}  // namespace

actor_stream::actor_stream(const plan& part, const timeline& when)
    : plan_(part),
      when_(when),
      traits_(part.traits()),
      step_ms_(std::llround(part.traits().step_s * 1000)),
      begin_ms_(std::llround(when.begin_s * 1000)),
      position_(part.start_position().value_or(vec3{})),
      heading_deg_(part.start_heading_deg()),
      turn_rate_dps_(part.traits().limits.turn_rate_dps),
      look_(part.start_looks()) {
  shown_heading_ = heading_deg_;
  if (!part.directions().empty()) {
    if (const auto* first = std::get_if<travel>(&part.directions().front())) rolling_ = first->way.rolling;
  }
}

void actor_stream::enter(std::size_t index) {
  entered_ = true;
  const direction& what = plan_.directions()[index];
  if (const auto* going = std::get_if<travel>(&what)) {
    cursor_.emplace(going->way);
    reverse_ = going->way.reverse;
    next_mark_ = 0;
  } else if (const auto* shown = std::get_if<change>(&what)) {
    look_[static_cast<std::size_t>(shown->what)] = shown->value;
  }
}

void actor_stream::leave(std::size_t index) {
  entered_ = false;
  const direction& what = plan_.directions()[index];
  if (const auto* going = std::get_if<travel>(&what)) {
    const run_cursor::place end = cursor_->at(cursor_->duration_s());
    position_ = end.point.position;
    tangent_ = end.point.tangent;
    if (end.point.has_heading()) heading_deg_ = wrap_degrees(heading_of(tangent_) + (reverse_ ? 180 : 0));
    for (; next_mark_ < going->marks.size(); ++next_mark_) {
      if (const auto* shown = std::get_if<change>(&going->marks[next_mark_].what)) {
        look_[static_cast<std::size_t>(shown->what)] = shown->value;
      }
    }
    cursor_.reset();
  } else if (const auto* turn = std::get_if<spot_turn>(&what)) {
    heading_deg_ = wrap_degrees(turn->from_deg + turn->by_deg);
  } else if (const auto* played = std::get_if<perform>(&what)) {
    const place_and_heading last = last_place(*played->what);
    position_ = last.position;
    heading_deg_ = wrap_degrees(last.heading_deg);
    shown_heading_ = heading_deg_;
    tangent_ = direction_of(heading_deg_);
    reverse_ = false;
  }
}

void actor_stream::go_to(double t_s) {
  const auto& directions = plan_.directions();
  moving_ = false;
  speed_mps_ = 0;
  if (t_s < when_.begin_s) return;
  while (index_ < directions.size()) {
    if (!entered_) enter(index_);
    const double end_s = index_ + 1 < directions.size() ? when_.starts_s[index_ + 1] : when_.duration_s;
    // A rolling loop includes its last instant; it ends as it began.
    if (t_s < end_s) break;
    leave(index_);
    ++index_;
  }
  if (index_ >= directions.size()) {
    // Continues at the end speed until the last block.
    const double end_mps = plan_.options().end_mps;
    if (end_mps <= 0) return;
    if (!end_) end_ = position_;
    speed_mps_ = end_mps;
    position_ = *end_ + tangent_ * (end_mps * (t_s - when_.duration_s));
    return;
  }
  const double inside_s = t_s - when_.starts_s[index_];
  if (const auto* going = std::get_if<travel>(&directions[index_])) {
    const run_cursor::place here = cursor_->at(inside_s);
    position_ = here.point.position;
    tangent_ = here.point.tangent;
    speed_mps_ = here.speed_mps;
    turn_rate_dps_ = here.turn_rate_dps;
    moving_ = true;
    if (here.point.has_heading()) heading_deg_ = wrap_degrees(heading_of(tangent_) + (reverse_ ? 180 : 0));
    for (; next_mark_ < going->marks.size() && going->marks[next_mark_].distance_m <= here.distance_m;
         ++next_mark_) {
      if (const auto* shown = std::get_if<change>(&going->marks[next_mark_].what)) {
        look_[static_cast<std::size_t>(shown->what)] = shown->value;
      }
    }
  } else if (const auto* turn = std::get_if<spot_turn>(&directions[index_])) {
    moving_ = true;
    turn_rate_dps_ = turn->rate_dps;
    const double turned = std::min(std::abs(turn->by_deg), turn->rate_dps * inside_s);
    heading_deg_ = wrap_degrees(turn->from_deg + std::copysign(turned, turn->by_deg));
  }
}

vec3 actor_stream::intended_position(double t_s) {
  go_to(t_s);
  return position_;
}

actor_stream::sample actor_stream::sample_at(std::int64_t time_ms) {
  sample result;
  result.time_ms = time_ms;
  go_to(static_cast<double>(time_ms) / 1000);
  result.position = position_;
  result.heading_deg = heading_deg_;
  const double slope_deg = std::asin(std::clamp(tangent_.z, -1.0, 1.0)) * degrees_per_radian;
  result.pitch_deg = !traits_.pitch_by_slope ? 0 : reverse_ ? -slope_deg : slope_deg;
  result.reverse = reverse_;
  result.speed_mps = speed_mps_;
  result.moving = moving_;
  result.look = look_;
  const auto& directions = plan_.directions();
  if (index_ < directions.size() && !moving_) {
    if (const auto* played = std::get_if<perform>(&directions[index_])) {
      result.played = played->what.get();
      result.moving = true;
      return result;
    }
    // Standing lasts until something changes in the blocks.
    std::size_t next = index_ + 1;
    const auto still = [](const direction& each) {
      return std::holds_alternative<stand>(each) || std::holds_alternative<stand_until>(each) ||
             std::holds_alternative<stand_until_time>(each) || std::holds_alternative<emit>(each);
    };
    while (next < directions.size() && still(directions[next])) ++next;
    result.still_until_s = next < directions.size() ? when_.starts_s[next] : when_.duration_s;
  }
  return result;
}

std::int64_t actor_stream::time_after(const sample& from) const {
  std::int64_t next_ms = from.time_ms + step_ms_;
  if (!from.moving) {
    const double left_ms = from.still_until_s * 1000 - static_cast<double>(from.time_ms);
    const std::int64_t whole_ms =
        static_cast<std::int64_t>(left_ms / static_cast<double>(step_ms_) + 1e-6) * step_ms_;
    constexpr auto idle_ms = static_cast<std::int64_t>(idle_step_s * 1000);
    next_ms = from.time_ms + std::clamp(whole_ms, step_ms_, idle_ms);
    // The last block of all is at the end of the part.
    if (from.still_until_s >= when_.duration_s && left_ms <= static_cast<double>(idle_ms)) {
      next_ms =
          from.time_ms + std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(left_ms - 1e-6)));
    }
  }
  // A recording begins with its first block.
  const auto& directions = plan_.directions();
  for (std::size_t i = index_ + 1; i < directions.size(); ++i) {
    const double start_ms = when_.starts_s[i] * 1000;
    if (start_ms > static_cast<double>(next_ms)) break;
    if (!std::holds_alternative<perform>(directions[i])) continue;
    const auto first_ms = static_cast<std::int64_t>(std::ceil(start_ms - 1e-3));
    if (first_ms > from.time_ms) next_ms = std::min(next_ms, first_ms);
  }
  return next_ms;
}

// A rolling loop ends with the block with which it begins.
template <class Block>
void actor_stream::keep_seam(Block& block, bool last) {
  auto& first = std::get<std::optional<Block>>(first_);
  if (!first) first = block;
  if (!last) return;
  const std::uint32_t time_ms = block.time_ms;
  block = *first;
  block.time_ms = time_ms;
}

template <class Block>
bool actor_stream::next_block(Block& to) {
  if (finished_) return false;
  if (!started_) {
    current_ = sample_at(begin_ms_);
    shown_heading_ = current_.heading_deg;
    shown_pitch_ = current_.pitch_deg;
    started_ = true;
  }
  sample following;
  vec3 velocity;
  if (current_.played != nullptr) {
    const auto& blocks = blocks_of<Block>(*current_.played);
    to = blocks[current_.played_block];
    to.time_ms = static_cast<std::uint32_t>(current_.time_ms);
    if (current_.played_block + 1 < blocks.size()) {
      current_.time_ms += time_in(*current_.played, current_.played_block + 1) -
                          time_in(*current_.played, current_.played_block);
      ++current_.played_block;
      return true;
    }
    go_to(static_cast<double>(current_.time_ms) / 1000);
    if (index_ >= plan_.directions().size()) {
      finished_ = true;
      return true;
    }
    // Values of a block hold until the next one.
    following = sample_at(current_.time_ms + step_ms_);
    velocity = (following.position - position_) * (1000.0 / static_cast<double>(step_ms_));
    to.velocity_m_per_20ms = samp_rec::velocity_from_m_per_s(velocity.x, velocity.y, velocity.z);
    current_ = following;
    return true;
  }
  const bool last = static_cast<double>(current_.time_ms) >= when_.duration_s * 1000 - 1e-6;
  double seconds = traits_.step_s;
  if (last) {
    following = current_;
    finished_ = true;
    if (plan_.options().end_mps > 0) velocity = tangent_ * current_.speed_mps;
  } else {
    following = sample_at(time_after(current_));
    if (following.played != nullptr) following.position = first_place(*following.played).position;
    seconds = static_cast<double>(following.time_ms - current_.time_ms) / 1000;
    velocity = (following.position - current_.position) * (1 / seconds);
  }
  const double turn_dps = wrap_degrees(following.heading_deg - current_.heading_deg) / seconds;
  const double gain_mps2 = (following.speed_mps - current_.speed_mps) / seconds;
  show(current_, turn_dps, gain_mps2);
  fill(to, current_, velocity, turn_dps, gain_mps2);
  if (rolling_) keep_seam(to, last);
  shown_s_ = seconds;
  current_ = following;
  return true;
}

// The body follows the path at limited rates.
void actor_stream::show(const sample& from, double turn_dps, double gain_mps2) {
  const bool on_foot = plan_.options().kind == body::on_foot;
  const double max_turn = turn_rate_dps_ * turn_allowance * shown_s_;
  shown_heading_ = wrap_degrees(
      shown_heading_ + std::clamp(wrap_degrees(from.heading_deg - shown_heading_), -max_turn, max_turn));
  if (on_foot) return;
  constexpr double gravity_mps2 = 9.81;
  const double ahead_mps = from.reverse ? -from.speed_mps : from.speed_mps;
  const double lean =
      std::clamp(-traits_.lean * std::atan(ahead_mps * turn_dps / degrees_per_radian / gravity_mps2) *
                     degrees_per_radian,
                 -traits_.max_lean_deg, traits_.max_lean_deg);
  double pitch = from.pitch_deg;
  if (!traits_.pitch_by_slope) {
    // A helicopter flies with its nose down: about a third of a degree for each metre per second.
    const double ahead_mps2 = from.reverse ? -gain_mps2 : gain_mps2;
    pitch = std::clamp(-(0.3 * ahead_mps * horizontal_length(tangent_) + 1.5 * ahead_mps2), -15.0, 10.0);
  }
  if (rolling_ && from.time_ms == begin_ms_) {
    shown_pitch_ = first_pitch_ = pitch;
    shown_roll_ = first_roll_ = lean;
    return;
  }
  const double most = traits_.pitch_rate_dps * shown_s_;
  shown_pitch_ = towards(shown_pitch_, pitch, most);
  shown_roll_ = towards(shown_roll_, lean, most);
  if (rolling_) {
    // Back to the state with which the loop begins.
    const double left =
        traits_.pitch_rate_dps * (when_.duration_s - static_cast<double>(from.time_ms) / 1000);
    shown_pitch_ = towards(first_pitch_, shown_pitch_, left);
    shown_roll_ = towards(first_roll_, shown_roll_, left);
  }
}

void actor_stream::fill(samp_rec::on_foot_block& to, const sample& from, const vec3& velocity_mps, double,
                        double) {
  to = {};
  fill_common(to, from.look, from.time_ms, from.position, velocity_mps);
  to.rotation = samp_rec::from_heading_degrees(shown_heading_);
  to.health = static_cast<std::uint8_t>(value_of(from.look, field::health));
  to.armour = static_cast<std::uint8_t>(value_of(from.look, field::armour));
  to.special_action = static_cast<std::uint8_t>(value_of(from.look, field::special_action));
  to.surf_id = static_cast<std::uint16_t>(value_of(from.look, field::surface_id));
  // Maximum speeds of walking and running in metres per second, between the measured speeds of both.
  constexpr double fastest_walk_mps = 2.2;
  constexpr double fastest_run_mps = 5.0;
  const double speed = horizontal_length(velocity_mps);
  to.animation_flags = samp_rec::animation::usual_flags;
  if (speed > standing_mps) {
    to.up_down = samp_rec::axis::forward;
    if (speed <= fastest_walk_mps) {
      to.keys = to.keys | samp_rec::key::walk;
      to.animation_id = samp_rec::animation::walk;
    } else if (speed <= fastest_run_mps) {
      to.animation_id = samp_rec::animation::run;
    } else {
      to.keys = to.keys | samp_rec::key::sprint;
      to.animation_id = samp_rec::animation::sprint;
    }
  }
  if (const auto own = static_cast<std::uint32_t>(value_of(from.look, field::animation)); own != 0) {
    to.animation_id = static_cast<std::uint16_t>(own & 0xFFFF);
    to.animation_flags = static_cast<std::uint16_t>(own >> 16);
  }
}

void actor_stream::fill(samp_rec::vehicle_block& to, const sample& from, const vec3& velocity_mps,
                        double turn_dps, double gain_mps2) {
  to = {};
  fill_common(to, from.look, from.time_ms, from.position, velocity_mps);
  to.rotation = shown_pitch_ == 0 && shown_roll_ == 0
                    ? samp_rec::from_heading_degrees(shown_heading_)
                    : samp_rec::from_angles({shown_pitch_, shown_roll_, shown_heading_});
  to.driver_health = static_cast<std::uint8_t>(value_of(from.look, field::health));
  to.driver_armour = static_cast<std::uint8_t>(value_of(from.look, field::armour));
  to.vehicle_health = static_cast<float>(value_of(from.look, field::vehicle_health));
  to.vehicle_id = static_cast<std::uint16_t>(value_of(from.look, field::vehicle_id));
  to.siren = static_cast<std::uint8_t>(value_of(from.look, field::siren));
  to.landing_gear = static_cast<std::uint8_t>(value_of(from.look, field::landing_gear));
  to.special = static_cast<std::uint32_t>(value_of(from.look, field::thrusters));
  const double speed = length(velocity_mps);
  if (plan_.options().kind == body::train) {
    // The game's own range.
    const double stored = std::min(1.0, samp_rec::length(to.velocity_m_per_20ms));
    to.set_train_speed_m_per_20ms(static_cast<float>(from.reverse ? -stored : stored));
  }
  if (speed <= standing_mps) return;
  // Recordings show about -3 m/s2 while braking; a weaker deceleration is the engine's.
  constexpr double braking_mps2 = -0.3;
  // In reverse, the brake key accelerates and the accelerator brakes.
  const bool brakes = gain_mps2 < braking_mps2;
  to.keys = to.keys | (brakes != from.reverse ? samp_rec::key::jump : samp_rec::key::sprint);
  // At full lock, recorded cars turned by about 20 degrees a second on average and twice that at most.
  constexpr double full_lock_dps = 40;
  constexpr double straight_dps = 1;
  if (std::abs(turn_dps) > straight_dps && plan_.options().kind != body::train) {
    const double lock = std::clamp((from.reverse ? turn_dps : -turn_dps) / full_lock_dps, -1.0, 1.0);
    to.left_right = static_cast<std::int16_t>(std::lround(lock * 128));
  }
}

template <class Block>
bool actor_stream::next_from_begin(Block& to) {
  if (!next_block(to)) return false;
  to.time_ms -= static_cast<std::uint32_t>(begin_ms_);
  return true;
}

bool actor_stream::next(samp_rec::on_foot_block& to) {
  return next_from_begin(to);
}
bool actor_stream::next(samp_rec::vehicle_block& to) {
  return next_from_begin(to);
}

}  // namespace tickreel::npc
