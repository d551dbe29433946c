#include <algorithm>
#include <cmath>

#include "tickreel/samp_rec/edit.hpp"

namespace tickreel::samp_rec {

namespace {

constexpr std::size_t max_neighbours = 256;

template <class Block>
std::size_t last_not_after(std::span<const Block> blocks, double time_ms) noexcept {
  const auto later = std::upper_bound(
      blocks.begin(), blocks.end(), time_ms,
      [](double time, const Block& block) { return time < static_cast<double>(block.time_ms); });
  return later == blocks.begin() ? 0 : static_cast<std::size_t>(later - blocks.begin()) - 1;
}

// The slope at a block of the curve through its neighbours, per ms. At a standstill it is 0, so that the
// curve does not overshoot.
template <class Block>
double slope_at(std::span<const Block> blocks, std::size_t at, float vector3::* part) noexcept {
  const Block& here = blocks[at];
  std::size_t before = at, after = at;
  while (before > 0 && blocks[before].time_ms == here.time_ms) --before;
  while (after + 1 < blocks.size() && blocks[after].time_ms == here.time_ms) ++after;
  const Block &from = blocks[before], &to = blocks[after];
  if (from.time_ms >= here.time_ms || to.time_ms <= here.time_ms) return 0;
  if (from.position_m == here.position_m || to.position_m == here.position_m) return 0;
  const double change = static_cast<double>(to.position_m.*part) - static_cast<double>(from.position_m.*part);
  return change / static_cast<double>(to.time_ms - from.time_ms);
}

float between(float from, float to, double u) noexcept {
  return static_cast<float>(static_cast<double>(from) +
                            (static_cast<double>(to) - static_cast<double>(from)) * u);
}

// True if two blocks differ only in their time and do not move.
template <class Block>
bool rests(const Block& a, Block b) noexcept {
  b.time_ms = a.time_ms;
  return a.velocity_m_per_20ms == vector3{} && same_bits(a, b);
}

template <class Block>
bool rests_until(std::span<const Block> blocks, double from_ms, double until_ms) noexcept {
  const std::size_t first = last_not_after(blocks, from_ms);
  for (std::size_t i = first + 1; i < blocks.size(); ++i) {
    if (!rests(blocks[first], blocks[i])) return false;
    if (static_cast<double>(blocks[i].time_ms) >= until_ms) break;
  }
  return true;
}

struct mean_state {
  double weight = 0;
  double x = 0, y = 0, z = 0;
  double qw = 0, qx = 0, qy = 0, qz = 0;

  template <class Block>
  void add(const Block& block, quaternion near, double share) noexcept {
    const quaternion q = block.rotation;
    const float cosine = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
    const double side = cosine < 0 ? -share : share;
    weight += share;
    x += static_cast<double>(block.position_m.x) * share;
    y += static_cast<double>(block.position_m.y) * share;
    z += static_cast<double>(block.position_m.z) * share;
    qw += static_cast<double>(q.w) * side;
    qx += static_cast<double>(q.x) * side;
    qy += static_cast<double>(q.y) * side;
    qz += static_cast<double>(q.z) * side;
  }
};

}  // namespace

template <block_type Block>
Block at_time(std::span<const Block> blocks, double time_ms) noexcept {
  if (!(time_ms > static_cast<double>(blocks.front().time_ms))) return blocks.front();
  const std::size_t at = last_not_after(blocks, time_ms);
  Block out = blocks[at];
  const double since_ms = time_ms - static_cast<double>(out.time_ms);
  if (at + 1 == blocks.size() || since_ms <= 0) return out;
  const Block& next = blocks[at + 1];
  const double span_ms = static_cast<double>(next.time_ms - out.time_ms);
  const double u = since_ms / span_ms, u2 = u * u, u3 = u2 * u;
  const auto position = [&](float vector3::* part) {
    return static_cast<float>(static_cast<double>(blocks[at].position_m.*part) * (2 * u3 - 3 * u2 + 1) +
                              static_cast<double>(next.position_m.*part) * (3 * u2 - 2 * u3) +
                              span_ms * (slope_at(blocks, at, part) * (u3 - 2 * u2 + u) +
                                         slope_at(blocks, at + 1, part) * (u3 - u2)));
  };
  out.position_m = {position(&vector3::x), position(&vector3::y), position(&vector3::z)};
  out.rotation = slerp(out.rotation, next.rotation, u);
  const vector3 from = out.velocity_m_per_20ms, to = next.velocity_m_per_20ms;
  out.velocity_m_per_20ms = {between(from.x, to.x, u), between(from.y, to.y, u), between(from.z, to.z, u)};
  out.time_ms = static_cast<std::uint32_t>(std::round(time_ms));
  return out;
}

template <block_type Block>
std::vector<Block> resampled(std::span<const Block> blocks, const resample_options& options) {
  std::vector<Block> out;
  if (blocks.empty()) return out;
  const std::uint64_t step_ms = std::max(options.step_ms, 1u);
  const std::uint64_t idle_ms = std::max<std::uint64_t>(options.idle_step_ms, step_ms);
  const std::uint64_t end_ms = blocks.back().time_ms;
  for (std::uint64_t at_ms = blocks.front().time_ms; at_ms < end_ms && out.size() + 1 < limits{}.blocks;) {
    out.push_back(at_time(blocks, static_cast<double>(at_ms)));
    const bool idle = idle_ms > step_ms &&
                      rests_until(blocks, static_cast<double>(at_ms), static_cast<double>(at_ms + idle_ms));
    at_ms += idle ? idle_ms : step_ms;
  }
  out.push_back(blocks.back());
  return out;
}

template <block_type Block>
std::vector<Block> smoothed(std::span<const Block> blocks, std::uint32_t radius_ms) {
  std::vector<Block> out(blocks.begin(), blocks.end());
  if (blocks.size() < 3 || radius_ms == 0) return out;
  const std::uint32_t begin_ms = blocks.front().time_ms, end_ms = blocks.back().time_ms;
  for (std::size_t i = 1; i + 1 < blocks.size(); ++i) {
    const Block& here = blocks[i];
    // Symmetric, limited by the nearer end, so that the ends are not distorted.
    const std::uint32_t radius = std::min({radius_ms, here.time_ms - begin_ms, end_ms - here.time_ms});
    if (radius == 0) continue;
    mean_state mean;
    const auto add = [&](const Block& other) {
      const double away = std::abs(static_cast<double>(other.time_ms) - static_cast<double>(here.time_ms));
      if (away >= radius) return false;
      mean.add(other, here.rotation, 1 - away / radius);
      return true;
    };
    add(here);
    for (std::size_t n = 1; n <= std::min(i, max_neighbours) && add(blocks[i - n]); ++n) {}
    for (std::size_t n = 1; n <= max_neighbours && i + n < blocks.size() && add(blocks[i + n]); ++n) {}
    out[i].position_m = {static_cast<float>(mean.x / mean.weight), static_cast<float>(mean.y / mean.weight),
                         static_cast<float>(mean.z / mean.weight)};
    out[i].rotation = normalised({static_cast<float>(mean.qw), static_cast<float>(mean.qx),
                                  static_cast<float>(mean.qy), static_cast<float>(mean.qz)});
  }
  derive_velocities(std::span(out));
  out.back() = blocks.back();
  return out;
}

template vehicle_block at_time(std::span<const vehicle_block>, double) noexcept;
template on_foot_block at_time(std::span<const on_foot_block>, double) noexcept;
template std::vector<vehicle_block> resampled(std::span<const vehicle_block>, const resample_options&);
template std::vector<on_foot_block> resampled(std::span<const on_foot_block>, const resample_options&);
template std::vector<vehicle_block> smoothed(std::span<const vehicle_block>, std::uint32_t);
template std::vector<on_foot_block> smoothed(std::span<const on_foot_block>, std::uint32_t);

}  // namespace tickreel::samp_rec
