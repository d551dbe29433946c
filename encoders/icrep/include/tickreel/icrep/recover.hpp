// Recovers a valid file from a crashed, truncated or damaged one. A pure function; a whole file is copied, without
// trailing bytes.
#pragma once

#include <cstdint>

#include "tickreel/icrep/layout.hpp"

namespace tickreel::icrep {

struct recovered_file {
  byte_vector file;
  bool was_whole = false;  // `file` is the input, without trailing bytes
  bool was_live = false;   // it was never finished
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
  // The content that the input's header or index announces and the output lacks. A live file announces none.
  std::uint64_t lost_ticks = 0;  // without orders, or after the new end
  std::uint64_t lost_keyframes = 0;
  std::uint64_t lost_records = 0;    // events and voice packets; a block of an unknown number counts as one
  std::uint64_t damaged_blocks = 0;  // of orders, events and voice
  std::uint64_t sorted_streams = 0;  // of events and voice, whose ticks fell
  std::vector<error> damage;         // the first damaged places
  bool lost_signatures = false;      // they became invalid
  bool lost_resources = false;       // embedded ones
  bool lost_metadata = false;        // the final ones; the initial ones are present
};

// Keeps blocks and keyframes in stored form. Items of blocks that readers reject are omitted, and so are keyframes
// that are damaged, depend on damaged ones, or contradict the others or the orders. reader::verify() finds no damage
// in the output. It is marked incomplete, and has no signatures. truncated if nothing is readable, bad_json if there
// are no metadata, otherwise the errors of reader::open() for the header.
[[nodiscard]] result<recovered_file> recover_file(const live_files& left, const limits& most = {});

}  // namespace tickreel::icrep
