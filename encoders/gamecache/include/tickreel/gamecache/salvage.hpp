// What is left of a cache file that was cut or damaged.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/gamecache/cache.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gamecache {

struct salvaged {
  contents cache;                // the items before the first that cannot be read
  std::uint64_t kept_bytes = 0;  // of the file: its header and those items
  // How many items the file says that it has; empty when the program died before it wrote that.
  std::optional<std::uint64_t> promised;
  std::optional<error> stopped;  // why it went no further; empty when nothing is missing
};

// not_recognised when the beginning is that of no cache; over_limit when more items than `most` allows can be
// read. A whole file comes back as read() gives it.
result<salvaged> salvage(byte_span file, const limits& most = {});

}  // namespace tickreel::gamecache
