#define BOOST_TEST_MODULE sdk_tracks_allocation
#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "random.hpp"
#include "random_rows.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(a_writer_takes_its_memory_when_it_is_made_and_a_reader_with_its_first_block) {
  auto random = seeded_random("a_writer_takes_its_memory_when_it_is_made_and_a_reader_with_its_first_block");
  const shape of = random_shape(random, 80, true);
  const auto rows = random_rows(random, of, 200);
  block_writer writer(of, {.most_rows = 100});
  byte_vector room(100'000 + 100 * of.row_bytes);
  block_reader reader(of);
  byte_vector row(of.row_bytes);
  std::uint64_t written = 0;
  std::uint64_t read = 0;
  for (int round = 0; round < 2; ++round) {
    writer.clear();
    std::uint64_t before = allocation_count();
    // As many in each round, others in each.
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

// A few bytes that say they are many rows of a large shape.
BOOST_AUTO_TEST_CASE(a_block_that_asks_for_much_gets_nothing) {
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
