// Records of events, also of damaged ticks and of earlier versions; names of types.
#include "tickreel/echo/events.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <memory>
#include <string>

#include "changed_match.hpp"
#include "random.hpp"
#include "random_state.hpp"
#include "tickreel/bytes/writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(event_records_test)

using namespace changed_match;

// Whatever a damaged file contains: events stay few, ordered and writable.
BOOST_AUTO_TEST_CASE(random_states) {
  auto random = test::seeded_random("random states");
  echo::event_detector detector;
  collector found;
  const auto tick = std::make_unique<echo::state>();
  test::state_generator make(random);
  for (int i = 0; i < 3000; ++i) {
    make.fill(*tick, true);
    if (random() % 3 != 0) tick->match.sessionid.assign("A");
    if (random() % 50 == 0) tick->recorded_time_ms = std::numeric_limits<std::int64_t>::min();
    detector.see(random() % 10 == 0 ? random() : static_cast<std::uint64_t>(i), *tick, found);
  }
  detector.finish(found);
  BOOST_TEST(found.all.size() > 1000u);
  std::uint32_t number = 0;
  for (const echo::event& each : found.all) {
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(each, number, room);
    BOOST_REQUIRE(size != 0u);
    const auto back = echo::read_event_record(byte_span(room).first(size));
    BOOST_REQUIRE(back);
    BOOST_TEST(back->number == number);
    std::string before, after;
    echo::append_json(each, 0, before);
    echo::append_json(back->what, 0, after);
    BOOST_REQUIRE_EQUAL(before, after);
    for (std::size_t cut = 0; cut < size; ++cut) {
      const auto shorter = echo::read_event_record(byte_span(room).first(cut));
      if (!shorter) continue;
      // Only a goal may end early, before the fields that older versions lack; the fields present are unchanged.
      BOOST_REQUIRE(std::holds_alternative<echo::goal>(each.what));
      std::array<std::byte, echo::max_event_record_bytes> again;
      BOOST_REQUIRE(echo::write_event_record(shorter->what, shorter->number, again) > cut);
      BOOST_REQUIRE(
          std::equal(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(cut), room.begin()));
    }
    // One flipped bit: an error or another event, nothing else.
    room[random() % size] ^= static_cast<std::byte>(1u << random() % 8);
    (void)echo::read_event_record(byte_span(room).first(size));
    ++number;
    if (number == 500) break;
  }
}

// A stun of version 1, and its size in the current version.
BOOST_AUTO_TEST_CASE(records_of_version_1_are_read) {
  byte_vector old(200);
  byte_writer out(old);
  out.u8(1);
  out.u32(7);
  out.u8(static_cast<std::uint8_t>(*echo::event_type_from_name("stun")));
  out.u8(static_cast<std::uint8_t>(echo::event_source::statistics));
  out.u8(1);
  out.u32(2);
  out.i32(0);
  out.i32(-40);
  out.u64(300);
  out.i64(1'658'001'898'000);
  out.f32(120.5f);
  const auto person = [&](std::string_view name, std::uint64_t userid, std::int32_t slot) {
    out.u8(static_cast<std::uint8_t>(name.size()));
    out.bytes(as_bytes(name));
    out.u64(userid);
    out.i32(slot);
    out.u8(static_cast<std::uint8_t>(echo::side::orange));
  };
  person("Alice", 4255202553004136, 3);
  person("Bob", 5, -1);
  BOOST_REQUIRE(out.ok());
  old.resize(out.size());
  const auto read = echo::read_event_record(old);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->number == 7u);
  BOOST_TEST(read->what.uncertain);
  BOOST_TEST(read->what.count == 2u);
  BOOST_TEST(read->what.late_ms == -40);
  BOOST_TEST(read->what.tick == 300u);
  BOOST_TEST(read->what.time_ms == 1'658'001'898'000);
  BOOST_TEST(read->what.game_clock == 120.5f);
  const auto again = [&] {
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(read->what, read->number, room);
    BOOST_TEST(size <= old.size() - 30);
    return echo::read_event_record(byte_span(room).first(size));
  }();
  BOOST_REQUIRE(again);
  std::string before, after;
  echo::append_json(read->what, 0, before);
  echo::append_json(again->what, 0, after);
  BOOST_TEST(before == after);
  BOOST_TEST(before.find("4255202553004136") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_map_to_types_and_back) {
  for (std::size_t type = 0; type < echo::event_type_count; ++type) {
    BOOST_TEST((echo::event_type_from_name(echo::type_name(type)) == type));
  }
  BOOST_TEST(!echo::event_type_from_name("home_run"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
