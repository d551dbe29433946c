#include "tables.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cipher.hpp"
#include "pieces.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::mpq {

namespace {

constexpr std::uint32_t archive_magic = 0x1A51504D;  // "MPQ", 0x1A
constexpr std::uint32_t never_used = 0xFFFFFFFF;
constexpr std::uint32_t deleted = 0xFFFFFFFE;
constexpr std::uint32_t smallest_sector = 512;
constexpr std::string_view hash_table_name = "(hash table)";
constexpr std::string_view block_table_name = "(block table)";

// Decrypted; empty if it is not inside the archive.
byte_vector table_bytes(byte_span archive, std::uint32_t offset, std::uint32_t rows, std::string_view name) {
  if (offset > archive.size() || rows > (archive.size() - offset) / table_row_bytes) return {};
  const byte_span raw = archive.subspan(offset, rows * table_row_bytes);
  byte_vector out(raw.begin(), raw.end());
  decipher(out, hash_name(name, hash_use::cipher_key));
  return out;
}

// The method in the first byte of compressed data; nullopt for unsupported ones.
std::optional<packing> method_of(byte_span packed, bool enciphered, std::uint32_t key) noexcept {
  if (packed.empty()) return std::nullopt;
  std::array<std::byte, 4> head{};
  const std::size_t count = packed.size() < head.size() ? packed.size() : head.size();
  for (std::size_t i = 0; i < count; ++i) head[i] = packed[i];
  if (enciphered) decipher(mutable_byte_span(head).first(count), key);
  return known_packing(head[0]);
}

// A member in sectors begins with u32 offsets of each and of the end; with checksums, of one more. Decrypted.
result<std::vector<std::uint32_t>> sector_offsets(byte_span packed, const block_row& row,
                                                  std::uint32_t sector_bytes, std::uint32_t key,
                                                  std::uint64_t offset, const char* detail) {
  const std::uint64_t sectors = (std::uint64_t{row.bytes} + sector_bytes - 1) / sector_bytes;
  const std::uint64_t entries = sectors + ((row.flags & block_sector_checksums) != 0 ? 2 : 1);
  if (entries * 4 > packed.size()) return fail(error_code::malformed, offset, detail);
  byte_vector table(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(entries * 4));
  // Encrypted like the sector before the first.
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
    if (piece.size() < whole && !method_of(piece, enciphered, key + sector)) {
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
  // The decompressed size means uncompressed.
  if (piece.size() != into.size()) return unpack(piece, into);
  std::copy(piece.begin(), piece.end(), into.begin());
  return true;
}

}  // namespace

std::uint32_t member_key(const block_row& row, std::string_view name) noexcept {
  const std::size_t slash = name.find_last_of("\\/");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const std::uint32_t key = hash_name(name, hash_use::cipher_key);
  return (row.flags & block_key_depends_on_place) != 0 ? (key + row.offset) ^ row.bytes : key;
}

result<archive_tables> archive_tables::read(byte_span archive, std::uint64_t archive_offset) {
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
  if (header_bytes < archive_header_bytes) {
    return fail(error_code::malformed, archive_offset + 4, "archive header");
  }
  if (sector_shift == 0 || sector_shift > largest_sector_shift) {
    return fail(error_code::malformed, archive_offset + 14, "archive header: sector size");
  }
  archive_tables out;
  out.archive_offset_ = archive_offset;
  out.blocks_offset_ = archive_offset + block_offset;
  out.sector_bytes_ = smallest_sector << sector_shift;
  const byte_vector hashes = table_bytes(archive, hash_offset, hash_count, hash_table_name);
  if (hashes.empty() || !std::has_single_bit(hash_count)) {
    return fail(error_code::malformed, archive_offset + 16, "the hash table lies outside the archive");
  }
  if (hash_count > largest_hash_rows) {
    return fail(error_code::over_limit, archive_offset + 24, "{} rows in the hash table",
                static_cast<std::int64_t>(hash_count));
  }
  const byte_vector blocks = table_bytes(archive, block_offset, block_count, block_table_name);
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

template <class Each>
void archive_tables::for_each_entry(std::string_view name, Each&& each) const noexcept {
  const auto [a, b] = hashed(name);
  const std::uint32_t mask = static_cast<std::uint32_t>(hashes_.size()) - 1;
  const std::uint32_t first = hash_name(name, hash_use::table_row) & mask;
  for (std::uint32_t step = 0; step <= mask; ++step) {
    const hash_row& row = hashes_[(first + step) & mask];
    if (row.block == never_used) return;
    if (row.name_a == a && row.name_b == b && !each(row)) return;
  }
}

std::optional<std::uint32_t> archive_tables::find(std::string_view name) const noexcept {
  std::optional<std::uint32_t> found;
  for_each_entry(name, [&](const hash_row& row) {
    if (!leads_to_block(row)) return true;
    // The neutral language if there is one, otherwise the first.
    if (row.locale == 0 || !found) found = row.block;
    return row.locale != 0;
  });
  return found;
}

bool archive_tables::has_entry(std::string_view name) const noexcept {
  bool found = false;
  for_each_entry(name, [&found](const hash_row& row) {
    found = row.block != deleted;
    return !found;
  });
  return found;
}

std::size_t archive_tables::entries_without_block() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(hashes_, [this](const hash_row& row) {
    return row.block != never_used && row.block != deleted && !leads_to_block(row);
  }));
}

result<void> archive_tables::check(byte_span archive, std::uint32_t block, std::string_view name,
                                   const limits& limits, const char* detail) const {
  const block_row& row = blocks_[block];
  const std::uint64_t offset = archive_offset_ + row.offset;
  constexpr std::uint32_t known_flags = block_compressed | block_enciphered | block_key_depends_on_place |
                                        block_single_unit | block_sector_checksums | block_exists;
  // Errors in the row's values are reported at the row.
  const std::uint64_t row_offset = blocks_offset_ + std::uint64_t{block} * table_row_bytes;
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
  // The decompressed size means uncompressed.
  if (row.packed_bytes < row.bytes && !method_of(packed, enciphered, key)) {
    return fail(error_code::unsupported_codec, offset, detail);
  }
  return {};
}

result<void> archive_tables::unpack(byte_span archive, std::uint32_t block, std::string_view name,
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
  // Uncompressed members have sectors without a table.
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

bool archive_tables::unpack_ignoring_size(byte_span archive, std::uint32_t block, std::string_view name,
                                          const limits& limits, byte_vector& into) const {
  const block_row& row = blocks_[block];
  const bool in_sectors = (row.flags & block_compressed) != 0 && (row.flags & block_single_unit) == 0;
  const bool inside = row.offset <= archive.size() && row.packed_bytes <= archive.size() - row.offset;
  if (in_sectors || !inside) return false;
  byte_span packed = archive.subspan(row.offset, row.packed_bytes);
  const bool enciphered = (row.flags & block_enciphered) != 0;
  const std::uint32_t key = enciphered ? member_key(row, name) : 0;
  if (!method_of(packed, enciphered, key)) return false;
  byte_vector plain;
  if (enciphered) {
    plain.assign(packed.begin(), packed.end());
    decipher(plain, key);
    packed = plain;
  }
  return unpack_of_unknown_size(packed, static_cast<std::size_t>(limits.member_bytes), into);
}

std::optional<packing> archive_tables::packing_of(byte_span archive, std::uint32_t block,
                                                  std::string_view name) const {
  const block_row& row = blocks_[block];
  const bool inside = row.offset <= archive.size() && row.packed_bytes <= archive.size() - row.offset;
  if ((row.flags & block_compressed) == 0 || !inside || row.bytes == 0) return std::nullopt;
  const byte_span packed = archive.subspan(row.offset, row.packed_bytes);
  const bool enciphered = (row.flags & block_enciphered) != 0;
  const std::uint32_t key = enciphered ? member_key(row, name) : 0;
  if ((row.flags & block_single_unit) != 0) {
    return row.packed_bytes < row.bytes ? method_of(packed, enciphered, key) : std::nullopt;
  }
  const auto offsets = sector_offsets(packed, row, sector_bytes_, key, 0, "");
  if (!offsets) return std::nullopt;
  for (std::uint32_t sector = 0; sector + 1 < offsets->size(); ++sector) {
    const std::uint32_t start = (*offsets)[sector];
    const byte_span piece = packed.subspan(start, (*offsets)[sector + 1] - start);
    const std::uint64_t whole =
        std::min<std::uint64_t>(sector_bytes_, row.bytes - std::uint64_t{sector} * sector_bytes_);
    if (piece.size() < whole) return method_of(piece, enciphered, key + sector);
  }
  return std::nullopt;
}

byte_vector write_hash_table(std::span<const std::string_view> names, std::uint32_t rows) {
  // All bits set: rows that were never used.
  byte_vector out(rows * table_row_bytes, std::byte{0xFF});
  std::vector<bool> taken(rows);
  for (std::uint32_t block = 0; block < names.size(); ++block) {
    std::uint32_t row = hash_name(names[block], hash_use::table_row) & (rows - 1);
    while (taken[row]) row = (row + 1) & (rows - 1);
    taken[row] = true;
    byte_writer to(mutable_byte_span(out).subspan(row * table_row_bytes, table_row_bytes));
    const auto [a, b] = hashed(names[block]);
    to.u32(a);
    to.u32(b);
    to.u16(0);
    to.u16(0);
    to.u32(block);
  }
  encipher(out, hash_name(hash_table_name, hash_use::cipher_key));
  return out;
}

byte_vector write_block_table(std::span<const block_row> rows) {
  byte_vector out(rows.size() * table_row_bytes);
  byte_writer to(out);
  for (const block_row& row : rows) {
    to.u32(row.offset);
    to.u32(row.packed_bytes);
    to.u32(row.bytes);
    to.u32(row.flags);
  }
  encipher(out, hash_name(block_table_name, hash_use::cipher_key));
  return out;
}

void write_archive_header(const archive_header& what, mutable_byte_span into) noexcept {
  byte_writer to(into);
  to.u32(archive_magic);
  to.u32(archive_header_bytes);
  to.u32(what.archive_bytes);
  to.u16(0);
  to.u16(static_cast<std::uint16_t>(std::countr_zero(what.sector_bytes / smallest_sector)));
  to.u32(what.hash_offset);
  to.u32(what.block_offset);
  to.u32(what.hash_rows);
  to.u32(what.block_rows);
}

}  // namespace tickreel::mpq
