// Finds the records of a reel: by its index, or by scanning heads.
#pragma once

#include "tickreel/io/byte_source.hpp"
#include "tickreel/reel/reader.hpp"
#include "wire.hpp"

namespace tickreel::reel {

struct scan_options {
  reel::limits limits;
  bool verify_hashes = false;
  wire::reel_key key;
  std::uint64_t header_bytes = 0;
  byte_span dictionary = {};
};

// Fills `contents` from the index at the end. False if there is no valid index.
result<bool> load_index(byte_source& from, const scan_options& options, decompressor& codecs,
                        table_of_contents& contents);

// Continues `contents` at its valid_bytes with every record whose head is whole, in the order of their
// sequence. When scanning from the beginning, moved records with a valid hash are accepted.
result<void> scan(byte_source& from, const scan_options& options, table_of_contents& contents);

// What find_record() reads at a time.
inline constexpr std::size_t find_window_bytes = std::size_t{64} << 10;

// The first position from `offset` on where a record of this reel begins that is whole before `end`; empty if there is
// none. Its hash may be wrong.
result<std::optional<std::uint64_t>> find_record(byte_source& from, std::uint64_t offset, std::uint64_t end,
                                                 const wire::reel_key& key);

// Adds the records that only the index of a scanned reel contains, marked as damaged. They replace those that remain of
// an earlier write with the same sequence.
result<void> list_indexed_records(byte_source& from, const scan_options& options, decompressor& codecs,
                                  table_of_contents& contents);

}  // namespace tickreel::reel
