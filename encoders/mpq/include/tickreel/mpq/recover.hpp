// Recovers the content of an archive without its tables, which are at its end.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::mpq {

struct found_content {
  std::uint64_t offset = 0;  // in the file, of the byte with the compression method
  byte_vector bytes;         // decompressed
};

// The contents that are stored in one piece and compressed by bzip2, whose first bytes are distinctive; in
// their order. Truncated or damaged ones, by their own checksums, are skipped. At most 64, and no more than
// `most` permits.
[[nodiscard]] std::vector<found_content> find_contents(byte_span file, const limits& most = {});

}  // namespace tickreel::mpq
