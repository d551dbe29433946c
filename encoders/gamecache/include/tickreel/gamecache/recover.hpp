// Recovers a truncated or damaged cache file.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/gamecache/cache.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gamecache {

struct recovered_file {
  contents cache;                // the items before the first unreadable one
  std::uint64_t kept_bytes = 0;  // of the file: its header and those items
  // The number of items stated by the file; empty if the program died before it wrote that.
  std::optional<std::uint64_t> promised;
  std::optional<error> stopped;  // why reading stopped; empty if nothing is missing
};

// not_recognised if it does not begin like a cache; over_limit if more items than `most` permits are
// readable. A whole file gives the result of read().
result<recovered_file> recover_file(byte_span file, const limits& most = {});

}  // namespace tickreel::gamecache
