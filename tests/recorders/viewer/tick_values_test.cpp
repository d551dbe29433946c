// Values of ticks without their JSON: the same, also if nothing else of the ticks is read.
#include <array>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "file_bytes.hpp"
#include "kept_recordings.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "taken.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/tickreel.hpp"
#include "tickreel/viewer/repaired_values.hpp"
#include "tickreel/viewer/tick_values.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(tick_values_test)

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

// Also of reels of columns, with and without the game's own text.
BOOST_AUTO_TEST_CASE(values_of_the_disc_are_the_same_if_nothing_else_is_read) {
  const test::scratch_folder folder;
  std::vector<std::filesystem::path> files;
  for (const kept& each : recordings()) {
    const auto opened = files::open(each.bytes);
    if (!opened || (*opened)->offers().echo == nullptr) continue;
    const std::string number = std::to_string(files.size());
    const auto place = folder.path() / (number + each.name);
    test::write_file(place, each.bytes);
    files.push_back(place);
    const auto reel = folder.path() / (number + ".reel");
    files::convert_options columns;
    columns.keyframe_interval_ticks = 20;
    const bool has_columns = (*opened)->format() == "butter" || (*opened)->format() == "echoreplay";
    if (has_columns && files::convert(file_path(place), reel, columns)) files.push_back(reel);
  }
  std::size_t of_rows = 0;
  const std::vector<std::vector<std::string_view>> choices = {
      {"session.disc.speed"},
      {},
      {"session.disc.position[1]", "session.game_clock", "session.orange_points", "session.disc.speed"},
      {"session.disc", "session.disc.velocity", "session.disc.bounce_count", "session.disc.none"},
      {"session.disc.speed", "session.teams[0].players[0].head.position[0]"},
      {"session.blue_points[0]", "session.disc.at.speed", "recorded_time"}};
  for (const auto& file : files) {
    for (const auto& paths : choices) {
      const auto read = [&](bool nothing_else) {
        const auto opened = test::taken(files::open(file));
        auto values = test::taken(viewer::tick_values::create(*opened, paths));
        if (nothing_else) BOOST_REQUIRE(values.read_nothing_else().has_value());
        std::string out;
        for (auto more = opened->next(); more && *more; more = opened->next()) {
          const files::tick_position& at = opened->position();
          out += std::to_string(at.tick) + ' ' + std::to_string(at.time_ms);
          for (const auto& each : values.read()) out += ' ' + shown(each);
          out += '\n';
        }
        for (const std::string& each : opened->losses()) out += each + '\n';
        if (nothing_else && opened->echo_state() != nullptr && opened->echo_state()->match.player_count == 0)
          ++of_rows;
        return out;
      };
      BOOST_TEST(read(true) == read(false), file << ' ' << paths.size());
    }
  }
  BOOST_TEST(of_rows >= 6u);
}

// Whole numbers stay integers, whether they come from the state or from the game's own text.
BOOST_AUTO_TEST_CASE(values_of_echo_have_the_types_of_their_lines) {
  const std::vector<std::string_view> paths = {"session.blue_points",
                                               "session.game_clock",
                                               "session.disc.position[0]",
                                               "session.teams[0].players[0].ping",
                                               "session.teams[0].players[0].stats.points",
                                               "session.teams[0].players[0].stats.possession_time",
                                               "session.teams[0].players[0].velocity[2]",
                                               "session.teams[1].players[9].ping"};
  std::set<std::size_t> kinds;
  for (const kept& each : recordings()) {
    const auto opened = files::open(each.bytes);
    if (!opened || (*opened)->offers().echo == nullptr) continue;
    files::recording& from = **opened;
    auto direct = test::taken(viewer::tick_values::create(from, paths));
    auto parsed = test::taken(viewer::repaired_values::create(paths));
    for (auto more = from.next(); more && *more; more = from.next()) {
      std::string line = "{";
      from.append_state(line);
      const auto wanted = parsed.read(line + '}').values;
      const auto read = direct.read();
      for (std::size_t i = 0; i < paths.size(); ++i) {
        BOOST_REQUIRE_MESSAGE(shown(read[i]) == shown(wanted[i]), each.name << ", " << paths[i] << ": "
                                                                            << shown(read[i]) << ", "
                                                                            << shown(wanted[i]));
        if (!from.offers().echo->keeps_text()) kinds.insert(read[i].index());
      }
    }
  }
  // Nothing, an integer and a fraction.
  BOOST_TEST(kinds.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
