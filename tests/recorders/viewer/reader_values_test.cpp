// The values of ticks that a page draws: columns, units, speeds and distances.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kept_recordings.hpp"
#include "mcap_bytes.hpp"
#include "tickreel/viewer/tick_values.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_values_test)

using namespace kept_recordings;

namespace {

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

// Iterating over a .butter or a reel of described structs takes numbers from its ticks and not from their lines; the result
// is the same.
BOOST_AUTO_TEST_CASE(columns_equal_those_of_the_lines) {
  std::size_t compared = 0;
  std::set<std::string> formats;
  for (const kept& each : recordings()) {
    const auto opened = files::open(each.bytes);
    if (!opened || ((*opened)->format() != "butter" && (*opened)->offers().columns == nullptr)) continue;
    formats.emplace((*opened)->format());
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
  BOOST_TEST((formats == std::set<std::string>{"butter", "reel"}));
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
