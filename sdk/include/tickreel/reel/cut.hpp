// A part of a reel as a reel of its own.
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
  // The ticks wanted, both included.
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = (std::numeric_limits<std::uint64_t>::max)();
  bool overwrite = false;
  // Added to the header, in the place of those with the same key. No key twice.
  std::vector<metadata_entry> metadata = {};
  // Called now and then with ticks done and ticks in all; false gives up with interrupted.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  // Called with every loss and every gap that touches the ticks wanted; each becomes a gap in the output.
  std::function<void(const item&)> missing = {};
  // Whether an event that stands outside of the ticks goes along all the same, because those inside cannot be
  // understood without it; it then stands at the first tick. Null: none does.
  std::function<bool(std::uint64_t tick, const event&)> takes_along = {};
  // May change the bytes of an event that goes along. Null: they stay.
  std::function<void(std::uint32_t type, byte_vector& bytes)> change_event = {};
  // Null: frames stay as they are, from the keyframe at or before the first tick on. Else chunks of which all
  // ticks are wanted stay, and of others only those wanted are handed to it, after pass_over() for what they
  // stand on.
  chunk_rewriter* rewriter = nullptr;
};

struct cut_report {
  frame_stamp first;         // of the output
  frame_stamp last;          // likewise
  frame_stamp first_wanted;  // the first tick that is not before the one asked for
  std::uint64_t ticks = 0;   // of the output
  std::uint64_t ahead = 0;   // of those, how many stand before the first one wanted
  std::uint64_t bytes = 0;
  bool reached_end = false;  // the whole reel was looked at from there on: what its end lacks concerns it
};

// The first tick whose time is not before `time_us`; out_of_range when there is none.
result<std::uint64_t> first_tick_from(reader& from, std::int64_t time_us);

// Writes a reel that begins with a keyframe and has the same header, the last header update, and the frames,
// events and gaps of the ticks; ticks and times keep their numbers. Looks at nothing before the keyframe, and
// at one chunk behind the last tick. The output appears whole or not at all. out_of_range, with the nearest
// ticks that there are, when none of those wanted is there.
result<cut_report> cut_into(reader& from, const file_path& output, const cut_options& options);

}  // namespace tickreel::reel
