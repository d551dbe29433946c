// Archives with wrong tables.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string_view>

#include "cipher.hpp"
#include "md5.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::test {

struct table_row {
  std::uint32_t offset = 0;  // from the first byte of the archive
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;
};

inline constexpr std::size_t table_row_bytes = 16;
inline constexpr std::size_t archive_at = 1024;

// Word by word: the decrypted value of 0 is the key at that position, and depends only on the words before it.
inline void encipher(mutable_byte_span data, std::uint32_t key) {
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    byte_vector before(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(at));
    before.resize(at + 4);
    mpq::decipher(before, key);
    for (std::size_t i = 0; i < 4; ++i) data[at + i] ^= before[at + i];
  }
}

// The places of a table's offset and of its row count in the archive's header, and the name that gives its key.
struct table_place {
  std::size_t offset_at;
  std::size_t rows_at;
  std::string_view name;
};
inline constexpr table_place hash_table{16, 24, "(hash table)"};
inline constexpr table_place block_table{20, 28, "(block table)"};

inline std::uint32_t header_word(byte_span file, std::size_t at) {
  return tickreel::detail::load<std::endian::little, std::uint32_t>(file.data() + archive_at + at);
}

// The file with a changed table, which `change` gets deciphered.
template <class Change>
byte_vector with_table(const byte_vector& file, const table_place& place, Change&& change) {
  byte_vector out = file;
  const mutable_byte_span table = mutable_byte_span(out).subspan(
      archive_at + header_word(file, place.offset_at), header_word(file, place.rows_at) * table_row_bytes);
  const std::uint32_t key = mpq::hash_name(place.name, mpq::hash_use::cipher_key);
  mpq::decipher(table, key);
  change(table);
  encipher(table, key);
  return out;
}

// Calls `each` with a copy of the file for every bit, or every `step` bits, of one of its tables, before encryption.
template <class Each>
void flip_table_bits(const byte_vector& file, const table_place& place, std::size_t step, Each&& each) {
  const std::size_t table_bits = header_word(file, place.rows_at) * table_row_bytes * 8;
  for (std::size_t bit = 0; bit < table_bits; bit += step) {
    const byte_vector copy = with_table(file, place, [&](mutable_byte_span table) {
      table[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    });
    each(copy, std::string(place.name) + " bit " + std::to_string(bit));
  }
}

// The file with a changed row of the block table for this member. `row_at` becomes the row's offset in the file.
inline byte_vector with_row(const byte_vector& file, std::string_view member,
                            const std::function<void(table_row&)>& change, std::size_t* row_at = nullptr) {
  constexpr auto little = std::endian::little;
  const auto archive = mpq::archive::open(file);
  BOOST_REQUIRE(archive.has_value());
  const mpq::member* const found = archive->find(member);
  BOOST_REQUIRE(found != nullptr);
  const std::size_t row_offset = found->block * table_row_bytes;
  if (row_at != nullptr) *row_at = archive_at + header_word(file, block_table.offset_at) + row_offset;
  return with_table(file, block_table, [&](mutable_byte_span table) {
    std::byte* const at = table.data() + row_offset;
    table_row row;
    std::uint32_t* const fields[] = {&row.offset, &row.packed_bytes, &row.bytes, &row.flags};
    for (std::size_t i = 0; i < 4; ++i)
      *fields[i] = tickreel::detail::load<little, std::uint32_t>(at + i * 4);
    BOOST_REQUIRE(row.bytes == found->bytes);
    change(row);
    for (std::size_t i = 0; i < 4; ++i) tickreel::detail::store<little>(at + i * 4, *fields[i]);
  });
}

// The same members in an archive of the fourth format, whose header contains MD5 sums of itself and of the tables.
inline byte_vector with_table_sums(const byte_vector& file) {
  constexpr auto little = std::endian::little;
  constexpr std::size_t old_header_bytes = 32, header_bytes = 208;
  constexpr std::uint32_t growth = header_bytes - old_header_bytes;
  const auto word = [&](std::size_t at) { return header_word(file, at); };
  BOOST_REQUIRE(word(4) == old_header_bytes);
  byte_vector out = file;
  out.insert(out.begin() + archive_at + old_header_bytes, growth, std::byte{});
  const auto put = [&](std::size_t at, auto value) {
    tickreel::detail::store<little>(out.data() + archive_at + at, value);
  };
  const std::uint32_t archive_bytes = word(8) + growth;
  const std::uint32_t hash_at = word(hash_table.offset_at) + growth;
  const std::uint32_t hash_bytes = word(hash_table.rows_at) * table_row_bytes;
  const std::uint32_t blocks_at = word(block_table.offset_at) + growth;
  const std::uint32_t block_bytes = word(block_table.rows_at) * table_row_bytes;
  put(4, std::uint32_t{header_bytes});
  put(8, archive_bytes);
  put(12, std::uint16_t{3});
  put(hash_table.offset_at, hash_at);
  put(block_table.offset_at, blocks_at);
  put(44, std::uint64_t{archive_bytes});
  put(68, std::uint64_t{hash_bytes});
  put(76, std::uint64_t{block_bytes});
  out = with_table(out, block_table, [](mutable_byte_span blocks) {
    for (std::size_t at = 0; at < blocks.size(); at += table_row_bytes) {
      const auto offset = tickreel::detail::load<little, std::uint32_t>(blocks.data() + at);
      tickreel::detail::store<little>(blocks.data() + at, offset + growth);
    }
  });
  const auto put_sum = [&](std::size_t at, std::size_t begin, std::size_t bytes) {
    const mpq::md5_digest sum = mpq::md5(byte_span(out).subspan(archive_at + begin, bytes));
    std::copy(sum.begin(), sum.end(), out.data() + archive_at + at);
  };
  put_sum(112, blocks_at, block_bytes);
  put_sum(128, hash_at, hash_bytes);
  put_sum(192, 0, 192);
  return out;
}

}  // namespace tickreel::test
