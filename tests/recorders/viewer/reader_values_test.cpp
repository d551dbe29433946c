// The values of ticks that a page draws: columns, units, speeds and distances.
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kept_recordings.hpp"
#include "mcap_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "taken.hpp"
#include "tickreel/tickreel.hpp"
#include "tickreel/viewer/repaired_values.hpp"
#include "tickreel/viewer/tick_values.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(reader_values_test)

using namespace kept_recordings;

namespace described_case {

enum class feeling : std::uint8_t { calm, angry };
TICKREEL_DESCRIBE_ENUM(feeling, calm, angry);
struct part {
  float x = 0;
  std::array<float, 3> at{};
};
TICKREEL_DESCRIBE(part, x, at);
struct everything {
  std::uint32_t tick = 0;
  bool truth = false;
  std::int8_t small = 0;
  std::uint64_t huge = 0;
  float fraction = 0;
  double wide = 0;
  tickreel::fixed_value<8> fixed;
  tickreel::short_text<12> caption;
  feeling mood = feeling::calm;
  part inner;
  std::array<std::array<std::int16_t, 3>, 2> grid{};
  std::optional<std::int32_t> maybe;
  tickreel::entities<part, 3> units;
};
TICKREEL_DESCRIBE(everything, tick, truth, small, huge, fraction, wide, fixed, caption, mood, inner, grid,
                  maybe, units);

}  // namespace described_case

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

constexpr std::size_t random_rows = 400;

void write_random_values(const std::string& path, std::mt19937_64& random) {
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_frames = 70;
  auto out = record<described_case::everything>(path, options);
  BOOST_REQUIRE(out.has_value());
  const auto any_float = [&] {
    constexpr float special[] = {0.0f,
                                 -0.0f,
                                 99'999,
                                 100'000,
                                 123'456'792,
                                 1e20f,
                                 1e-30f,
                                 0.1f,
                                 -7,
                                 std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
    if (random() % 2 == 0) return special[random() % std::size(special)];
    return random() % 2 == 0 ? std::bit_cast<float>(static_cast<std::uint32_t>(random()))
                             : static_cast<float>(random() % 100'000) / 64;
  };
  const auto any_double = [&] {
    constexpr double special[] = {-0.0,  1e5, 99'999, 9'007'199'254'740'993.0, 1.2345678901234567e18,
                                  1e300, 0.1};
    return random() % 2 == 0 ? special[random() % std::size(special)] : static_cast<double>(any_float());
  };
  constexpr std::string_view texts[] = {"", "plain", "\xFF", "\xC3\xA4\"\\\n", std::string_view("\0x", 2)};
  described_case::everything now;
  for (std::size_t row = 0; row < random_rows; ++row) {
    now.tick = static_cast<std::uint32_t>(random());
    now.truth = random() % 2 != 0;
    now.small = static_cast<std::int8_t>(random());
    now.huge = random() >> (random() % 64);
    now.fraction = any_float();
    now.wide = any_double();
    now.fixed.raw = static_cast<std::int32_t>(random() >> (32 + random() % 32));
    now.caption = texts[random() % std::size(texts)];
    now.mood = static_cast<described_case::feeling>(random() % 3);
    now.inner.x = any_float();
    for (float& each : now.inner.at) each = any_float();
    for (auto& line : now.grid) {
      for (std::int16_t& each : line) each = static_cast<std::int16_t>(random());
    }
    now.maybe.reset();
    if (random() % 2 == 0) now.maybe = static_cast<std::int32_t>(random());
    if (random() % 3 == 0) (void)now.units.add({any_float(), {}});
    BOOST_REQUIRE(out->push(now));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close().has_value());
}

std::string shown(const viewer::tick_value& of) {
  std::string out = std::to_string(of.index()) + ' ';
  if (const auto* const number = std::get_if<double>(&of)) {
    return out + std::to_string(std::bit_cast<std::uint64_t>(*number));
  }
  if (const auto* const text = std::get_if<std::string_view>(&of)) return out.append(*text);
  std::visit(
      [&](const auto& each) {
        if constexpr (std::is_integral_v<std::decay_t<decltype(each)>>) out += std::to_string(each);
      },
      of);
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

// Any value of any type, also if nothing else of the ticks is read.
BOOST_AUTO_TEST_CASE(values_of_described_structs_equal_those_of_their_lines) {
  auto random = test::seeded_random("described values");
  const test::scratch_folder folder;
  const std::string path = folder / "random.reel";
  write_random_values(path, random);
  const std::vector<std::string_view> paths = {
      "tick_",   "truth", "small",   "huge",        "fraction",   "wide",      "[\"wide\"]", "fixed",
      "caption", "mood",  "inner.x", "inner.at[1]", "grid[1][2]", "grid[0].1", "maybe",      "units[0].x",
      "units",   "inner", "grid[5]", "caption.x",   "tick",       "grid[1]",   "inner.at.2", "none"};
  const auto opened = files::open(path);
  BOOST_REQUIRE(opened.has_value());
  files::recording& from = **opened;
  auto direct = test::taken(viewer::tick_values::create(from, paths));
  auto parsed = test::taken(viewer::repaired_values::create(paths));
  std::vector<std::vector<std::string>> rows;
  std::set<std::size_t> kinds;
  while (test::taken(from.next())) {
    std::string line = "{";
    from.append_state(line);
    const auto wanted = parsed.read(line + '}').values;
    const auto read = direct.read();
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      BOOST_REQUIRE_MESSAGE(shown(read[i]) == shown(wanted[i]),
                            paths[i] << ": " << shown(read[i]) << ", " << line);
      row.push_back(shown(read[i]));
      kinds.insert(read[i].index());
    }
  }
  BOOST_TEST(rows.size() == random_rows);
  BOOST_TEST(kinds.size() == 6u);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string_view> some;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      // Usually those without a JSON.
      if (random() % 4 != 0 || (i >= 14 && round % 3 != 0)) continue;
      some.push_back(paths[i]);
      numbers.push_back(i);
    }
    const auto again = test::taken(files::open(path));
    auto values = test::taken(viewer::tick_values::create(*again, some));
    BOOST_REQUIRE(values.read_nothing_else().has_value());
    for (const auto& row : rows) {
      BOOST_REQUIRE(test::taken(again->next()));
      const auto read = values.read();
      for (std::size_t i = 0; i < some.size(); ++i) BOOST_REQUIRE(shown(read[i]) == row[numbers[i]]);
      std::string line;
      again->append_state(line);
      if (some.empty()) BOOST_REQUIRE(line.find("\"small\":0,\"huge\":0") != std::string::npos);
    }
    BOOST_TEST(!test::taken(again->next()));
    BOOST_TEST(again->losses().empty());
  }
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
