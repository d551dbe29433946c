// Archives with wrong entries in the block table.
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

// The file with a changed row of the block table for this member. `row_at` becomes the row's offset in the file.
inline byte_vector with_row(const byte_vector& file, std::string_view member,
                            const std::function<void(table_row&)>& change, std::size_t* row_at = nullptr) {
  using tickreel::detail::load;
  using tickreel::detail::store;
  constexpr auto little = std::endian::little;
  const auto archive = mpq::archive::open(file);
  BOOST_REQUIRE(archive.has_value());
  const mpq::member* const found = archive->find(member);
  BOOST_REQUIRE(found != nullptr);
  byte_vector out = file;
  const std::size_t table_at = archive_at + load<little, std::uint32_t>(out.data() + archive_at + 20);
  const std::size_t rows = load<little, std::uint32_t>(out.data() + archive_at + 28);
  const mutable_byte_span table = mutable_byte_span(out).subspan(table_at, rows * table_row_bytes);
  const std::uint32_t key = mpq::hash_name("(block table)", mpq::hash_use::cipher_key);
  mpq::decipher(table, key);
  std::byte* const at = table.data() + found->block * table_row_bytes;
  table_row row;
  std::uint32_t* const fields[] = {&row.offset, &row.packed_bytes, &row.bytes, &row.flags};
  for (std::size_t i = 0; i < 4; ++i) *fields[i] = load<little, std::uint32_t>(at + i * 4);
  BOOST_REQUIRE(row.bytes == found->bytes);
  change(row);
  for (std::size_t i = 0; i < 4; ++i) store<little>(at + i * 4, *fields[i]);
  encipher(table, key);
  if (row_at != nullptr) *row_at = table_at + found->block * table_row_bytes;
  return out;
}

// The same members in an archive of the fourth format, whose header contains MD5 sums of itself and of the tables.
inline byte_vector with_table_sums(const byte_vector& file) {
  using tickreel::detail::load;
  using tickreel::detail::store;
  constexpr auto little = std::endian::little;
  constexpr std::size_t old_header_bytes = 32, header_bytes = 208;
  constexpr std::uint32_t growth = header_bytes - old_header_bytes;
  const auto word = [&](std::size_t at) {
    return load<little, std::uint32_t>(file.data() + archive_at + at);
  };
  BOOST_REQUIRE(word(4) == old_header_bytes);
  byte_vector out = file;
  out.insert(out.begin() + archive_at + old_header_bytes, growth, std::byte{});
  std::byte* const header = out.data() + archive_at;
  const mutable_byte_span archive = mutable_byte_span(out).subspan(archive_at);
  const auto put = [&](std::size_t at, auto value) { store<little>(header + at, value); };
  const std::uint32_t archive_bytes = word(8) + growth;
  const std::uint32_t hash_at = word(16) + growth, hash_bytes = word(24) * table_row_bytes;
  const std::uint32_t blocks_at = word(20) + growth, block_bytes = word(28) * table_row_bytes;
  put(4, std::uint32_t{header_bytes});
  put(8, archive_bytes);
  put(12, std::uint16_t{3});
  put(16, hash_at);
  put(20, blocks_at);
  put(44, std::uint64_t{archive_bytes});
  put(68, std::uint64_t{hash_bytes});
  put(76, std::uint64_t{block_bytes});
  const mutable_byte_span blocks = archive.subspan(blocks_at, block_bytes);
  const std::uint32_t key = mpq::hash_name("(block table)", mpq::hash_use::cipher_key);
  mpq::decipher(blocks, key);
  for (std::size_t at = 0; at < blocks.size(); at += table_row_bytes) {
    const auto offset = load<little, std::uint32_t>(blocks.data() + at);
    store<little>(blocks.data() + at, offset + growth);
  }
  encipher(blocks, key);
  const auto put_sum = [&](std::size_t at, byte_span of) {
    const mpq::md5_digest sum = mpq::md5(of);
    std::copy(sum.begin(), sum.end(), header + at);
  };
  put_sum(112, blocks);
  put_sum(128, archive.subspan(hash_at, hash_bytes));
  put_sum(192, archive.first(192));
  return out;
}

}  // namespace tickreel::test
