// Game events and messages that this test writes.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <memory>
#include <set>

#include "allocation_counter.hpp"
#include "generated_events.hpp"
#include "random.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/message.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_events_tests)
BOOST_AUTO_TEST_SUITE(events_test)

using namespace tickreel;
using namespace tickreel::sc2replay;

namespace {

// Every build at which some layout changes, its predecessor, and one future build.
std::vector<std::uint32_t> interesting_builds(layout_stream stream) {
  std::set<std::uint32_t> builds{oldest_known_base_build, newest_known_base_build + 10'000};
  for (const layout& each : layouts(stream)) {
    builds.insert(each.first_base_build);
    if (each.first_base_build > oldest_known_base_build) builds.insert(each.first_base_build - 1);
  }
  return {builds.begin(), builds.end()};
}

// One event of the given id, user 3, tick 100.
byte_vector one_event(std::uint8_t id, std::uint32_t base_build, std::deque<std::int64_t> answers,
                      layout_stream stream = layout_stream::game) {
  const layout* const what = find_layout(stream, id, base_build);
  BOOST_REQUIRE(what != nullptr);
  test::listed_source source(std::move(answers));
  byte_vector out;
  test::append_event(out, 100, 3, *what, stream == layout_stream::game ? 7 : 4, source);
  return out;
}

// The event refers to the bytes, so they must outlive it.
std::unique_ptr<game_event> read_one(const byte_vector& bytes, std::uint32_t base_build) {
  auto out = std::make_unique<game_event>();
  game_event_reader reader(bytes, base_build);
  BOOST_REQUIRE(reader.next(*out).value());
  BOOST_TEST(reader.offset() == bytes.size());
  BOOST_TEST(out->tick == 100u);
  BOOST_TEST(out->user == 3);
  return out;
}

template <class Reader, class Event>
std::size_t read_all(Reader reader, Event& event, result<bool>& last) {
  std::size_t count = 0;
  for (;; ++count) {
    const std::uint64_t before = reader.offset();
    last = reader.next(event);
    if (!last || !*last) return count;
    BOOST_REQUIRE(reader.offset() > before);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layout_table)

BOOST_AUTO_TEST_CASE(layouts_of_an_id_do_not_overlap_in_builds) {
  for (const auto stream : {layout_stream::header, layout_stream::info, layout_stream::init_data,
                            layout_stream::message, layout_stream::game}) {
    const auto all = layouts(stream);
    BOOST_TEST(!all.empty());
    for (std::size_t i = 0; i < all.size(); ++i) {
      BOOST_TEST(all[i].first_base_build < all[i].end_base_build);
      if (i > 0 && all[i].id == all[i - 1].id)
        BOOST_TEST(all[i].first_base_build >= all[i - 1].end_base_build);
      BOOST_TEST(find_layout(stream, all[i].id, all[i].first_base_build) == &all[i]);
    }
  }
  BOOST_TEST(find_layout(layout_stream::game, 27, oldest_known_base_build - 1) == nullptr);
  BOOST_TEST(find_layout(layout_stream::game, 27, ~0u - 1)->name == "command");
}

BOOST_AUTO_TEST_CASE(descriptions_match_the_facts) {
  const layout* const command = find_layout(layout_stream::game, 27, 80949);
  BOOST_REQUIRE(command != nullptr);
  BOOST_TEST(field_name(command->ops[0]) == "command_flags");
  BOOST_TEST(command->ops[0].bits == 27);
  BOOST_TEST(find_layout(layout_stream::game, 27, 80668)->ops[0].bits == 26);
  BOOST_TEST(find_layout(layout_stream::game, 76, 24246)->name == "lag_message");
  BOOST_TEST(find_layout(layout_stream::game, 76, 24247) == nullptr);
  BOOST_TEST(find_layout(layout_stream::game, 76, 38215)->name == "trigger_command_error");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(made_up_events)

BOOST_AUTO_TEST_CASE(every_event_of_every_build_round_trips) {
  auto random = test::seeded_random("game events");
  const auto event = std::make_unique<game_event>();
  for (const std::uint32_t build : interesting_builds(layout_stream::game)) {
    const auto made = test::make_stream(random, layout_stream::game, build, 200);
    game_event_reader reader(made.bytes, build);
    for (const auto& wanted : made.events) {
      const auto more = reader.next(*event);
      BOOST_REQUIRE_MESSAGE(more && *more, "build " << build << ", " << wanted.what->name);
      BOOST_REQUIRE_EQUAL(event->offset, wanted.offset);
      BOOST_REQUIRE_EQUAL(event->tick, wanted.tick);
      BOOST_REQUIRE_EQUAL(int{event->user}, int{wanted.user});
      BOOST_REQUIRE(event->what == wanted.what);
      test::value_log log;
      event->visit(log);
      BOOST_REQUIRE_EQUAL(log.text, wanted.values);
      std::string json;
      append_json(*event, json);
      BOOST_REQUIRE(json.front() == '{' && json.back() == '}');
    }
    BOOST_TEST(!reader.next(*event).value());
    BOOST_TEST(reader.offset() == made.bytes.size());
  }
}

BOOST_AUTO_TEST_CASE(every_message_of_every_build_round_trips) {
  auto random = test::seeded_random("messages");
  message said;
  for (const std::uint32_t build : interesting_builds(layout_stream::message)) {
    const auto made = test::make_stream(random, layout_stream::message, build, 200);
    message_reader reader(made.bytes, build);
    for (const auto& wanted : made.events) {
      BOOST_REQUIRE(reader.next(said).value());
      BOOST_REQUIRE_EQUAL(said.offset, wanted.offset);
      BOOST_REQUIRE_EQUAL(said.tick, wanted.tick);
      BOOST_REQUIRE_EQUAL(name(said.kind), wanted.what->name);
      if (said.kind == message_kind::chat) {
        BOOST_REQUIRE_EQUAL(std::to_string(int(said.to)) + " \"" + std::string(said.text) + "\" ",
                            wanted.values);
      }
    }
    BOOST_TEST(!reader.next(said).value());
  }
}

BOOST_AUTO_TEST_CASE(reading_allocates_nothing) {
  auto random = test::seeded_random("no memory");
  const auto made = test::make_stream(random, layout_stream::game, 80949, 500);
  const auto event = std::make_unique<game_event>();
  const std::uint64_t before = test::allocation_count();
  game_event_reader reader(made.bytes, 80949);
  for (std::size_t i = 0; i < made.events.size(); ++i) (void)reader.next(*event);
  const std::uint64_t after = test::allocation_count();
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_CASE(a_stream_truncated_anywhere_ends_or_reports_the_offset) {
  auto random = test::seeded_random("cut streams");
  const auto event = std::make_unique<game_event>();
  message said;
  result<bool> last = false;
  for (const std::uint32_t build : {13891u, 16561u, 24764u, 80949u}) {
    const auto game = test::make_stream(random, layout_stream::game, build, 30);
    for (std::size_t size = 0; size < game.bytes.size(); ++size) {
      const std::size_t count =
          read_all(game_event_reader(byte_span(game.bytes).first(size), build), *event, last);
      const bool at_border = count < game.events.size() && game.events[count].offset == size;
      BOOST_REQUIRE_EQUAL(last.has_value(), at_border);
      if (at_border) continue;
      BOOST_REQUIRE(last.error().code == error_code::truncated);
      BOOST_REQUIRE(last.error().offset >= game.events[count].offset && last.error().offset <= size);
      BOOST_REQUIRE(std::string_view(last.error().detail).starts_with("replay.game.events: "));
    }
    const auto messages = test::make_stream(random, layout_stream::message, build, 30);
    for (std::size_t size = 0; size < messages.bytes.size(); ++size) {
      (void)read_all(message_reader(byte_span(messages.bytes).first(size), build), said, last);
      if (last) continue;
      BOOST_REQUIRE(last.error().offset <= size);
      BOOST_REQUIRE(std::string_view(last.error().detail).starts_with("replay.message.events: "));
    }
  }
}

BOOST_AUTO_TEST_CASE(flipped_bits_are_handled) {
  auto random = test::seeded_random("turned bits");
  const auto event = std::make_unique<game_event>();
  message said;
  result<bool> last = false;
  for (const std::uint32_t build : {13891u, 16561u, 24764u, 80949u}) {
    auto game = test::make_stream(random, layout_stream::game, build, 60);
    auto messages = test::make_stream(random, layout_stream::message, build, 60);
    for (int i = 0; i < 500; ++i) {
      const auto turn = [&random](byte_vector& bytes) {
        bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
      };
      turn(game.bytes);
      (void)read_all(game_event_reader(game.bytes, build), *event, last);
      if (!last) BOOST_REQUIRE(last.error().offset <= game.bytes.size());
      turn(messages.bytes);
      (void)read_all(message_reader(messages.bytes, build), said, last);
      if (!last) BOOST_REQUIRE(last.error().offset <= messages.bytes.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_event_ends_the_stream_permanently) {
  byte_vector bytes = one_event(101, 80949, {0});
  const std::size_t good = bytes.size();
  // Delta 0, user 0, id 127.
  for (const int each : {0x00, 0xE0, 0x0F}) bytes.push_back(static_cast<std::byte>(each));
  const auto event = std::make_unique<game_event>();
  game_event_reader reader(bytes, 80949);
  BOOST_TEST(reader.next(*event).value());
  const auto end = reader.next(*event);
  BOOST_REQUIRE(!end);
  BOOST_CHECK(end.error().code == error_code::malformed);
  BOOST_TEST(end.error().offset == good);
  BOOST_TEST(end.error().values[0] == 80949);
  BOOST_TEST(end.error().values[1] == 127);
  BOOST_CHECK(reader.next(*event).error().code == error_code::wrong_state);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(typed_events)

BOOST_AUTO_TEST_CASE(commands_of_three_versions_have_the_same_meaning) {
  command out;
  // flags, link, index, data, target flags, timer, other unit, tag, type, no player, x, y, z
  const auto old_bytes = one_event(27, 15405, {0x102, 197, 3, 0, 15, 0, 0, 0, 0, 0, 36 * 4096, 4096 / 2, 7});
  BOOST_REQUIRE(read_command(*read_one(old_bytes, 15405), out));
  BOOST_TEST(out.flags == (command_flags::by_user | command_flags::queued));
  BOOST_TEST(out.ability.value().link == 197);
  BOOST_TEST(out.ability->index == 3);
  BOOST_TEST(out.ability->id() == 197u * 32 + 3);
  BOOST_CHECK(out.point.value() == (map_point{36, 0.5}));
  BOOST_TEST(!out.unit.has_value());
  BOOST_TEST(!out.other_unit.has_value());

  // flags, ability {link, index, no data}, a point, no other unit
  const auto middle_bytes = one_event(27, 16561, {0x100, 1, 197, 3, 0, 1, 36 * 4096, 4096 / 2, 7, 0});
  BOOST_REQUIRE(read_command(*read_one(middle_bytes, 16561), out));
  BOOST_TEST(out.ability.value().id() == 197u * 32 + 3);
  BOOST_CHECK(out.point.value() == (map_point{36, 0.5}));
  BOOST_TEST(!out.sequence.has_value());

  // flags, no ability, a unit {flags, timer, tag, type, control 4, no upkeep, place}, sequence, other unit,
  // group
  const auto new_bytes = one_event(
      27, 80949, {0x108, 0, 2, 111, 5, 0x40003, 88, 1, 4, 0, 10 * 4096, 20 * 4096, 0, 729, 1, 0x80001, 1, 6});
  const auto newest = read_one(new_bytes, 80949);
  BOOST_REQUIRE(read_command(*newest, out));
  BOOST_TEST(!out.ability.has_value());
  BOOST_TEST((out.flags & command_flags::smart_click) != 0u);
  BOOST_TEST(out.unit.value().unit.index() == 1u);
  BOOST_TEST(out.unit->unit.recycle() == 3u);
  BOOST_TEST(out.unit->flags == 111);
  BOOST_TEST(out.unit->timer == 5);
  BOOST_TEST(out.unit->unit_link == 88);
  BOOST_TEST(int{out.unit->control_player.value()} == 4);
  BOOST_TEST(!out.unit->upkeep_player.has_value());
  BOOST_CHECK(out.unit->place == (map_point{10, 20}));
  BOOST_TEST(out.sequence.value() == 729u);
  BOOST_TEST(out.other_unit.value().value == 0x80001u);
  BOOST_TEST(out.unit_group.value() == 6u);
  std::int64_t number = 0;
  BOOST_TEST(newest->number("sequence", number));
  BOOST_TEST(number == 729);
  BOOST_TEST(!newest->number("no_such_field", number));
  camera_update other_kind;
  BOOST_TEST(!read_camera_update(*newest, other_kind));
}

BOOST_AUTO_TEST_CASE(cameras_count_in_map_units_whatever_the_build) {
  camera_update out;
  const auto beta = one_event(49, 13891, {36 * 4096, 2 * 4096, 34 * 4096, 5097, 16384});
  BOOST_REQUIRE(read_camera_update(*read_one(beta, 13891), out));
  BOOST_CHECK(out.target.value() == (map_point{36, 2}));
  BOOST_TEST(out.distance.value() == 34.0);
  const auto later = one_event(49, 80949, {1, 36 * 256, 2 * 256, 0, 1, 318, 0, 1, -3, 1});
  BOOST_REQUIRE(read_camera_update(*read_one(later, 80949), out));
  BOOST_CHECK(out.target.value() == (map_point{36, 2}));
  BOOST_TEST(!out.distance.has_value());
  BOOST_TEST(out.pitch.value() == 318);
  BOOST_TEST(int{out.reason.value()} == -3);
  BOOST_TEST(out.follow);
}

BOOST_AUTO_TEST_CASE(unknown_builds_are_read_with_the_matching_layouts) {
  camera_update out;
  for (const std::uint32_t build : {15133u, 15404u, 15406u, 15623u}) {
    const auto beta = one_event(49, 13891, {36 * 4096, 2 * 4096, 34 * 4096, 5097, 16384});
    BOOST_REQUIRE(read_camera_update(*read_one(beta, build), out));
    BOOST_TEST(out.distance.value() == 34.0);
    const auto retail = one_event(49, 15405, {36 * 256, 2 * 256, 1, 34 * 256, 0, 0});
    BOOST_REQUIRE(read_camera_update(*read_one(retail, build), out));
    BOOST_TEST(out.distance.value() == 34.0);
  }
}

BOOST_AUTO_TEST_CASE(selections_have_tags_subgroups_and_masks) {
  selection_delta out;
  // Group 10, subgroup 0, a mask of eleven bits, two subgroups, three units.
  const auto bytes =
      one_event(28, 80949, {10, 0,       1,       11,     1, 0,   0, 0, 0, 1, 0, 0, 1, 0, 1,  //
                            2,  103,     5,       1,      2, 104, 6, 2, 1,                    //
                            3,  0x40001, 0x80001, 0xC0002});
  const auto event = read_one(bytes, 80949);
  BOOST_REQUIRE(read_selection_delta(*event, out));
  BOOST_TEST(out.group == active_selection);
  BOOST_TEST(out.subgroup_count() == 2u);
  BOOST_TEST(out.subgroup_at(0).unit_link == 103);
  BOOST_TEST(int{out.subgroup_at(0).subgroup_priority.value()} == 5);
  BOOST_TEST(out.subgroup_at(1).count == 1);
  BOOST_TEST(out.added.size() == 3u);
  BOOST_TEST(out.added[2] == 0xC0002u);
  BOOST_REQUIRE(out.removed.choice == unit_choice::mask);
  BOOST_TEST(out.removed.bits.size() == 11u);
  BOOST_TEST(out.removed.bits[0]);
  BOOST_TEST(!out.removed.bits[1]);
  // The mask begins at bit 4 of a byte: its first eight bits are a number whose high half comes first.
  const auto picked = out.removed.picks(11);
  const std::string order = "45670123";
  for (unsigned place = 0; place < 8; ++place) {
    BOOST_TEST(picked[place] == out.removed.bits[static_cast<unsigned>(order[place] - '0')]);
  }
  BOOST_TEST(out.removed.exceeds(10));
  BOOST_TEST(!out.removed.exceeds(11));
  BOOST_TEST(out.removed.picks(2).count() <= 2u);

  const auto kept = one_event(28, 22612, {10, 0, 3, 2, 0, 5, 0, 0});
  const auto kept_event = read_one(kept, 22612);
  BOOST_REQUIRE(read_selection_delta(*kept_event, out));
  BOOST_REQUIRE(out.removed.choice == unit_choice::zero_indices);
  BOOST_TEST(out.removed.picks(7).to_ulong() == 0b1011110u);
  BOOST_TEST(out.values_per_subgroup == 3);
}

BOOST_AUTO_TEST_CASE(small_kinds_of_events) {
  control_group_update group;
  const auto stolen = one_event(29, 80949, {7, 4, 0});
  BOOST_REQUIRE(read_control_group_update(*read_one(stolen, 80949), group));
  BOOST_TEST(group.group == 7);
  BOOST_CHECK(group.update == group_update::set_and_steal);

  std::int64_t number = 0;
  const auto trade = one_event(31, 80949, {2, 3, 50, -25, 0});
  BOOST_TEST(read_one(trade, 80949)->number("recipient_id", number));
  BOOST_TEST(number == 2);
  const auto cancelled = one_event(72, 80949, {-9});
  BOOST_TEST(read_one(cancelled, 80949)->number("cancel_request_id", number));
  BOOST_TEST(number == -9);
  const auto gone = one_event(101, 80949, {5});
  BOOST_TEST(read_one(gone, 80949)->number("leave_reason", number));
  BOOST_TEST(number == 5);
  const auto gone_early = one_event(25, 16561, {});
  BOOST_TEST(!read_one(gone_early, 16561)->number("leave_reason", number));
  const auto pinged = one_event(36, 24764, {-4096, 8192, 0x40001, 1});
  BOOST_TEST(read_one(pinged, 24764)->number("unit", number));
  BOOST_TEST(number == 0x40001);

  command_target target;
  const auto moved = one_event(104, 80949, {4096, 8192, -1});
  BOOST_REQUIRE(read_command_target(*read_one(moved, 80949), target));
  BOOST_CHECK(target.point.value() == (map_point{1, 2}));

  message said;
  const auto chat = one_event(0, 24764, {1}, layout_stream::message);
  message_reader reader(chat, 24764);
  BOOST_TEST(reader.next(said).value());
  BOOST_TEST(said.text == "gl hf");
  BOOST_CHECK(said.to == recipient::allies);
  std::string json;
  append_json(said, json);
  BOOST_TEST(
      json ==
      R"({"tick":100,"seconds":6.25,"stream":"message","type":"chat","user":3,"recipient":"allies","text":"gl hf"})");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
