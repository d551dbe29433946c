// Reads and writes headers and record heads; the table is in reel/format.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel::wire {

inline constexpr std::string_view file_magic = "TICKREEL";
inline constexpr std::uint32_t record_magic = 0x43455254;  // "TREC" read as little-endian
inline constexpr std::size_t header_prefix_bytes = 8 + 2 + 2 + 4;
inline constexpr std::size_t hash_bytes = 8;
inline constexpr std::size_t head_check_bytes = 4;
inline constexpr std::size_t gap_payload_bytes = 8 + 1;
inline constexpr std::size_t end_payload_bytes = std::size_t{4} * 8;

// Layout of a reel's records, and the value that ties them to the reel.
struct reel_key {
  std::uint16_t version = format_version;
  std::uint64_t hash = 0;

  [[nodiscard]] constexpr bool counts_ticks() const noexcept { return version >= 2; }
  // From kind to the last field before the check, as in the index.
  [[nodiscard]] constexpr std::size_t head_core_bytes() const noexcept {
    return 1 + 1 + 2 + 4 + 4 + 4 * 8 + 4 + 4 + (counts_ticks() ? 8 + 4 : 0);
  }
  [[nodiscard]] constexpr std::size_t head_bytes() const noexcept {
    return 4 + head_core_bytes() + head_check_bytes;
  }
  [[nodiscard]] constexpr std::size_t index_entry_bytes() const noexcept { return 8 + head_core_bytes(); }
  [[nodiscard]] constexpr std::uint64_t record_bytes(std::uint32_t stored_bytes) const noexcept {
    return head_bytes() + std::uint64_t{stored_bytes} + hash_bytes;
  }
};

[[nodiscard]] inline std::uint64_t end_of(const record_info& info) noexcept {
  return info.offset + info.bytes;
}

// The whole header with its hash, which also identifies the reel. invalid_argument for values that do not
// fit.
result<byte_vector> write_header(const header& from);

struct opened_header {
  header head;
  reel_key key;
  std::uint64_t bytes = 0;
};
// The size of the header that starts with `prefix` (header_prefix_bytes of it, or all bytes of the file).
result<std::uint64_t> header_size(byte_span prefix, const limits& limits);
// `bytes` is the whole header, with the size of header_size().
result<opened_header> read_header(byte_span bytes);

// The key of the reel that begins with this whole header.
[[nodiscard]] reel_key key_of(byte_span header_bytes) noexcept;

void write_head(byte_writer& to, const record_info& info, const reel_key& key) noexcept;
// Empty if these are not head_bytes of a record of this reel.
std::optional<record_info> read_head(byte_span bytes, std::uint64_t offset, const reel_key& key) noexcept;

// Whether a whole record's last eight bytes are the hash of the rest.
[[nodiscard]] bool hash_matches(byte_span whole_record, const reel_key& key) noexcept;

// A record with its payload as stored; replaces the content of `out`.
void write_record(byte_vector& out, const record_info& info, byte_span stored, const reel_key& key);

// The index of `records`, decompressed.
byte_vector write_index(const std::vector<record_info>& records, const reel_key& key);
// Empty if it is not an index, or if a record in it is outside of [first_offset, index_offset) or overlaps
// another.
std::optional<std::vector<record_info>> read_index(byte_span payload, std::uint64_t first_offset,
                                                   std::uint64_t index_offset, const reel_key& key);

struct end_payload {
  std::uint64_t index_offset = 0;
  std::uint64_t frames = 0;
  std::uint64_t lost_ticks = 0;
  std::uint64_t chunks = 0;
};
void write_end(byte_writer& to, const end_payload& from) noexcept;
std::optional<end_payload> read_end(byte_span payload) noexcept;

void write_gap(byte_writer& to, const gap& from) noexcept;

}  // namespace tickreel::reel::wire
