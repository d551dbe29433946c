// The keyframe section: an index of 21 bytes a keyframe, the snapshots, and a check value for each. Also
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
  bool full = false;        // a sim_snapshot, else a delta_snapshot
  bool compressed = false;  // an LZ4 block
  std::uint32_t raw_bytes = 0;
  byte_span stored;  // lives as long as what it was read from
  std::uint64_t offset = 0;
  std::optional<std::uint32_t> crc;  // CRC-32 of the stored bytes, where the file has one
};

// Reads a section's index; snapshots stay untouched. The first keyframe must be full and, unless the
// recording is incomplete, at tick 0. `base_offset` is the section's place in the file.
[[nodiscard]] result<std::vector<stored_keyframe>> read_keyframe_section(byte_span from, bool incomplete,
                                                                         const limits& most = {},
                                                                         std::uint64_t base_offset = 0);

// The snapshot's bytes: in place, or in `buffer`. checksum_mismatch, corrupt_compression; malformed for one
// of another tick than the index says.
[[nodiscard]] result<byte_span> open_keyframe(const stored_keyframe& keyframe, byte_vector& buffer);

// `raw` as a section stores it: an LZ4 block in `buffer`, or as it is where that is not smaller or readers
// would refuse its ratio. Equal sizes mean that it is as it is.
[[nodiscard]] byte_span pack_snapshot(byte_span raw, byte_vector& buffer, bool compress = true,
                                      int level = 0);

// What a section has beside the snapshots: for those who write them one by one. Knows no more of a snapshot
// than 33 bytes. One thread at a time.
class keyframe_index {
 public:
  // Ticks rise, else invalid_argument; over_limit for what readers would refuse.
  result<void> add(std::uint64_t tick, bool full, std::uint32_t raw_bytes, byte_span stored);
  [[nodiscard]] std::size_t count() const noexcept { return entries_.size(); }
  [[nodiscard]] std::uint64_t first_tick() const noexcept {
    return entries_.empty() ? 0 : entries_.front().tick;
  }
  // Leaves out those from `end_tick` on; that of tick 0 stays.
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

// Puts a section together in memory. One thread at a time.
class keyframe_section_writer {
 public:
  // `raw` is to_bytes() of the snapshot. Fails as keyframe_index::add().
  result<void> add(std::uint64_t tick, bool full, byte_span raw, bool compress = true, int level = 0);
  // One that has been stored before.
  result<void> add(const stored_keyframe& keyframe);
  [[nodiscard]] std::size_t count() const noexcept { return index_.count(); }
  // The size that the section has with what was added.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return index_.section_bytes(); }
  [[nodiscard]] byte_vector finish() const;

 private:
  keyframe_index index_;
  byte_vector blobs_;
};

// Spools: a keyframe as a block, and the keyframes of a spool up to the first that is not whole. Those that
// do not come later than the one before are left out.
result<void> append_keyframe_block(byte_vector& out, std::uint64_t tick, bool full, byte_span raw,
                                   bool compress = true);
[[nodiscard]] std::vector<stored_keyframe> read_keyframe_spool(byte_span spool, const limits& most = {});

// What to do to have the state at a tick.
struct restore_plan {
  std::size_t full = 0;      // restore this keyframe,
  std::size_t keyframe = 0;  // then the deltas up to this one (the same: none),
  std::uint64_t first_tick = 0;
  std::uint64_t tick_count = 0;  // then play the orders of so many ticks, from first_tick on
};

// out_of_range for a tick above total_ticks, missing_keyframe where no full one comes before. O(log n), plus
// the deltas of a group.
[[nodiscard]] result<restore_plan> plan_restore(std::span<const stored_keyframe> keyframes,
                                                std::uint64_t total_ticks, std::uint64_t tick) noexcept;

}  // namespace tickreel::icrep
