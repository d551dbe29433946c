// Copies a part of a reel into a new reel.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

struct cut_options {
  // The requested ticks, both inclusive.
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = (std::numeric_limits<std::uint64_t>::max)();
  bool overwrite = false;
  // Added to the header; replaces entries with the same key. No duplicate keys.
  std::vector<metadata_entry> metadata = {};
  // Called periodically with ticks done and total ticks; false aborts with interrupted.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  // The part of a reel without an end record ends with a gap of an unknown number of ticks, if it reaches that end.
  bool marks_missing_end = false;
  // Called with every loss and every gap that touches the requested ticks; each becomes a gap in the output.
  std::function<void(const item&)> missing = {};
  // Whether an event outside of the ticks is copied because events inside depend on it. The copy is at the
  // first tick. Null: no such event is copied.
  std::function<bool(std::uint64_t tick, const event&)> takes_along = {};
  // May change the bytes of a copied event. Null: unchanged.
  std::function<void(std::uint32_t type, byte_vector& bytes)> change_event = {};
  // Null: frames stay unchanged, from the keyframe at or before the first tick on. Otherwise chunks with only
  // requested ticks stay unchanged; of other chunks the requested frames are passed to it, after pass_over()
  // for the frames that they depend on.
  chunk_rewriter* rewriter = nullptr;
  // See copy_options::accepts.
  frame_check accepts = {};
};

struct cut_report {
  frame_stamp first;         // of the output
  frame_stamp last;          // likewise
  frame_stamp first_wanted;  // the first tick that is not before the requested one
  std::uint64_t ticks = 0;   // of the output
  std::uint64_t ahead = 0;   // number of those before the first requested one
  std::uint64_t bytes = 0;
  bool reached_end = false;  // reading reached the end of the reel, so losses there affect the part
};

// Which tick first_tick_from() returns if the ticks before the found one are lost, because their times may
// match, too: the found one, or the first lost one.
enum class edge : std::uint8_t { readable, with_lost };

// The first tick whose time is not before `time_us`, or the first lost one before it; out_of_range if there is none.
result<std::uint64_t> first_tick_from(reader& from, std::int64_t time_us, edge at = edge::readable);

// Writes a reel that begins with a keyframe and has the same header, the last header update, and the frames,
// events and gaps of the ticks; ticks and times keep their numbers. Reads nothing before the keyframe, and
// one chunk after the last tick. The output appears whole or not at all. out_of_range, with the nearest
// existing ticks, if none of the requested ones exists.
result<cut_report> cut_into(reader& from, const file_path& output, const cut_options& options);

}  // namespace tickreel::reel
