#include "mpq_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "mpq_cipher.hpp"
#include "mpq_unpack.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::sc2 {

namespace {

constexpr std::uint32_t archive_magic = 0x1A51504D;  // "MPQ", 0x1A
constexpr std::uint32_t smallest_header = 32;
constexpr std::size_t row_bytes = 16;
constexpr std::uint32_t never_used = 0xFFFFFFFF;
// 8 MiB sectors; replays have 4 KiB and 16 KiB.
constexpr unsigned largest_sector_shift = 14;

// Deciphered; empty when it does not lie in the archive.
byte_vector table_bytes(byte_span archive, std::uint32_t offset, std::uint32_t rows, std::string_view name) {
  if (offset > archive.size() || rows > (archive.size() - offset) / row_bytes) return {};
  const byte_span raw = archive.subspan(offset, rows * row_bytes);
  byte_vector out(raw.begin(), raw.end());
  decipher(out, hash_name(name, mpq_hash::cipher_key));
  return out;
}

// What the cipher of a member starts with.
std::uint32_t member_key(const block_row& row, std::string_view name) noexcept {
  const std::size_t slash = name.find_last_of("\\/");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const std::uint32_t key = hash_name(name, mpq_hash::cipher_key);
  return (row.flags & block_key_depends_on_place) != 0 ? (key + row.offset) ^ row.bytes : key;
}

// The first byte of packed data says how it is packed.
bool known_method(byte_span packed, bool enciphered, std::uint32_t key) noexcept {
  if (packed.empty()) return false;
  std::array<std::byte, 4> head{};
  const std::size_t count = packed.size() < head.size() ? packed.size() : head.size();
  for (std::size_t i = 0; i < count; ++i) head[i] = packed[i];
  if (enciphered) decipher(mutable_byte_span(head).first(count), key);
  return can_unpack(head[0]);
}

// A member in sectors begins with u32 offsets of each and of the end; with checksums, of one more.
// Deciphered.
result<std::vector<std::uint32_t>> sector_offsets(byte_span packed, const block_row& row,
                                                  std::uint32_t sector_bytes, std::uint32_t key,
                                                  std::uint64_t offset, const char* detail) {
  const std::uint64_t sectors = (std::uint64_t{row.bytes} + sector_bytes - 1) / sector_bytes;
  const std::uint64_t entries = sectors + ((row.flags & block_sector_checksums) != 0 ? 2 : 1);
  if (entries * 4 > packed.size()) return fail(error_code::malformed, offset, detail);
  byte_vector table(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(entries * 4));
  // Enciphered as if it were the sector before the first.
  if ((row.flags & block_enciphered) != 0) decipher(table, key - 1);
  byte_reader from(table);
  std::vector<std::uint32_t> out(static_cast<std::size_t>(sectors + 1));
  for (std::uint32_t& each : out) each = from.u32();
  if (out[0] != entries * 4) return fail(error_code::malformed, offset, detail);
  for (std::size_t sector = 0; sector < sectors; ++sector) {
    const std::uint64_t whole = std::min<std::uint64_t>(sector_bytes, row.bytes - sector * sector_bytes);
    const bool sound = out[sector + 1] > out[sector] && out[sector + 1] <= packed.size() &&
                       out[sector + 1] - out[sector] <= whole;
    if (!sound) return fail(error_code::malformed, offset + sector * 4, detail);
  }
  return out;
}

result<void> check_sectors(byte_span packed, const block_row& row, std::uint32_t sector_bytes,
                           std::uint32_t key, std::uint64_t offset, const char* detail) {
  const auto offsets = sector_offsets(packed, row, sector_bytes, key, offset, detail);
  if (!offsets) return fail(offsets.error());
  const bool enciphered = (row.flags & block_enciphered) != 0;
  for (std::uint32_t sector = 0; sector + 1 < offsets->size(); ++sector) {
    const std::uint32_t start = (*offsets)[sector];
    const byte_span piece = packed.subspan(start, (*offsets)[sector + 1] - start);
    const std::uint64_t whole =
        std::min<std::uint64_t>(sector_bytes, row.bytes - std::uint64_t{sector} * sector_bytes);
    if (piece.size() < whole && !known_method(piece, enciphered, key + sector)) {
      return fail(error_code::unsupported_codec, offset + start, detail);
    }
  }
  return {};
}

// One unit or one sector.
bool unpack_piece(byte_span piece, bool enciphered, std::uint32_t key, mutable_byte_span into) {
  byte_vector plain;
  if (enciphered) {
    plain.assign(piece.begin(), piece.end());
    decipher(plain, key);
    piece = plain;
  }
  // As large as unpacked means not packed.
  if (piece.size() != into.size()) return unpack(piece, into);
  std::copy(piece.begin(), piece.end(), into.begin());
  return true;
}

}  // namespace

result<mpq_tables> mpq_tables::read(byte_span archive, std::uint64_t archive_offset) {
  byte_reader from(archive, archive_offset);
  if (from.u32() != archive_magic || !from.ok()) {
    return fail(error_code::bad_magic, archive_offset, "no archive");
  }
  const std::uint32_t header_bytes = from.u32();
  from.skip(4 + 2);
  const unsigned sector_shift = from.u16();
  const std::uint32_t hash_offset = from.u32();
  const std::uint32_t block_offset = from.u32();
  const std::uint32_t hash_count = from.u32();
  const std::uint32_t block_count = from.u32();
  if (!from.ok()) return from.failure("archive header");
  if (header_bytes < smallest_header) {
    return fail(error_code::malformed, archive_offset + 4, "archive header");
  }
  if (sector_shift == 0 || sector_shift > largest_sector_shift) {
    return fail(error_code::malformed, archive_offset + 14, "archive header: sector size");
  }
  mpq_tables out;
  out.archive_offset_ = archive_offset;
  out.blocks_offset_ = archive_offset + block_offset;
  out.sector_bytes_ = 512u << sector_shift;
  const byte_vector hashes = table_bytes(archive, hash_offset, hash_count, "(hash table)");
  if (hashes.empty() || !std::has_single_bit(hash_count)) {
    return fail(error_code::malformed, archive_offset + 16, "the hash table lies outside the archive");
  }
  const byte_vector blocks = table_bytes(archive, block_offset, block_count, "(block table)");
  if (blocks.empty()) {
    return fail(error_code::malformed, archive_offset + 20, "the block table lies outside the archive");
  }
  byte_reader hash_rows(hashes);
  out.hashes_.resize(hash_count);
  for (hash_row& row : out.hashes_) {
    row.name_a = hash_rows.u32();
    row.name_b = hash_rows.u32();
    row.locale = hash_rows.u16();
    hash_rows.skip(2);
    row.block = hash_rows.u32();
  }
  byte_reader block_rows(blocks);
  out.blocks_.resize(block_count);
  for (block_row& row : out.blocks_) {
    row.offset = block_rows.u32();
    row.packed_bytes = block_rows.u32();
    row.bytes = block_rows.u32();
    row.flags = block_rows.u32();
  }
  return out;
}

std::optional<std::uint32_t> mpq_tables::find(std::string_view name) const noexcept {
  const std::uint32_t a = hash_name(name, mpq_hash::name_a);
  const std::uint32_t b = hash_name(name, mpq_hash::name_b);
  const std::uint32_t mask = static_cast<std::uint32_t>(hashes_.size()) - 1;
  const std::uint32_t first = hash_name(name, mpq_hash::table_row) & mask;
  std::optional<std::uint32_t> found;
  for (std::uint32_t step = 0; step <= mask; ++step) {
    const hash_row& row = hashes_[(first + step) & mask];
    if (row.block == never_used) break;
    const bool is_it = row.name_a == a && row.name_b == b && row.block < blocks_.size() &&
                       (blocks_[row.block].flags & block_exists) != 0;
    if (!is_it) continue;
    // The neutral language if there is one, else the first.
    if (row.locale == 0) return row.block;
    if (!found) found = row.block;
  }
  return found;
}

result<void> mpq_tables::check(byte_span archive, std::uint32_t block, std::string_view name,
                               const archive_limits& limits, const char* detail) const {
  const block_row& row = blocks_[block];
  const std::uint64_t offset = archive_offset_ + row.offset;
  constexpr std::uint32_t known_flags = block_compressed | block_enciphered | block_key_depends_on_place |
                                        block_single_unit | block_sector_checksums | block_exists;
  // What the row itself says is wrong in the row.
  const std::uint64_t row_offset = blocks_offset_ + std::uint64_t{block} * row_bytes;
  if ((row.flags & ~known_flags) != 0) return fail(error_code::unsupported_codec, row_offset, detail);
  if (row.bytes > limits.member_bytes) return fail(error_code::over_limit, row_offset, detail);
  if (row.offset > archive.size() || row.packed_bytes > archive.size() - row.offset) {
    return fail(error_code::malformed, row_offset, detail);
  }
  if (row.bytes == 0) return {};
  const bool compressed = (row.flags & block_compressed) != 0;
  const bool enciphered = (row.flags & block_enciphered) != 0;
  const byte_span packed = archive.subspan(row.offset, row.packed_bytes);
  if (!compressed) {
    if (row.packed_bytes != row.bytes) return fail(error_code::malformed, row_offset, detail);
    return {};
  }
  const std::uint32_t key = enciphered ? member_key(row, name) : 0;
  if ((row.flags & block_single_unit) == 0) {
    return check_sectors(packed, row, sector_bytes_, key, offset, detail);
  }
  if (row.packed_bytes == 0 || row.packed_bytes > row.bytes) {
    return fail(error_code::malformed, row_offset, detail);
  }
  // As large as unpacked means not packed.
  if (row.packed_bytes < row.bytes && !known_method(packed, enciphered, key)) {
    return fail(error_code::unsupported_codec, offset, detail);
  }
  return {};
}

result<void> mpq_tables::unpack(byte_span archive, std::uint32_t block, std::string_view name,
                                mutable_byte_span into, const char* detail) const {
  const block_row& row = blocks_[block];
  if (row.bytes == 0) return {};
  const std::uint64_t offset = archive_offset_ + row.offset;
  const byte_span packed = archive.subspan(row.offset, row.packed_bytes);
  const bool enciphered = (row.flags & block_enciphered) != 0;
  const std::uint32_t key = enciphered ? member_key(row, name) : 0;
  if ((row.flags & block_single_unit) != 0) {
    if (unpack_piece(packed, enciphered, key, into)) return {};
    return fail(error_code::corrupt_compression, offset, detail);
  }
  // What is not compressed has sectors without a table.
  std::vector<std::uint32_t> offsets;
  if ((row.flags & block_compressed) != 0) {
    auto table = sector_offsets(packed, row, sector_bytes_, key, offset, detail);
    if (!table) return fail(table.error());
    offsets = std::move(*table);
  } else {
    for (std::uint64_t at = 0; at < row.bytes; at += sector_bytes_) {
      offsets.push_back(static_cast<std::uint32_t>(at));
    }
    offsets.push_back(row.bytes);
  }
  for (std::uint32_t sector = 0; sector + 1 < offsets.size(); ++sector) {
    const byte_span piece = packed.subspan(offsets[sector], offsets[sector + 1] - offsets[sector]);
    const std::size_t start = std::size_t{sector} * sector_bytes_;
    const mutable_byte_span out =
        into.subspan(start, std::min<std::size_t>(sector_bytes_, into.size() - start));
    if (unpack_piece(piece, enciphered, key + sector, out)) continue;
    return fail(error_code::corrupt_compression, offset + offsets[sector], detail);
  }
  return {};
}

bool mpq_tables::unpack_anyway(byte_span archive, std::uint32_t block, std::string_view name,
                               const archive_limits& limits, byte_vector& into) const {
  const block_row& row = blocks_[block];
  const bool in_sectors = (row.flags & block_compressed) != 0 && (row.flags & block_single_unit) == 0;
  const bool inside = row.offset <= archive.size() && row.packed_bytes <= archive.size() - row.offset;
  if (in_sectors || !inside) return false;
  byte_span packed = archive.subspan(row.offset, row.packed_bytes);
  const bool enciphered = (row.flags & block_enciphered) != 0;
  const std::uint32_t key = enciphered ? member_key(row, name) : 0;
  if (!known_method(packed, enciphered, key)) return false;
  byte_vector plain;
  if (enciphered) {
    plain.assign(packed.begin(), packed.end());
    decipher(plain, key);
    packed = plain;
  }
  return sc2::unpack_of_unknown_size(packed, static_cast<std::size_t>(limits.member_bytes), into);
}

}  // namespace tickreel::sc2
