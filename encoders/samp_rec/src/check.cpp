#include "tickreel/samp_rec/check.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "check_findings.hpp"
#include "check_heading.hpp"
#include "check_keys.hpp"
#include "check_math.hpp"
#include "check_scale.hpp"
#include "check_values.hpp"
#include "histogram.hpp"
#include "tickreel/bytes/flatten.hpp"

namespace tickreel::samp_rec {

namespace {

using detail::length_of;
using detail::squared;
using detail::way;

// Slower movement counts as standing.
constexpr double idle_m_per_s = 0.05;
// A step counts as steady, and for displacement_per_velocity, if the speed changes by less than this.
constexpr double steady_change = 0.1;
// An engine or legs cannot accelerate by this much in one step.
constexpr double vehicle_leap_m_per_s = 25;
constexpr double on_foot_leap_m_per_s = 12;
}  // namespace

template <block_type Block>
struct checker<Block>::state {
  static constexpr bool drives = std::is_same_v<Block, vehicle_block>;
  // Distances on foot are half of those in vehicles.
  static constexpr double scale = drives ? 1 : 0.5;

  explicit state(const check_options& chosen, const file_shape& file)
      : options(chosen), shape(file), findings(chosen.findings) {}

  check_options options;
  file_shape shape;
  check_report report;
  detail::finding_list findings;

  std::uint64_t index = 0;
  bool has_last = false;
  std::uint32_t last_time_ms = 0;
  way last_position;
  way last_velocity;  // m/s, like all here
  double last_speed = 0;

  // The start of the current speed check.
  std::uint32_t speed_from_ms = 0;
  way speed_from;
  way carried;
  double carried_m = 0;

  std::uint32_t turn_from_ms = 0;
  quaternion turn_from;

  detail::velocity_scale whole;
  detail::heading_watch<Block> heading;
  detail::key_watch<Block> keys;
  detail::life_watch<Block> life;
  detail::slope_watch slope;
  detail::odd_value_watch<Block> values;

  detail::linear_histogram<1024> moving_interval{0, 1};
  detail::linear_histogram<1024> idle_interval{0, 1};
  detail::linear_histogram<2001> rotation_length{0.9, 0.0001};
  detail::linear_histogram<2001> displacement{0, 0.05};
  detail::log_histogram heading_error;

  void find(check_kind kind, check_severity severity, std::uint32_t time_ms, double measured, double limit,
            const char* unit, const char* detail) {
    const std::uint64_t offset = shape.layout == block_layout::none
                                     ? file_header::wire_bytes + index * Block::wire_bytes
                                     : shape.block_offset(index);
    findings.add({kind, severity, index, offset, time_ms, measured, limit, unit, detail});
  }

  void add(const Block& block);
  void look_alone(const Block& block, double rotation);
  void look_at_time(const Block& block, bool moving);
  void look_at_step(const Block& block, way position, way velocity, double speed);
  void look_at_span(const Block& block, way position);
  void look_at_heading(const Block& block, way velocity);
  void look_at_keys(const Block& block, way velocity, double speed);
  void look_at_values(const Block& block, way velocity, double speed);
  void look_at_whole();
  void start_spans(const Block& block, way position) noexcept;
};

template <block_type Block>
void checker<Block>::state::look_alone(const Block& block, double rotation) {
  if (std::abs(rotation - 1) > rotation_length_tolerance) {
    find(check_kind::rotation_length, check_severity::error, block.time_ms, rotation, 1, "",
         "the rotation's length is not 1");
  }
  if (const double far = length(block.position_m); far > far_position_m) {
    find(check_kind::far_position, check_severity::warning, block.time_ms, far, far_position_m, "m",
         "far outside the world");
  }
  if (const auto id = weapon_id(block.weapon_and_key); id > last_weapon_id) {
    find(check_kind::unknown_weapon, check_severity::warning, block.time_ms, id, last_weapon_id, "",
         "there is no such weapon");
  }
}

template <block_type Block>
void checker<Block>::state::look_at_time(const Block& block, bool moving) {
  if (block.time_ms < last_time_ms) {
    ++report.statistics.times_backwards;
    find(check_kind::time_backwards, check_severity::error, block.time_ms,
         static_cast<double>(last_time_ms - block.time_ms), 0, "ms", "time goes back");
    return;
  }
  const std::uint32_t step_ms = block.time_ms - last_time_ms;
  (moving ? moving_interval : idle_interval).add(step_ms);
  if (step_ms == 0) {
    ++report.statistics.equal_times;
    find(check_kind::equal_times, check_severity::note, block.time_ms, 0, 0, "ms",
         "the same time as the block before");
  } else if (step_ms > (moving ? options.moving_gap_ms : options.idle_gap_ms)) {
    find(check_kind::long_gap, check_severity::warning, block.time_ms, step_ms,
         moving ? options.moving_gap_ms : options.idle_gap_ms, "ms",
         moving ? "no block for long while moving" : "no block for long");
  }
}

template <block_type Block>
void checker<Block>::state::start_spans(const Block& block, way position) noexcept {
  speed_from_ms = turn_from_ms = block.time_ms;
  speed_from = position;
  turn_from = block.rotation;
  carried = {};
  carried_m = 0;
}

// From one block to the next.
template <block_type Block>
void checker<Block>::state::look_at_step(const Block& block, way position, way velocity, double speed) {
  const double step_s = static_cast<double>(block.time_ms - last_time_ms) * 0.001;
  const way moved = position - last_position;
  const way mean = (velocity + last_velocity) * 0.5;
  const double distance_m = moved.size(), mean_speed = (speed + last_speed) * 0.5;
  report.statistics.path_length_m += distance_m;

  const way off = moved - mean * step_s;
  const double off_squared = squared(off.x) + squared(off.y) + squared(off.z);
  const double allowed_m = options.jump_m * scale + options.lateness_s * std::max(speed, last_speed);
  const double allowed_height_m =
      options.height_jump_m * scale +
      options.lateness_s * std::max(std::abs(velocity.z), std::abs(last_velocity.z));
  // After a gap a body may be anywhere within reach; the gap itself is reported.
  const std::uint32_t step_ms = block.time_ms - last_time_ms;
  const double top = drives ? options.vehicle_top_m_per_s : options.on_foot_top_m_per_s;
  const bool gap = step_ms > options.moving_gap_ms && distance_m <= top * step_s;
  // Lateness moves a body along its path, never across it, unless it turns.
  double across_m = 0, allowed_across_m = 0;
  if (off_squared > squared(options.jump_m * scale) && mean.flat_size() > idle_m_per_s) {
    across_m = std::abs(off.x * mean.y - off.y * mean.x) / mean.flat_size();
    allowed_across_m = options.jump_m * scale + options.lateness_s * (velocity - last_velocity).size();
  }
  const bool sidesteps = !gap && across_m > allowed_across_m;
  const bool is_far = !gap && off_squared > squared(allowed_m), jumps = sidesteps || is_far,
             leaps_up = !gap && std::abs(off.z) > allowed_height_m;
  // A mostly vertical jump is reported as height_jump.
  if (leaps_up && (!jumps || squared(off.z) > 0.5 * off_squared)) {
    find(check_kind::height_jump, check_severity::error, block.time_ms, std::abs(off.z), allowed_height_m,
         "m", moved.z > 0 ? "rises more than the velocities carry" : "falls more than the velocities carry");
  } else if (is_far) {
    find(check_kind::jump, check_severity::error, block.time_ms, off.size(), allowed_m, "m",
         "is off the place to which the velocities carry");
  } else if (sidesteps) {
    find(check_kind::jump, check_severity::error, block.time_ms, across_m, allowed_across_m, "m",
         "jumps sideways");
  } else if (const double leap = speed - last_speed,
             most = drives ? vehicle_leap_m_per_s : on_foot_leap_m_per_s;
             leap > most && step_s < 0.2) {
    find(check_kind::jump, check_severity::warning, block.time_ms, leap, most, "m/s",
         "the speed leaps from one block to the next");
  }
  if (jumps || leaps_up || step_ms > options.moving_gap_ms) {
    start_spans(block, position);
    keys = {};
    return;
  }

  whole.add(moved, distance_m, mean, mean_speed, step_s);
  carried = carried + mean * step_s;
  carried_m += mean_speed * step_s;
  if (step_s > 0 && std::min(speed, last_speed) > (drives ? 2 : 0.5) &&
      std::abs(speed - last_speed) < steady_change * speed) {
    displacement.add(distance_m * m_per_s_per_unit / (step_s * mean_speed));
  }
}

// Over a time that is long enough to average late blocks.
template <block_type Block>
void checker<Block>::state::look_at_span(const Block& block, way position) {
  if (const std::uint32_t span_ms = block.time_ms - speed_from_ms; span_ms >= options.speed_span_ms) {
    const way moved = position - speed_from;
    const double moved_m = moved.size(), off_m = (moved - carried).size();
    const double way_m = std::max(moved_m, carried_m);
    const double allowed_m = options.speed_tolerance_m * scale + options.speed_tolerance * way_m +
                             options.speed_lateness_s * carried_m * 1000 / span_ms;
    if (off_m > allowed_m) {
      find(check_kind::speed_mismatch, check_severity::warning, block.time_ms, off_m, allowed_m, "m",
           moved_m > carried_m ? "moves farther than its velocities carry"
                               : "its velocities carry farther than it moves");
    }
    speed_from_ms = block.time_ms;
    speed_from = position;
    carried = {};
    carried_m = 0;
  }
  if (const std::uint32_t span_ms = block.time_ms - turn_from_ms; span_ms >= options.turn_span_ms) {
    const double most = drives ? options.vehicle_turn_degrees_per_s : options.on_foot_turn_degrees_per_s;
    const double span_s = static_cast<double>(span_ms) / 1000;
    const float cosine = std::abs(turn_from.w * block.rotation.w + turn_from.x * block.rotation.x +
                                  turn_from.y * block.rotation.y + turn_from.z * block.rotation.z);
    // The exact angle costs more, and rotations are mostly close to each other. An aiming player turns as
    // fast as the mouse.
    if (cosine < 0.99f && (drives || !holds(block.keys, key::aim))) {
      const double rate = angle_between_degrees(turn_from, block.rotation) / span_s;
      if (rate > most) {
        find(check_kind::turn_rate, check_severity::warning, block.time_ms, rate, most, "degrees/s",
             "turns too fast");
      }
    }
    turn_from_ms = block.time_ms;
    turn_from = block.rotation;
  }
}

template <block_type Block>
void checker<Block>::state::look_at_heading(const Block& block, way velocity) {
  const auto facing = heading.look(block, velocity, options);
  if (facing.degrees) heading_error.add(*facing.degrees);
  if (facing.detail != nullptr) {
    find(check_kind::heading_mismatch, check_severity::warning, block.time_ms, facing.degrees.value_or(0),
         facing.limit, "degrees", facing.detail);
  }
}

template <block_type Block>
void checker<Block>::state::look_at_keys(const Block& block, way velocity, double speed) {
  if (const auto wrong = keys.look(block, speed, velocity.z, options.keys_span_ms); wrong.detail != nullptr) {
    find(check_kind::keys_mismatch, check_severity::warning, block.time_ms, wrong.measured, wrong.limit,
         "m/s", wrong.detail);
  }
  const double top = drives ? options.vehicle_top_m_per_s : options.on_foot_top_m_per_s;
  if (const double fast = drives ? speed : velocity.flat_size(); fast > top) {
    find(check_kind::too_fast, check_severity::warning, block.time_ms, fast, top, "m/s",
         "faster than anything goes");
  }
}

template <block_type Block>
void checker<Block>::state::look_at_values(const Block& block, way velocity, double speed) {
  if (const auto wrong = values.look(block); wrong.detail != nullptr) {
    find(check_kind::odd_value, check_severity::warning, block.time_ms, wrong.measured, wrong.limit, "",
         wrong.detail);
  }
  if (const auto wrong = life.look(block, speed, options.life_span_ms); wrong.detail != nullptr) {
    find(check_kind::life, check_severity::warning, block.time_ms, wrong.measured, wrong.limit, "",
         wrong.detail);
  }
  if constexpr (drives) {
    const way nose(forward_of(block.rotation));
    const double ahead =
        speed > 0 ? (nose.x * velocity.x + nose.y * velocity.y + nose.z * velocity.z) / speed : 0;
    if (const double steep = slope.look(speed, velocity.z, ahead, block.time_ms, options.slope_span_ms);
        steep > 0) {
      find(check_kind::slope, check_severity::warning, block.time_ms, steep,
           detail::slope_watch::steepest_degrees, "degrees", "climbs steeper than wheels hold");
    }
  }
}

template <block_type Block>
void checker<Block>::state::look_at_whole() {
  const auto wrong = whole.judge(report.statistics.displacement_per_velocity, options);
  if (wrong.detail == nullptr) return;
  index = 0;
  findings.make_room(check_severity::error);  // it concerns all blocks
  find(check_kind::speed_scale, check_severity::error, report.statistics.first_time_ms, wrong.measured,
       m_per_s_per_unit, "m/s", wrong.detail);
}

template <block_type Block>
TICKREEL_FLATTEN void checker<Block>::state::add(const Block& block) {
  check_statistics& facts = report.statistics;
  const way position(block.position_m), velocity = way(block.velocity_m_per_20ms) * m_per_s_per_unit;
  const double speed = velocity.size(), rotation = length_of(block.rotation);
  const double far = std::abs(position.x) + std::abs(position.y) + std::abs(position.z);
  // One test for all ten numbers: floats do not overflow in these sums.
  if (!std::isfinite(far + speed + rotation)) {
    find(check_kind::not_finite, check_severity::error, block.time_ms, 0, 0, "",
         "position, rotation or velocity is not a number");
    ++facts.blocks;
    ++index;
    return;
  }
  rotation_length.add(rotation);
  if (std::abs(rotation - 1) > rotation_length_tolerance ||
      weapon_id(block.weapon_and_key) > last_weapon_id || far > far_position_m) {
    look_alone(block, rotation);
  }
  facts.top_speed_m_per_s = std::max(facts.top_speed_m_per_s, speed);
  if (!has_last) {
    facts.first_time_ms = block.time_ms;
    facts.min_position_m = facts.max_position_m = block.position_m;
    start_spans(block, position);
  } else {
    const vector3 p = block.position_m;
    facts.min_position_m = {std::min(facts.min_position_m.x, p.x), std::min(facts.min_position_m.y, p.y),
                            std::min(facts.min_position_m.z, p.z)};
    facts.max_position_m = {std::max(facts.max_position_m.x, p.x), std::max(facts.max_position_m.y, p.y),
                            std::max(facts.max_position_m.z, p.z)};
    look_at_time(block, std::max(speed, last_speed) > idle_m_per_s);
    if (block.time_ms < last_time_ms) {
      facts.path_length_m += (position - last_position).size();
      start_spans(block, position);
    } else {
      look_at_step(block, position, velocity, speed);
      look_at_span(block, position);
    }
  }
  look_at_heading(block, velocity);
  look_at_keys(block, velocity, speed);
  look_at_values(block, velocity, speed);
  facts.last_time_ms = block.time_ms;
  last_time_ms = block.time_ms;
  last_position = position;
  last_velocity = velocity;
  last_speed = speed;
  has_last = true;
  ++facts.blocks;
  ++index;
}

template <block_type Block>
checker<Block>::checker(const check_options& options, const file_shape& shape)
    : state_(std::make_unique<state>(options, shape)) {}
template <block_type Block>
checker<Block>::~checker() = default;
template <block_type Block>
checker<Block>::checker(checker&&) noexcept = default;
template <block_type Block>
checker<Block>& checker<Block>::operator=(checker&&) noexcept = default;

template <block_type Block>
void checker<Block>::add(const Block& block) {
  state_->add(block);
}

template <block_type Block>
check_report checker<Block>::finish() {
  check_statistics& facts = state_->report.statistics;
  facts.moving_interval_ms = state_->moving_interval.finish();
  facts.idle_interval_ms = state_->idle_interval.finish();
  facts.rotation_length = state_->rotation_length.finish();
  facts.displacement_per_velocity = state_->displacement.finish();
  facts.heading_error_degrees = state_->heading_error.finish();
  state_->look_at_whole();
  state_->findings.move_to(state_->report);
  return std::move(state_->report);
}

template <block_type Block>
check_report check(std::span<const Block> blocks, const check_options& options) {
  checker<Block> one(options);
  one.add(blocks);
  return one.finish();
}

template class checker<vehicle_block>;
template class checker<on_foot_block>;
template check_report check(std::span<const vehicle_block>, const check_options&);
template check_report check(std::span<const on_foot_block>, const check_options&);

check_report check(const recording& recorded, const check_options& options) {
  const auto checked = [&]<block_type Block>(const std::vector<Block>& blocks) {
    checker<Block> one(options, recorded.shape);
    one.add(std::span<const Block>(blocks));
    return one.finish();
  };
  return recorded.kind == recording_kind::vehicle ? checked(recorded.vehicle) : checked(recorded.on_foot);
}

}  // namespace tickreel::samp_rec
