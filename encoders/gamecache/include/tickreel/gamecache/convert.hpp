// Converts between the layouts, and counts the losses.
#pragma once

#include <cstdint>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::gamecache {

// The number of items (for players' values: players) with each loss.
struct conversion_losses {
  std::uint64_t modes = 0;  // text in one layout, bits in the other
  std::uint64_t hosts_and_savers = 0;
  std::uint64_t gold_and_neutrals = 0;  // players
  std::uint64_t clamped_values = 0;     // players: a value became the nearest that fits
  std::uint64_t absent_fields = 0;      // items whose missing fields became zeros
  std::uint64_t unknown_bytes = 0;      // after the known fields
  std::uint64_t unknown_times = 0;      // the stored time is invalid there
  std::uint64_t not_understood = 0;     // omitted items

  [[nodiscard]] std::uint64_t total() const noexcept {
    return modes + hosts_and_savers + gold_and_neutrals + clamped_values + absent_fields + unknown_bytes +
           unknown_times + not_understood;
  }
};

// `from` in the other layout; unchanged if it already has that one. Flat to flagged: version 2.09, all fields
// except the mode, ages in the order of the items, names wide. Flagged to flat: in the order of the items,
// names as UTF-8; the ratio is omitted because it follows from the teams.
[[nodiscard]] contents convert(const contents& from, layout to, conversion_losses& lost);

}  // namespace tickreel::gamecache
