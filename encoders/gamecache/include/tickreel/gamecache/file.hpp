// Cache files in memory: detects the layout, reads, writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tickreel/bytes/span.hpp"
#include "tickreel/gamecache/cache.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gamecache {

// The evidence in the beginning of a file, for callers that detect formats.
struct likeness {
  gamecache::layout layout = layout::flagged;
  std::size_t items = 0;  // readable items at the beginning, eight at most
  // Whether all items that the file states, or eight, are readable. If not, the file may have another format: an
  // item may end with unknown fields, so many other bytes read as one item.
  bool is_complete = false;
};
// `head` is the whole file or its first bytes. Empty if it is not a cache of an existing program.
[[nodiscard]] std::optional<likeness> recognise(byte_span head, std::uint64_t file_bytes);

// A reader's limits, far above real files.
struct limits {
  std::size_t items = 1'000'000;
  std::size_t string_bytes = 4096;
  std::uint8_t players = 12;
};

// Flat if the size fields of exactly the counted items lead to the end of the file, or if a program died
// before it wrote the count; otherwise flagged. Empty if it can be neither.
[[nodiscard]] std::optional<layout> detect(byte_span file) noexcept;

// A whole file. Errors: not_recognised (neither layout), unsupported_version (version 0), truncated,
// malformed, over_limit; with the offset. Allocates nothing for a count or a size that the file cannot
// contain.
result<contents> read(byte_span file, const limits& most = {});
result<contents> read(byte_span file, layout as, const limits& most = {});

struct write_options {
  // Rejects texts and player counts beyond the program's capacity: paths 511 bytes, names 63 UTF-16 units,
  // ratio 15, mode 31, 10 players. Off: everything that can be read can be written.
  bool program_limits = true;
};

// The bytes of the whole file. The result of read() becomes the same bytes again, except for an unfinished
// file. invalid_argument if a value does not fit, with the item's number among the values.
result<byte_vector> write(const contents& from, const write_options& options = {});

// The size of an item in bytes; `like` defines the layout and version.
[[nodiscard]] std::size_t item_size(const item& from, const contents& like) noexcept;

// A single item, with its size field; `like` defines the layout and version.
result<item> read_item(byte_span bytes, const contents& like, const limits& most = {});
result<byte_vector> write_item(const item& from, const contents& like, const write_options& options = {});

}  // namespace tickreel::gamecache
