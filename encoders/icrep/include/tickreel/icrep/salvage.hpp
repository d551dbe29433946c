// From what a crash, a cut transfer or damage left of a file to the fullest valid one. A pure function: of a
// file that is whole it makes a copy.
#pragma once

#include <cstdint>

#include "tickreel/icrep/layout.hpp"

namespace tickreel::icrep {

struct salvaged {
  byte_vector file;
  bool was_whole = false;  // `file` is the input
  bool was_live = false;   // it never was finished
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
  // What the input's header or index promises and the output has not. A live file promises nothing.
  std::uint64_t lost_ticks = 0;  // without orders, or behind the new end
  std::uint64_t lost_keyframes = 0;
  std::uint64_t damaged_blocks = 0;  // of orders, events and voice
  bool lost_signatures = false;      // they no longer fit
  bool lost_resources = false;       // that were embedded
  bool lost_metadata = false;        // those of the end; what was known at the start is there
};

// Keeps blocks and keyframes as they are stored; those that are damaged, or stand on such, are left out. The
// output says that it is incomplete, and has no signatures. truncated when nothing can be saved, bad_json
// when there are no metadata at all, else what reader::open() says of the header.
[[nodiscard]] result<salvaged> salvage(const live_files& left, const limits& most = {});

}  // namespace tickreel::icrep
