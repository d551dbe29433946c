// Reels of described structs: all operations without the struct.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "file_bytes.hpp"
#include "lines.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/files/structs.hpp"
#include "tickreel/files/tick_columns.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(described_reel_test)

namespace shown {

enum class weapon : std::uint8_t { bow, sword };
TICKREEL_DESCRIBE_ENUM(weapon, bow, sword);

struct unit {
  float x = 0;
  weapon holds = weapon::bow;
};
TICKREEL_DESCRIBE(unit, x, holds);
TICKREEL_DECLARE(unit, (x, decimals(2), unit_name("m")));

struct world {
  tickreel::entities<unit, 3> units;
  std::optional<std::int32_t> winner;
  tickreel::short_text<24> caption;
  tickreel::fixed_value<8> gravity;
  bool over = false;
};
TICKREEL_DESCRIBE(world, units, winner, caption, gravity, over);

enum class mood : std::int16_t { angry = -3, calm = 7 };
TICKREEL_DESCRIBE_ENUM(mood, angry, calm);

struct body {
  std::array<float, 3> place{}, before{}, speed{}, forward{}, up{}, left{};
  std::array<float, 4> turned{};
  std::array<float, 3> other{};
  mood feels = mood::calm;
};
TICKREEL_DESCRIBE(body, place, before, speed, forward, up, left, turned, other, feels);
TICKREEL_DECLARE(body, (place, decimals(3), unit_name("m"), integral_of("speed", 50)),
                 (before, relative_to("place")), (speed, tolerance(0.01)), (forward, unit_vector),
                 (up, orthogonal("forward")), (left, cross("up", "forward")), (turned, rotation),
                 (other, same_as("before")));

struct hit {
  std::uint8_t who = 0;
};
TICKREEL_DESCRIBE(hit, who);

}  // namespace shown

namespace {

using namespace tickreel;
using namespace tickreel::test;

// 100 ticks: a unit walks; from tick 50 on there is one with a sword; at tick 60 another one replaces the first; at the end there
// is a winner.
std::string recorded(const scratch_folder& folder) {
  const std::string path = folder / "match.reel";
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 20;
  auto out = record<shown::world>(path, options);
  BOOST_REQUIRE(out);
  shown::world now;
  auto walker = now.units.add({});
  now.gravity.raw = -384;
  for (int tick = 0; tick < 100; ++tick) {
    if (tick == 50) (void)now.units.add({7, shown::weapon::sword});
    if (tick == 60) {
      now.units.remove(*walker);
      walker = now.units.add({});
    }
    now.units.find(*walker)->x = static_cast<float>(tick) / 4;
    if (tick == 99) {
      now.winner = 1;
      now.caption = "=we said \"yes\", then\xFF";
      now.over = true;
    }
    BOOST_REQUIRE(out->push(now));
  }
  BOOST_REQUIRE(out->close());
  return path;
}

}  // namespace

BOOST_AUTO_TEST_CASE(their_ticks_are_shown_by_name) {
  scratch_folder folder;
  auto from = files::open(recorded(folder));
  BOOST_REQUIRE(from);
  BOOST_REQUIRE((*from)->next());
  std::string state;
  (*from)->append_state(state);
  BOOST_TEST(
      state ==
      R"("units":[{"id":0,"generation":1,"x":0,"holds":"bow"}],"winner":null,"caption":"","gravity":-1.5,)"
      R"("over":false)");
  BOOST_REQUIRE((*from)->seek(files::moment::at_tick(99)));
  BOOST_REQUIRE((*from)->next());
  BOOST_TEST((*from)->position().tick == 99u);
  BOOST_TEST((*from)->position().time_ms == 1980);
  state.clear();
  (*from)->append_state(state);
  BOOST_TEST(state == R"("units":[{"id":0,"generation":3,"x":24.75,"holds":"bow"},)"
                      R"({"id":1,"generation":1,"x":7,"holds":"sword"}],"winner":1,)"
                      R"("caption":"=we said \"yes\", then\ufffd","gravity":-1.5,"over":true)");
  BOOST_REQUIRE((*from)->seek(files::moment::at_time(1.0)));
  BOOST_REQUIRE((*from)->next());
  BOOST_TEST((*from)->position().tick == 50u);
  BOOST_TEST(!(*from)->seek(files::moment::at_tick(100)));
}

BOOST_AUTO_TEST_CASE(info_has_the_fields_and_verify_finds_nothing) {
  scratch_folder folder;
  auto from = files::open(recorded(folder));
  BOOST_REQUIRE(from);
  const auto seen = (*from)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->ticks == 100u);
  BOOST_TEST(seen->keyframes == 5u);
  BOOST_TEST((seen->health == files::health::whole));
  const auto fields = std::find_if(seen->facts.begin(), seen->facts.end(),
                                   [](const files::fact& each) { return each.key == "fields"; });
  BOOST_REQUIRE((fields != seen->facts.end()));
  BOOST_TEST(
      std::get<std::string>(fields->value) ==
      "world {units: entities[3] of unit {x: f32, 2 decimals in m, holds: enumeration (bow = 0, sword = 1)}, "
      "winner: optional i32, caption: text[24], gravity: fixed point with 8 fraction bits of 32, "
      "over: bool}");
  const auto verified = (*from)->verify();
  BOOST_REQUIRE(verified);
  BOOST_TEST(verified->ok());
  BOOST_TEST(verified->ticks == 100u);
}

BOOST_AUTO_TEST_CASE(info_prints_every_declaration) {
  scratch_folder folder;
  const std::string path = folder / "body.reel";
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  auto out = record<shown::body>(path, options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 3; ++tick) {
    BOOST_REQUIRE(out->push(shown::body{}));
    BOOST_REQUIRE(out->event(shown::hit{1}));
  }
  BOOST_REQUIRE(out->close());
  auto from = files::open(path);
  BOOST_REQUIRE(from);
  const auto seen = (*from)->summarise();
  BOOST_REQUIRE(seen);
  const auto fields = std::find_if(seen->facts.begin(), seen->facts.end(),
                                   [](const files::fact& each) { return each.key == "fields"; });
  BOOST_REQUIRE((fields != seen->facts.end()));
  BOOST_TEST(std::get<std::string>(fields->value) ==
             "body {place: array[3] of f32, 3 decimals in m, integral_of(speed, 50 ticks per second), "
             "before: array[3] of f32, relative_to(place), speed: array[3] of f32, within 0.01, "
             "forward: array[3] of f32, unit_vector, up: array[3] of f32, orthogonal(forward), "
             "left: array[3] of f32, cross(up, forward), turned: array[4] of f32, rotation, "
             "other: array[3] of f32, same_as(before), feels: enumeration (angry = -3, calm = 7)}");
  const std::string three = R"("type":"array","count":3,"of":{"type":"f32"}})";
  BOOST_TEST(
      files::structs_json(path) ==
      R"("described":{"type":"struct","struct":"body","members":[)"
      R"({"name":"place","decimals":3,"unit":"m","relation":"integral_of","to":["speed"],"ticks_per_second":50,)" +
          three + R"(,{"name":"before","relation":"relative_to","to":["place"],)" + three +
          R"(,{"name":"speed","tolerance":0.01,)" + three +
          R"(,{"name":"forward","relation":"unit_vector",)" + three +
          R"(,{"name":"up","relation":"orthogonal","to":["forward"],)" + three +
          R"(,{"name":"left","relation":"cross","to":["up","forward"],)" + three +
          R"(,{"name":"turned","relation":"rotation","type":"array","count":4,"of":{"type":"f32"}})"
          R"(,{"name":"other","relation":"same_as","to":["before"],)" +
          three +
          R"(,{"name":"feels","type":"enumeration","bits":16,)"
          R"("values":[{"name":"angry","value":-3},{"name":"calm","value":7}]}]},)"
          R"("described_events":[{"type":"struct","struct":"hit","members":[{"name":"who","type":"u8"}]}])");
  BOOST_TEST(files::structs_json(folder / "absent.reel").empty());
}

BOOST_AUTO_TEST_CASE(they_become_texts) {
  scratch_folder folder;
  const std::string path = recorded(folder);
  const std::string ndjson = folder / "match.ndjson";
  const std::string csv = folder / "match.csv";
  for (const auto& [to, output] : {std::pair<std::string, std::string>("ndjson", ndjson), {"csv", csv}}) {
    const auto conversion = files::find_conversion(path, to);
    BOOST_REQUIRE((conversion && *conversion != nullptr));
    const auto report = (*conversion)->run(path, output, {});
    BOOST_REQUIRE(report);
    BOOST_TEST(report->ticks == 100u);
    BOOST_TEST(report->lost.empty());
  }
  const auto lines = test::lines_of(test::read_text(ndjson));
  BOOST_REQUIRE(lines.size() == 100u);
  BOOST_TEST(lines[50].starts_with(R"({"tick":50,"time_ms":1000,"units":[)"));
  const auto rows = test::lines_of(test::read_text(csv));
  BOOST_REQUIRE(rows.size() == 101u);
  BOOST_TEST(rows[0] ==
             "tick,time_ms,units[0]#,units[0].x,units[0].holds,units[1]#,units[1].x,units[1].holds,"
             "units[2]#,units[2].x,units[2].holds,winner?,winner,caption,gravity,over");
  BOOST_TEST(rows[1] == "0,0,1,0,bow,0,,,0,,,false,,,-1.5,false");
  BOOST_TEST(rows[100] ==
             "99,1980,3,24.75,bow,1,7,sword,0,,,true,1,\"'=we said \"\"yes\"\", then\xFF\",-1.5,true");
}

BOOST_AUTO_TEST_CASE(compact_ones_have_the_same_ticks) {
  scratch_folder folder;
  const std::string path = recorded(folder);
  const std::string compact = folder / "compact.reel";
  const auto done = files::compact(path, compact);
  BOOST_REQUIRE(done);
  BOOST_TEST(done->lost.empty());
  BOOST_TEST(done->bytes == read_file(compact).size());
  BOOST_TEST((files::compact(path, compact).error().code == error_code::already_exists));
  auto before = files::open(path);
  auto after = files::open(compact);
  BOOST_REQUIRE((before && after));
  for (int tick = 0; tick < 100; ++tick) {
    BOOST_REQUIRE((*(*before)->next() && *(*after)->next()));
    std::string a, b;
    (*before)->append_state(a);
    (*after)->append_state(b);
    BOOST_REQUIRE(a == b);
    BOOST_REQUIRE((*before)->position().time_ms == (*after)->position().time_ms);
  }
  BOOST_TEST(!*(*after)->next());
}

namespace {
struct nameless {
  std::int32_t tick = 0, tick_ = 1, time_ms = 2;
  float odd = 0;
  entities<shown::unit, 1> id;
};
TICKREEL_DESCRIBE(nameless, tick, tick_, time_ms, odd, id);
struct badge {
  std::int32_t id = 0, generation = 0;
};
TICKREEL_DESCRIBE(badge, id, generation);
struct badges {
  entities<badge, 1> all;
};
TICKREEL_DESCRIBE(badges, all);

template <class T>
std::string first_state(const std::string& path, const T& pushed) {
  auto out = record<T>(path, {.ticks_per_second = 10});
  BOOST_REQUIRE(out);
  out->push(pushed);
  BOOST_REQUIRE(out->close());
  auto from = files::open(path);
  BOOST_REQUIRE((from && (*from)->next()));
  std::string state;
  (*from)->append_state(state);
  return state;
}
}  // namespace

BOOST_AUTO_TEST_CASE(no_name_is_repeated_and_no_number_is_null) {
  scratch_folder folder;
  nameless odd;
  odd.odd = -std::numeric_limits<float>::infinity();
  BOOST_TEST(first_state(folder / "a.reel", odd) ==
             R"("tick__":0,"tick_":1,"time_ms_":2,"odd":"-Infinity","id":[])");
  badges some;
  (void)some.all.add({7, 8});
  BOOST_TEST(first_state(folder / "b.reel", some) ==
             R"("all":[{"id":0,"generation":1,"id_":7,"generation_":8}])");
}

BOOST_AUTO_TEST_CASE(a_column_that_is_searched_again_is_the_same) {
  const scratch_folder folder;
  const auto from = files::open(recorded(folder)).value();
  auto* const columns = from->offers().columns;
  BOOST_REQUIRE(columns != nullptr);
  const std::vector<files::path_step> over = {"over"};
  const std::vector<files::path_step> caption = {"caption"};
  const auto first = columns->find_column(over);
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST((columns->find_column(caption) != first));
  BOOST_TEST((columns->find_column(over) == first));
}

BOOST_AUTO_TEST_CASE(damage_is_reported_by_every_reader) {
  scratch_folder folder;
  const std::string path = recorded(folder);
  byte_vector bytes = read_file(path);
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  std::vector<reel::record_info> chunks;
  for (const auto& each : source->contents().records) {
    if (each.kind == reel::record_kind::chunk) chunks.push_back(each);
  }
  BOOST_REQUIRE(chunks.size() == 5u);
  bytes[chunks[2].offset + chunks[2].bytes - 12] ^= std::byte{4};
  const std::string damaged = folder / "damaged.reel";
  write_file(damaged, bytes);
  auto from = files::open(damaged);
  BOOST_REQUIRE(from);
  const auto seen = (*from)->summarise();
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->ticks == 80u);
  BOOST_TEST((seen->health == files::health::damaged));
  BOOST_TEST(!(*from)->verify()->ok());
  BOOST_TEST((*from)->losses().size() == 1u);
  const auto done = files::compact(damaged, folder / "compact.reel");
  BOOST_REQUIRE(done);
  BOOST_TEST(done->lost.size() == 1u);
  auto after = files::open(folder / "compact.reel");
  BOOST_REQUIRE(after);
  BOOST_TEST((*after)->summarise()->ticks == 80u);
  BOOST_TEST(((*after)->summarise()->health == files::health::recovered));
  BOOST_TEST((*after)->losses().size() == 1u);
  const auto conversion = files::find_conversion(damaged, "csv");
  const auto report = (*conversion)->run(damaged, folder / "damaged.csv", {});
  BOOST_REQUIRE(report);
  BOOST_TEST(report->ticks == 80u);
  BOOST_TEST(report->lost.size() == 1u);
  const auto recovered = files::recover(damaged, folder / "recovered.reel");
  BOOST_REQUIRE(recovered);
  BOOST_TEST(recovered->ticks == 80u);
  BOOST_TEST(recovered->lost_ticks == 20u);
  BOOST_TEST((*files::open(folder / "recovered.reel"))->verify()->ok());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
