// Tracker events that this test writes, and the bridge to analysis events.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "generated_events.hpp"
#include "random.hpp"
#include "tickreel/sc2replay/analysis_bridge.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_events_tests)
BOOST_AUTO_TEST_SUITE(tracker_test)

using namespace tickreel;
using namespace tickreel::sc2replay;

namespace {

void begin(versioned_writer& to, std::uint32_t delta, tracker_kind kind, std::size_t fields) {
  to.choice(delta < 64 ? 0 : delta < 1u << 14 ? 1 : delta < 1u << 22 ? 2 : 3);
  to.integer(delta);
  to.integer(static_cast<std::int64_t>(kind));
  to.structure(fields);
}

void integers(versioned_writer& to, std::int64_t first_field, std::initializer_list<std::int64_t> values) {
  for (const std::int64_t each : values) {
    to.field(first_field++);
    to.integer(each);
  }
}

void born(versioned_writer& to, std::uint32_t delta, tracker_kind kind, std::int64_t index,
          std::int64_t recycle, std::string_view type, std::int64_t player, std::int64_t x, std::int64_t y) {
  begin(to, delta, kind, 7);
  integers(to, 0, {index, recycle});
  to.field(2);
  to.text(type);
  integers(to, 3, {player, player, x, y});
}

void died(versioned_writer& to, std::uint32_t delta, std::int64_t index, std::int64_t recycle,
          std::int64_t killer) {
  begin(to, delta, tracker_kind::unit_died, 7);
  integers(to, 0, {index, recycle});
  to.field(2);
  to.optional(true);
  to.integer(killer);
  integers(to, 3, {12, 13});
  to.field(5);
  to.optional(true);
  to.integer(9);
  to.field(6);
  to.optional(false);
}

void stats(versioned_writer& to, std::uint32_t delta, std::int64_t player, std::int64_t minerals) {
  begin(to, delta, tracker_kind::player_stats, 2);
  integers(to, 0, {player});
  to.field(1);
  to.structure(39);
  for (std::int64_t i = 0; i < 39; ++i) integers(to, i, {i == 0 ? minerals : i});
}

byte_vector short_game() {
  versioned_writer to;
  born(to, 0, tracker_kind::unit_born, 1, 1, "SCV", 1, 10, 20);
  born(to, 5, tracker_kind::unit_init, 2, 3, "Barracks", 1, 30, 40);
  stats(to, 155, 1, 50);
  begin(to, 0, tracker_kind::unit_positions, 2);
  integers(to, 0, {1});
  to.field(1);
  to.array(6);
  for (const int each : {0, 11, 21, 1, 31, 41}) to.integer(each);
  begin(to, 10, tracker_kind::unit_done, 2);
  integers(to, 0, {2, 3});
  died(to, 30, 1, 1, 2);
  begin(to, 1, tracker_kind::upgrade, 3);
  integers(to, 0, {1});
  to.field(1);
  to.text("Stimpack");
  integers(to, 2, {1});
  stats(to, 119, 1, 90);
  return to.take();
}

std::string line_of(const analysis::event& event) {
  std::string out;
  analysis::append_json(event, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tracker)

BOOST_AUTO_TEST_CASE(typed_events_contain_the_written_values) {
  const byte_vector bytes = short_game();
  tracker_event_reader reader(bytes, 32283);
  tracker_event event;
  BOOST_TEST(reader.next(event).value());
  unit_born unit;
  BOOST_REQUIRE(read_unit_born(event, unit));
  BOOST_TEST(unit.finished);
  BOOST_TEST(unit.type_name == "SCV");
  BOOST_TEST(unit.unit.index() == 1u);
  BOOST_CHECK(unit.place == (map_point{10, 20}));
  std::string json;
  append_json(event, json);
  BOOST_TEST(json ==
             R"({"tick":0,"seconds":0,"stream":"tracker","type":"unit_born","unit_tag_index":1,)"
             R"("unit_tag_recycle":1,"unit_type_name":"SCV","control_player_id":1,"upkeep_player_id":1,)"
             R"("x":10,"y":20})");
  BOOST_TEST(reader.next(event).value());
  BOOST_REQUIRE(read_unit_born(event, unit));
  BOOST_TEST(!unit.finished);
  BOOST_TEST(event.tick == 5u);
  BOOST_TEST(reader.next(event).value());
  player_stats numbers;
  BOOST_REQUIRE(read_player_stats(event, numbers));
  BOOST_TEST(numbers.minerals_current == 50);
  BOOST_TEST(numbers.vespene_friendly_fire_technology == 38);
  BOOST_TEST(reader.next(event).value());
  BOOST_REQUIRE(event.is(tracker_kind::unit_positions));
  unit_positions places(event);
  indexed_place place;
  BOOST_TEST(places.next(place));
  BOOST_TEST(place.index == 1u);
  BOOST_TEST(places.next(place));
  BOOST_TEST(place.index == 2u);
  BOOST_CHECK(place.place == (map_point{31, 41}));
  BOOST_TEST(!places.next(place));
  BOOST_TEST(reader.next(event).value());
  BOOST_TEST(reader.next(event).value());
  unit_died death;
  BOOST_REQUIRE(read_unit_died(event, death));
  BOOST_TEST(int{death.killer_player.value()} == 2);
  BOOST_TEST(!death.killer.has_value());
  BOOST_TEST(reader.next(event).value());
  upgrade bought;
  BOOST_REQUIRE(read_upgrade(event, bought));
  BOOST_TEST(bought.type_name == "Stimpack");
  BOOST_TEST(reader.next(event).value());
  BOOST_TEST(event.tick == 320u);
  BOOST_TEST(!reader.next(event).value());
}

BOOST_AUTO_TEST_CASE(positions_were_coarser_before_2_1) {
  const byte_vector bytes = short_game();
  tracker_event_reader reader(bytes, first_base_build_of_fine_tracker_places - 1);
  tracker_event event;
  BOOST_TEST(reader.next(event).value());
  unit_born unit;
  BOOST_REQUIRE(read_unit_born(event, unit));
  BOOST_CHECK(unit.place == (map_point{40, 80}));
}

BOOST_AUTO_TEST_CASE(unknown_events_are_skipped_and_printed) {
  versioned_writer to;
  begin(to, 1, tracker_kind::unit_done, 4);
  integers(to, 0, {7, 8});
  to.field(2);
  to.array(1);
  to.structure(1);
  to.field(0);
  to.text("new");
  to.field(40);
  to.integer(-5);
  to.choice(0);
  to.integer(1);
  to.integer(77);
  to.structure(0);
  const byte_vector bytes = to.take();
  tracker_event_reader reader(bytes, newest_known_base_build + 1);
  tracker_event event;
  BOOST_TEST(reader.next(event).value());
  unit_done done;
  BOOST_TEST(read_unit_done(event, done));
  BOOST_TEST(done.unit.recycle() == 8u);
  std::string json;
  append_json(event, json);
  BOOST_TEST(json.find(R"("field_2":[{"0":"new"}],"field_40":-5)") != std::string::npos);
  BOOST_TEST(reader.next(event).value());
  BOOST_TEST(event.name() == "unknown");
  BOOST_TEST(event.id == 77u);
  BOOST_TEST(!reader.next(event).value());
}

BOOST_AUTO_TEST_CASE(truncated_and_flipped_streams_end_or_report_the_offset) {
  auto random = test::seeded_random("tracker damage");
  const byte_vector whole = short_game();
  tracker_event event;
  const auto read = [&event](byte_span bytes) {
    tracker_event_reader reader(bytes, 32283);
    result<bool> last = true;
    while (last && *last) {
      const std::uint64_t before = reader.offset();
      last = reader.next(event);
      if (last && *last) BOOST_REQUIRE(reader.offset() > before);
    }
    if (!last) {
      BOOST_REQUIRE(last.error().offset <= bytes.size());
      BOOST_REQUIRE(std::string_view(last.error().detail).starts_with("replay.tracker.events: "));
    }
    return last.has_value();
  };
  BOOST_TEST(read(whole));
  std::size_t borders = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    borders += read(byte_span(whole).first(size)) ? 1u : 0u;
  BOOST_TEST(borders == 8u);
  for (int i = 0; i < 3000; ++i) {
    byte_vector turned = whole;
    for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
      turned[random() % turned.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    (void)read(turned);
    // The bridge accepts everything that the readers return.
    analysis_bridge bridge({32283, 320, {}, {}, turned, {}});
    for (bridged item; bridge.next(item);) {
      if (item.event != nullptr) BOOST_REQUIRE(!line_of(*item.event).empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bridge)

BOOST_AUTO_TEST_CASE(tracker_events_become_analysis_events) {
  const byte_vector bytes = short_game();
  player first;
  first.number = 1;
  first.result = game_result::win;
  analysis_bridge bridge({32283, 320, {}, {}, bytes, {&first, 1}});
  std::vector<std::string> lines;
  std::vector<std::string> names;
  std::vector<std::string> about;
  for (bridged item; bridge.next(item);) {
    BOOST_REQUIRE(item.event != nullptr);
    lines.push_back(line_of(*item.event));
    if (!item.type_name.empty()) names.emplace_back(item.type_name);
    if (item.unit) {
      about.push_back(std::to_string(analysis::tick_of(*item.event)) + ' ' +
                      std::string(item.unit->type_name) + " of " + std::to_string(item.unit->owner) +
                      (item.unit->place ? " somewhere" : ""));
    }
  }
  const std::vector<std::string> wanted_about = {"170 Barracks of 1 somewhere", "200 SCV of 1 somewhere"};
  BOOST_TEST(about == wanted_about, boost::test_tools::per_element());
  const auto tag = [](int index, int generation) {
    return R"({"index":)" + std::to_string(index) + R"(,"generation":)" + std::to_string(generation) + "}";
  };
  const std::vector<std::string> wanted = {
      R"({"tick":0,"type":"unit_created","tag":)" + tag(1, 1) +
          R"(,"unit_type":0,"owner":1,"pos":{"x":40960,"y":81920,"z":0}})",
      R"({"tick":5,"type":"construction_started","tag":)" + tag(2, 3) +
          R"(,"unit_type":1,"owner":1,"pos":{"x":122880,"y":163840,"z":0}})",
      // Collected: 50, 5 to 7 and 11 to 13 and 17 to 19 of minerals; 1, 8 to 10, 14 to 16, 20 to 22 of
      // vespene.
      R"({"tick":160,"type":"player_stat_snapshot","player":1,"stats":{"credits":50,"power_made":30,"power_used":29,)"
      R"("army_value":25,"units_alive":2,"units_lost":0,"units_killed":0,"buildings_alive":0,"buildings_lost":0,)"
      R"("buildings_killed":0,"collected":294,"spent":243,"apm_x100":0}})",
      R"({"tick":160,"type":"unit_position_sample","positions":[{"tag":)" + tag(1, 1) +
          R"(,"pos":{"x":45056,"y":86016,"z":0}},{"tag":)" + tag(2, 3) +
          R"(,"pos":{"x":126976,"y":167936,"z":0}}]})",
      R"({"tick":170,"type":"construction_completed","tag":)" + tag(2, 3) + "}",
      R"({"tick":200,"type":"unit_destroyed","tag":)" + tag(1, 1) + R"(,"killer_tag":null,"killer_owner":2})",
      R"({"tick":201,"type":"upgrade_completed","player":1,"upgrade_id":0})",
      R"({"tick":320,"type":"player_stat_snapshot","player":1,"stats":{"credits":90,"power_made":30,"power_used":29,)"
      R"("army_value":25,"units_alive":1,"units_lost":1,"units_killed":0,"buildings_alive":0,"buildings_lost":0,)"
      R"("buildings_killed":0,"collected":334,"spent":243,"apm_x100":0}})",
      R"({"tick":320,"type":"resource_collected","player":1,"resource_type":0,"amount":40,"derived":true})",
      R"({"tick":320,"type":"match_ended","outcome":{"kind":"completed","winner":{"kind":"player","player":1},)"
      R"("reason":{"kind":"elimination"}},"derived":true})",
  };
  BOOST_TEST(lines == wanted, boost::test_tools::per_element());
  const std::vector<std::string> types = {"SCV", "Barracks", "Stimpack"};
  BOOST_TEST(names == types, boost::test_tools::per_element());
  BOOST_TEST(bridge.unit_types().size() == 2u);
  BOOST_TEST(bridge.without_counterpart().empty());
  BOOST_TEST(bridge.problems().empty());
}

BOOST_AUTO_TEST_CASE(game_events_become_analysis_events) {
  constexpr std::uint32_t build = 24764;
  byte_vector bytes;
  const auto add = [&bytes](std::uint32_t delta, std::uint8_t user, std::uint8_t id,
                            std::deque<std::int64_t> answers) {
    test::listed_source source(std::move(answers));
    test::append_event(bytes, delta, user, *find_layout(layout_stream::game, id, build), 7, source);
  };
  constexpr std::int64_t first = 0x40001, second = 0x80001, third = 0xC0001;
  // Two units selected, assigned to group 4, one removed by its index, another added, the group recalled.
  add(1, 0, 28, {10, 0, 0, 0, 2, first, second});
  add(1, 0, 29, {4, 0, 0});
  add(1, 0, 28, {10, 0, 2, 1, 0, 0, 1, third});
  add(1, 0, 29, {4, 2, 0});
  // A camera twice in one window, and once in the next but one.
  add(1, 0, 49, {1, 256, 512, 1, 34 * 256, 0, 0});
  add(1, 0, 49, {1, 768, 512, 0, 0, 0});
  add(14, 0, 49, {1, 1024, 512, 0, 0, 0});
  // An order at a point, a right click, a person who does not play, and the loser leaves.
  add(1, 0, 27, {0x100, 1, 197, 3, 0, 1, 4096, 8192, 0, 0});
  add(1, 0, 27, {0x108, 0, 0, 0});
  add(1, 5, 29, {1, 2, 0});
  add(9, 1, 101, {});
  add(1, 0, 101, {});
  player players[2];
  for (std::uint8_t i = 0; i < 2; ++i) {
    players[i].number = static_cast<std::uint8_t>(i + 1);
    players[i].event_user = i;
    players[i].result = i == 0 ? game_result::win : game_result::loss;
  }
  analysis_bridge bridge({build, 40, bytes, {}, {}, players});
  std::vector<std::string> lines;
  for (bridged item; bridge.next(item);) {
    if (item.event != nullptr) lines.push_back(line_of(*item.event));
  }
  const auto tag = [](int index) { return R"({"index":)" + std::to_string(index) + R"(,"generation":1})"; };
  const auto camera = [](int tick, int x) {
    return R"({"tick":)" + std::to_string(tick) +
           R"(,"type":"camera_position_sample","player":1,"viewport_center":{"x":)" + std::to_string(x) +
           R"(,"y":8192,"z":0},"zoom_level":34})";
  };
  const std::vector<std::string> wanted = {
      R"({"tick":1,"type":"selection_changed","player":1,"added":[)" + tag(1) + "," + tag(2) +
          R"(],"removed":[]})",
      R"({"tick":2,"type":"control_group_event","player":1,"group":4,"action":"assign"})",
      R"({"tick":3,"type":"selection_changed","player":1,"added":[)" + tag(3) + R"(],"removed":[)" + tag(1) +
          R"(],"derived":true})",
      R"({"tick":4,"type":"control_group_event","player":1,"group":4,"action":"recall"})",
      R"({"tick":4,"type":"selection_changed","player":1,"added":[)" + tag(1) + R"(],"removed":[)" + tag(3) +
          R"(],"derived":true})",
      camera(8, 3 * 4096),
      R"({"tick":21,"type":"ability_used","player":1,"ability_id":6307,"target":{"x":4096,"y":8192,"z":0}})",
      R"({"tick":22,"type":"ability_used","player":1,"ability_id":2097120,"target":null})",
      camera(24, 4 * 4096),
      R"({"tick":33,"type":"match_ended","outcome":{"kind":"completed","winner":{"kind":"player","player":1},)"
      R"("reason":{"kind":"surrender","player":2}},"derived":true})",
  };
  BOOST_TEST(lines == wanted, boost::test_tools::per_element());
  std::vector<std::string> left;
  for (const left_out& each : bridge.without_counterpart()) {
    left.push_back(std::to_string(each.count) + " " + std::string(each.what));
  }
  const std::vector<std::string> counted = {"1 events of users who do not play",
                                            "2 departures, of which the last ends the match"};
  BOOST_TEST(left == counted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(selections_that_contradict_the_one_before_are_counted) {
  constexpr std::uint32_t build = 24764;
  byte_vector bytes;
  const auto add = [&bytes](std::deque<std::int64_t> answers) {
    test::listed_source source(std::move(answers));
    test::append_event(bytes, 1, 0, *find_layout(layout_stream::game, 28, build), 7, source);
  };
  constexpr std::int64_t first = 0x40001, second = 0x80001;
  add({10, 0, 0, 0, 2, first, second});
  add({10, 0, 0, 0, 1, first});  // is selected already
  add({10, 0, 2, 1, 5, 0, 0});   // there is no sixth unit
  add({10, 0, 2, 1, 0, 0, 0});
  player only;
  only.number = 1;
  only.event_user = 0;
  analysis_bridge bridge({build, 40, bytes, {}, {}, {&only, 1}});
  for (bridged item; bridge.next(item);) {}
  BOOST_TEST(bridge.contradictory_selections() == 2u);
}

BOOST_AUTO_TEST_CASE(later_targets_belong_to_the_last_order) {
  constexpr std::uint32_t build = 80949;
  byte_vector bytes;
  const auto add = [&bytes](std::uint8_t id, std::deque<std::int64_t> answers) {
    test::listed_source source(std::move(answers));
    test::append_event(bytes, 1, 0, *find_layout(layout_stream::game, id, build), 7, source);
  };
  add(104, {4096, 4096, 0});  // of an unknown order
  add(27, {0x108, 0, 1, 4096, 8192, 0, 729, 0, 0});
  add(104, {8192, 8192, 0});
  add(27, {0x100, 1, 197, 3, 0, 1, 4096, 8192, 0, 729, 0, 0});
  add(104, {8192, 4096, 0});
  player one;
  one.number = 1;
  one.event_user = std::uint8_t{0};
  analysis_bridge bridge({build, 40, bytes, {}, {}, std::span(&one, 1)});
  std::vector<std::string> lines;
  for (bridged item; bridge.next(item);) {
    if (item.event != nullptr) lines.push_back(line_of(*item.event));
  }
  const auto line = [](int tick, std::uint32_t id, const char* rest) {
    return R"({"tick":)" + std::to_string(tick) + R"(,"type":"ability_used","player":1,"ability_id":)" +
           std::to_string(id) + R"(,"target":)" + rest;
  };
  const std::vector<std::string> wanted = {
      line(2, right_click_ability_id, R"({"x":4096,"y":8192,"z":0}})"),
      line(3, right_click_ability_id, R"({"x":8192,"y":8192,"z":0},"derived":true})"),
      line(4, 197 * 32 + 3, R"({"x":4096,"y":8192,"z":0}})"),
      line(5, 197 * 32 + 3, R"({"x":8192,"y":4096,"z":0},"derived":true})"),
  };
  BOOST_TEST(lines == wanted, boost::test_tools::per_element());
  BOOST_REQUIRE(!bridge.without_counterpart().empty());
  BOOST_TEST(bridge.without_counterpart()[0].count == 1u);
}

BOOST_AUTO_TEST_CASE(right_clicks_have_one_ability_in_every_build) {
  // The beta has a number for it, others omit the ability; at a point, at a unit.
  struct age {
    std::uint32_t base_build;
    std::deque<std::int64_t> at_point;
    std::deque<std::int64_t> at_unit;
  };
  constexpr std::int64_t tag = 0x40003;
  const age ages[] = {
      {13891,
       {0x108, 0xFFFF, 255, 0, 15, 0, 0, 0, 0, 0, 4096, 8192, 0},
       {0x108, 0xFFFF, 255, 0, 15, 0, 0, tag, 88, 0, 4096, 8192, 0}},
      {16561, {0x108, 0, 1, 4096, 8192, 0, 0}, {0x108, 0, 2, 55, 0, tag, 88, 0, 4096, 8192, 0, 0}},
      {19679, {0x108, 0, 1, 4096, 8192, 0, 0}, {0x108, 0, 2, 55, 0, tag, 88, 0, 0, 4096, 8192, 0, 0}},
      {24764, {0x108, 0, 1, 4096, 8192, 0, 0}, {0x108, 0, 2, 55, 0, tag, 88, 0, 0, 4096, 8192, 0, 0}},
      {80949,
       {0x108, 0, 1, 4096, 8192, 0, 729, 0, 0},
       {0x108, 0, 2, 111, 0, tag, 88, 0, 0, 4096, 8192, 0, 730, 0, 0}},
  };
  for (const age& each : ages) {
    BOOST_TEST_CONTEXT(each.base_build) {
      byte_vector bytes;
      for (const auto& answers : {each.at_point, each.at_unit}) {
        test::listed_source source(answers);
        test::append_event(bytes, 1, 1, *find_layout(layout_stream::game, 27, each.base_build), 7, source);
      }
      player clicking;
      clicking.number = 1;
      clicking.event_user = std::uint8_t{1};
      analysis_bridge bridge({each.base_build, 40, bytes, {}, {}, std::span(&clicking, 1)});
      std::size_t count = 0;
      for (bridged item; bridge.next(item);) {
        if (item.event == nullptr) continue;
        const auto* used = std::get_if<analysis::ability_used>(&item.event->what);
        BOOST_REQUIRE(used != nullptr);
        BOOST_TEST(used->ability_id == right_click_ability_id);
        BOOST_TEST((used->target == analysis::world_position{4096, 8192, 0}));
        ++count;
      }
      BOOST_TEST(count == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_stream_is_reported_and_the_others_continue) {
  byte_vector bytes = short_game();
  bytes.resize(bytes.size() - 1);
  analysis_bridge bridge({32283, 320, {}, {}, bytes, {}});
  std::size_t events = 0;
  for (bridged item; bridge.next(item);) ++events;
  BOOST_TEST(events > 6u);
  BOOST_REQUIRE(bridge.problems().size() == 1u);
  BOOST_TEST(bridge.problems()[0].member == "replay.tracker.events");
  BOOST_CHECK(bridge.problems()[0].what.code == error_code::truncated);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
