// The bytes of headers and record heads; the table is in reel/format.hpp. Both directions stand together.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel::reel::wire {

inline constexpr std::string_view file_magic = "TICKREEL";
inline constexpr std::uint32_t record_magic = 0x43455254;  // "TREC" read as little-endian
inline constexpr std::size_t header_prefix_bytes = 8 + 2 + 2 + 4;
inline constexpr std::size_t hash_bytes = 8;
inline constexpr std::size_t head_check_bytes = 4;
// From kind to sequence, as in the index.
inline constexpr std::size_t head_core_bytes = 1 + 1 + 2 + 4 + 4 + 4 * 8 + 4 + 4;
inline constexpr std::size_t head_bytes = 4 + head_core_bytes + head_check_bytes;
inline constexpr std::size_t index_entry_bytes = 8 + head_core_bytes;
inline constexpr std::size_t gap_payload_bytes = 8 + 1;
inline constexpr std::size_t end_payload_bytes = 4 * 8;
inline constexpr std::size_t end_record_bytes = head_bytes + end_payload_bytes + hash_bytes;

[[nodiscard]] constexpr std::uint64_t record_bytes(std::uint32_t stored_bytes) noexcept {
  return head_bytes + std::uint64_t{stored_bytes} + hash_bytes;
}
[[nodiscard]] inline std::uint64_t end_of(const record_info& info) noexcept {
  return info.offset + record_bytes(info.stored_bytes);
}

// The whole header with its hash, which also identifies the reel. invalid_argument for what has no room.
result<byte_vector> write_header(const header& from);

struct opened_header {
  header head;
  std::uint64_t hash = 0;
  std::uint64_t bytes = 0;
};
// How long the header is that starts with `prefix` (header_prefix_bytes of it, or all there is).
result<std::uint64_t> header_size(byte_span prefix, const limits& limits);
// `bytes` is the whole header, as long as header_size() says.
result<opened_header> read_header(byte_span bytes);

void write_head(byte_writer& to, const record_info& info, std::uint64_t reel_hash) noexcept;
// Nothing when these are not head_bytes of a record of this reel.
std::optional<record_info> read_head(byte_span bytes, std::uint64_t offset, std::uint64_t reel_hash) noexcept;

// Whether a whole record's last eight bytes are the hash of the rest.
[[nodiscard]] bool hash_matches(byte_span whole_record) noexcept;

// A record with its payload as it shall be stored; replaces the content of `out`.
void write_record(byte_vector& out, const record_info& info, byte_span stored, std::uint64_t reel_hash);

// The index of `records`, decompressed.
byte_vector write_index(const std::vector<record_info>& records);
// Nothing when a record lies outside [first_offset, index_offset), overlaps another or is of no known kind.
std::optional<std::vector<record_info>> read_index(byte_span payload, std::uint64_t first_offset,
                                                   std::uint64_t index_offset);

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
