// Archives with members, as replays are: the members decompressed, or the tables deciphered.
#pragma once

#include <set>

#include "../../../encoders/mpq/src/cipher.hpp"
#include "../../../encoders/mpq/src/tables.hpp"
#include "parts.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/mpq/user_data.hpp"
#include "tickreel/mpq/write_archive.hpp"

namespace tickreel::fuzz {

// The first parts: the user data; u16 room, u16 offset, u8 shift of the sector size, u8 rows, u8 bits of the shape. An item: u8
// packing, u8 bits of the storage, u8 length of the name; the name and the content.
struct archive_format {
  static constexpr std::size_t fixed_parts = 2;
  static constexpr std::size_t shape_bytes = 2 + 2 + 1 + 1 + 1;
  static constexpr std::size_t item_head_bytes = 1 + 1 + 1;

  static std::optional<parts> split(byte_span input) {
    const auto archive = mpq::archive::open(input, {.limits = {1u << 20, 1u << 18, 1u << 20}});
    if (!archive) return std::nullopt;
    parts out(fixed_parts);
    append(out[0], archive->user_data());
    const mpq::archive_shape shape = archive->shape();
    out[1].resize(shape_bytes);
    byte_writer to(out[1]);
    to.u16(static_cast<std::uint16_t>(shape.user_data_room));
    to.u16(static_cast<std::uint16_t>(shape.archive_offset));
    to.u8(static_cast<std::uint8_t>(std::countr_zero(shape.sector_bytes)));
    to.u8(static_cast<std::uint8_t>(std::countr_zero(shape.hash_rows)));
    to.u8(static_cast<std::uint8_t>(shape.has_user_data | shape.listfile << 1 | shape.crc32 << 2 |
                                    shape.file_times << 3 | shape.md5 << 4));
    for (const mpq::member& each : archive->members()) {
      const auto content = archive->read(each.name);
      if (!content || each.name.size() > 255) continue;
      const mpq::storage how = archive->storage_of(each);
      byte_vector item = {static_cast<std::byte>(how.packing),
                          static_cast<std::byte>(how.in_sectors | how.sector_checksums << 1 |
                                                 how.enciphered << 2 | how.key_depends_on_place << 3),
                          static_cast<std::byte>(each.name.size())};
      append(item, as_bytes(each.name));
      append(item, *content);
      out.push_back(std::move(item));
    }
    return out;
  }

  static mpq::archive_shape shape_of(byte_vector part) {
    part.resize(shape_bytes);
    byte_reader from(part);
    mpq::archive_shape shape;
    shape.user_data_room = from.u16();
    shape.archive_offset = from.u16();
    shape.sector_bytes = 1u << (from.u8() % 32);
    shape.hash_rows = 1u << (from.u8() % 16);
    const unsigned bits = from.u8();
    shape.has_user_data = (bits & 1) != 0;
    shape.listfile = (bits & 2) != 0;
    shape.crc32 = (bits & 4) != 0;
    shape.file_times = (bits & 8) != 0;
    shape.md5 = (bits & 16) != 0;
    return shape;
  }

  static std::optional<byte_vector> join(const parts& from) {
    std::vector<mpq::new_member> members;
    std::set<std::string> names;
    for (std::size_t i = fixed_parts; i < from.size(); ++i) {
      byte_reader fields(from[i]);
      mpq::new_member made;
      made.storage.packing = static_cast<mpq::packing>(fields.u8() % 3);
      const unsigned bits = fields.u8();
      made.storage.in_sectors = (bits & 1) != 0;
      made.storage.sector_checksums = (bits & 2) != 0;
      made.storage.enciphered = (bits & 4) != 0;
      made.storage.key_depends_on_place = (bits & 8) != 0;
      const std::size_t length = fields.u8();
      made.name = as_text(fields.bytes(std::min(length, fields.remaining())));
      const byte_span content = fields.rest();
      made.bytes.assign(content.begin(), content.end());
      // A copy of a member has the name of the other.
      while (!names.insert(made.name).second) made.name += '2';
      members.push_back(std::move(made));
    }
    auto file = mpq::write_archive(from[0], members, shape_of(from[1]));
    if (!file) return std::nullopt;
    return std::move(*file);
  }

  static void mutate_part(byte_vector& part, random_source& random, bool fixed) {
    if (fixed) return mutate_bytes(part);
    const std::size_t name = part.size() < item_head_bytes ? 0 : std::to_integer<std::size_t>(part[2]);
    const bool in_content = below(random, 4) != 0;
    mutate_fields_or_content(part, std::min(part.size(), item_head_bytes + (in_content ? name : 0)), random);
  }
};

// A row of one of the two tables.
inline std::optional<byte_vector> mutate_tables(byte_span input, random_source& random) {
  const auto prefix = mpq::read_prefix(input);
  const std::size_t begin = prefix ? prefix->archive_offset : 0;
  if (begin > input.size() || input.size() - begin < mpq::archive_header_bytes) return std::nullopt;
  byte_vector out(input.begin(), input.end());
  const auto word = [&](std::size_t at) {
    return detail::load<std::endian::little, std::uint32_t>(out.data() + begin + at);
  };
  const bool is_hash = below(random, 2) == 0;
  const std::size_t table = begin + word(is_hash ? 16 : 20);
  const std::size_t rows = word(is_hash ? 24 : 28);
  if (table > out.size() || rows == 0 || rows > (out.size() - table) / mpq::table_row_bytes)
    return std::nullopt;
  const auto of = mutable_byte_span(out).subspan(table, rows * mpq::table_row_bytes);
  const std::uint32_t key =
      mpq::hash_name(is_hash ? "(hash table)" : "(block table)", mpq::hash_use::cipher_key);
  mpq::decipher(of, key);
  const auto row = of.subspan(below(random, rows) * mpq::table_row_bytes, mpq::table_row_bytes);
  byte_vector bytes(row.begin(), row.end());
  mutate_bytes(bytes);
  bytes.resize(row.size());
  std::copy(bytes.begin(), bytes.end(), row.begin());
  mpq::encipher(of, key);
  return out;
}

inline std::optional<byte_vector> mutate_archive(byte_span input, random_source& random) {
  if (below(random, 3) == 0) return mutate_tables(input, random);
  return parts_mutator<archive_format>::mutate(input, random);
}

}  // namespace tickreel::fuzz
