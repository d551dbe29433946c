// Damaged recordings: the reader returns a result that can be shown, and the same verdict as the library.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <string_view>

#include "kept_recordings.hpp"
#include "random.hpp"
#include "tickreel/files/trailing_bytes.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_damage_test)

using namespace kept_recordings;

BOOST_AUTO_TEST_CASE(bytes_after_the_end_are_damage) {
  std::size_t tested_files = 0;
  for (const kept& each : recordings()) {
    reader whole;
    BOOST_REQUIRE(give(whole, each.bytes));
    if (whole.answer().find("\"health\":\"whole\"") == std::string::npos) continue;
    byte_vector longer = each.bytes;
    longer.insert(longer.end(), 100, std::byte{7});
    const auto trailing = files::find_trailing_bytes(byte_source(longer));
    reader tested;
    if (!trailing || !give(tested, longer)) continue;
    ++tested_files;
    BOOST_TEST_CONTEXT(each.name) {
      BOOST_TEST(tested.answer().find("\"health\":\"damaged\"") != std::string::npos, tested.answer());
      BOOST_TEST(tested.answer().find("after the end") != std::string::npos);
      BOOST_TEST(tested.summary().find("\"health\":\"damaged\"") != std::string::npos);
      BOOST_TEST(tested.verify().find("after the end") != std::string::npos);
      BOOST_TEST(tested.answer().find("\"ok\":false") != std::string::npos);
    }
  }
  BOOST_TEST(tested_files >= 5u);
}

BOOST_AUTO_TEST_CASE(events_before_damage_are_listed) {
  const auto is_error = [](std::string_view line) { return line.starts_with("{\"error\":"); };
  std::size_t ended = 0;
  auto random = test::seeded_random("events before damage");
  for (const kept& each : recordings())
    for (int round = 0; round < 4; ++round) {
      byte_vector bytes = each.bytes;
      if (round != 0) bytes[random() % bytes.size()] ^= std::byte{0x55};
      const auto from = files::open(bytes);
      if (!from) continue;
      std::string wanted;
      const auto given = (*from)->events({}, [&](std::string_view line) {
        wanted.append(line) += '\n';
        return true;
      });
      reader tested;
      if (!give(tested, bytes)) continue;
      const std::string& listed = tested.events();
      const bool is_ended = !given && given.error().code != error_code::unsupported_operation;
      BOOST_TEST_CONTEXT(each.name) {
        BOOST_TEST(listed.starts_with(wanted));
        const std::string_view rest = std::string_view(listed).substr(wanted.size());
        BOOST_TEST(is_error(rest) == is_ended);
        BOOST_TEST(rest.empty() == !is_ended);
      }
      if (is_ended && !wanted.empty()) ++ended;
    }
  BOOST_TEST(ended != 0u);
}

// A page has the same verdict as `info`, also for a file whose ends and indexes look valid.
BOOST_AUTO_TEST_CASE(the_verdict_equals_that_of_all_ticks) {
  std::size_t damaged = 0;
  const auto compare = [&](byte_span bytes) {
    const auto opened = files::open(bytes);
    reader tested;
    if (!opened || !give(tested, bytes)) return;
    simdjson::dom::parser parser;
    std::string_view after;
    const simdjson::padded_string answer(tested.summary());
    BOOST_REQUIRE(parser.parse(answer)["info"]["health"].get(after) == simdjson::SUCCESS);
    const auto wanted = (*opened)->summarise();
    BOOST_REQUIRE(wanted);
    BOOST_TEST(after == files::name(wanted->health));
    damaged += after == "damaged" ? 1u : 0u;
  };
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) compare(each.bytes);
    if (each.name != "match.none.butter") continue;
    // Positions that are not numbers, in half precision.
    for (std::size_t at = 434; at + 2 < each.bytes.size(); at += 112) {
      byte_vector odd = each.bytes;
      odd[at] = std::byte{0};
      odd[at + 1] = std::byte{0x7e};
      BOOST_TEST_CONTEXT("offset " << at) compare(odd);
    }
  }
  BOOST_TEST(damaged > 0u);
}

BOOST_AUTO_TEST_CASE(a_damaged_recording_is_harmless) {
  std::mt19937_64 random = test::seeded_random("viewer_reader");
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      for (int i = 0; i < 12; ++i) {
        byte_vector damaged = each.bytes;
        if (i % 2 == 0) {
          damaged.resize(random() % (damaged.size() + 1));
        } else {
          for (int flips = 0; flips < 3; ++flips) {
            damaged[random() % damaged.size()] ^= static_cast<std::byte>(1u << (random() % 8));
          }
        }
        reader tested;
        (void)give(tested, damaged);
        BOOST_TEST(text::is_json(tested.answer()));
        ask_everything(tested);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
