// What a decoder holds of bones, and what is written to bring it nearer to what is wanted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lead.hpp"
#include "rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// Whole groups, of four and of eight; one bone more than there are.
inline constexpr std::size_t bone_places = (echo::bone_count + 7) / 8 * 8;
inline constexpr std::uint32_t all_bones = (1u << echo::bone_count) - 1;

// The prefix varint of a number up to this is one byte, and the number itself.
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

  // Without places and turns, as before a keyframe.
  void clear() noexcept {
    *this = {};
    rotations.w.fill(1.0f);
  }
};

// One bit a bone in the masks.
struct bone_steps {
  std::uint32_t moved;    // whose position must be written
  std::uint32_t turned;   // whose rotation must be written
  std::uint32_t aimless;  // whose rotation is none
  std::uint32_t bent;     // whose position is beyond what a keyframe can hold
  std::uint32_t longer;   // with a code word that is more than a byte
  // Code words: the ways in steps of the grid, zig-zag.
  bone_words x, y, z;
  bone_words triples;   // the three code words as bytes, x lowest, where each is one
  bone_words packed{};  // rotations
};

struct bone_limits {
  step_rounding rounding;  // of positions
  float position_square;
  float sine_square;
  unsigned coarse_axes;
  float even_codes_limit;
};

// Where bones that go on as they did since the tick before are written ahead.
struct bone_leads {
  lead positions;
  lead rotations;
};

}  // namespace tickreel::butter
