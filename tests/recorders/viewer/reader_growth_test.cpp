// Reels that grow while a page shows them.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "kept_recordings.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_growth_test)

using namespace kept_recordings;

// Truncated ticks are returned once complete. In every storage of the page; the ticks, events and lanes are those of the whole,
// and earlier bytes are not read again.
BOOST_AUTO_TEST_CASE(a_growing_reel_is_read_further) {
  std::size_t seen = 0;
  for (const kept& each : recordings()) {
    if (!each.name.ends_with(".reel")) continue;
    BOOST_TEST_CONTEXT(each.name) {
      const auto wanted = lines_of(**files::open(each.bytes));
      reader whole;
      whole.set_live(true);
      BOOST_REQUIRE(give(whole, each.bytes));
      const std::string about = whole.about();
      // A reopened recording returns all of its events each time.
      const bool extends = about.find("\"extends\":true") != std::string::npos;
      const std::string overview = whole.overview(4000);
      const std::string events = whole.events();
      for (const bool held : {true, false}) {
        reader tested;
        tested.set_live(true);
        const auto outside = std::make_shared<pieces>(byte_span(each.bytes).first(each.bytes.size() / 2));
        std::size_t there = each.bytes.size() / 2;
        if (held) {
          (void)give(tested, byte_span(each.bytes).first(there));
        } else {
          tested.leave_outside(outside);
          (void)tested.open();
        }
        std::string all_events = tested.events();
        while (there < each.bytes.size()) {
          const std::size_t more = std::min<std::size_t>(each.bytes.size() - there, 777);
          if (held) {
            std::byte* const place = tested.append(more);
            BOOST_REQUIRE(place != nullptr);
            std::memcpy(place, each.bytes.data() + there, more);
          } else {
            outside->grow(byte_span(each.bytes).first(there + more));
          }
          there += more;
          BOOST_REQUIRE_MESSAGE(tested.extend().starts_with("{\"ok\":true"), tested.answer());
          BOOST_REQUIRE_MESSAGE(tested.about().starts_with("{\"ok\":true"), tested.answer());
          const std::string& came = tested.events();
          all_events = extends ? all_events + came : came;
          BOOST_TEST(text::is_json(tested.overview(4000)));
        }
        BOOST_TEST(ranges_of(tested, 0, 100).size() == wanted.size());
        BOOST_TEST(tested.overview(4000) == overview);
        const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
        if (about.find("\"health\":\"whole\"") != std::string::npos)
          BOOST_TEST(lines(all_events) == lines(events));
        const auto number = [](const std::string& text, std::string_view key) {
          const std::size_t at = text.find(key);
          return at == std::string::npos ? std::string() : text.substr(at, text.find(',', at) - at);
        };
        for (const char* const key : {"\"ticks\":", "\"first_tick\":", "\"last_time_ms\":"}) {
          BOOST_TEST(number(tested.about(), key) == number(about, key));
        }
        ++seen;
      }
    }
  }
  BOOST_TEST(seen >= 20u);
}

BOOST_AUTO_TEST_CASE(the_cost_of_growth_for_a_page_is_independent_of_the_size) {
  for (const kept& each : recordings()) {
    if (each.name != "echo.columns.reel") continue;
    auto records = reel::reader::from_memory(each.bytes)->contents().records;
    std::erase_if(records, [](const auto& one) { return one.kind != reel::record_kind::chunk; });
    BOOST_REQUIRE(records.size() >= 2u);
    const std::uint64_t header = reel::reader::from_memory(each.bytes)->header_bytes().size();
    const auto before_last = static_cast<std::size_t>(records.back().offset);
    const auto outside = std::make_shared<pieces>(byte_span(each.bytes).first(before_last));
    reader tested;
    tested.set_live(true);
    tested.leave_outside(outside);
    BOOST_REQUIRE(tested.open().starts_with("{\"ok\":true"));
    (void)tested.overview(4000);
    (void)tested.events();
    outside->grow(byte_span(each.bytes).first(before_last + static_cast<std::size_t>(records.back().bytes)));
    outside->bytes_read = 0;
    (void)tested.extend();
    (void)tested.about();
    (void)tested.overview(4000);
    (void)tested.events();
    // The new ticks, from both of its iterators, and the check that it is the same reel.
    BOOST_TEST(outside->bytes_read <= 5 * records.back().bytes + 6 * header + 8192);
    BOOST_TEST(outside->bytes_read < before_last);
    // Another one in its place.
    byte_vector other(each.bytes.size(), std::byte{1});
    outside->grow(other);
    BOOST_TEST(tested.extend().find("\"other\":true") != std::string::npos);
    return;
  }
  BOOST_FAIL("the recording is missing");
}

BOOST_AUTO_TEST_CASE(a_reel_that_grew_unannounced_is_reopened) {
  for (const kept& each : recordings()) {
    if (each.name != "little.none.reel") continue;
    const std::size_t part = each.bytes.size() / 2;
    const auto wanted = lines_of(**files::open(each.bytes));
    reader tested;
    (void)give(tested, byte_span(each.bytes).first(part));
    const std::size_t before = ranges_of(tested, 0, 100).size();
    BOOST_TEST(before < wanted.size());
    std::byte* const place = tested.append(each.bytes.size() - part);
    BOOST_REQUIRE(place != nullptr);
    std::memcpy(place, each.bytes.data() + part, each.bytes.size() - part);
    BOOST_TEST(tested.extend().starts_with("{\"ok\":true"));
    BOOST_TEST(ranges_of(tested, 0, 100).size() == wanted.size());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
