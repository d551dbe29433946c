// The viewer's reader returns the same as the library, tick by tick and in any order, for recordings of every format; and for
// damaged ones a result that can be shown.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "mcap_bytes.hpp"
#include "random.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/reader.hpp"
#include "tickreel/viewer/tick_values.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_test)

namespace {

using namespace tickreel;
using viewer::reader;

struct kept {
  std::string name;
  byte_vector bytes;
};

const std::vector<kept>& recordings() {
  static const std::vector<kept> all = [] {
    std::vector<kept> found;
    namespace fs = std::filesystem;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(TICKREEL_KEPT_RECORDINGS)) {
      if (!each.is_regular_file() || each.path().parent_path().filename() != "recordings") continue;
      auto bytes = read_whole_file(file_path(each.path()), 1u << 26);
      if (bytes && files::open(*bytes)) found.push_back({each.path().filename().string(), std::move(*bytes)});
    }
    return found;
  }();
  return all;
}

bool give(reader& to, byte_span bytes) {
  std::byte* const place = to.room(bytes.size());
  BOOST_REQUIRE(place != nullptr);
  if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
  return to.open().starts_with("{\"ok\":true");
}

std::uint64_t tick_of(std::string_view line) {
  BOOST_REQUIRE_MESSAGE(line.starts_with("{\"tick\":"), line.substr(0, 200));
  return std::stoull(std::string(line.substr(8, 20)));
}

struct line {
  std::uint64_t tick;
  std::string text;
};

std::vector<line> lines_of(files::recording& from) {
  std::vector<line> all;
  for (;;) {
    const auto more = from.next();
    if (!more || !*more) return all;
    line one{from.position().tick, {}};
    files::append_line_begin(from.position(), one.text);
    from.append_state(one.text);
    one.text += '}';
    all.push_back(std::move(one));
  }
}

// All lines by range(), as a page requests them.
std::vector<std::string> ranges_of(reader& from, std::uint64_t first, std::uint32_t at_once) {
  std::vector<std::string> all;
  for (std::uint64_t tick = first;;) {
    std::string_view answer = from.range(tick, at_once);
    if (answer.empty() || answer.starts_with("{\"error\"")) return all;
    BOOST_TEST(answer.size() <= (65u << 20));
    while (!answer.empty()) {
      const std::size_t end = std::min(answer.find('\n'), answer.size());
      all.emplace_back(answer.substr(0, end));
      answer.remove_prefix(std::min(end + 1, answer.size()));
    }
    tick = tick_of(all.back()) + 1;
  }
}

// Calls every function, and rejects results that a page could not parse.
void ask_everything(reader& of) {
  const auto check = [](const std::string& answer) {
    if (!text::is_json(answer)) BOOST_TEST(text::is_json(answer), answer.substr(0, 300));
  };
  for (const std::uint64_t tick : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    if (const std::string& answer = of.state(tick); !answer.empty()) check(answer);
  }
  (void)of.range(0, 50);
  (void)of.game_lines(0, 50);
  (void)of.events();
  check(of.verify());
  check(of.lost());
  check(of.fields());
  check(of.series("position[0]", 10));
  check(of.overview(10));
  check(of.positions(10));
  check(of.summary());
  check(of.series("session.disc.speed", 10));
  check(of.series("session.teams[0].players[1].disc_distance", 10));
}

// The value of a column for each tick; NaN if there is none.
std::vector<double> column(reader& of, const std::string& path) {
  simdjson::dom::parser parser;
  const simdjson::padded_string series(of.series(path, 100'000));
  simdjson::dom::array numbers;
  BOOST_REQUIRE(parser.parse(series)["min"].get(numbers) == simdjson::SUCCESS);
  std::vector<double> out;
  for (const simdjson::dom::element value : numbers) {
    double number = 0;
    const bool there = value.get(number) == simdjson::SUCCESS;
    out.push_back(there ? number : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

}  // namespace

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

// Bytes that a page reads piece by piece; it may stop supplying them.
class pieces final : public distant_bytes {
 public:
  explicit pieces(byte_span all) : all_(all) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return all_.size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    if (gone) return fail(error_code::io_failed, offset, "gone");
    const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all_.size()));
    const std::size_t count = std::min(into.size(), all_.size() - from);
    if (count != 0) std::memcpy(into.data(), all_.data() + from, count);
    bytes_read += count;
    return count;
  }
  void grow(byte_span all) { all_ = all; }
  bool gone = false;
  std::uint64_t bytes_read = 0;

 private:
  byte_span all_;
};

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

BOOST_AUTO_TEST_CASE(a_column_is_found_and_drawn) {
  for (const kept& each : recordings()) {
    if (each.name != "walk.rec") continue;
    const auto wanted = lines_of(**files::open(each.bytes));
    reader tested;
    BOOST_REQUIRE(give(tested, each.bytes));
    BOOST_TEST(tested.fields().find("{\"path\":\"position[0]\"}") != std::string::npos);
    BOOST_TEST(tested.fields().find("\"tick\"") == std::string::npos);
    // As many points as ticks: each is the exact number.
    const std::string& whole = tested.series("position[0]", 100'000);
    std::string first = wanted.front().text.substr(wanted.front().text.find("\"position\":[") + 12);
    first.resize(first.find(','));
    BOOST_TEST(whole.find("\"min\":[" + first + ",") != std::string::npos);
    BOOST_TEST(tested.series("no.such[3]", 10).find("\"min\":[null") != std::string::npos);
    BOOST_TEST(tested.series("", 10).starts_with("{\"error\""));
    BOOST_TEST(tested.series("[\"", 10).starts_with("{\"error\""));
    BOOST_TEST(tested.series("a[9999999999999999999999]", 10).starts_with("{\"error\""));
  }
}

// Half a surrogate pair, and a number that no double holds: parsers reject the tick.
BOOST_AUTO_TEST_CASE(a_bad_tick_is_in_the_curve) {
  test::mcap_bytes file;
  file.add(test::mcap_bytes::channel(1, "a"));
  for (int tick = 0; tick < 3; ++tick) {
    const std::string bad = tick == 1 ? R"(,"name":"\ud800","big":1e999)" : "";
    file.add(test::mcap_bytes::message(1, static_cast<std::uint64_t>(tick) * 1'000'000,
                                       "{\"x\":" + std::to_string(tick + 7) + bad + "}"));
  }
  const std::string bytes = file.finish();
  reader tested;
  BOOST_REQUIRE(give(tested, as_bytes(bytes)));
  BOOST_TEST(tested.series("a.x", 10).find("\"min\":[7,8,9],\"max\":[7,8,9]") != std::string::npos,
             tested.answer());
  BOOST_TEST(tested.series("a.big", 10).find("\"min\":[null,null,null]") != std::string::npos);
  const auto from = files::open(as_bytes(bytes));
  constexpr std::string_view paths[] = {"a.x", "a.name"};
  auto values = viewer::tick_values::create(**from, paths);
  for (int tick = 0; tick < 3; ++tick) {
    BOOST_REQUIRE((*from)->next().value());
    const auto read = values->read();
    BOOST_TEST((viewer::number_of(read[0]) == tick + 7));
    BOOST_TEST(values->repairs().has_invalid_texts == (tick == 1));
    BOOST_TEST(values->repairs().has_large_numbers == (tick == 1));
    if (tick == 1) BOOST_TEST((std::get<std::string_view>(read[1]) == "\xEF\xBF\xBD"));
  }
}

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

// Iterating over a .butter takes numbers from its ticks and not from their lines; the result is the same.
BOOST_AUTO_TEST_CASE(columns_equal_those_of_the_lines) {
  std::size_t compared = 0;
  for (const kept& each : recordings()) {
    const auto opened = files::open(each.bytes);
    if (!opened || (*opened)->format() != "butter") continue;
    const auto lines = lines_of(**opened);
    reader tested;
    if (lines.empty() || !give(tested, each.bytes)) continue;
    simdjson::dom::parser fields_parser;
    simdjson::dom::parser series_parser;
    simdjson::dom::parser line_parser;
    std::vector<std::string> paths;
    const simdjson::padded_string fields(tested.fields());
    simdjson::dom::array described;
    BOOST_REQUIRE(fields_parser.parse(fields).get(described) == simdjson::SUCCESS);
    for (const simdjson::dom::element field : described) {
      paths.emplace_back(std::string_view(field["path"].get_string().value_unsafe()));
    }
    for (const std::string& path : paths) {
      const simdjson::padded_string series(tested.series(path, 100'000));
      std::size_t at = 0;
      std::string pointer = "/" + path;
      for (char& letter : pointer) {
        if (letter == '.' || letter == '[') letter = '/';
      }
      std::erase(pointer, ']');
      simdjson::dom::array numbers;
      BOOST_REQUIRE(series_parser.parse(series)["min"].get(numbers) == simdjson::SUCCESS);
      for (const simdjson::dom::element value : numbers) {
        BOOST_REQUIRE(at < lines.size());
        // Few of many ticks, of all columns.
        const std::size_t line_number = at++;
        if (line_number % 7 != 0) continue;
        const simdjson::padded_string line(lines[line_number].text);
        simdjson::dom::element wanted;
        const bool there = line_parser.parse(line).at_pointer(pointer).get(wanted) == simdjson::SUCCESS;
        double number = 0;
        bool truth = false;
        if (there && wanted.get(truth) == simdjson::SUCCESS) number = truth ? 1 : 0;
        const bool is_number = there && (wanted.is_bool() || wanted.get(number) == simdjson::SUCCESS);
        double given = 0;
        const bool has = value.get(given) == simdjson::SUCCESS;
        if (has != is_number || (has && given != number)) {
          BOOST_TEST(has == is_number, path << " of tick " << line_number << " of " << each.name);
          BOOST_TEST(given == number, path << " of tick " << line_number << " of " << each.name);
        }
        ++compared;
      }
    }
  }
  BOOST_TEST(compared > 1000u);
}

// For Echo VR a page may request values that no line contains, whatever the format.
BOOST_AUTO_TEST_CASE(speeds_and_distances_are_computed) {
  std::set<std::string> formats;
  for (const kept& each : recordings()) {
    const auto opened = files::open(each.bytes);
    if (!opened || !(*opened)->next() || (*opened)->echo_state() == nullptr) continue;
    reader tested;
    if (!give(tested, each.bytes)) continue;
    BOOST_TEST_CONTEXT(each.name) {
      const auto axes = [&](const std::string& path) {
        return std::array{column(tested, path + "[0]"), column(tested, path + "[1]"),
                          column(tested, path + "[2]")};
      };
      const auto disc = axes("session.disc.position");
      const std::string player = "session.teams[0].players[0]";
      const auto head = axes(player + ".head.position");
      std::size_t compared = 0;
      for (const auto& [path, from, to] :
           {std::tuple{std::string("session.disc.speed"), axes("session.disc.velocity"), decltype(disc){}},
            std::tuple{player + ".speed", axes(player + ".velocity"), decltype(disc){}},
            std::tuple{player + ".disc_distance", head, disc}}) {
        const std::vector<double> lengths = column(tested, path);
        for (std::size_t at = 0; at < lengths.size(); ++at) {
          double apart[3];
          for (std::size_t axis = 0; axis < 3; ++axis)
            apart[axis] = from[axis][at] - (to[axis].empty() ? 0 : to[axis][at]);
          const double wanted = std::hypot(apart[0], apart[1], apart[2]);
          if (std::isnan(wanted)) continue;
          BOOST_REQUIRE(std::abs(lengths[at] - wanted) <= 1e-4 * std::max(1.0, wanted));
          ++compared;
        }
      }
      if (compared > 0) formats.emplace((*opened)->format());
    }
  }
  for (const char* format : {"butter", "echoreplay", "reel"}) BOOST_TEST(formats.contains(format), format);
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

BOOST_AUTO_TEST_CASE(units_come_from_the_description) {
  bool seen = false;
  for (const kept& each : recordings()) {
    if (each.name != "field.reel") continue;
    reader tested;
    BOOST_REQUIRE(give(tested, each.bytes));
    const std::string& fields = tested.fields();
    seen = fields.find("\"meaning\":\"rotation\"") != std::string::npos &&
           fields.find("\"meaning\":\"direction\"") != std::string::npos;
  }
  BOOST_TEST(seen);
}

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
