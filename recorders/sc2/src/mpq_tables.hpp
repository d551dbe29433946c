// The tables of an MPQ archive, checked before anybody acts on them.
//
//   offset  type  archive header, little-endian; everything counts from its first byte
//   0       u32   "MPQ", 0x1A
//   4       u32   size of the header
//   8       u32   size of the archive
//   12      u16   format: 0 to 3
//   14      u16   a sector has 512 << n bytes
//   16      u32   where the hash table lies
//   20      u32   where the block table lies
//   24      u32   rows of the hash table, a power of two
//   28      u32   rows of the block table
// Later formats add fields for archives beyond 4 GB and for other tables beside these two, which stay
// complete.
//
// Both tables are enciphered with the names "(hash table)" and "(block table)". A row has 16 bytes:
//   hash    u32 name hash A, u32 name hash B, u16 locale, u16 platform, u32 block (0xFFFFFFFF: never used,
//           0xFFFFFFFE: deleted)
//   block   u32 offset, u32 packed bytes, u32 bytes, u32 flags
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2/archive.hpp"

namespace tickreel::sc2 {

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

class mpq_tables {
 public:
  // Offsets in errors count from `archive_offset`. Nothing larger than the input is allocated.
  static result<mpq_tables> read(byte_span archive, std::uint64_t archive_offset);

  // The row of the block table that `name` stands for.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<block_row>& blocks() const noexcept { return blocks_; }

  // Whether a member can be handed to the unpacker: known flags, inside the archive, its size below the
  // limit, its sectors in order, packed with zlib or bzip2. Errors name the member by `detail`.
  result<void> check(byte_span archive, std::uint32_t block, std::string_view name,
                     const archive_limits& limits, const char* detail) const;

  // Fills `into`, which has the member's size, from a member that passed check(). corrupt_compression when
  // its content does not unpack to that size.
  result<void> unpack(byte_span archive, std::uint32_t block, std::string_view name, mutable_byte_span into,
                      const char* detail) const;

  // Tables can lie about sizes. Whether a member in one unit that begins like packed data unpacks, whatever
  // its size is said to be; then `into` holds it, and is otherwise rubbish.
  [[nodiscard]] bool unpack_anyway(byte_span archive, std::uint32_t block, std::string_view name,
                                   const archive_limits& limits, byte_vector& into) const;

 private:
  std::uint64_t archive_offset_ = 0;
  std::uint64_t blocks_offset_ = 0;  // of the block table in the file
  std::uint32_t sector_bytes_ = 0;
  std::vector<hash_row> hashes_;
  std::vector<block_row> blocks_;
};

}  // namespace tickreel::sc2
