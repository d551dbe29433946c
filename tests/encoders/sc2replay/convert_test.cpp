// Real replays through the whole chain: `events` and conversion to .icrep.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/icrep/reader.hpp"
#include "why.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(convert_test)

using namespace tickreel;
using test::why;

namespace {

std::vector<std::filesystem::path> replays() {
  return test::shared_files("sc2", ".SC2Replay");
}

using counts = std::map<std::string, std::uint64_t>;

counts count_events(const std::filesystem::path& path, const files::event_query& query,
                    std::uint64_t& last_tick) {
  const auto opened = files::open(path);
  BOOST_REQUIRE_MESSAGE(opened, why(opened));
  counts out;
  simdjson::dom::parser parser;
  last_tick = 0;
  const auto given = (*opened)->events(query, [&](std::string_view line) {
    simdjson::dom::element event;
    BOOST_REQUIRE(parser.parse(simdjson::padded_string(line)).get(event) == simdjson::SUCCESS);
    const std::uint64_t tick = event["tick"].get_uint64().value();
    BOOST_REQUIRE(tick >= last_tick);
    last_tick = tick;
    ++out[std::string(event["type"].get_string().value())];
    return true;
  });
  BOOST_REQUIRE_MESSAGE(given, why(given));
  std::uint64_t sum = 0;
  for (const auto& [type, count] : out) sum += count;
  BOOST_TEST(sum == *given);
  BOOST_TEST((*opened)->losses().empty());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(events_are_ordered_and_filtered) {
  for (const auto& path : replays()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      std::uint64_t last_tick = 0;
      const counts all = count_events(path, {}, last_tick);
      // One of the betas ends before any player won or left.
      BOOST_TEST(all.contains("match_ended") == (path.filename() != "beta-0.9.0.14621-1v1.SC2Replay"));
      BOOST_TEST(all.contains("camera_position_sample"));
      BOOST_TEST(all.contains("ability_used"));
      BOOST_TEST(!all.contains("command"));
      files::event_query query;
      query.types = {"ability_used", "chat"};
      query.from = files::moment::at_time(60);
      query.to = files::moment::at_tick(2000);
      const counts some = count_events(path, query, last_tick);
      BOOST_TEST(last_tick <= 2000u);
      for (const auto& [type, count] : some) {
        BOOST_TEST((type == "ability_used" || type == "chat"));
        BOOST_TEST(count <= all.at(type));
      }
      files::event_query wrong;
      wrong.types = {"no_such_type"};
      const auto refused = (*files::open(path))->events(wrong, [](std::string_view) { return true; });
      BOOST_REQUIRE(!refused);
      BOOST_CHECK(refused.error().code == error_code::invalid_argument);
    }
  }
}

BOOST_AUTO_TEST_CASE(times_equal_those_of_the_games_client) {
  const auto duration_of = [](std::string_view name) -> std::int64_t {
    for (const auto& path : replays()) {
      if (path.filename().string().starts_with(name)) return (*files::open(path))->summarise()->duration_ms;
    }
    return -1;
  };
  if (replays().empty()) return;
  // Game time in old versions: 15005 and 23408 loops at 16 per second; real time since 3.0, 22.4 per second.
  BOOST_TEST(duration_of("beta-0.9.0") == 937'813);
  BOOST_TEST(duration_of("1.5.4") == 1'463'000);
  BOOST_TEST(duration_of("5.0.0") == 1'111'964);
}

BOOST_AUTO_TEST_CASE(an_icrep_of_a_replay_is_valid_and_has_the_same_events) {
  const test::scratch_folder scratch;
  for (const auto& path : replays()) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const auto found = files::find_conversion(path, "icrep");
      BOOST_REQUIRE_MESSAGE(found && *found != nullptr, why(found));
      const std::filesystem::path output = scratch / "converted.icrep";
      files::conversion_options options;
      options.overwrite = true;
      const auto report = (*found)->run(path, output, options);
      BOOST_REQUIRE_MESSAGE(report, why(report));
      BOOST_TEST(report->lost.empty());
      BOOST_TEST(!report->left_out.empty());

      const byte_vector bytes = test::read_file(output);
      const auto file = icrep::reader::open(bytes);
      BOOST_REQUIRE_MESSAGE(file, why(file));
      for (const icrep::finding& each : file->verify()) BOOST_ERROR(describe(each.what));
      const icrep::metadata& facts = file->facts();
      BOOST_TEST(facts.players.size() >= 2u);
      BOOST_TEST(!facts.map_name.empty());
      BOOST_TEST(facts.total_ticks == report->ticks);
      BOOST_TEST(facts.converted_from.value().source == "sc2replay");

      // Both have the same clock: equal duration, and equal minutes.
      const auto before = (*files::open(path))->summarise();
      const auto after = (*files::open(output))->summarise();
      BOOST_TEST(std::abs(before->duration_ms - after->duration_ms) < 100);
      for (const auto& where : {files::moment::at_time(60), files::moment::at_clock(90)}) {
        files::event_query query;
        query.types = {"ability_used"};
        query.from = where;
        query.to = files::moment::at_clock(150);
        std::uint64_t last_of_source = 0;
        std::uint64_t last_of_icrep = 0;
        BOOST_TEST((count_events(path, query, last_of_source) == count_events(output, query, last_of_icrep)));
        BOOST_TEST(last_of_source == last_of_icrep);
      }

      std::uint64_t last_tick = 0;
      const counts source = count_events(path, {}, last_tick);
      counts kept;
      auto events = file->events();
      for (analysis::event each; events.next(each);) ++kept[std::string(analysis::type_name(each))];
      BOOST_TEST(events.damage().empty());
      for (const auto& [type, count] : kept) BOOST_TEST(source.at(type) == count);
      for (const auto& [type, count] : source) {
        if (analysis::type_from_name(type)) BOOST_TEST(kept.contains(type));
      }
      std::uint64_t chat = 0;
      auto orders = file->orders();
      for (icrep::tick_frame frame; orders.next(frame);) chat += frame.orders.size();
      BOOST_TEST(orders.damage().empty());
      if (source.contains("chat")) {
        BOOST_TEST(chat <= source.at("chat"));
        BOOST_TEST(chat > 0u);
      } else {
        BOOST_TEST(chat == 0u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clip_of_a_replay_becomes_an_icrep) {
  const auto folder = test::shared_data("sc2");
  if (folder.empty()) return;
  const test::scratch_folder scratch;
  const auto input = folder / "5.0.0.80949-1v1.SC2Replay";
  const auto output = scratch.path() / "part.icrep";
  const auto found = files::find_conversion(input, "icrep", true);
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(*found != nullptr);
  files::conversion_options options;
  options.range.from = files::moment::at_tick(2000);
  options.range.to = files::moment::at_tick(4000);
  const auto report = (*found)->run(input, output, options);
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_REQUIRE(report->cut.has_value());
  BOOST_TEST(report->cut->first_tick.value_or(0) == 2000u);
  BOOST_TEST(report->cut->last_tick.value_or(0) == 4000u);
  // The events are those of that part of the whole replay, as far as an .icrep can store them.
  std::uint64_t last_tick = 0;
  const counts part = count_events(output, {}, last_tick);
  files::event_query same;
  same.from = files::moment::at_tick(2000);
  same.to = files::moment::at_tick(4000);
  const counts whole = count_events(input, same, last_tick);
  BOOST_TEST(last_tick <= 4000u);
  for (const char* type : {"unit_created", "unit_destroyed", "ability_used", "player_stat_snapshot"}) {
    BOOST_TEST(part.contains(type), type);
    BOOST_TEST(part.at(type) == whole.at(type), type);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
