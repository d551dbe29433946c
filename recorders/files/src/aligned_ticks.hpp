// Reads two recordings in parallel and aligns their ticks, by number or by recorded time.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/files/compare.hpp"

namespace tickreel::files {

inline constexpr std::size_t max_lacking_ranges = 1000;

// A recording whose ticks are aligned by number:
//
//   next()   reads the next tick; false at the end
//   key()    equal for ticks that are aligned; increases
//   tick()   its number
template <class Side>
concept comparable_side = requires(Side& side) {
  { side.next() } -> std::same_as<result<bool>>;
  { side.key() } -> std::convertible_to<std::int64_t>;
  { side.tick() } -> std::convertible_to<std::uint64_t>;
};

// An error of recording `which`, 0 or 1.
inline tl::unexpected<error> fail_of(std::size_t which, const error& what, std::size_t* failed) noexcept {
  if (failed != nullptr) *failed = which;
  return fail(what);
}

inline void note_lacking(std::uint64_t tick, bool in_first, std::vector<lacking_range>& out) {
  const bool continues = !out.empty() && out.back().end_tick == tick && out.back().in_first == in_first;
  if (continues) {
    ++out.back().end_tick;
  } else if (out.size() < max_lacking_ranges) {
    out.push_back({tick, tick + 1, in_first, !in_first});
  }
}

// Calls each() for every aligned pair until it returns false. Counts ticks, pairs, and ticks that one
// recording lacks before the end of the shorter one.
template <comparable_side Side, class Each>
result<void> align_ticks(std::array<Side, 2>& sides, const monitor& watch, tick_comparison& out,
                         std::size_t* failed, Each&& each) {
  bool there[2] = {};
  bool continues = true;
  std::uint64_t steps = 0;
  const auto step = [&](std::size_t which) -> result<void> {
    const auto more = sides[which].next();
    if (!more) return fail_of(which, more.error(), failed);
    there[which] = *more;
    if (*more) ++out.total[which];
    if (++steps % 128 == 0 && watch.stop()) return fail(error_code::interrupted);
    return {};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (auto done = step(i); !done) return done;
  }
  while (there[0] && there[1] && continues) {
    const std::int64_t keys[2] = {sides[0].key(), sides[1].key()};
    const std::int64_t first = std::min(keys[0], keys[1]);
    if (keys[0] == keys[1]) {
      ++out.ticks;
      continues = each();
    } else {
      note_lacking(sides[keys[0] > keys[1] ? 1 : 0].tick(), keys[0] > keys[1], out.not_compared);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (keys[i] != first) continue;
      if (auto done = step(i); !done) return done;
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    while (there[i] && continues) {
      if (auto done = step(i); !done) return done;
    }
  }
  return {};
}

// A recording whose ticks are aligned by recorded time. It reads one tick ahead:
//
//   advance()        moves to the next tick; the first call moves to the first
//   has_tick()       false after the last tick
//   time_ms()        when the current tick was recorded
//   next_time_ms()   when the next tick was recorded; empty for the last
template <class Side>
concept timed_side = requires(Side& side) {
  { side.advance() } -> std::same_as<result<void>>;
  { side.has_tick() } -> std::convertible_to<bool>;
  { side.time_ms() } -> std::convertible_to<std::int64_t>;
  { side.next_time_ms() } -> std::convertible_to<std::optional<std::int64_t>>;
};

// Times come from files and may be any number, so the difference must not overflow.
inline std::uint64_t distance_ms(std::int64_t a, std::int64_t b) noexcept {
  const auto high = static_cast<std::uint64_t>(std::max(a, b));
  return high - static_cast<std::uint64_t>(std::min(a, b));
}

// The usual time between two ticks of a recording, estimated while its ticks are read.
class usual_interval {
 public:
  void see(std::int64_t time_ms) {
    if (last_ms_ && time_ms > *last_ms_ && samples_.size() < max_samples) {
      const std::uint64_t since = distance_ms(time_ms, *last_ms_);
      samples_.insert(std::ranges::upper_bound(samples_, since), since);
    }
    last_ms_ = time_ms;
  }
  // The median; 0 before two ticks have passed.
  [[nodiscard]] std::uint64_t ms() const noexcept {
    return samples_.empty() ? 0 : samples_[samples_.size() / 2];
  }

 private:
  static constexpr std::size_t max_samples = 256;
  std::vector<std::uint64_t> samples_;
  std::optional<std::int64_t> last_ms_;
};

// Calls pair() for every two aligned ticks, and single(i) for a tick that only side i has. Two ticks are
// aligned if their times are equal, or if each is the nearest of the other and they are at most half the
// usual interval of the faster recording apart. Every tick of both is passed once, in order.
template <timed_side Side, class Pair, class Single>
result<void> align_by_time(std::array<Side, 2>& sides, const monitor& watch, std::size_t* failed, Pair&& pair,
                           Single&& single) {
  std::array<usual_interval, 2> intervals;
  std::uint64_t steps = 0;
  const auto advance = [&](std::size_t which) -> result<void> {
    if (auto moved = sides[which].advance(); !moved) return fail_of(which, moved.error(), failed);
    if (sides[which].has_tick()) intervals[which].see(sides[which].time_ms());
    if (const auto next = sides[which].next_time_ms()) intervals[which].see(*next);
    if (++steps % 128 == 0 && watch.stop()) return fail(error_code::interrupted);
    return {};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (auto moved = advance(i); !moved) return moved;
  }
  while (sides[0].has_tick() || sides[1].has_tick()) {
    if (!sides[0].has_tick() || !sides[1].has_tick()) {
      const std::size_t rest = sides[0].has_tick() ? 0 : 1;
      single(rest);
      if (auto moved = advance(rest); !moved) return moved;
      continue;
    }
    const std::size_t earlier = sides[0].time_ms() <= sides[1].time_ms() ? 0 : 1;
    const std::size_t later = 1 - earlier;
    const std::uint64_t apart = distance_ms(sides[later].time_ms(), sides[earlier].time_ms());
    const auto next = sides[earlier].next_time_ms();
    const std::uint64_t shorter = std::min(intervals[0].ms(), intervals[1].ms());
    const bool next_is_nearer = next && distance_ms(*next, sides[later].time_ms()) < apart;
    if (apart != 0 && (apart > shorter / 2 || next_is_nearer)) {
      single(earlier);
      if (auto moved = advance(earlier); !moved) return moved;
      continue;
    }
    pair();
    for (std::size_t i = 0; i < 2; ++i) {
      if (auto moved = advance(i); !moved) return moved;
    }
  }
  return {};
}

}  // namespace tickreel::files
