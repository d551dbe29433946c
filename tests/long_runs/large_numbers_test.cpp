// Ticks and times that need more than 32 bits, in each format: a copy has them, or its writer reports that they do not fit.
#include "file_bytes.hpp"
#include "lines.hpp"
#include "query_rows.hpp"
#include "run_program.hpp"
#include "small_world.hpp"
#include "worlds.hpp"

BOOST_AUTO_TEST_SUITE(long_runs_tests)
BOOST_AUTO_TEST_SUITE(large_numbers_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::int64_t beyond_31_bits_ms = std::int64_t{1} << 31;
constexpr std::int64_t beyond_32_bits_ms = std::int64_t{1} << 32;
constexpr std::uint64_t ticks = 24;

// The number and the time that each line of `cat` begins with.
std::vector<std::string> places_of(const std::string& path, int code = 0) {
  const outcome said = run({"cat", path});
  BOOST_TEST(said.code == code, path << ": " << said.err);
  std::vector<std::string> places;
  for (const std::string& line : lines_of(said.out)) {
    const std::size_t end = line.find(',', line.find("\"time_ms\":"));
    places.push_back(line.substr(0, std::min(end, line.size() - 1)));
  }
  return places;
}
std::string state_of(const std::string& line) {
  return line.substr(line.find(',', line.find("\"time_ms\":")));
}
std::string place_of(std::uint64_t tick, std::int64_t time_ms) {
  return "{\"tick\":" + std::to_string(tick) + ",\"time_ms\":" + std::to_string(time_ms);
}
// With ticks that a format numbers from 0.
std::vector<std::string> places_of(const long_run& how, bool keeps_numbers = true) {
  std::vector<std::string> places;
  for (std::uint64_t index = 0; index < how.ticks; ++index) {
    places.push_back(place_of(keeps_numbers ? how.stamp_of(index).tick : index, how.time_ms_of(index)));
  }
  return places;
}

// A reported loss of other values than numbers and times does not matter here.
void converts(const std::string& from, const std::string& to) {
  const outcome said = run({"convert", from, to, "--force"});
  BOOST_TEST((said.code == 0 || said.code == 3), to << ": " << said.out << said.err);
}

// `seek` and `clip` find every tick by its number and by its time.
void is_found(const std::string& path, const scratch_folder& folder, const std::vector<std::string>& places) {
  const std::string extension = path.substr(path.rfind('.'));
  const std::vector<std::string> all = lines_of(run({"cat", path}).out);
  for (const std::size_t at : {places.size() - 1, places.size() / 2, std::size_t{1}}) {
    const std::size_t end = places[at].find(',');
    const std::string tick = places[at].substr(8, end - 8);
    const std::int64_t time_ms = std::stoll(places[at].substr(places[at].rfind(':') + 1));
    const std::string seconds =
        std::to_string(time_ms / 1000) + '.' + std::to_string(time_ms % 1000 + 1000).substr(1);
    for (const std::vector<std::string>& where :
         {std::vector<std::string>{"--tick", tick}, {"--time", seconds}}) {
      const outcome said = run({"seek", path, where[0], where[1]});
      BOOST_TEST(said.code == 0, path << ' ' << where[1] << ": " << said.err);
      BOOST_TEST(said.out.starts_with(places[at] + ","),
                 path << ' ' << where[1] << ": " << said.out.substr(0, 60));
    }
    const std::string part = folder / ("part" + extension);
    const outcome cut = run({"clip", path, "--from", "tick:" + tick, "-o", part, "--force"});
    BOOST_TEST((cut.code == 0 || cut.code == 3), path << ' ' << tick << ": " << cut.err);
    // A .butter begins with a keyframe before that tick.
    const std::vector<std::string> kept = lines_of(run({"cat", part}).out);
    BOOST_TEST(kept.size() >= places.size() - at, path << ' ' << tick);
    BOOST_TEST(state_of(kept.back()) == state_of(all.back()), path << ' ' << tick);
  }
}

// `query`, and so the columns of Parquet and Arrow.
void is_queried(const std::string& path, const std::vector<std::string>& places) {
  const auto rows = query_rows("SELECT tick, time_ms FROM ticks", {path});
  BOOST_REQUIRE(rows.size() == places.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST("{\"tick\":" + rows[i][0] + ",\"time_ms\":" + rows[i][1] == places[i], path);
  }
}

template <class World>
std::string recorded(const long_run& how, World& world) {
  world.open();
  for (std::uint64_t index = 0; index < how.ticks; ++index) world.push(index);
  world.close();
  return world.path();
}

}  // namespace

BOOST_AUTO_TEST_CASE(reels_of_structs) {
  const scratch_folder folder;
  for (const std::int64_t crossed_ms : {beyond_31_bits_ms, beyond_32_bits_ms}) {
    const long_run how{ticks, crossed_ms};
    described_world world(how);
    const std::string path = recorded(how, world);
    const std::vector<std::string> places = places_of(how);
    BOOST_TEST(places_of(path) == places, boost::test_tools::per_element());
    is_found(path, folder, places);
    is_queried(path, places);
    for (const char* const name : {"x.mcap", "x.csv", "x.ndjson", "x.parquet", "x.arrow"})
      converts(path, folder / name);
    BOOST_TEST(places_of(folder / "x.mcap") == places, boost::test_tools::per_element());
    is_found(folder / "x.mcap", folder, places);
    converts(folder / "x.mcap", folder / "back.reel");
    BOOST_TEST(places_of(folder / "back.reel") == places, boost::test_tools::per_element());
    const std::vector<std::string> lines = lines_of(text_of_file(folder / "x.ndjson"));
    const auto rows = rows_of(text_of_file(folder / "x.csv"));
    BOOST_REQUIRE((rows.size() == places.size() && lines.size() == places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      BOOST_TEST(lines[i].starts_with(places[i] + ","));
      BOOST_TEST("{\"tick\":" + rows[i][0] + ",\"time_ms\":" + rows[i][1] == places[i]);
    }
    BOOST_TEST(run({"verify", path}).code == 0);
    BOOST_TEST(run({"compact", path, "-o", folder / "compact.reel", "--force"}).code == 0);
    BOOST_TEST(places_of(folder / "compact.reel") == places, boost::test_tools::per_element());
  }
}

// .tape stores times as 32 bits: its writer reports those that do not fit.
BOOST_AUTO_TEST_CASE(formats_of_echo_vr) {
  const scratch_folder folder;
  for (const std::int64_t crossed_ms : {beyond_31_bits_ms, beyond_32_bits_ms}) {
    const long_run how{ticks, crossed_ms};
    echo_world<columns_encoder> columns(how);
    echo_world<butter::encoder> states(how);
    const std::vector<std::string> counted = places_of(how, false);
    for (const std::string& path : {recorded(how, columns), recorded(how, states)}) {
      const std::vector<std::string> places = places_of(how);
      BOOST_TEST(places_of(path) == places, boost::test_tools::per_element());
      is_found(path, folder, places);
      is_queried(path, places);
      for (const char* const name : {"x.butter", "x.echoreplay", "x.nevrcap"}) {
        const std::string copy = folder / name;
        converts(path, copy);
        BOOST_TEST(places_of(copy) == counted, boost::test_tools::per_element());
        is_found(copy, folder, counted);
        is_queried(copy, counted);
      }
      converts(path, folder / "x.mcap");
      BOOST_TEST(places_of(folder / "x.mcap") == places, boost::test_tools::per_element());
      const std::string tape = folder / "x.tape";
      const outcome said = run({"convert", path, tape, "--force"});
      const std::vector<std::string> taped = places_of(tape);
      BOOST_REQUIRE(taped.size() == counted.size());
      const bool fits = crossed_ms < beyond_32_bits_ms;
      BOOST_TEST(said.says("of recorded_time_ms cannot be stored") == !fits, said.err);
      for (std::size_t i = 0; i < taped.size(); ++i) {
        const bool is_large = how.time_ms_of(i) >= beyond_32_bits_ms;
        BOOST_TEST(taped[i] == (is_large ? place_of(i, beyond_32_bits_ms - 1) : counted[i]));
      }
      if (!fits) BOOST_TEST(said.code == 3);
    }
  }
}

BOOST_AUTO_TEST_CASE(matches) {
  const scratch_folder folder;
  const std::string path = folder / "x.icrep";
  auto recorder = taken(little_recorder::begin(path, little_match(), pumped_options(1)));
  small_world world;
  std::vector<std::string> numbers;
  for (std::uint64_t index = 0; index < ticks; ++index) {
    const std::uint64_t tick = index < ticks / 2 ? index : (std::uint64_t{1} << 32) - ticks + index + 6;
    taken(recorder.tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    taken(recorder.order(0, 1, place{static_cast<std::int32_t>(index), 2}, 3));
    numbers.push_back("{\"tick\":" + std::to_string(tick));
    (void)recorder.pump();
    world.step();
  }
  taken(recorder.end({}));
  converts(path, folder / "x.reel");
  for (const std::string& each : {path, folder / "x.reel"}) {
    const outcome said = run({"cat", each});
    BOOST_TEST(said.code == 3);  // the ticks between have no orders
    const std::vector<std::string> lines = lines_of(said.out);
    BOOST_REQUIRE_MESSAGE(lines.size() == numbers.size(),
                          each << ": " << lines.size() << " ticks: " << said.err);
    for (std::size_t i = 0; i < lines.size(); ++i)
      BOOST_TEST(lines[i].starts_with(numbers[i] + ","), lines[i]);
  }
  const outcome sought = run({"seek", path, "--tick", numbers.back().substr(8)});
  BOOST_TEST(sought.out.starts_with(numbers.back() + ","), sought.out << sought.err);
}

// Times of a .rec are 32 bits.
BOOST_AUTO_TEST_CASE(paths_end_with_their_last_time) {
  const scratch_folder folder;
  for (const std::int64_t last_ms : {beyond_31_bits_ms, beyond_32_bits_ms - 1, beyond_32_bits_ms}) {
    const std::string text = folder / "x.csv";
    const std::string path = folder / "x.rec";
    std::filesystem::remove(path);
    const std::string kept = text_of_file(TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings/drive.csv");
    std::string changed = kept.substr(0, kept.rfind('\n', kept.size() - 2) + 1);
    changed += std::to_string(last_ms) + kept.substr(kept.find(',', changed.size()));
    write_file(text, as_bytes(changed));
    const outcome said = run({"convert", text, path});
    BOOST_TEST(said.code == (last_ms < beyond_32_bits_ms ? 0 : 1), said.err);
    if (last_ms >= beyond_32_bits_ms) {
      BOOST_TEST(said.says("column 1 contains no valid number"), said.err);
      BOOST_TEST(!std::filesystem::exists(path));
      continue;
    }
    const std::vector<std::string> places = places_of(path);
    BOOST_TEST(places.back() == place_of(places.size() - 1, last_ms));
    is_found(path, folder, places);
    is_queried(path, places);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
