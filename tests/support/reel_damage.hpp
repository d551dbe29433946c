// Ways to damage a reel at a chosen record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tickreel/record/options.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::test {

// For reels of many chunks, of which some begin with a delta.
inline recorder_options short_chunks() {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 5;
  options.seal_interval_ms = 1'000'000;
  options.ticks_per_second = 30;
  options.cadence.keyframe_interval_ticks = 15;
  options.sync_each_chunk = false;
  return options;
}

struct record_place {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::size_t stored_bytes = 0;
};

// For a reel without damage or trailing bytes.
inline std::vector<record_place> places_of(byte_span reel) {
  std::vector<record_place> places;
  auto reader = reel::reader::from_memory(reel);
  if (!reader) return places;
  for (const reel::record_info& info : reader->contents().records) {
    places.push_back(
        {static_cast<std::size_t>(info.offset), static_cast<std::size_t>(info.bytes), info.stored_bytes});
  }
  return places;
}

struct reel_damage {
  enum kind : std::uint8_t {
    head,
    length,
    payload,
    hash,
    zeros,
    cut_out,
    swapped,
    doubled,
    foreign_tail,
    shortened,
    lengthened,
    torn
  };
  kind what = head;
  std::size_t record = 0;

  [[nodiscard]] std::string name() const {
    static const char* const names[] = {"a byte of the head",
                                        "its length",
                                        "a byte of the payload",
                                        "a byte of the hash",
                                        "zeros",
                                        "cut out",
                                        "swapped with the next",
                                        "doubled",
                                        "another reel's tail behind it",
                                        "a byte less in it",
                                        "a byte more in it",
                                        "the file ends in its middle"};
    return names[what];
  }
  // No remaining record reports the loss.
  [[nodiscard]] bool cuts_the_last(std::size_t records) const {
    return what == cut_out && record + 1 == records;
  }
};

inline std::vector<reel_damage> every_damage(std::size_t records) {
  std::vector<reel_damage> all;
  for (std::size_t record = 0; record < records; ++record) {
    for (int what = reel_damage::head; what <= reel_damage::torn; ++what) {
      all.push_back({static_cast<reel_damage::kind>(what), record});
    }
  }
  return all;
}

// Returns nothing if this damage is not applicable to the record. `other` is another intact reel. A torn file is truncated only
// within its last record: bytes after a truncation leave no trace that a reader could report.
inline std::optional<byte_vector> apply(const reel_damage& damage, byte_span reel,
                                        const std::vector<record_place>& places, byte_span other,
                                        std::mt19937_64& random) {
  byte_vector out(reel.begin(), reel.end());
  const record_place& at = places[damage.record];
  const std::size_t head_bytes = at.bytes - at.stored_bytes - 8;
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(at.offset);
  const auto end = begin + static_cast<std::ptrdiff_t>(at.bytes);
  const auto flip = [&](std::size_t offset) { out[offset] ^= static_cast<std::byte>(1u << (random() % 8)); };
  const bool is_last = damage.record + 1 == places.size();
  switch (damage.what) {
    case reel_damage::head:
      flip(at.offset + random() % head_bytes);
      return out;
    case reel_damage::length:
      flip(at.offset + 8 + random() % 4);
      return out;
    case reel_damage::payload:
      if (at.stored_bytes == 0) return std::nullopt;
      flip(at.offset + head_bytes + random() % at.stored_bytes);
      return out;
    case reel_damage::hash:
      flip(at.offset + at.bytes - 8 + random() % 8);
      return out;
    case reel_damage::zeros:
      std::fill(begin, end, std::byte{0});
      return out;
    case reel_damage::cut_out:
      out.erase(begin, end);
      return out;
    case reel_damage::swapped:
      if (is_last) return std::nullopt;
      std::rotate(begin, end, end + static_cast<std::ptrdiff_t>(places[damage.record + 1].bytes));
      return out;
    case reel_damage::doubled: {
      const byte_vector once(begin, end);
      out.insert(end, once.begin(), once.end());
      return out;
    }
    case reel_damage::foreign_tail: {
      const std::vector<record_place> others = places_of(other);
      const std::size_t from = others[random() % others.size()].offset;
      out.insert(end, other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
      return out;
    }
    case reel_damage::shortened:
      out.erase(begin + static_cast<std::ptrdiff_t>(head_bytes + random() % (at.bytes - head_bytes)));
      return out;
    case reel_damage::lengthened:
      out.insert(begin + static_cast<std::ptrdiff_t>(head_bytes + random() % (at.bytes - head_bytes)),
                 std::byte{0x5A});
      return out;
    case reel_damage::torn:
      if (!is_last) return std::nullopt;
      out.resize(at.offset + 1 + random() % (at.bytes - 1));
      return out;
  }
  return std::nullopt;
}

}  // namespace tickreel::test
