// The tables of an MPQ archive, checked before use.
//
//   offset  type  archive header, little-endian; everything counts from its first byte
//   0       u32   "MPQ", 0x1A
//   4       u32   size of the header
//   8       u32   size of the archive
//   12      u16   format: 0 to 3
//   14      u16   a sector has 512 << n bytes
//   16      u32   offset of the hash table
//   20      u32   offset of the block table
//   24      u32   rows of the hash table, a power of two
//   28      u32   rows of the block table
// Later formats add fields for archives beyond 4 GB and for other tables besides these two, which stay complete.
//
// Both tables are encrypted with the names "(hash table)" and "(block table)". A row has 16 bytes:
//   hash    u32 name hash A, u32 name hash B, u16 locale, u16 platform, u32 block (0xFFFFFFFF: never used,
//           0xFFFFFFFE: deleted)
//   block   u32 offset, u32 packed bytes, u32 bytes, u32 flags
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

inline constexpr std::uint32_t archive_header_bytes = 32;
inline constexpr std::size_t table_row_bytes = 16;
// 8 MiB sectors; replays have 4 KiB and 16 KiB.
inline constexpr unsigned largest_sector_shift = 14;
// 16 MiB. In a table without a free row, the search for a missing name reads all rows.
inline constexpr std::uint32_t largest_hash_rows = 1u << 20;

struct hash_row {
  std::uint32_t name_a = 0;
  std::uint32_t name_b = 0;
  std::uint16_t locale = 0;
  std::uint32_t block = 0;
};

struct block_row {
  std::uint32_t offset = 0;  // from the archive's first byte
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;
};

enum block_flag : std::uint32_t {
  block_compressed = 0x00000200,
  block_enciphered = 0x00010000,
  block_key_depends_on_place = 0x00020000,
  block_single_unit = 0x01000000,
  block_sector_checksums = 0x04000000,
  block_exists = 0x80000000,
};

// The key of a member's cipher.
[[nodiscard]] std::uint32_t member_key(const block_row& row, std::string_view name) noexcept;

class archive_tables {
 public:
  // Offsets in errors count from `archive_offset`. over_limit beyond largest_hash_rows. Allocates nothing
  // larger than the input.
  static result<archive_tables> read(byte_span archive, std::uint64_t archive_offset);

  // The row of the block table for `name`.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const noexcept;
  // Whether an entry of the hash table has that name, valid or not.
  [[nodiscard]] bool has_entry(std::string_view name) const noexcept;
  // Entries in use without an existing row of the block table.
  [[nodiscard]] std::size_t entries_without_block() const noexcept;
  [[nodiscard]] const std::vector<block_row>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::uint32_t sector_bytes() const noexcept { return sector_bytes_; }
  [[nodiscard]] std::uint32_t hash_rows() const noexcept {
    return static_cast<std::uint32_t>(hashes_.size());
  }

  // Whether a member can be decompressed: known flags, inside the archive, its size below the limit, its
  // sectors in order, compressed with zlib or bzip2. Errors name the member by `detail`.
  result<void> check(byte_span archive, std::uint32_t block, std::string_view name, const limits& limits,
                     const char* detail) const;

  // Fills `into`, which has the member's size, from a member that passed check(). corrupt_compression if its
  // content does not decompress to that size.
  result<void> unpack(byte_span archive, std::uint32_t block, std::string_view name, mutable_byte_span into,
                      const char* detail) const;

  // Tables may contain false sizes. Whether a member in one unit that begins like compressed data can be
  // decompressed, whatever size is stated; then `into` contains it, and is otherwise unspecified.
  [[nodiscard]] bool unpack_ignoring_size(byte_span archive, std::uint32_t block, std::string_view name,
                                          const limits& limits, byte_vector& into) const;

  // The method of a member's first compressed piece; nullopt if all of it is stored, or damaged.
  [[nodiscard]] std::optional<packing> packing_of(byte_span archive, std::uint32_t block,
                                                  std::string_view name) const;

 private:
  [[nodiscard]] bool leads_to_block(const hash_row& row) const noexcept {
    return row.block < blocks_.size() && (blocks_[row.block].flags & block_exists) != 0;
  }
  // Calls `each` with every entry of that name until it returns false.
  template <class Each>
  void for_each_entry(std::string_view name, Each&& each) const noexcept;

  std::uint64_t archive_offset_ = 0;
  std::uint64_t blocks_offset_ = 0;  // of the block table in the file
  std::uint32_t sector_bytes_ = 0;
  std::vector<hash_row> hashes_;
  std::vector<block_row> blocks_;
};

// Encrypted, as stored in the file. The block of each name is its index in `names`; `rows` is a power of two
// above their number.
[[nodiscard]] byte_vector write_hash_table(std::span<const std::string_view> names, std::uint32_t rows);
[[nodiscard]] byte_vector write_block_table(std::span<const block_row> rows);

struct archive_header {
  std::uint32_t archive_bytes = 0;
  std::uint32_t sector_bytes = 0;
  std::uint32_t hash_offset = 0;
  std::uint32_t block_offset = 0;
  std::uint32_t hash_rows = 0;
  std::uint32_t block_rows = 0;
};

// Into the first archive_header_bytes of an archive.
void write_archive_header(const archive_header& what, mutable_byte_span into) noexcept;

}  // namespace tickreel::mpq
