#include "tickreel/mpq/write_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "attribute_columns.hpp"
#include "cipher.hpp"
#include "md5.hpp"
#include "names.hpp"
#include "pieces.hpp"
#include "tables.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::mpq {

namespace {

constexpr std::size_t member_limit = 0x7FFFFFFF;
constexpr std::uint32_t smallest_sector_bytes = 1024;
constexpr std::uint32_t largest_sector_bytes = 512u << largest_sector_shift;
constexpr std::string_view listfile_line_end = "\r\n";

void append(byte_vector& to, byte_span bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

result<void> check(std::span<const new_member> members) {
  if (members.size() > listed_limit) {
    return fail(error_code::over_limit, error::no_offset, "more members than a list may name");
  }
  std::set<hashed_name> names = {hashed(listfile_name), hashed(attributes_name)};
  for (const new_member& each : members) {
    const bool usable = !each.name.empty() && each.name.size() <= name_limit &&
                        each.name.find_first_of(name_ends) == std::string::npos &&
                        names.insert(hashed(each.name)).second;
    if (!usable) return fail(error_code::invalid_argument, error::no_offset, "a member's name");
    if (each.bytes.size() > member_limit) {
      return fail(error_code::over_limit, error::no_offset, "a member is too large");
    }
  }
  return {};
}

bool keeps_attributes(const archive_shape& shape) noexcept {
  return shape.crc32 || shape.file_times || shape.md5;
}

result<void> check(std::span<const new_member> members, const archive_shape& shape, byte_span user_data) {
  const bool sound = std::has_single_bit(shape.sector_bytes) && shape.sector_bytes >= smallest_sector_bytes &&
                     shape.sector_bytes <= largest_sector_bytes && shape.hash_rows <= largest_hash_rows;
  if (!sound) return fail(error_code::invalid_argument, error::no_offset, "the archive's shape");
  if (!shape.has_user_data && !user_data.empty()) {
    return fail(error_code::invalid_argument, error::no_offset, "no room for user data");
  }
  if (members.empty() && !shape.listfile && !keeps_attributes(shape)) {
    return fail(error_code::invalid_argument, error::no_offset, "an archive of nothing");
  }
  return {};
}

// Appends members to a file, and stores their offsets.
class member_writer {
 public:
  member_writer(byte_vector& file, std::size_t start, std::uint32_t sector_bytes)
      : file_(&file), start_(start), sector_bytes_(sector_bytes) {}

  result<void> add(std::string_view name, byte_span content, storage how);
  [[nodiscard]] const std::vector<block_row>& rows() const noexcept { return rows_; }

 private:
  result<void> add_sectors(block_row& row, byte_span content, const storage& how, std::uint32_t key);
  // Compressed if that makes it smaller.
  result<byte_span> packed(byte_span content, packing how);
  void append_enciphered(byte_span piece, bool enciphered, std::uint32_t key);

  byte_vector* file_;
  std::size_t start_;
  std::uint32_t sector_bytes_;
  std::vector<block_row> rows_;
  byte_vector room_;
};

result<void> member_writer::add(std::string_view name, byte_span content, storage how) {
  block_row row;
  row.offset = static_cast<std::uint32_t>(file_->size() - start_);
  row.bytes = static_cast<std::uint32_t>(content.size());
  row.flags = block_exists;
  if (how.enciphered) row.flags |= block_enciphered;
  if (how.enciphered && how.key_depends_on_place) row.flags |= block_key_depends_on_place;
  const std::uint32_t key = how.enciphered ? member_key(row, name) : 0;
  if (!how.in_sectors || how.packing == packing::none) {
    auto whole = packed(content, how.packing);
    if (!whole) return fail(whole.error());
    // Only a table of sectors states unambiguously that a piece is uncompressed.
    if (whole->size() == content.size() && looks_packed(content, mpq::limits{}.member_bytes)) {
      how.in_sectors = true;
      if (how.packing == packing::none) how.packing = packing::zlib;
    } else if (!how.in_sectors) {
      row.flags |= block_single_unit;
      if (how.packing != packing::none) row.flags |= block_compressed;
      append_enciphered(*whole, how.enciphered, key);
    }
  }
  if (how.in_sectors) {
    if (auto added = add_sectors(row, content, how, key); !added) return added;
  }
  // Tables and archives are limited to 32 bits.
  if (file_->size() - start_ > std::numeric_limits<std::uint32_t>::max()) {
    return fail(error_code::over_limit, error::no_offset, "the archive is too large");
  }
  row.packed_bytes = static_cast<std::uint32_t>(file_->size() - start_ - row.offset);
  rows_.push_back(row);
  return {};
}

result<void> member_writer::add_sectors(block_row& row, byte_span content, const storage& how,
                                        std::uint32_t key) {
  const std::size_t count = (content.size() + sector_bytes_ - 1) / sector_bytes_;
  const bool has_table = how.packing != packing::none;
  const bool has_checksums = has_table && how.sector_checksums;
  if (has_table) row.flags |= block_compressed;
  if (has_checksums) row.flags |= block_sector_checksums;
  if (content.empty()) return {};
  const std::size_t table_at = file_->size();
  byte_vector table(has_table ? (count + (has_checksums ? 2 : 1)) * 4 : 0);
  byte_vector checksums(has_checksums ? count * 4 : 0);
  byte_writer table_to(table);
  byte_writer checksums_to(checksums);
  const auto note_place = [&] { table_to.u32(static_cast<std::uint32_t>(file_->size() - table_at)); };
  append(*file_, table);
  note_place();
  for (std::size_t sector = 0; sector < count; ++sector) {
    const std::size_t at = sector * sector_bytes_;
    auto piece =
        packed(content.subspan(at, std::min<std::size_t>(sector_bytes_, content.size() - at)), how.packing);
    if (!piece) return fail(piece.error());
    // From 0, and not from 1 like Adler-32 elsewhere.
    checksums_to.u32(static_cast<std::uint32_t>(
        adler32(0, reinterpret_cast<const Bytef*>(piece->data()), static_cast<uInt>(piece->size()))));
    append_enciphered(*piece, how.enciphered, key + static_cast<std::uint32_t>(sector));
    note_place();
  }
  if (has_checksums) {
    auto piece = packed(checksums, packing::zlib);
    if (!piece) return fail(piece.error());
    append(*file_, *piece);
    note_place();
  }
  // Like the sector before the first.
  if (how.enciphered) encipher(table, key - 1);
  std::ranges::copy(table, file_->begin() + static_cast<std::ptrdiff_t>(table_at));
  return {};
}

result<byte_span> member_writer::packed(byte_span content, packing how) {
  auto smaller = pack(content, how, room_);
  if (!smaller) return fail(smaller.error());
  return *smaller ? byte_span(room_) : content;
}

void member_writer::append_enciphered(byte_span piece, bool enciphered, std::uint32_t key) {
  const std::size_t at = file_->size();
  append(*file_, piece);
  if (enciphered) encipher(mutable_byte_span(*file_).subspan(at), key);
}

byte_vector listfile_of(std::span<const new_member> members) {
  byte_vector out;
  for (const new_member& each : members) {
    append(out, as_bytes(each.name));
    append(out, as_bytes(listfile_line_end));
  }
  return out;
}

// Of all rows; its own values stay empty, which means unknown.
byte_vector attributes_of(std::span<const new_member> members, const byte_vector* listfile,
                          const archive_shape& shape) {
  const std::size_t rows = members.size() + (listfile != nullptr ? 2 : 1);
  const std::size_t row_bytes =
      (shape.crc32 ? 4u : 0u) + (shape.file_times ? 8u : 0u) + (shape.md5 ? 16u : 0u);
  byte_vector out(8 + rows * row_bytes);
  byte_writer to(out);
  to.u32(attributes_version);
  to.u32((shape.crc32 ? crc32_column : 0) | (shape.file_times ? file_time_column : 0) |
         (shape.md5 ? md5_column : 0));
  if (shape.crc32) {
    for (const new_member& each : members) to.u32(tickreel::crc32(each.bytes));
    if (listfile != nullptr) to.u32(tickreel::crc32(*listfile));
    to.u32(0);
  }
  if (shape.file_times) {
    for (const new_member& each : members) to.u64(each.file_time);
    if (listfile != nullptr) to.u64(0);
    to.u64(0);
  }
  if (shape.md5) {
    for (const new_member& each : members) to.bytes(md5(each.bytes));
    if (listfile != nullptr) to.bytes(md5(*listfile));
  }
  return out;
}

}  // namespace

result<byte_vector> write_archive(byte_span user_data, std::span<const new_member> members,
                                  const archive_shape& shape) {
  if (auto sound = check(members); !sound) return fail(sound.error());
  if (auto sound = check(members, shape, user_data); !sound) return fail(sound.error());
  byte_vector out;
  if (shape.has_user_data) {
    auto prefix = write_prefix(user_data, {shape.user_data_room, shape.archive_offset, 0});
    if (!prefix) return prefix;
    out = std::move(*prefix);
  }
  const std::size_t start = out.size();
  out.resize(start + archive_header_bytes);

  member_writer to(out, start, shape.sector_bytes);
  std::vector<std::string_view> names;
  for (const new_member& each : members) {
    if (auto added = to.add(each.name, each.bytes, each.storage); !added) return fail(added.error());
    names.emplace_back(each.name);
  }
  byte_vector listfile;
  if (shape.listfile) {
    listfile = listfile_of(members);
    if (auto added = to.add(listfile_name, listfile, shape.housekeeping); !added) return fail(added.error());
    names.push_back(listfile_name);
  }
  if (keeps_attributes(shape)) {
    const byte_vector attributes = attributes_of(members, shape.listfile ? &listfile : nullptr, shape);
    if (auto added = to.add(attributes_name, attributes, shape.housekeeping); !added) {
      return fail(added.error());
    }
    names.push_back(attributes_name);
  }

  archive_header header;
  header.sector_bytes = shape.sector_bytes;
  header.hash_rows = std::bit_ceil(std::max(shape.hash_rows, static_cast<std::uint32_t>(names.size()) + 1));
  header.block_rows = static_cast<std::uint32_t>(names.size());
  header.hash_offset = static_cast<std::uint32_t>(out.size() - start);
  append(out, write_hash_table(names, header.hash_rows));
  header.block_offset = static_cast<std::uint32_t>(out.size() - start);
  append(out, write_block_table(to.rows()));
  const std::size_t archive_bytes = out.size() - start;
  if (archive_bytes > std::numeric_limits<std::uint32_t>::max()) {
    return fail(error_code::over_limit, error::no_offset, "the archive is too large");
  }
  header.archive_bytes = static_cast<std::uint32_t>(archive_bytes);
  write_archive_header(header, mutable_byte_span(out).subspan(start, archive_header_bytes));
  return out;
}

}  // namespace tickreel::mpq
