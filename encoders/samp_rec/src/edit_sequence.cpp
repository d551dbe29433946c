#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tickreel/samp_rec/edit.hpp"

namespace tickreel::samp_rec {

namespace {

constexpr double latest_ms = std::numeric_limits<std::uint32_t>::max();

std::uint32_t to_time_ms(double ms) noexcept {
  return static_cast<std::uint32_t>(std::clamp(std::round(ms), 0.0, latest_ms));
}

vector3 scaled(vector3 v, double factor) noexcept {
  const auto times = [factor](float part) { return static_cast<float>(static_cast<double>(part) * factor); };
  return {times(v.x), times(v.y), times(v.z)};
}

// Half a turn about the body's own up axis. Only permutes and negates, so it is lossless.
quaternion about_face(quaternion q) noexcept {
  return {-q.z, -q.y, q.x, q.w};
}

void scale_train_speed(vehicle_block& block, special_view special, double factor) noexcept {
  if (special != special_view::train_speed) return;
  block.set_train_speed_m_per_20ms(
      static_cast<float>(static_cast<double>(block.train_speed_m_per_20ms()) * factor));
}
void scale_train_speed(on_foot_block&, special_view, double) noexcept {}

// A curve with given positions and velocities (per ms) at its ends.
struct hermite {
  double from, from_slope, to, to_slope, span_ms;

  [[nodiscard]] double at(double u) const noexcept {
    const double u2 = u * u, u3 = u2 * u;
    return from * (2 * u3 - 3 * u2 + 1) + to * (3 * u2 - 2 * u3) +
           span_ms * (from_slope * (u3 - 2 * u2 + u) + to_slope * (u3 - u2));
  }
};

// The share of a blend in which its heading follows its curve instead of the ends: not in its first and last
// fifth.
double share_of_curve(double u) noexcept {
  const double ramp = std::clamp(std::min(u, 1 - u) / 0.2, 0.0, 1.0);
  return ramp * ramp * (3 - 2 * ramp);
}

// A slower blend keeps its heading.
constexpr double heading_from_m_per_s = 0.5;

template <block_type Block>
void add_blend(std::vector<Block>& out, const Block& to, const join_options& options) {
  const Block from = out.back();
  const double span_ms = options.blend_ms;
  const auto axis = [&](float vector3::* part) {
    // Metres per 20 ms to metres per ms.
    return hermite{static_cast<double>(from.position_m.*part),
                   static_cast<double>(from.velocity_m_per_20ms.*part) / game_step_ms,
                   static_cast<double>(to.position_m.*part),
                   static_cast<double>(to.velocity_m_per_20ms.*part) / game_step_ms, span_ms};
  };
  const hermite x = axis(&vector3::x), y = axis(&vector3::y), z = axis(&vector3::z);
  const std::uint32_t step_ms = std::max(options.step_ms, 1u);
  const std::size_t first = out.size() - 1;
  for (std::uint32_t at_ms = step_ms; at_ms < options.blend_ms;
       at_ms += std::min(step_ms, options.blend_ms - at_ms)) {
    const double u = at_ms / span_ms;
    Block block = from;
    block.time_ms = from.time_ms + at_ms;
    block.position_m = {static_cast<float>(x.at(u)), static_cast<float>(y.at(u)),
                        static_cast<float>(z.at(u))};
    block.rotation = slerp(from.rotation, to.rotation, u);
    out.push_back(block);
  }
  out.push_back(to);
  const Block last = out.back();
  derive_velocities(std::span(out).subspan(first));
  out.back() = last;
  out[first].velocity_m_per_20ms = from.velocity_m_per_20ms;
  for (std::size_t i = first + 1; i + 1 < out.size(); ++i) {
    Block& block = out[i];
    const double speed = speed_m_per_s(block.velocity_m_per_20ms);
    set_gait(block, speed);
    const vector3 v = block.velocity_m_per_20ms;
    if (speed < heading_from_m_per_s) continue;
    const quaternion along =
        from_heading_degrees(heading_of_way_degrees(static_cast<double>(v.x), static_cast<double>(v.y)));
    const double u = static_cast<double>(block.time_ms - from.time_ms) / span_ms;
    block.rotation = slerp(block.rotation, along, share_of_curve(u));
  }
}

}  // namespace

void set_gait(on_foot_block& block, double speed_m_per_s) noexcept {
  constexpr double still = 0.05, walk_most = 2.2, run_most = 5.0;
  const bool moves = speed_m_per_s >= still;
  block.left_right = axis::none;
  block.up_down = moves ? axis::forward : axis::none;
  const std::uint16_t others = block.keys & static_cast<std::uint16_t>(~(key::walk | key::sprint));
  block.keys = others;
  block.animation_id = animation::none;
  block.animation_flags = animation::usual_flags;
  if (!moves) return;
  if (speed_m_per_s <= walk_most) {
    block.keys = others | key::walk;
    block.animation_id = animation::walk;
  } else {
    if (speed_m_per_s > run_most) block.keys = others | key::sprint;
    block.animation_id = animation::run;
  }
}

void set_gait(vehicle_block& block, double speed_m_per_s) noexcept {
  constexpr double still = 0.05;
  block.left_right = axis::none;
  block.up_down = axis::none;
  const std::uint16_t others =
      block.keys & static_cast<std::uint16_t>(~((key::sprint | key::jump) | key::aim));
  block.keys = speed_m_per_s >= still ? others | key::sprint : others;
}

template <block_type Block>
std::vector<Block> cut(std::span<const Block> blocks, std::uint32_t from_ms, std::uint32_t to_ms,
                       const cut_options& options) {
  std::vector<Block> out;
  for (const Block& block : blocks) {
    if (block.time_ms >= from_ms && block.time_ms <= to_ms) out.push_back(block);
  }
  if (options.exact_ends && !blocks.empty() && from_ms <= to_ms) {
    const std::uint32_t begin = blocks.front().time_ms, end = blocks.back().time_ms;
    const auto missing = [&](std::uint32_t at, const Block* there) {
      return at > begin && at < end && (there == nullptr || there->time_ms != at);
    };
    if (missing(from_ms, out.empty() ? nullptr : &out.front())) {
      out.insert(out.begin(), at_time(blocks, from_ms));
    }
    if (missing(to_ms, out.empty() ? nullptr : &out.back())) out.push_back(at_time(blocks, to_ms));
  }
  if (options.start_at_zero && !out.empty()) shift_time(std::span(out), -std::int64_t{out.front().time_ms});
  return out;
}

template <block_type Block>
std::vector<Block> join(std::span<const Block> first, std::span<const Block> second,
                        const join_options& options) {
  std::vector<Block> out(first.begin(), first.end());
  std::vector<Block> rest(second.begin(), second.end());
  if (first.empty() || second.empty()) {
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }
  const Block& end = first.back();
  if (options.rebase) {
    rebase(std::span(rest), end.position_m, heading_degrees(end.rotation));
    shift_time(std::span(rest), std::int64_t{end.time_ms} - rest.front().time_ms);
    out.pop_back();
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }
  const std::uint32_t gap_ms = options.blend_ms != 0 ? options.blend_ms : std::max(options.step_ms, 1u);
  const std::int64_t starts_ms = std::int64_t{end.time_ms} + gap_ms;
  shift_time(std::span(rest), starts_ms - rest.front().time_ms);
  if (options.blend_ms != 0) {
    add_blend(out, rest.front(), options);
    out.pop_back();
  }
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

template <block_type Block>
std::vector<Block> reversed(std::span<const Block> blocks, reverse_style style, special_view special) {
  std::vector<Block> out(blocks.rbegin(), blocks.rend());
  if (out.empty()) return out;
  const std::uint32_t both = blocks.front().time_ms + blocks.back().time_ms;
  for (Block& block : out) {
    block.time_ms = both - block.time_ms;
    block.velocity_m_per_20ms = scaled(block.velocity_m_per_20ms, -1);
    scale_train_speed(block, special, -1);
    if (style == reverse_style::turned_round) {
      block.rotation = about_face(block.rotation);
      // A left curve becomes a right curve in the opposite direction.
      if constexpr (std::is_same_v<Block, vehicle_block>) {
        block.left_right = static_cast<std::int16_t>(-block.left_right);
      }
    } else {
      block.up_down = static_cast<std::int16_t>(-block.up_down);
      if constexpr (std::is_same_v<Block, vehicle_block>) {
        const bool accelerates = holds(block.keys, key::sprint), brakes = holds(block.keys, key::jump);
        block.keys &= static_cast<std::uint16_t>(~(key::sprint | key::jump));
        if (accelerates) block.keys = block.keys | key::jump;
        if (brakes) block.keys = block.keys | key::sprint;
      } else {
        block.left_right = static_cast<std::int16_t>(-block.left_right);
      }
    }
  }
  return out;
}

namespace {

enum class gait : std::uint8_t { none, walk, run, sprint };

gait gait_of(double speed_m_per_s) noexcept {
  on_foot_block block;
  set_gait(block, speed_m_per_s);
  if (block.up_down == axis::none) return gait::none;
  return holds(block.keys, key::walk)     ? gait::walk
         : holds(block.keys, key::sprint) ? gait::sprint
                                          : gait::run;
}

// Changes keys and animation of walking, running and sprinting if the new speed requires another gait. Other
// activities stay unchanged.
void follow_pace(on_foot_block& block, double before_m_per_s, double after_m_per_s) noexcept {
  const gait now = gait_of(after_m_per_s);
  const bool goes = block.left_right != axis::none || block.up_down != axis::none;
  if (!goes || now == gait::none || now == gait_of(before_m_per_s)) return;
  on_foot_block fitting;
  set_gait(fitting, after_m_per_s);
  constexpr std::uint16_t gaits = key::walk | key::sprint;
  block.keys = static_cast<std::uint16_t>((block.keys & ~gaits) | (fitting.keys & gaits));
  if (block.animation_id == animation::walk || block.animation_id == animation::run ||
      block.animation_id == animation::sprint) {
    block.animation_id = fitting.animation_id;
  }
}
void follow_pace(vehicle_block&, double, double) noexcept {}

}  // namespace

template <block_type Block>
void retime(std::span<Block> blocks, double factor, special_view special) noexcept {
  if (blocks.empty() || !(factor > 0) || !std::isfinite(factor) || factor == 1) return;
  const double start_ms = blocks.front().time_ms;
  for (Block& block : blocks) {
    block.time_ms = to_time_ms(start_ms + (static_cast<double>(block.time_ms) - start_ms) * factor);
    const double before = speed_m_per_s(block.velocity_m_per_20ms);
    block.velocity_m_per_20ms = scaled(block.velocity_m_per_20ms, 1 / factor);
    follow_pace(block, before, before / factor);
    scale_train_speed(block, special, 1 / factor);
  }
}

template <block_type Block>
void retime_to(std::span<Block> blocks, std::uint32_t duration_ms, special_view special) noexcept {
  if (blocks.empty() || blocks.back().time_ms <= blocks.front().time_ms) return;
  retime(blocks, duration_ms / static_cast<double>(blocks.back().time_ms - blocks.front().time_ms), special);
}

template <block_type Block>
void derive_velocities(std::span<Block> blocks) noexcept {
  if (blocks.empty()) return;
  // Backwards: the index of the next later block.
  std::size_t later = blocks.size();
  for (std::size_t i = blocks.size(); i-- > 0;) {
    if (i + 1 < blocks.size() && blocks[i + 1].time_ms > blocks[i].time_ms) later = i + 1;
    Block& block = blocks[i];
    if (later == blocks.size()) {
      block.velocity_m_per_20ms = {};
      continue;
    }
    const Block& next = blocks[later];
    const double steps = static_cast<double>(next.time_ms - block.time_ms) / game_step_ms;
    const auto rate = [steps](float to, float from) {
      return static_cast<float>((static_cast<double>(to) - static_cast<double>(from)) / steps);
    };
    block.velocity_m_per_20ms = {rate(next.position_m.x, block.position_m.x),
                                 rate(next.position_m.y, block.position_m.y),
                                 rate(next.position_m.z, block.position_m.z)};
  }
}

template <block_type Block>
std::vector<Block> repeated(std::span<const Block> blocks, std::uint32_t times) {
  std::vector<Block> out;
  if (blocks.empty()) return out;
  const std::uint64_t period_ms = blocks.back().time_ms - std::uint64_t{blocks.front().time_ms};
  for (std::uint32_t round = 0; round < times; ++round) {
    const std::uint64_t later_ms = period_ms * round;
    if (out.size() + blocks.size() > limits{}.blocks ||
        blocks.back().time_ms + later_ms > std::uint64_t{0xFFFFFFFF}) {
      break;
    }
    if (!out.empty()) out.pop_back();
    for (const Block& block : blocks) {
      out.push_back(block);
      shift_time(out.back(), static_cast<std::int64_t>(later_ms));
    }
  }
  return out;
}

template std::vector<vehicle_block> cut(std::span<const vehicle_block>, std::uint32_t, std::uint32_t,
                                        const cut_options&);
template std::vector<on_foot_block> cut(std::span<const on_foot_block>, std::uint32_t, std::uint32_t,
                                        const cut_options&);
template std::vector<vehicle_block> join(std::span<const vehicle_block>, std::span<const vehicle_block>,
                                         const join_options&);
template std::vector<on_foot_block> join(std::span<const on_foot_block>, std::span<const on_foot_block>,
                                         const join_options&);
template std::vector<vehicle_block> reversed(std::span<const vehicle_block>, reverse_style, special_view);
template std::vector<on_foot_block> reversed(std::span<const on_foot_block>, reverse_style, special_view);
template void retime(std::span<vehicle_block>, double, special_view) noexcept;
template void retime(std::span<on_foot_block>, double, special_view) noexcept;
template void retime_to(std::span<vehicle_block>, std::uint32_t, special_view) noexcept;
template void retime_to(std::span<on_foot_block>, std::uint32_t, special_view) noexcept;
template void derive_velocities(std::span<vehicle_block>) noexcept;
template void derive_velocities(std::span<on_foot_block>) noexcept;
template std::vector<vehicle_block> repeated(std::span<const vehicle_block>, std::uint32_t);
template std::vector<on_foot_block> repeated(std::span<const on_foot_block>, std::uint32_t);

}  // namespace tickreel::samp_rec
