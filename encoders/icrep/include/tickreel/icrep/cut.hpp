// Copies a part of a finished file into a new file: a pure function, like those of edit.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// The metadata key of a part's origin: a text.
inline constexpr const char* cut_metadata_key = "x_cut_from";

struct cut_options {
  // The requested ticks, both inclusive.
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = (std::numeric_limits<std::uint64_t>::max)();
  // For the metadata; empty: none.
  std::string cut_from = {};
  limits most = {};
};

struct cut_file {
  byte_vector file;
  std::uint64_t first_tick = 0;  // of its first keyframe
  std::uint64_t last_tick = 0;
  std::uint64_t ticks = 0;           // with orders
  std::uint64_t missing_ticks = 0;   // requested ticks without orders
  std::uint64_t damaged_blocks = 0;  // of orders, events and voice, that may have contained data of the part
  std::uint64_t lost_keyframes = 0;  // that are damaged or depend on damaged ones: omitted
  std::vector<error> damage;         // the positions of the first of them
  bool dropped_signature = false;
  bool is_unfinished = false;  // the part reaches the end of an incomplete recording
};

// Copies from the full keyframe at or before the first tick to the last tick: keyframes, orders, events and
// voice, with their tick numbers; metadata and embedded resources stay unchanged. Damaged data is omitted,
// counted, and reported in the part's metadata (lost_content.hpp). If no valid state leads to the first tick,
// the part begins with the next one. A part that begins later than tick 0 is marked incomplete, as the format
// requires. Signatures and seals are removed. out_of_range if the recording ends before the first tick, or
// the last tick is before the first; missing_keyframe, or the error of a keyframe, if the part has no full
// one; wrong_state for a live file.
[[nodiscard]] result<cut_file> cut(byte_span file, const cut_options& options);

}  // namespace tickreel::icrep
