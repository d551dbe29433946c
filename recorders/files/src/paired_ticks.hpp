// Walks two recordings side by side and pairs their ticks.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>

#include "tickreel/files/compare.hpp"

namespace tickreel::files {

inline constexpr std::size_t most_lacking_ranges = 1000;

// How far into one of two recordings the walk is:
//
//   next()   the next tick; false at the end
//   key()    what tells which tick of the other it belongs to; rises
//   tick()   its number
template <class Side>
concept comparable_side = requires(Side& side) {
  { side.next() } -> std::same_as<result<bool>>;
  { side.key() } -> std::convertible_to<std::int64_t>;
  { side.tick() } -> std::convertible_to<std::uint64_t>;
};

// An error of one of the two, 0 or 1.
inline tl::unexpected<error> fail_of(std::size_t which, const error& what, std::size_t* failed) noexcept {
  if (failed != nullptr) *failed = which;
  return fail(what);
}

inline void note_lacking(std::uint64_t tick, bool in_first, std::vector<lacking_range>& out) {
  const bool goes_on = !out.empty() && out.back().end_tick == tick && out.back().in_first == in_first;
  if (goes_on) {
    ++out.back().end_tick;
  } else if (out.size() < most_lacking_ranges) {
    out.push_back({tick, tick + 1, in_first, !in_first});
  }
}

// Calls each() for every pair until it returns false, counts ticks, pairs, and those that one lacks before
// the end of the shorter one; with `parts` also not before the beginning of the later one.
template <comparable_side Side, class Each>
result<void> pair_ticks(std::array<Side, 2>& sides, bool parts, const monitor& watch, tick_comparison& out,
                        std::size_t* failed, Each&& each) {
  bool there[2] = {};
  bool goes_on = true;
  std::uint64_t steps = 0;
  const auto step = [&](std::size_t which) -> result<void> {
    const auto more = sides[which].next();
    if (!more) return fail_of(which, more.error(), failed);
    there[which] = *more;
    if (*more) ++out.total[which];
    if (++steps % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    return {};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    if (auto done = step(i); !done) return done;
  }
  while (there[0] && there[1] && goes_on) {
    const std::int64_t keys[2] = {sides[0].key(), sides[1].key()};
    const std::int64_t first = std::min(keys[0], keys[1]);
    if (keys[0] == keys[1]) {
      ++out.ticks;
      goes_on = each();
    } else if (out.ticks != 0 || !parts) {
      note_lacking(sides[keys[0] > keys[1] ? 1 : 0].tick(), keys[0] > keys[1], out.not_compared);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (keys[i] != first) continue;
      if (auto done = step(i); !done) return done;
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    while (there[i] && goes_on) {
      if (auto done = step(i); !done) return done;
    }
  }
  return {};
}

}  // namespace tickreel::files
