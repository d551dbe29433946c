// A part of a finished file as a file of its own: a pure function, as those of edit.hpp are.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// The key of the metadata under which a part says what it was cut from: a text.
inline constexpr const char* cut_metadata_key = "x_cut_from";

struct cut_options {
  // The ticks wanted, both included.
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = (std::numeric_limits<std::uint64_t>::max)();
  // For the metadata; empty: nothing is said there.
  std::string cut_from = {};
  limits most = {};
};

struct cut_file {
  byte_vector file;
  std::uint64_t first_tick = 0;  // of the keyframe that it begins with
  std::uint64_t last_tick = 0;
  std::uint64_t ticks = 0;           // with orders
  std::uint64_t missing_ticks = 0;   // between those wanted, without any
  std::uint64_t damaged_blocks = 0;  // of orders, events and voice, that may have held something of the part
  std::uint64_t lost_keyframes = 0;  // that are damaged, or stand on such: they are left out
  std::vector<error> damage;         // where these are, the first few
  bool dropped_signature = false;
};

// From the full keyframe at or before the first tick to the last: keyframes, orders, events and voice, with
// their tick numbers; metadata and embedded resources as they are. What is damaged is left out, counted, and
// said in the part's own metadata (lost_content.hpp); where no sound state leads to the first tick, the part
// begins with the next one. A part that begins later than tick 0 is marked incomplete, as the format asks.
// Signatures and seals go. out_of_range when the recording ends before the first tick, or the last one wanted
// lies before the first; missing_keyframe, or what is wrong with them, when no full one is in the part;
// wrong_state for a live file.
[[nodiscard]] result<cut_file> cut(byte_span file, const cut_options& options);

}  // namespace tickreel::icrep
