// Recovery of truncated and damaged files.
#include <boost/test/unit_test.hpp>

#include "example.hpp"
#include "random.hpp"
#include "tickreel/icrep/recover.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

// The example with described components, so that deltas can be decoded, and without signatures.
byte_vector described_file() {
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.schema = example_schema();
  const byte_vector events = example_event_blocks();
  return file_of(facts, example_orders(), example_keyframes(), {.events = events});
}

// Whatever remains, the result is a file without damage, and a second recovery changes nothing.
void check_sound(const recovered_file& done) {
  const reader opened = taken(reader::open(done.file));
  for (const finding& one : opened.verify()) {
    BOOST_TEST((one.severity == severity::warning), describe(one.what));
  }
  const recovered_file again = taken(recover_file({done.file, {}, {}, {}}));
  BOOST_TEST(again.was_whole);
  BOOST_TEST((again.file == done.file));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_intact_file_is_unchanged) {
  for (const byte_vector& file : {described_file(), from_hex(golden::complete_file)}) {
    const recovered_file done = taken(recover_file({file, {}, {}, {}}));
    BOOST_TEST(done.was_whole);
    BOOST_TEST((done.file == file));
    BOOST_TEST(done.total_ticks == 3u);
  }
}

BOOST_AUTO_TEST_CASE(truncated_at_every_byte) {
  const byte_vector file = described_file();
  const reader whole = taken(reader::open(file));
  const std::size_t orders_end = whole.header().orders.offset + whole.header().orders.length;
  std::size_t saved = 0;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto done = recover_file({byte_span(file).first(size), {}, {}, {}});
    if (size < orders_end) {
      BOOST_TEST(!done, "cut at " << size);
      continue;
    }
    BOOST_REQUIRE_MESSAGE(done, "cut at " << size << ": " << (done ? "" : describe(done.error())));
    ++saved;
    BOOST_TEST(!done->was_whole);
    BOOST_TEST(done->total_ticks == 3u);
    check_sound(*done);
  }
  BOOST_TEST(saved > 0u);
}

BOOST_AUTO_TEST_CASE(damage_costs_only_the_damaged_part) {
  const byte_vector file = described_file();
  const reader whole = taken(reader::open(file));
  {
    byte_vector hurt = file;
    hurt[static_cast<std::size_t>(whole.keyframes()[1].offset) + 30] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.lost_keyframes == 1u);
    BOOST_TEST(done.keyframes == 1u);
    BOOST_TEST(done.damaged_blocks == 0u);
    check_sound(done);
    BOOST_TEST((taken(taken(reader::open(done.file)).snapshot(0)) == example_full()));
  }
  {
    byte_vector hurt = file;
    hurt[whole.header().orders.offset + 40] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.lost_ticks == 3u);
    BOOST_TEST(done.damaged_blocks == 1u);
    BOOST_TEST(done.keyframes == 2u);
    check_sound(done);
  }
  {
    byte_vector hurt = file;
    hurt[whole.header().events.offset + 40] ^= std::byte{1};
    const recovered_file done = taken(recover_file({hurt, {}, {}, {}}));
    BOOST_TEST(done.damaged_blocks == 1u);
    BOOST_TEST(done.lost_ticks == 0u);
    BOOST_TEST(done.keyframes == 2u);
    check_sound(done);
  }
}

BOOST_AUTO_TEST_CASE(noise_never_becomes_an_invalid_file) {
  auto random = seeded_random("recover");
  const byte_vector file = described_file();
  const std::size_t orders_at = taken(reader::open(file)).header().orders.offset;
  std::size_t checked = 0;
  for (int round = 0; round < 2000; ++round) {
    byte_vector hurt = file;
    // Except in the metadata, whose statements about components cannot be checked.
    for (int flips = 0; flips < 3; ++flips) {
      const std::size_t place = random() % (header_bytes + file.size() - orders_at);
      hurt[place < header_bytes ? place : place - header_bytes + orders_at] ^=
          static_cast<std::byte>(1u << (random() % 8));
    }
    const auto done = recover_file({hurt, {}, {}, {}});
    if (!done || done->was_whole) continue;
    check_sound(*done);
    ++checked;
  }
  BOOST_TEST(checked > 500u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
