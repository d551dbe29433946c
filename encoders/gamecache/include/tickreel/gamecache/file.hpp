// Cache files in memory: which layout, reading, writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/gamecache/cache.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gamecache {

// What the beginning of a file looks like, for those who have to tell files apart before they read them.
struct likeness {
  gamecache::layout layout = layout::flagged;
  std::size_t items = 0;  // at the beginning, that can be read; none may be a coincidence
};
// `head` is the whole file or its first bytes. Empty when it is no cache of a program that exists.
[[nodiscard]] std::optional<likeness> recognise(byte_span head, std::uint64_t file_bytes);

// What a reader accepts. Programs that wrote these files stay far below.
struct limits {
  std::size_t items = 1'000'000;
  std::size_t string_bytes = 4096;
  std::uint8_t players = 12;
};

// Flat when the size fields of exactly as many items as are counted lead to the end of the file, or when a
// program died before it wrote the count; else flagged. Empty when it can be neither.
[[nodiscard]] std::optional<layout> detect(byte_span file) noexcept;

// A whole file. Errors: not_recognised (neither layout), unsupported_version (version 0), truncated,
// malformed, over_limit; with the offset. Nothing is allocated for a count or a size that the file cannot
// hold.
result<contents> read(byte_span file, const limits& most = {});
result<contents> read(byte_span file, layout as, const limits& most = {});

struct write_options {
  // Refuse texts and player counts for which the program has no room: paths 511 bytes, names 63 UTF-16 units,
  // ratio 15, mode 31, 10 players. Off: what could be read can be written.
  bool program_limits = true;
};

// The bytes of the whole file. What read() gave becomes the same bytes again, except for an unfinished file.
// invalid_argument where a value does not fit, with the item's number among the values.
result<byte_vector> write(const contents& from, const write_options& options = {});

// How many bytes an item takes; `like` tells the layout and version.
[[nodiscard]] std::size_t item_size(const item& from, const contents& like) noexcept;

// One item alone, with its size field; `like` tells the layout and version.
result<item> read_item(byte_span bytes, const contents& like, const limits& most = {});
result<byte_vector> write_item(const item& from, const contents& like, const write_options& options = {});

}  // namespace tickreel::gamecache
