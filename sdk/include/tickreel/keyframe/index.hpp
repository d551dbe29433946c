// Where the keyframes of a recording are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tickreel {

struct keyframe_entry {
  std::uint64_t tick = 0;
  std::int64_t time_us = 0;    // microseconds since the recording began
  std::uint64_t location = 0;  // the format's business: an offset, a chunk's number
};

// Keyframes in the order of their ticks. Adding takes memory now and then; searching is O(log n) and takes
// none. Not thread-safe while adding.
class keyframe_index {
 public:
  void reserve(std::size_t count) { entries_.reserve(count); }
  void clear() noexcept { entries_.clear(); }

  // Ticks must rise: false, and nothing added, for one that does not. A time that runs back is stored as the
  // one before it, so that times never fall.
  bool add(keyframe_entry entry) {
    if (!entries_.empty()) {
      if (entry.tick <= entries_.back().tick) return false;
      entry.time_us = std::max(entry.time_us, entries_.back().time_us);
    }
    entries_.push_back(entry);
    return true;
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] const keyframe_entry& operator[](std::size_t entry) const noexcept { return entries_[entry]; }
  [[nodiscard]] std::span<const keyframe_entry> entries() const noexcept { return entries_; }

  // The number of the last keyframe at or before; nothing when all come later.
  [[nodiscard]] std::optional<std::size_t> at_or_before_tick(std::uint64_t tick) const noexcept {
    return before(std::upper_bound(
        entries_.begin(), entries_.end(), tick,
        [](std::uint64_t sought, const keyframe_entry& entry) { return sought < entry.tick; }));
  }
  [[nodiscard]] std::optional<std::size_t> at_or_before_time(std::int64_t time_us) const noexcept {
    return before(std::upper_bound(
        entries_.begin(), entries_.end(), time_us,
        [](std::int64_t sought, const keyframe_entry& entry) { return sought < entry.time_us; }));
  }

 private:
  [[nodiscard]] std::optional<std::size_t> before(
      std::vector<keyframe_entry>::const_iterator end) const noexcept {
    if (end == entries_.begin()) return std::nullopt;
    return static_cast<std::size_t>(end - entries_.begin()) - 1;
  }

  std::vector<keyframe_entry> entries_;
};

}  // namespace tickreel
