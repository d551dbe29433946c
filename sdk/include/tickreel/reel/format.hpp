// The reel: an append-only file of hashed records. docs/formats/reel.md is the specification.
//
// All numbers little-endian. text = u8 length | UTF-8.
//
//   file    = header record*                    a truncated or torn tail is not part of the file
//   header  = magic "TICKREEL" | u16 version=2 | u16 flags=0 | u32 length of body | body
//           | u64 xxh3 of everything before
//   body    = text encoder name | u32 encoder version | u32 tick rate in millihertz (0: none)
//           | i64 start, microseconds since 1970 UTC | u32 schema length | schema
//           | u16 count, then that many (text key | u32 length | value)
//   record  = head | payload | u64 xxh3 of head and payload
//   head    = u32 magic "TREC" | u8 kind | u8 codec | u16 flags | u32 stored length | u32 raw length
//           | u64 first tick | u64 last tick | i64 first time us | i64 last time us | u32 frames
//           | u32 sequence | u64 ticks before | u32 updates before | u32 check
//   before  = the frames of all chunks and gaps, and the number of header updates that are no repetitions,
//             before this record: the next whole record gives the content of a lost one; version 1 has
//             neither field
//   check   = the low half of (xxh3 of the head before it XOR the header's xxh3): it validates the length
//             without the payload, and no other reel's record passes for one of this reel
//
//   payload, decompressed, by kind:
//   chunk         = frame*                      frames: their number
//   event         = u32 type | bytes
//   header update = the encoder's own header
//   events        = (leb128 ticks since the event before, in the first since the record's first tick
//                   | zigzag leb128 microseconds likewise | leb128 length of the bytes | u32 type | bytes)*
//   gap           = u64 lost ticks (0: unknown) | u8 reason      frames: the same number, at most 2^32 - 1
//   index         = u32 count | count * (u64 offset | head from kind to updates before)    every record before it
//   end           = u64 offset of the index (0: none) | u64 frames | u64 lost ticks | u64 chunks; codec none,
//                   so that it is found from the end of the file
//   frame   = leb128 ticks since the frame before (in a chunk's first: since the record's first tick)
//           | zigzag leb128 microseconds likewise | leb128 (length * 2 + keyframe) | bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel {

inline constexpr std::uint16_t format_version = 2;
// Always readable; recovery in place continues a reel of this version in the same version.
inline constexpr std::uint16_t oldest_format_version = 1;

enum class record_kind : std::uint8_t {
  chunk = 1,          // frames
  event = 2,          // typed, timestamped, small; written after the chunk of its tick
  header_update = 3,  // the format's own current header; the last one applies. Repeated periodically
  gap = 4,            // ticks that were lost between the first tick and the last
  index = 5,          // the offsets of all records; written once, at the end
  end = 6,            // closed properly
  events = 7,  // several consecutive events, in the order of their ticks; written by copies with longer
               // chunks
};
[[nodiscard]] constexpr bool holds_events(record_kind kind) noexcept {
  return kind == record_kind::event || kind == record_kind::events;
}

enum record_flags : std::uint16_t {
  // Decoding can start at this chunk. Consecutive keyframes may share a chunk; one after a delta starts the
  // next.
  starts_with_keyframe = 1,
  // A header update that repeats the one before it, for readers that do not have that one.
  repeats_header = 2,
  // A gap that stands for every record before it that is not in the file: the sink of this reel joined late.
  begins_here = 4,
  // An event that later ticks, or their events, depend on: sinks that join late receive it too.
  needed_later = 8,
  // Repeats an event with the flag above, whose sequence is in `frames`, for readers that cannot read that
  // one. This record does not have that flag.
  repeats_event = 16,
};

// The metadata key of the zstd dictionary of the reel's chunks.
inline constexpr std::string_view dictionary_key = "zstd_dictionary";

struct metadata_entry {
  std::string key;
  byte_vector value;
};

// A tick rate as stored in the header, in thousandths of a hertz. Empty if it is negative, not a number,
// above 4,294,967.295, or below 0.001 but not 0.
[[nodiscard]] constexpr std::optional<std::uint32_t> to_millihertz(double ticks_per_second) noexcept {
  const double thousandths = ticks_per_second * 1000 + 0.5;
  if (!(thousandths >= 0.5 && thousandths < 4294967296.0)) return std::nullopt;
  const auto whole = static_cast<std::uint32_t>(thousandths);
  if (whole == 0 && ticks_per_second != 0) return std::nullopt;
  return whole;
}

struct header {
  std::uint16_t version = format_version;  // of the reel itself
  std::string encoder_name;
  std::uint32_t encoder_version = 0;
  double ticks_per_second = 0;     // rounded to a thousandth; 0 if ticks have no rate
  std::int64_t start_time_us = 0;  // microseconds since 1970-01-01 UTC
  byte_vector schema;              // defined by the encoder
  std::vector<metadata_entry> metadata;

  // The first entry of that key; null if there is none.
  [[nodiscard]] const metadata_entry* find(std::string_view key) const noexcept {
    for (const metadata_entry& each : metadata) {
      if (each.key == key) return &each;
    }
    return nullptr;
  }
};

// The head of a record.
struct record_info {
  // A chunk or a gap: `frames` is the number of ticks in it, or lost in it.
  [[nodiscard]] constexpr bool counts_ticks() const noexcept {
    return kind == record_kind::chunk || kind == record_kind::gap;
  }

  // A chunk at which decoding can start.
  [[nodiscard]] constexpr bool is_entrance() const noexcept {
    return kind == record_kind::chunk && (flags & starts_with_keyframe) != 0;
  }

  // A header update that is not a repetition.
  [[nodiscard]] constexpr bool changes_header() const noexcept {
    return kind == record_kind::header_update && (flags & repeats_header) == 0;
  }

  // A gap that stands for all records before it that are not in the file.
  [[nodiscard]] constexpr bool tells_beginning() const noexcept {
    return kind == record_kind::gap && (flags & begins_here) != 0;
  }

  // An event that late sinks and copies that begin later also contain.
  [[nodiscard]] constexpr bool lasts() const noexcept {
    return kind == record_kind::event && (flags & needed_later) != 0;
  }

  // An event that repeats another; everything except its flags, `frames` and sequence is equal.
  [[nodiscard]] constexpr bool repeats() const noexcept {
    return kind == record_kind::event && (flags & repeats_event) != 0;
  }

  record_kind kind = record_kind::chunk;
  codec_id codec = codec_id::none;
  std::uint16_t flags = 0;
  std::uint32_t stored_bytes = 0;
  std::uint32_t raw_bytes = 0;
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = 0;
  std::int64_t first_time_us = 0;
  std::int64_t last_time_us = 0;
  std::uint32_t frames = 0;
  std::uint32_t sequence = 0;  // counts records from 0; a jump means a record is missing
  // `frames` of all chunks and gaps before this record. Empty in reels of version 1.
  std::optional<std::uint64_t> ticks_before = std::nullopt;
  // Header updates before this record that are no repetitions, if ticks_before is known.
  std::uint32_t updates_before = 0;
  std::uint64_t offset = 0;  // of the record in the file
  std::uint64_t bytes = 0;   // of the whole record in the file
  // The head is known, but the record is unreadable: its hash is wrong, or only the index contains it.
  bool damaged = false;
};

// Limits that a reader checks before it allocates memory.
struct limits {
  std::uint32_t max_header_bytes = 16u << 20;  // of the body
  std::uint32_t max_stored_bytes = 64u << 20;
  std::uint32_t max_raw_bytes = 256u << 20;
  std::uint64_t max_records = 64u << 20;
};

enum class gap_reason : std::uint8_t {
  ring_full = 1,
  sink_failed = 2,     // the disk, most of the time
  source_failed = 3,   // reported by the source of the ticks
  encoder_failed = 4,  // a frame larger than the encoder's declared maximum
  // Written by recovery:
  recorder_died = 5,
  damaged = 6,           // the record of the ticks is damaged or missing
  missing_baseline = 7,  // the ticks are whole, but depend on missing data
  // Written by the owner of a reel whose sink joined late:
  left_out = 8,  // the ticks are before the reel's first record
};

// A gap record's payload.
struct gap {
  std::uint64_t ticks = 0;  // 0 if unknown
  gap_reason reason = gap_reason::ring_full;
};
[[nodiscard]] result<gap> read_gap(byte_span payload) noexcept;

// An event record's payload; `bytes` point into it.
struct event {
  std::uint32_t type = 0;
  byte_span bytes;
};
[[nodiscard]] result<event> read_event(byte_span payload) noexcept;

// An event with its tick and time that owns its bytes.
struct stamped_event {
  frame_stamp stamp;
  std::uint32_t type = 0;
  byte_vector bytes;
  bool needed_later = false;  // see record_flags
};

// The limit of the payload of a record with several events; an event of more than a sixteenth has its own
// record.
inline constexpr std::uint32_t max_gathered_bytes = 1u << 20;

}  // namespace tickreel::reel
