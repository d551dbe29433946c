// From one layout to the other, with an account of what has no place there.
#pragma once

#include <cstdint>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::gamecache {

// How many items (of players' values: players) lost what.
struct conversion_losses {
  std::uint64_t modes = 0;  // words in one layout, bits in the other
  std::uint64_t hosts_and_savers = 0;
  std::uint64_t gold_and_neutrals = 0;  // players
  std::uint64_t clamped_values = 0;     // players: a value became the nearest that fits
  std::uint64_t absent_fields = 0;      // items whose missing fields became zeros
  std::uint64_t unknown_bytes = 0;      // behind the known fields
  std::uint64_t unknown_times = 0;      // the stored time means nothing there
  std::uint64_t not_understood = 0;     // items that were left out

  [[nodiscard]] std::uint64_t total() const noexcept {
    return modes + hosts_and_savers + gold_and_neutrals + clamped_values + absent_fields + unknown_bytes +
           unknown_times + not_understood;
  }
};

// `from` in the other layout; the same when it has that one already. Flat to flagged: version 2.09, all
// fields but the mode, ages in the order of the items, names wide. Flagged to flat: in the order of the
// items, names as UTF-8; a ratio is left out because it follows from the teams.
[[nodiscard]] contents convert(const contents& from, layout to, conversion_losses& lost);

}  // namespace tickreel::gamecache
