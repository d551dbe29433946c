// The keyframe section: an index of 21 bytes per keyframe, the snapshots, and a check value for each. Also
// keyframes in the spool of a live file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

struct stored_keyframe {
  std::uint64_t tick = 0;
  bool full = false;        // a sim_snapshot, otherwise a delta_snapshot
  bool compressed = false;  // an LZ4 block
  std::uint32_t raw_bytes = 0;
  byte_span stored;  // valid as long as its source
  std::uint64_t offset = 0;
  std::optional<std::uint32_t> crc;  // CRC-32 of the stored bytes, if the file has one
};

// Reads a section's index; snapshots are not read. The first keyframe must be full and, unless the recording
// is incomplete, at tick 0. `base_offset` is the section's offset in the file.
[[nodiscard]] result<std::vector<stored_keyframe>> read_keyframe_section(byte_span from, bool incomplete,
                                                                         const limits& most = {},
                                                                         std::uint64_t base_offset = 0);

// The snapshot's bytes: in place, or in `buffer`. checksum_mismatch, corrupt_compression; malformed if its
// tick differs from that in the index.
[[nodiscard]] result<byte_span> open_keyframe(const stored_keyframe& keyframe, byte_vector& buffer);

// `raw` as stored in a section: an LZ4 block in `buffer`, or unchanged if that is not smaller or readers
// would reject its ratio. Equal sizes mean unchanged.
[[nodiscard]] byte_span pack_snapshot(byte_span raw, byte_vector& buffer, bool compress = true,
                                      int level = 0);

// A section's data besides the snapshots, for callers that write them one by one. Stores 33 bytes per
// snapshot. One thread at a time.
class keyframe_index {
 public:
  // Ticks rise, otherwise invalid_argument; over_limit for keyframes that readers would reject.
  result<void> add(std::uint64_t tick, bool full, std::uint32_t raw_bytes, byte_span stored);
  [[nodiscard]] std::size_t count() const noexcept { return entries_.size(); }
  [[nodiscard]] std::uint64_t first_tick() const noexcept {
    return entries_.empty() ? 0 : entries_.front().tick;
  }
  // Removes those from `end_tick` on; that of tick 0 stays.
  void cut(std::uint64_t end_tick);

  // A section is head(), the snapshots in their order, tail().
  [[nodiscard]] std::uint64_t section_bytes() const noexcept;
  [[nodiscard]] byte_vector head() const;
  [[nodiscard]] byte_vector tail() const;

 private:
  struct entry {
    std::uint64_t tick;
    std::uint32_t offset;
    std::uint32_t stored_bytes;
    std::uint32_t raw_bytes;
    bool full;
    std::uint32_t crc;
  };
  std::vector<entry> entries_;
  std::uint64_t stored_bytes_ = 0;
};

// Assembles a section in memory. One thread at a time.
class keyframe_section_writer {
 public:
  // `raw` is to_bytes() of the snapshot. Fails like keyframe_index::add().
  result<void> add(std::uint64_t tick, bool full, byte_span raw, bool compress = true, int level = 0);
  // A keyframe in stored form.
  result<void> add(const stored_keyframe& keyframe);
  [[nodiscard]] std::size_t count() const noexcept { return index_.count(); }
  // The current size of the section.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return index_.section_bytes(); }
  [[nodiscard]] byte_vector finish() const;

 private:
  keyframe_index index_;
  byte_vector blobs_;
};

// The keyframes of a spool up to the first that is not whole. Keyframes that are not later than the one before
// are omitted.
[[nodiscard]] std::vector<stored_keyframe> read_keyframe_spool(byte_span spool, const limits& most = {});

// The steps to the state at a tick.
struct restore_plan {
  std::size_t full = 0;      // restore this keyframe,
  std::size_t keyframe = 0;  // then the deltas up to this one (the same: none),
  std::uint64_t first_tick = 0;
  std::uint64_t tick_count = 0;  // then play the orders of this many ticks, from first_tick on
};

// out_of_range for a tick above total_ticks, missing_keyframe if there is no earlier full one. O(log n), plus
// the deltas of a group.
[[nodiscard]] result<restore_plan> plan_restore(std::span<const stored_keyframe> keyframes,
                                                std::uint64_t total_ticks, std::uint64_t tick) noexcept;

}  // namespace tickreel::icrep
