// Types that only one game knows: orders and events are stored with a description for other readers.
#include <boost/test/unit_test.hpp>

#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recorded_types.hpp"
#include "tickreel/game/recover.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(own_types_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

enum class side : std::uint8_t { left, right };

struct build {
  interned_text what;
  place at;
};
TICKREEL_DESCRIBE(build, what, at);
struct kick {
  std::uint32_t player = 0;
};
TICKREEL_DESCRIBE(kick, player);
struct goal_scored {
  std::uint32_t player = 0;
  side by = side::left;
  std::optional<float> speed;
  short_text<8> how;
};
TICKREEL_DESCRIBE(goal_scored, player, by, speed, how);

namespace later {
struct goal_scored {
  double speed = -1;
  std::uint64_t player = 0;
  std::uint16_t crowd = 5;
};
TICKREEL_DESCRIBE(goal_scored, speed, player, crowd);
}  // namespace later

// As in another library of the same game.
namespace twin {
struct kick {
  std::uint32_t player = 0;
};
TICKREEL_DESCRIBE(kick, player);
}  // namespace twin

void play(little_recorder& to) {
  for (std::uint64_t tick = 0; tick < 30; ++tick) {
    BOOST_REQUIRE(to.tick(tick, 1, [](auto& keyframe) { keyframe.entity({1, 1}, "tank").set(place{1, 2}); }));
    BOOST_REQUIRE(to.order(1, 7, build{to.intern("tower"), {3, static_cast<std::int32_t>(tick)}}));
    if (tick % 10 == 5) {
      BOOST_TEST(to.event(goal_scored{static_cast<std::uint32_t>(tick), side::right, 2.5F, "header"}));
      BOOST_TEST(to.event(analysis::pause_event{tick, 0, true}));
      BOOST_TEST(to.event(kick{3}));
    }
    (void)to.pump();
  }
}

void check(const std::string& path) {
  const auto replay = opened(path);
  for (const icrep::finding& one : replay.file().verify()) {
    BOOST_TEST((one.severity != icrep::severity::damage), describe(one.what));
  }
  const auto& known = replay.types().layout();
  BOOST_REQUIRE(known.orders.size() == 1u);
  BOOST_TEST(known.orders[0].slot.name == "build");
  BOOST_TEST(known.orders[0].slot.slot == 7u);
  BOOST_REQUIRE(known.events.size() == 2u);
  BOOST_TEST(known.events[0].slot.name == "goal_scored");
  BOOST_TEST((known.events[0].values == layout_of<goal_scored>()));
  std::vector<std::uint64_t> ticks;
  BOOST_TEST(replay.for_each_event<goal_scored>([&](std::uint64_t tick, const goal_scored& goal) {
    ticks.push_back(tick);
    BOOST_TEST(goal.player == tick);
    BOOST_TEST((goal.by == side::right));
    BOOST_TEST((goal.speed == 2.5F));
    BOOST_TEST(goal.how.view() == "header");
  }) == 3u);
  BOOST_TEST((ticks == std::vector<std::uint64_t>{5, 15, 25}));
  BOOST_TEST(replay.for_each_event<kick>(
                 [](std::uint64_t, const kick& one) { BOOST_TEST(one.player == 3u); }) == 3u);
  BOOST_TEST(
      replay.for_each_event<later::goal_scored>([](std::uint64_t tick, const later::goal_scored& goal) {
        BOOST_TEST(goal.player == tick);
        BOOST_TEST(goal.crowd == 5u);
      }) == 3u);
  BOOST_TEST(replay.for_each_event<build>([](std::uint64_t, const build&) {}) == 0u);
  // The 21 of the format are unchanged.
  analysis::event happened;
  std::size_t pauses = 0;
  auto events = replay.events();
  while (events.next(happened)) ++pauses;
  BOOST_TEST(pauses >= 3u);
  BOOST_TEST(events.unknown_events() == 0u);
  icrep::tick_frame frame;
  for (auto orders = replay.orders(0, UINT64_MAX); orders.next(frame);) {
    const auto given = replay.get<build>(std::get<icrep::order::game_order>(frame.orders.at(0).order));
    BOOST_REQUIRE(given);
    BOOST_TEST(given->at.y == static_cast<std::int32_t>(frame.tick));
    BOOST_TEST(!replay.get<kick>(std::get<icrep::order::game_order>(frame.orders.at(0).order)));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(orders_and_events_round_trip_through_every_container) {
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const scratch_folder folder;
    game::match_options options;
    options.file = file;
    options.mode = threading::pumped;
    auto recorder = little_recorder::begin(folder / "a", little_match(), options);
    BOOST_REQUIRE(recorder);
    play(*recorder);
    // One number, one struct.
    const auto refused = recorder->order(1, 7, kick{});
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == error_code::invalid_argument));
    const auto report = recorder->end({.outcome = analysis::outcome::remade{}});
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(report->counters.events == 10u);
    check(folder / "a");
    if (file == game::container::reel) {
      BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "a", folder / "b"));
    } else {
      BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a", folder / "b"));
    }
    check(folder / "b");
  }
}

// The reel contains descriptions from their first use on.
BOOST_AUTO_TEST_CASE(the_reel_of_a_killed_recorder_is_described) {
  const scratch_folder folder;
  {
    auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
    BOOST_REQUIRE(recorder);
    play(*recorder);
  }
  BOOST_REQUIRE(game::recover(folder / "a"));
  check(folder / "a");
}

BOOST_AUTO_TEST_CASE(an_event_without_a_tick_is_lost) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
  BOOST_REQUIRE(recorder);
  BOOST_TEST(!recorder->event(kick{1}));
  BOOST_TEST(recorder->counters().events_lost == 1u);
  BOOST_REQUIRE(recorder->tick(0));
  BOOST_REQUIRE(recorder->end());
  BOOST_TEST(opened(folder / "a").for_each_event<kick>([](std::uint64_t, const kick&) {}) == 0u);
}

BOOST_AUTO_TEST_CASE(a_second_struct_of_one_name_is_rejected) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0));
  BOOST_TEST(recorder->event(goal_scored{1, side::left, {}, {}}));
  BOOST_TEST(!recorder->event(later::goal_scored{}));
  BOOST_TEST(recorder->event(goal_scored{2, side::left, {}, {}}));
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.events_lost == 1u);
  BOOST_REQUIRE(report->earlier_failure.has_value());
  const std::string failure_text = describe(*report->earlier_failure);
  BOOST_TEST(failure_text.find("by one name") != std::string::npos, failure_text);
  BOOST_TEST(failure_text.find("(player, by, speed?, speed, how)") != std::string::npos, failure_text);
  BOOST_TEST(failure_text.find("\"goal_scored\" of 18 bytes (speed, player, crowd)") != std::string::npos,
             failure_text);
  BOOST_TEST(opened(folder / "a").for_each_event<goal_scored>([](std::uint64_t, const goal_scored&) {}) ==
             2u);
}

// Each library of a game has its own copy of what a header describes.
BOOST_AUTO_TEST_CASE(structs_of_one_name_and_layout_are_one) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0));
  for (std::uint32_t i = 0; i < 3; ++i) {
    BOOST_TEST(recorder->event(kick{i}));
    BOOST_TEST(recorder->event(twin::kick{10 + i}));
  }
  BOOST_TEST(recorder->event(goal_scored{1, side::left, {}, {}}));
  BOOST_TEST(recorder->order(1, 9, kick{1}).has_value());
  BOOST_TEST(recorder->order(1, 9, twin::kick{2}).has_value());
  BOOST_TEST(!recorder->order(1, 9, goal_scored{}).has_value());
  BOOST_TEST(!recorder->order(1, 9, goal_scored{}).has_value());
  BOOST_TEST(recorder->order(1, 9, twin::kick{3}).has_value());
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.events_lost == 0u);
  BOOST_TEST(!report->earlier_failure.has_value());
  const auto replay = opened(folder / "a");
  BOOST_TEST(replay.types().layout().events.size() == 2u);
  BOOST_TEST(replay.types().layout().orders.size() == 1u);
  std::vector<std::uint32_t> players;
  replay.for_each_event<kick>([&](std::uint64_t, const kick& one) { players.push_back(one.player); });
  BOOST_TEST((players == std::vector<std::uint32_t>{0, 10, 1, 11, 2, 12}));
  BOOST_TEST(replay.for_each_event<goal_scored>([](std::uint64_t, const goal_scored&) {}) == 1u);
}

// Readers look up names and give every value its own text.
BOOST_AUTO_TEST_CASE(hostile_layouts_exhaust_neither_stack_nor_memory) {
  std::string deep = "a";
  for (int i = 0; i < 400'000; ++i) deep += ".a";
  std::string fine = "a";
  for (int i = 1; i < 32; ++i) fine += ".a";
  const auto value = [](const std::string& name, const std::string& kind) {
    return R"({"name":")" + name + R"(","kind":")" + kind + R"(","offset":0,"size":1,"enum":0})";
  };
  std::string json = R"({"orders":[{"slot":1,"name":"o","size":1,"values":[)" + value(fine, "u") + "," +
                     value(deep, "u") + "," + value("", "u") + "," + value("?", "u") + "," +
                     value("b", "nothing that is known") + "]}," +
                     R"({"slot":2,"name":"p","size":1,"values":[)";
  for (int i = 0; i < 5000; ++i) json += (i == 0 ? "" : ",") + value("v" + std::to_string(i), "u");
  json += R"(]}],"enums":[{)";
  for (int i = 0; i < 20'000; ++i) {
    json += (i == 0 ? "\"w" : ",\"w") + std::to_string(i) + "\":" + std::to_string(i);
  }
  json += "}]}";
  icrep::metadata facts;
  facts.others.emplace_back("x_values", json);
  const game::world_layout layout = game::recorded_layout(facts);
  BOOST_REQUIRE(layout.orders.size() == 2u);
  BOOST_REQUIRE(layout.orders[0].values.size() == 1u);
  BOOST_TEST(layout.orders[0].values[0].name == fine);
  BOOST_TEST(layout.orders[0].values[0].enumerators.size() == 20'000u);
  BOOST_TEST(layout.orders[1].values.size() == 5000u);
  std::size_t words = 0;
  for (const auto& one : layout.orders[1].values) words += one.enumerators.size();
  BOOST_TEST(words > 0u);
  BOOST_TEST(words < 2'000'000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
