// Described values of a game are shown by name without the game; a match in several files is read as one.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "scratch_folder.hpp"
#include "split_match.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/game/game_recorder.hpp"

BOOST_AUTO_TEST_SUITE(files_icrep_tests)
BOOST_AUTO_TEST_SUITE(described_match_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

enum class mood : std::uint8_t { calm, angry };
struct creature {
  mood now = mood::calm;
  std::int16_t health = 0;
};
TICKREEL_DESCRIBE(creature, now, health);
struct build {
  interned_text what;
  mood how = mood::calm;
};
TICKREEL_DESCRIBE(build, what, how);
struct goal_scored {
  std::uint32_t player = 0;
  mood crowd = mood::angry;
  std::uint32_t tick = 0;
};
TICKREEL_DESCRIBE(goal_scored, player, crowd, tick);
using world = game::world_types<game::components<creature>>;

std::string record(const scratch_folder& folder) {
  game::match about;
  about.players = {{0, "Ada", "", "", 0}, {1, "Bob", "", "", 0}};
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 4;
  auto recorder = game::game_recorder<world>::begin(folder / "match.icrep", about, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 8; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 0, [](auto& to) {
      to.entity({1, 1}, "wolf").set(creature{mood::angry, 7});
      to.entity({2, 1}, "wolf").set(creature{static_cast<mood>(9), 8});
    }));
    if (tick == 1) BOOST_REQUIRE(recorder->order(1, 5, build{recorder->intern("tower"), mood::angry}));
    if (tick == 2) BOOST_REQUIRE(recorder->event(goal_scored{1, mood::calm, 77}));
    if (tick == 6) BOOST_REQUIRE(recorder->event(analysis::pause_event{6, 0, true}));
  }
  BOOST_REQUIRE(recorder->end());
  return folder / "match.icrep";
}

std::vector<std::string> events_of(files::recording& of, const files::event_query& query) {
  std::vector<std::string> lines;
  const auto count = of.events(query, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  BOOST_REQUIRE(count);
  BOOST_TEST(*count == lines.size());
  return lines;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(enumerators_orders_and_events_by_name) {
  const scratch_folder folder;
  const auto opened = files::open(record(folder));
  BOOST_REQUIRE(opened);
  files::recording& match = **opened;
  std::string first;
  BOOST_REQUIRE(match.next().value());
  match.append_state(first);
  BOOST_TEST(holds(first, R"("creature":{"now":"angry","health":7})"), first);
  // A number without an enumerator is shown as a number.
  BOOST_TEST(holds(first, R"("creature":{"now":9,"health":8})"), first);
  const std::string goal = R"({"tick":2,"type":"goal_scored","player":1,"crowd":"calm","tick_":77})";
  BOOST_TEST(holds(first, R"("events":[)" + goal + "]"), first);
  std::string second;
  BOOST_REQUIRE(match.next().value());
  match.append_state(second);
  BOOST_TEST(holds(second, R"("events":[])"), second);

  BOOST_REQUIRE(match.seek(files::moment::at_tick(3)));
  BOOST_REQUIRE(match.next().value());
  std::string sought;
  match.append_state(sought);
  BOOST_TEST(
      holds(sought,
            R"("type":"game_order","type_tag":5,"name":"build","fields":{"what":"tower","how":"angry"})"),
      sought);

  const auto all = events_of(match, {});
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all[0] == goal);
  BOOST_TEST(match.losses().empty());
  BOOST_TEST(events_of(match, {.types = {"goal_scored"}}) == std::vector<std::string>{goal},
             boost::test_tools::per_element());
  BOOST_TEST(events_of(match, {.types = {"pause_event"}}).size() == 1u);
  BOOST_TEST(events_of(match, {.player = "Bob"}) == std::vector<std::string>{goal},
             boost::test_tools::per_element());
  BOOST_TEST(events_of(match, {.player = "Ada"}).size() == 1u);
  BOOST_TEST(!match.events({.types = {"no_such_event"}}, [](std::string_view) { return true; }));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_reported) {
  const scratch_folder folder;
  write_match_in_two_files(folder / "match.icrep");
  {
    const auto whole = files::open(folder / "match.icrep");
    BOOST_REQUIRE(whole);
    BOOST_TEST((*whole)->summarise({})->ticks == 700u);
    BOOST_TEST(((*whole)->summarise({})->health == files::health::whole));
    BOOST_TEST((*whole)->losses().empty());
  }
  // No process has it open any more: Windows keeps the name until then.
  std::filesystem::remove(folder / "match.2.icrep");
  const auto cut = files::open(folder / "match.icrep");
  BOOST_REQUIRE(cut);
  BOOST_TEST(((*cut)->quick_summary({})->health == files::health::incomplete));
  BOOST_REQUIRE((*cut)->losses().size() == 1u);
  BOOST_TEST(holds((*cut)->losses().front(), "part 2 of 2"), (*cut)->losses().front());
  BOOST_TEST(!(*cut)->verify({})->ok());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
