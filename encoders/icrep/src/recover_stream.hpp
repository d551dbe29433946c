// Copies the readable items of a damaged stream: frames of orders, records of events or voice.
#pragma once

#include <vector>

#include "tickreel/icrep/block.hpp"

namespace tickreel::icrep {

struct recovered_stream {
  byte_vector blocks;
  std::uint64_t items = 0;
  std::uint64_t lost_items = 0;  // at least: a block without a readable header counts as one
  std::uint64_t damaged_blocks = 0;
  std::uint64_t end_tick = 0;  // that of the last item + 1
  bool was_sorted = false;     // its ticks fell; they rise now
  std::vector<error> damage;   // the first places
};

// Items of `end_tick` and later are left out, and so are frames that are not later than those before them. Records
// are sorted by tick if necessary. Blocks of which nothing is left out are copied in stored form.
[[nodiscard]] result<recovered_stream> recover_stream(byte_span stream, block_kind kind, const limits& most,
                                                      std::uint64_t base_offset, std::uint64_t end_tick);

}  // namespace tickreel::icrep
