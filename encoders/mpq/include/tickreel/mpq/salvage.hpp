// What can be found in an archive whose tables are gone, as they stand at its end.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::mpq {

struct found_content {
  std::uint64_t offset = 0;  // in the file, of the byte that says how it is packed
  byte_vector bytes;         // unpacked
};

// The contents that are stored in one piece and packed by bzip2, which begins with bytes that hardly stand
// anywhere else; in their order. Those that are cut or damaged, as their own checksums tell, are none. At
// most 64, and no more than `most` allows.
[[nodiscard]] std::vector<found_content> find_contents(byte_span file, const limits& most = {});

}  // namespace tickreel::mpq
