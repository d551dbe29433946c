// The viewer's reader returns the same as the library, tick by tick and in any order, for recordings of every format.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "kept_recordings.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_test)

using namespace kept_recordings;

BOOST_AUTO_TEST_CASE(recordings_of_every_format_exist) {
  std::set<std::string> formats;
  for (const kept& each : recordings()) formats.emplace((*files::open(each.bytes))->format());
  for (const char* format : {"butter", "echoreplay", "gamecache", "icrep", "rec", "reel", "sc2replay"}) {
    BOOST_TEST(formats.contains(format), format);
  }
}

BOOST_AUTO_TEST_CASE(lines_equal_those_of_the_library) {
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      const auto wanted = lines_of(**files::open(each.bytes));
      reader tested;
      BOOST_REQUIRE(give(tested, each.bytes));
      for (const std::uint32_t at_once : {1u, 7u, 100'000u}) {
        const auto given = ranges_of(tested, 0, at_once);
        BOOST_REQUIRE(given.size() == wanted.size());
        for (std::size_t i = 0; i < given.size(); ++i) BOOST_REQUIRE(given[i] == wanted[i].text);
      }
      BOOST_TEST(tested.state(wanted.empty() ? 0 : wanted.back().tick + 1).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_recording_outside_of_memory_reads_the_same) {
  for (const kept& each : recordings()) {
    reader held, read;
    BOOST_REQUIRE_MESSAGE(give(held, each.bytes), each.name);
    const auto outside = std::make_shared<pieces>(each.bytes);
    read.leave_outside(outside);
    BOOST_TEST_CONTEXT(each.name) {
      BOOST_TEST((read.open() == held.open()));
      BOOST_TEST((read.range(0, 50) == held.range(0, 50)));
      BOOST_TEST((read.fields() == held.fields()));
      BOOST_TEST((read.overview(100) == held.overview(100)));
      BOOST_TEST((read.events() == held.events()));
      BOOST_TEST((read.verify() == held.verify()));
    }
    outside->gone = true;
    BOOST_TEST(read.open().starts_with("{\"ok\":false"), each.name);
  }
}

BOOST_AUTO_TEST_CASE(any_tick_can_be_read_in_any_order) {
  std::mt19937_64 random = test::seeded_random("viewer_reader");
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      const auto wanted = lines_of(**files::open(each.bytes));
      if (wanted.empty()) continue;
      reader tested;
      BOOST_REQUIRE(give(tested, each.bytes));
      for (int i = 0; i < 40; ++i) {
        const std::size_t number = random() % wanted.size();
        BOOST_REQUIRE(tested.state(wanted[number].tick) == wanted[number].text);
        // Requests in between move it elsewhere.
        if (i % 10 == 3) (void)tested.events();
        if (i % 10 == 7) (void)tested.overview(10);
      }
    }
  }
}

// A reader that is given the entrances of another one jumps to the same ticks.
BOOST_AUTO_TEST_CASE(entrances_of_another_reader_lead_to_the_same_ticks) {
  std::mt19937_64 random = test::seeded_random("viewer_reader_entrances");
  std::set<std::string> taught;
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      const auto opened = files::open(each.bytes);
      const auto wanted = lines_of(**opened);
      if (wanted.empty()) continue;
      reader walked;
      BOOST_REQUIRE(give(walked, each.bytes));
      (void)walked.overview(10);
      const std::string known = walked.entrances();
      if (!known.empty()) taught.insert(std::string((*opened)->format()));
      reader tested;
      BOOST_REQUIRE(give(tested, each.bytes));
      std::string cut = known.substr(0, random() % (known.size() + 1));
      for (const std::string& lesson : {cut, known}) {
        std::memcpy(tested.text_room(static_cast<std::uint32_t>(lesson.size())), lesson.data(),
                    lesson.size());
        tested.learn(tested.text());
        for (int i = 0; i < 20; ++i) {
          const std::size_t number = random() % wanted.size();
          BOOST_REQUIRE(tested.state(wanted[number].tick) == wanted[number].text);
        }
      }
    }
  }
  BOOST_TEST(taught.contains("echoreplay"));
}

BOOST_AUTO_TEST_CASE(lines_of_a_game_are_a_recording_again) {
  bool seen = false;
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      const auto opened = files::open(each.bytes);
      const auto wanted = lines_of(**opened);
      reader tested;
      BOOST_REQUIRE(give(tested, each.bytes));
      std::string_view lines = tested.game_lines(0, 20);
      if ((*opened)->offers().echo == nullptr) {
        if (!wanted.empty()) BOOST_TEST(lines.starts_with("{\"error\""));
        continue;
      }
      std::string text;
      std::size_t count = 0;
      for (; !lines.empty(); ++count) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::size_t tab = lines.find('\t');
        BOOST_REQUIRE(count < wanted.size());
        BOOST_TEST(lines.substr(0, tab) == std::to_string(wanted[count].tick));
        text.append(lines.substr(tab + 1, end - tab - 1)) += "\r\n";
        lines.remove_prefix(std::min(end + 1, lines.size()));
      }
      if (count == 0) continue;
      const auto again = files::open(as_bytes(text));
      BOOST_REQUIRE(again);
      BOOST_TEST((*again)->format() == "echoreplay");
      const auto got = lines_of(**again);
      BOOST_TEST(got.size() == count);
      // Where the game's text is kept, it is the same text.
      if ((*opened)->offers().echo->keeps_text()) {
        for (std::size_t i = 0; i < got.size(); ++i) {
          const auto session = [](const std::string& line) {
            return line.substr(line.find("\"recorded_time\""));
          };
          BOOST_TEST(session(got[i].text) == session(wanted[i].text));
        }
        seen = true;
      }
    }
  }
  BOOST_TEST(seen);
}

BOOST_AUTO_TEST_CASE(responses_are_json) {
  for (const kept& each : recordings()) {
    BOOST_TEST_CONTEXT(each.name) {
      reader tested;
      BOOST_REQUIRE(give(tested, each.bytes));
      BOOST_TEST(text::is_json(tested.answer()));
      ask_everything(tested);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_empty_reader_reads_nothing) {
  reader empty;
  BOOST_TEST(empty.state(0).starts_with("{\"error\""));
  ask_everything(empty);
  BOOST_TEST(empty.room(~std::uint64_t{0}) == nullptr);
  BOOST_TEST(empty.open().starts_with("{\"ok\":false"));
}

BOOST_AUTO_TEST_CASE(a_recording_is_shown_before_it_is_read) {
  bool seen = false;
  for (const kept& each : recordings()) {
    reader whole;
    if (!give(whole, each.bytes)) continue;
    const std::string all = whole.open();
    reader tested;
    std::byte* const place = tested.room(each.bytes.size());
    std::copy(each.bytes.begin(), each.bytes.end(), place);
    const std::string begun = tested.begin();
    BOOST_TEST(text::is_json(begun));
    if (begun.find("\"whole\":false") == std::string::npos) {
      BOOST_TEST(begun == all);
      continue;
    }
    seen = true;
    BOOST_TEST(begun.starts_with("{\"ok\":true,"));
    // The first tick is available, and then everything that open() would have returned.
    const std::size_t first = begun.find("\"first_tick\":");
    BOOST_TEST(begun.substr(first, begun.find(',', first) - first) ==
               all.substr(all.find("\"first_tick\":"), begun.find(',', first) - first));
    BOOST_TEST(tested.state(0) == whole.state(0));
    BOOST_TEST(tested.about() == all);
    BOOST_TEST(tested.state(3) == whole.state(3));
  }
  BOOST_TEST(seen);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
