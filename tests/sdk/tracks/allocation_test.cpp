#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "random.hpp"
#include "random_rows.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/changes.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_allocation_tests)
BOOST_AUTO_TEST_SUITE(allocation_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(a_writer_allocates_at_construction_and_a_reader_with_its_first_block) {
  auto random = seeded_random("a_writer_allocates_at_construction_and_a_reader_with_its_first_block");
  const shape of = random_shape(random, 80, true);
  const auto rows = random_rows(random, of, 200);
  block_writer writer(of, {.max_rows = 100});
  byte_vector room(100'000 + 100 * of.row_bytes);
  block_reader reader(of);
  byte_vector row(of.row_bytes);
  std::uint64_t written = 0;
  std::uint64_t read = 0;
  for (int round = 0; round < 2; ++round) {
    writer.clear();
    std::uint64_t before = allocation_count();
    // The same number in each round, but other ones.
    for (std::size_t i = 0; i < 100; ++i) writer.add(rows[100 * static_cast<std::size_t>(round) + i]);
    byte_writer out(room);
    writer.write(out);
    written += allocation_count() - before;
    BOOST_REQUIRE(out.ok());
    before = allocation_count();
    BOOST_REQUIRE(reader.open(out.written()).has_value());
    bool good = true;
    for (std::size_t i = 0; i < 100; ++i) good &= reader.row(i, row).has_value();
    BOOST_TEST(good);
    if (round > 0) read += allocation_count() - before;
  }
  BOOST_TEST(written == 0u);
  BOOST_TEST(read == 0u);
}

// A few bytes that claim to be many rows of a large shape.
BOOST_AUTO_TEST_CASE(a_block_with_excessive_claims_is_rejected) {
  shape of;
  for (std::uint32_t i = 0; i < 1000; ++i) of.columns.push_back({value_kind::floating, 4 * i, 4, {}});
  of.row_bytes = 4000;
  block_reader reader(of, {.memory_bytes = 1 << 20});
  const byte_vector block{std::byte{1}, std::byte{249}, std::byte{0xF0}, std::byte{0}, std::byte{1}};
  reset_allocations();
  const auto opened = reader.open(block);
  BOOST_REQUIRE(!opened.has_value());
  BOOST_TEST((opened.error().code == error_code::over_limit));
  if (counts_allocations) BOOST_TEST(allocations().bytes == 0u);
}

// However many columns a schema describes: columns of all kinds share a bounded number of models.
BOOST_AUTO_TEST_CASE(changes_of_many_columns_take_bounded_memory) {
  auto random = seeded_random("changes_of_many_columns_take_bounded_memory");
  shape wide;
  for (std::uint32_t i = 0; i < 1000; ++i)
    wide.columns.push_back({value_kind::unsigned_integer, 4 * i, 4, {}});
  wide.row_bytes = 4000;
  change_reader reader(std::vector<shape>(64, wide));
  byte_vector value(wide.row_bytes);
  byte_vector noise(4000);
  reset_allocations();
  std::size_t applied = 0;
  for (int round = 0; round < 60; ++round) {
    for (std::byte& one : noise) one = static_cast<std::byte>(random());
    if (!reader.open(noise, 100'000)) continue;
    record_change one;
    for (auto more = reader.next(one); more && *more && applied < 2000; more = reader.next(one)) {
      BOOST_REQUIRE(reader.apply(value));
      ++applied;
    }
  }
  BOOST_TEST(applied > 0u);
  if (counts_allocations) BOOST_TEST(allocations().bytes < std::size_t{16} << 20);
}

BOOST_AUTO_TEST_CASE(changes_are_written_and_read_without_further_allocations) {
  const std::vector<shape> kinds = {
      {12, {{value_kind::unsigned_integer, 0, 4, {}}, {value_kind::floating, 4, 8, {}}}}};
  change_writer writer(kinds);
  change_reader reader(kinds);
  std::vector<byte_vector> before(200, byte_vector(12));
  auto now = before;
  std::vector<record_change> changes;
  byte_vector out;
  out.reserve(1 << 16);
  std::uint64_t taken = 0;
  for (unsigned tick = 0; tick < 20; ++tick) {
    changes.clear();
    out.clear();
    for (std::uint32_t r = 0; r < now.size(); ++r) {
      before[r] = now[r];
      now[r][r % 12] = static_cast<std::byte>(tick * r);
      changes.push_back({r, 0, before[r], now[r]});
    }
    const std::uint64_t allocated = allocation_count();
    writer.write(changes, out);
    BOOST_REQUIRE(reader.open(out, changes.size()));
    record_change one;
    bool same = true;
    for (auto more = reader.next(one); more && *more; more = reader.next(one)) {
      same = same && reader.apply(before[one.record]) && before[one.record] == now[one.record];
    }
    if (tick > 1) taken += allocation_count() - allocated;
    BOOST_REQUIRE(same);
  }
  BOOST_TEST(taken == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
