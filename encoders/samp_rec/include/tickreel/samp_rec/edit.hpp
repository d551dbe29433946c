// Transformations of recordings, as pure functions over their blocks. They never fail: a transformation that
// is impossible leaves its input unchanged, as its comment states. Times are limited to the largest one, which
// changes the motion: a caller checks fits_times() before a transformation that makes a recording longer.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tickreel/samp_rec/block.hpp"

namespace tickreel::samp_rec {

// The meaning of `special` of a vehicle block, if the caller knows the vehicle: a train's speed must change
// with the velocity.
enum class special_view : std::uint8_t { raw, train_speed, thrusters };

// Whether a recording that begins at `first_ms` and takes this long has only times that a block can store.
[[nodiscard]] constexpr bool fits_times(std::uint32_t first_ms, double duration_ms) noexcept {
  return first_ms + duration_ms <= (std::numeric_limits<std::uint32_t>::max)();
}

// Of single blocks, also usable for streams.

// Moves by so many metres.
template <block_type Block>
void shift(Block& block, vector3 by_m) noexcept;

// Later for positive, earlier for negative values; limited to 0 and the largest time.
template <block_type Block>
void shift_time(Block& block, std::int64_t by_ms) noexcept;

// Counter-clockwise about the vertical axis through the pivot; position, rotation and velocity.
template <block_type Block>
void rotate_about_z(Block& block, double degrees, vector3 pivot_m = {}) noexcept;

// In the vertical plane through the pivot in the direction of the heading. Left becomes right, also in keys,
// axes and roll.
template <block_type Block>
void mirror(Block& block, double plane_heading_degrees = 0, vector3 pivot_m = {}) noexcept;

// Of whole recordings. Blocks are in order of time.

template <block_type Block>
void shift(std::span<Block> blocks, vector3 by_m) noexcept;
template <block_type Block>
void shift_time(std::span<Block> blocks, std::int64_t by_ms) noexcept;
template <block_type Block>
void rotate_about_z(std::span<Block> blocks, double degrees, vector3 pivot_m = {}) noexcept;
template <block_type Block>
void mirror(std::span<Block> blocks, double plane_heading_degrees = 0, vector3 pivot_m = {}) noexcept;

// Moves and turns all blocks, so that the first is at `start_m` with `heading_degrees`.
template <block_type Block>
void rebase(std::span<Block> blocks, vector3 start_m, double heading_degrees) noexcept;

// The blocks from `from_ms` to `to_ms`, both inclusive.
struct cut_options {
  bool start_at_zero = true;  // otherwise the times stay
  // Inserts an interpolated block at either end without a block at exactly that time.
  bool exact_ends = false;
};
template <block_type Block>
[[nodiscard]] std::vector<Block> cut(std::span<const Block> blocks, std::uint32_t from_ms,
                                     std::uint32_t to_ms, const cut_options& options = {});

// `second` after `first`.
struct join_options {
  // Turns and moves `second` so that it continues at the end of `first`, with the same heading. Its first
  // block then replaces the last one, and no blend is necessary.
  bool rebase = false;
  // The duration of the transition: a curve with the velocities of both ends. 0: none; `second` begins one
  // step after the end of `first`.
  std::uint32_t blend_ms = 1000;
  std::uint32_t step_ms = 50;
};
template <block_type Block>
[[nodiscard]] std::vector<Block> join(std::span<const Block> first, std::span<const Block> second,
                                      const join_options& options = {});

// From the end to the beginning, in the same time; the first block's time stays the first. Applied twice, the
// motion is the original.
enum class reverse_style : std::uint8_t {
  turned_round,  // faces the direction of movement: as if driving or walking back
  backwards,     // faces as before: the film run backwards
};
template <block_type Block>
[[nodiscard]] std::vector<Block> reversed(std::span<const Block> blocks,
                                          reverse_style style = reverse_style::turned_round,
                                          special_view special = special_view::raw);

// `factor` times as long; unchanged unless above 0. Velocities change with it, and on foot the keys and
// animations of walking, running and sprinting if the new speed requires others; the first time stays.
template <block_type Block>
void retime(std::span<Block> blocks, double factor, special_view special = special_view::raw) noexcept;
// Changes the duration to this.
template <block_type Block>
void retime_to(std::span<Block> blocks, std::uint32_t duration_ms,
               special_view special = special_view::raw) noexcept;

// Smooths positions and rotations: each becomes a weighted mean of those up to `radius_ms` away, and of 256
// on either side at most. First and last block stay unchanged; velocities follow the new positions.
template <block_type Block>
[[nodiscard]] std::vector<Block> smoothed(std::span<const Block> blocks, std::uint32_t radius_ms = 200);

// Blocks at even times, from the first to the last (which is always included). Positions are on a curve
// through the old ones, rotations and velocities are interpolated; all other values are those of the block
// before.
struct resample_options {
  std::uint32_t step_ms = 50;
  std::uint32_t idle_step_ms = 500;  // while nothing moves and nothing changes; 0: like step_ms
};
template <block_type Block>
[[nodiscard]] std::vector<Block> resampled(std::span<const Block> blocks,
                                           const resample_options& options = {});

// The state at a time, as in resampled(); outside the first or last block. Requires blocks.
template <block_type Block>
[[nodiscard]] Block at_time(std::span<const Block> blocks, double time_ms) noexcept;

// Sets the keys for a speed: forward with the walk key up to 2.2 m/s, without up to 5.0, and sprinting above,
// with the matching animation; none below 0.05. In vehicles: the accelerator, or none.
void set_gait(on_foot_block& block, double speed_m_per_s) noexcept;
void set_gait(vehicle_block& block, double speed_m_per_s) noexcept;

// Sets velocities that lead from each position to the next, the last 0: the best for extrapolating clients.
template <block_type Block>
void derive_velocities(std::span<Block> blocks) noexcept;

// Repeats the blocks; the last block of a round is the first of the next. The blocks should end where they
// begin. Ends before a round that does not fit the times or the number of blocks that readers take.
template <block_type Block>
[[nodiscard]] std::vector<Block> repeated(std::span<const Block> blocks, std::uint32_t times);

}  // namespace tickreel::samp_rec
