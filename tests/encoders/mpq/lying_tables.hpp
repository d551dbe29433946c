// Archives whose block table says something else than the truth.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>
#include <string_view>

#include "cipher.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::test {

struct table_row {
  std::uint32_t offset = 0;  // from the archive's first byte
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;
  std::uint32_t flags = 0;
};

inline constexpr std::size_t table_row_bytes = 16;
inline constexpr std::size_t archive_at = 1024;

// Word by word: what deciphers a 0 to is the key there, and depends on the words before it alone.
inline void encipher(mutable_byte_span data, std::uint32_t key) {
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    byte_vector before(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(at));
    before.resize(at + 4);
    mpq::decipher(before, key);
    for (std::size_t i = 0; i < 4; ++i) data[at + i] ^= before[at + i];
  }
}

// The file with a member's row of the block table changed. `row_at` becomes the row's place in the file.
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

}  // namespace tickreel::test
