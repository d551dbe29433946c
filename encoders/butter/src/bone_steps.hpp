// The decoder's values of bones, and the values to write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "motion_lead.hpp"
#include "rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// Whole groups, of four and of eight; one more than there are bones.
inline constexpr std::size_t bone_places = (echo::bone_count + 7) / 8 * 8;
inline constexpr std::uint32_t all_bones = (1u << echo::bone_count) - 1;

// The prefix varint of a number up to this is one byte equal to the number.
inline constexpr std::uint32_t prefix_varint_last_single = 240;

using bone_numbers = std::array<float, bone_places>;
using bone_words = std::array<std::uint32_t, bone_places>;

// Of one player.
struct held_bones {
  struct positions_by_component {
    bone_numbers x, y, z;
  } positions;
  struct rotations_by_component {
    bone_numbers x, y, z, w;
  } rotations;

  // Without positions and rotations, as before a keyframe.
  void clear() noexcept {
    *this = {};
    rotations.w.fill(1.0f);
  }
};

// One bit per bone in the masks.
struct bone_steps {
  std::uint32_t moved;    // whose position must be written
  std::uint32_t turned;   // whose rotation must be written
  std::uint32_t aimless;  // whose rotation is invalid
  std::uint32_t bent;     // whose position is beyond the range of a keyframe
  std::uint32_t longer;   // with a code word longer than a byte
  // Code words: the movements in steps of the grid, zig-zag.
  bone_words x, y, z;
  bone_words triples;   // the three code words as bytes, x lowest, if each is one byte
  bone_words packed{};  // rotations
};

struct bone_limits {
  step_rounding rounding;  // of positions
  float position_square;
  float sine_square;
  unsigned coarse_axes;
  float even_codes_limit;
};

// For bones that continue to move as since the tick before and are written ahead.
struct bone_leads {
  lead positions;
  lead rotations;
};

}  // namespace tickreel::butter
