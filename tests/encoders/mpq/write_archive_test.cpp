// Written members read back in every storage form, and a rewritten archive is unchanged.
#include "tickreel/mpq/write_archive.hpp"

#include <bzlib.h>

#include <boost/test/unit_test.hpp>

#include "cipher.hpp"
#include "md5.hpp"
#include "pieces.hpp"
#include "random.hpp"
#include "some_archive.hpp"
#include "tables.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/mpq/attributes.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(encoders_mpq_tests)
BOOST_AUTO_TEST_SUITE(write_archive_test)

using namespace tickreel;
using namespace tickreel::test;
using mpq::new_member;
using mpq::packing;

namespace {

byte_vector written(byte_span user_data, std::span<const new_member> members,
                    const mpq::archive_shape& shape = {}) {
  auto file = mpq::write_archive(user_data, members, shape);
  BOOST_REQUIRE(file.has_value());
  return std::move(*file);
}

void check_attributes(const mpq::archive& opened, const std::vector<new_member>& members,
                      const mpq::archive_shape& shape) {
  const auto kept = mpq::read_attributes(opened);
  BOOST_REQUIRE(kept);
  BOOST_TEST_REQUIRE(kept->crc32 == shape.crc32);
  BOOST_TEST_REQUIRE(kept->file_times == shape.file_times);
  BOOST_TEST_REQUIRE(kept->md5 == shape.md5);
  if (kept->rows.empty()) return;
  for (const new_member& each : members) {
    const std::uint32_t block = opened.find(each.name)->block;
    BOOST_REQUIRE(block < kept->rows.size());
    const mpq::row_attributes& row = kept->rows[block];
    if (shape.crc32) BOOST_TEST_REQUIRE(row.crc32.value_or(0) == crc32(each.bytes));
    if (shape.file_times) BOOST_TEST_REQUIRE(row.file_time.value_or(0) == each.file_time);
    if (shape.md5) BOOST_REQUIRE(row.md5 == mpq::md5(each.bytes));
  }
}

// How a member is written that would otherwise be taken for a compressed one.
bool stored_as_wanted(const new_member& each, const mpq::storage& found) {
  if (found == each.storage) return true;
  // A reader cannot determine which compression would have been used.
  mpq::storage same = found;
  same.packing = each.storage.packing;
  if (same == each.storage && each.storage.packing != packing::none) return true;
  return mpq::looks_packed(each.bytes, std::size_t{1} << 26);
}

byte_vector packed_by_bzip2(byte_span content) {
  byte_vector out(content.size() + 1000);
  out.front() = std::byte{0x10};
  auto size = static_cast<unsigned>(out.size() - 1);
  byte_vector copy(content.begin(), content.end());
  BOOST_REQUIRE(BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(&out[1]), &size,
                                         reinterpret_cast<char*>(copy.data()),
                                         static_cast<unsigned>(copy.size()), 9, 0, 0) == BZ_OK);
  out.resize(1 + size);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(archives_of_every_shape_read_back) {
  auto random = seeded_random("archives_of_every_shape_read_back");
  for (int round = 0; round < 300; ++round) {
    const mpq::archive_shape shape = some_shape(random);
    const auto members = some_members(random, round % 10 == 0 ? 300'000 : 9000);
    byte_vector user_data;
    if (shape.has_user_data) user_data.resize(random() % (shape.user_data_room + 1), std::byte{3});
    const byte_vector file = written(user_data, members, shape);
    BOOST_TEST_REQUIRE((file == written(user_data, members, shape)));

    const auto opened = mpq::archive::open(file);
    BOOST_REQUIRE(opened);
    BOOST_TEST_REQUIRE(opened->members().size() == members.size());
    BOOST_TEST_REQUIRE(opened->nameless() == 0u);
    const byte_span front = opened->user_data();
    BOOST_TEST_REQUIRE(std::equal(front.begin(), front.end(), user_data.begin(), user_data.end()));
    for (const new_member& each : members) {
      const auto bytes = opened->read(each.name);
      BOOST_REQUIRE(bytes);
      BOOST_TEST_REQUIRE((*bytes == each.bytes));
      BOOST_TEST_REQUIRE(stored_as_wanted(each, opened->storage_of(*opened->find(each.name))));
    }
    check_attributes(*opened, members, shape);
    mpq::archive_shape found = opened->shape();
    BOOST_TEST_REQUIRE(found.hash_rows >= std::max<std::size_t>(shape.hash_rows, members.size() + 2));
    BOOST_TEST_REQUIRE(found.housekeeping.in_sectors == shape.housekeeping.in_sectors);
    found.hash_rows = shape.hash_rows;
    found.housekeeping = shape.housekeeping;
    BOOST_TEST_REQUIRE((found == shape));
  }
}

BOOST_AUTO_TEST_CASE(a_rewritten_archive_has_the_same_bytes) {
  auto random = seeded_random("a_rewritten_archive_has_the_same_bytes");
  for (int round = 0; round < 100; ++round) {
    mpq::archive_shape shape = some_shape(random);
    auto members = some_members(random, 9000);
    // All with one compression, so that uncompressed members state which one would have been used.
    shape.housekeeping.packing = packing::bzip2;
    for (new_member& each : members) {
      if (each.storage.packing == packing::zlib) each.storage.packing = packing::bzip2;
      if (!shape.file_times) each.file_time = 0;
    }
    const byte_vector file = written({}, members, shape);
    const auto opened = mpq::archive::open(file);
    BOOST_REQUIRE(opened);
    const auto kept = mpq::read_attributes(*opened);
    BOOST_REQUIRE(kept);
    std::vector<new_member> again;
    for (const mpq::member& each : opened->members()) {
      again.push_back({each.name, *opened->read(each.name), opened->storage_of(each)});
      if (shape.file_times) again.back().file_time = kept->rows[each.block].file_time.value_or(0);
    }
    const bool has_look_alike = std::any_of(members.begin(), members.end(), [](const new_member& each) {
      return mpq::looks_packed(each.bytes, std::size_t{1} << 26);
    });
    if (has_look_alike) continue;
    BOOST_TEST_REQUIRE((written(opened->user_data(), again, opened->shape()) == file));
  }
}

// Readers decompress bytes that start like compressed data, because tables can be wrong.
BOOST_AUTO_TEST_CASE(a_member_that_is_a_compressed_stream_is_preserved) {
  const byte_vector stream = packed_by_bzip2(byte_vector(5000, std::byte{7}));
  for (const packing how : {packing::none, packing::zlib, packing::bzip2}) {
    for (const bool in_sectors : {false, true}) {
      for (const bool enciphered : {false, true}) {
        mpq::storage storage;
        storage.packing = how;
        storage.in_sectors = in_sectors;
        storage.enciphered = enciphered;
        const std::vector<new_member> members = {{"stream", stream, storage}};
        const byte_vector file = written({}, members);
        const auto opened = mpq::archive::open(file);
        BOOST_REQUIRE(opened);
        BOOST_TEST((*opened->read("stream") == stream));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(unwritable_input_is_rejected) {
  const auto code = [](byte_span user_data, const std::vector<new_member>& members,
                       const mpq::archive_shape& shape) {
    const auto file = mpq::write_archive(user_data, members, shape);
    return file ? error_code{} : file.error().code;
  };
  const std::vector<new_member> one = {{"one", byte_vector(10)}};
  BOOST_TEST((code({}, one, {}) == error_code{}));
  for (const std::string name : {"", "a;b", "a\nb", "a\rb", "(listfile)", "(ATTRIBUTES)"}) {
    BOOST_TEST((code({}, {{name, {}}}, {}) == error_code::invalid_argument));
  }
  BOOST_TEST((code({}, {{"a/b", {}}, {"A\\B", {}}}, {}) == error_code::invalid_argument));
  BOOST_TEST((code({}, {{std::string(201, 'n'), {}}}, {}) == error_code::invalid_argument));
  BOOST_TEST((code({}, std::vector<new_member>(4097), {}) == error_code::over_limit));
  for (const std::uint32_t sector : {0u, 512u, 1500u, 1u << 24}) {
    mpq::archive_shape shape;
    shape.sector_bytes = sector;
    BOOST_TEST((code({}, one, shape) == error_code::invalid_argument));
  }
  mpq::archive_shape bare;
  bare.has_user_data = false;
  BOOST_TEST((code(byte_vector(1), one, bare) == error_code::invalid_argument));
  bare.listfile = bare.crc32 = bare.md5 = false;
  BOOST_TEST((code({}, one, bare) == error_code{}));
  BOOST_TEST((code({}, {}, bare) == error_code::invalid_argument));
  BOOST_TEST((code(byte_vector(513), one, {}) == error_code::over_limit));
}

// Without a free row, each lookup would compare all rows.
BOOST_AUTO_TEST_CASE(tables_over_the_size_limit_are_rejected) {
  constexpr std::size_t header_bytes = 32;
  constexpr std::size_t row_bytes = 16;
  for (const std::uint32_t rows : {mpq::largest_hash_rows, mpq::largest_hash_rows * 2}) {
    byte_vector file(header_bytes + (std::size_t{rows} + 1) * row_bytes);
    mpq::archive_header header;
    header.archive_bytes = static_cast<std::uint32_t>(file.size());
    header.sector_bytes = 4096;
    header.hash_offset = header_bytes;
    header.hash_rows = rows;
    header.block_offset = static_cast<std::uint32_t>(file.size() - row_bytes);
    header.block_rows = 1;
    mpq::write_archive_header(header, mutable_byte_span(file).first(header_bytes));
    const auto read = mpq::archive_tables::read(file, 0);
    BOOST_TEST(read.has_value() == (rows == mpq::largest_hash_rows));
    if (!read) BOOST_TEST((read.error().code == error_code::over_limit));
  }
}

BOOST_AUTO_TEST_CASE(without_a_list_members_are_found_by_known_names) {
  const std::vector<new_member> members = {{"known", byte_vector(100)}, {"unheard.of", byte_vector(100)}};
  mpq::archive_shape shape;
  shape.listfile = false;
  const byte_vector file = written({}, members, shape);
  static constexpr const char* names[] = {"known", "absent"};
  const auto opened = mpq::archive::open(file, {.known_names = names});
  BOOST_REQUIRE(opened);
  BOOST_TEST(opened->members().size() == 1u);
  BOOST_TEST(opened->nameless() == 1u);
  BOOST_TEST(!opened->shape().listfile);
  BOOST_TEST(opened->read("absent").error().detail == std::string("absent"));
  BOOST_TEST(opened->read("nowhere").error().detail == std::string("a member of the archive"));
}

BOOST_AUTO_TEST_CASE(the_cipher_is_reversible) {
  auto random = seeded_random("the_cipher_is_reversible");
  for (std::size_t size = 0; size < 40; ++size) {
    byte_vector plain(size);
    for (std::byte& each : plain) each = static_cast<std::byte>(random());
    const auto key = static_cast<std::uint32_t>(random());
    byte_vector ours = plain;
    mpq::encipher(ours, key);
    // Compared with a loop that only decrypts.
    byte_vector other = plain;
    test::encipher(other, key);
    BOOST_TEST((ours == other));
    mpq::decipher(ours, key);
    BOOST_TEST((ours == plain));
  }
}

// An archive small enough to check by hand: the header, and the positions of the tables.
BOOST_AUTO_TEST_CASE(the_first_bytes_match_the_format) {
  const std::vector<new_member> members = {{"a", byte_vector(3, std::byte{'x'})}};
  mpq::archive_shape shape;
  shape.has_user_data = false;
  const byte_vector file = written({}, members, shape);
  const auto u32 = [&](std::size_t at) {
    return tickreel::detail::load<std::endian::little, std::uint32_t>(&file[at]);
  };
  BOOST_TEST(u32(0) == 0x1A51504Du);
  BOOST_TEST(u32(4) == 32u);
  BOOST_TEST(u32(8) == file.size());
  BOOST_TEST(u32(12) == 0x00030000u);  // format 0; 512 << 3
  BOOST_TEST(u32(24) == 16u);
  BOOST_TEST(u32(28) == 3u);
  BOOST_TEST(u32(16) + 16 * 16 == u32(20));
  BOOST_TEST(u32(20) + 3 * 16 == file.size());
  BOOST_TEST((as_text(byte_span(file).subspan(32, 3)) == "xxx"));
  BOOST_TEST((as_text(byte_span(file).subspan(35, 3)) == "a\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
