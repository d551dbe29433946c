// Transformations of recordings, as pure functions over their blocks. Nothing here fails: what a
// transformation cannot do it leaves as it is, and its comment says so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tickreel/samp_rec/block.hpp"

namespace tickreel::samp_rec {

// What `special` of a vehicle block holds, if the caller knows the vehicle: a train's speed has to change
// with the velocity.
enum class special_view : std::uint8_t { raw, train_speed, thrusters };

// Of single blocks, so also for streams.

// Moves by so many metres.
template <block_type Block>
void shift(Block& block, vector3 by_m) noexcept;

// Later for positive, earlier for negative; stops at 0 and at the largest time.
template <block_type Block>
void shift_time(Block& block, std::int64_t by_ms) noexcept;

// Counter-clockwise about the vertical line through the pivot; position, rotation and velocity.
template <block_type Block>
void rotate_about_z(Block& block, double degrees, vector3 pivot_m = {}) noexcept;

// In the vertical plane through the pivot that runs in the direction of the heading. Left becomes right, also
// in keys, axes and roll.
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

// So that the first block stands at `start_m` with `heading_degrees`; the rest turns and moves with it.
template <block_type Block>
void rebase(std::span<Block> blocks, vector3 start_m, double heading_degrees) noexcept;

// The blocks from `from_ms` to `to_ms`, both included.
struct cut_options {
  bool start_at_zero = true;  // else the times stay
  // Adds a block at either end where none has that very time, between its neighbours.
  bool exact_ends = false;
};
template <block_type Block>
[[nodiscard]] std::vector<Block> cut(std::span<const Block> blocks, std::uint32_t from_ms,
                                     std::uint32_t to_ms, const cut_options& options = {});

// `second` behind `first`.
struct join_options {
  // Turns and moves `second` so that it goes on where `first` ends, with the same heading. Its first block
  // then takes the place of the last one, and there is nothing to blend.
  bool rebase = false;
  // The way from the one to the other: a curve that begins and ends with their velocities, in this time.
  // 0: none; `second` begins one step behind the end of `first`.
  std::uint32_t blend_ms = 1000;
  std::uint32_t step_ms = 50;
};
template <block_type Block>
[[nodiscard]] std::vector<Block> join(std::span<const Block> first, std::span<const Block> second,
                                      const join_options& options = {});

// From the end to the beginning, in the same time; the first block's time stays the first. Twice gives the
// same motion again.
enum class reverse_style : std::uint8_t {
  turned_round,  // faces where it goes: as if somebody drove or walked the way back
  backwards,     // faces as before: the film run backwards
};
template <block_type Block>
[[nodiscard]] std::vector<Block> reversed(std::span<const Block> blocks,
                                          reverse_style style = reverse_style::turned_round,
                                          special_view special = special_view::raw);

// `factor` times as long; above 0, else nothing changes. Velocities change with it, and on foot the keys and
// animations of walking, running and sprinting where the new speed asks for others; the first time stays.
template <block_type Block>
void retime(std::span<Block> blocks, double factor, special_view special = special_view::raw) noexcept;
// So that it lasts so long.
template <block_type Block>
void retime_to(std::span<Block> blocks, std::uint32_t duration_ms,
               special_view special = special_view::raw) noexcept;

// Takes the shaking out of positions and rotations: each becomes a weighted mean of those up to `radius_ms`
// away, and of 256 on either side at most. First and last block stay as they are; velocities follow the new
// positions.
template <block_type Block>
[[nodiscard]] std::vector<Block> smoothed(std::span<const Block> blocks, std::uint32_t radius_ms = 200);

// Blocks at even times, from the first to the last (which is always there). Positions lie on a curve through
// the old ones, rotations and velocities between theirs; everything else is that of the block before.
struct resample_options {
  std::uint32_t step_ms = 50;
  std::uint32_t idle_step_ms = 500;  // while nothing moves and nothing changes; 0: as step_ms
};
template <block_type Block>
[[nodiscard]] std::vector<Block> resampled(std::span<const Block> blocks,
                                           const resample_options& options = {});

// The state at a time, as resampled() gives it; the first or last block outside. Not for no blocks.
template <block_type Block>
[[nodiscard]] Block at_time(std::span<const Block> blocks, double time_ms) noexcept;

// Keys for a speed: forward with the walk key up to 2.2 m/s, without up to 5.0, and sprinting above, with the
// animation that goes with it; nothing pressed below 0.05. In vehicles: the accelerator, or nothing.
void set_gait(on_foot_block& block, double speed_m_per_s) noexcept;
void set_gait(vehicle_block& block, double speed_m_per_s) noexcept;

// Velocities that lead from each position to the next, the last 0: what clients extrapolate best from.
template <block_type Block>
void derive_velocities(std::span<Block> blocks) noexcept;

// So often one after the other; the last block of a round is the first of the next. The blocks should end
// where they begin.
template <block_type Block>
[[nodiscard]] std::vector<Block> repeated(std::span<const Block> blocks, std::uint32_t times);

}  // namespace tickreel::samp_rec
