// Texts replaced in place: rewritten members read back, and all other bytes are unchanged.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sample_replay.hpp"
#include "tickreel/sc2replay/rewrite.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_files_tests)
BOOST_AUTO_TEST_SUITE(rewrite_test)

using namespace tickreel;
using namespace tickreel::sc2replay;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(details_are_rewritten_in_place) {
  const details before = sample_details();
  const auto bytes = rewrite_details(write_details(before), [](std::size_t index, const details_player& old) {
    BOOST_TEST(!old.name.empty());
    std::optional<player_identity> out;
    if (index == 1) out = player_identity{"Nobody", 2};
    return out;
  });
  BOOST_REQUIRE(bytes);
  details expected = before;
  expected.players->at(1).name = "Nobody";
  expected.players->at(1).toon.id = 2;
  BOOST_TEST((*bytes == write_details(expected)));
}

BOOST_AUTO_TEST_CASE(two_lists_of_players_are_rejected) {
  versioned_writer to;
  to.structure(2);
  to.field(0);
  to.optional(true);
  to.array(1);
  to.structure(0);
  to.field(0);
  to.optional(true);
  to.array(0);
  const byte_vector bytes = to.take();
  const auto rewritten = rewrite_details(bytes, [](std::size_t, const details_player&) {
    return std::optional<player_identity>({"Nobody", 1});
  });
  BOOST_REQUIRE(!rewritten);
  BOOST_TEST((rewritten.error().code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(chat_is_rewritten_in_place) {
  const byte_vector before = sample_messages();
  const auto kept = rewrite_messages(before, sample_base_build, [](const message&) { return std::nullopt; });
  BOOST_REQUIRE(kept);
  BOOST_TEST((*kept == before));
  const auto changed = rewrite_messages(before, sample_base_build, [](const message& chat) {
    return std::optional<std::string>(chat.user == 0 ? "..." : "a much longer line than it was");
  });
  BOOST_REQUIRE(changed);
  message_reader old_messages(before, sample_base_build);
  message_reader new_messages(*changed, sample_base_build);
  message old_one;
  message new_one;
  std::size_t count = 0;
  while (*old_messages.next(old_one)) {
    BOOST_REQUIRE(*new_messages.next(new_one));
    ++count;
    BOOST_TEST(new_one.tick == old_one.tick);
    BOOST_TEST(new_one.user == old_one.user);
    BOOST_TEST((new_one.kind == old_one.kind));
    BOOST_TEST((new_one.place == old_one.place));
    if (old_one.kind == message_kind::chat) BOOST_TEST(new_one.text != old_one.text);
  }
  BOOST_TEST(!*new_messages.next(new_one));
  BOOST_TEST(count == 3u);
}

BOOST_AUTO_TEST_CASE(texts_of_game_events_are_rewritten_in_place) {
  const byte_vector before = sample_game_events();
  std::vector<std::string> seen;
  const auto changed = rewrite_game_events(
      before, sample_base_build, [&](const game_event& event, std::string_view field, std::string_view text) {
        seen.push_back(std::string(event.name()) + "." + std::string(field) + "=" + std::string(text));
        return std::optional<std::string>(field == "toon_handle" ? "" : "neutral");
      });
  BOOST_REQUIRE(changed);
  const std::vector<std::string> expected = {
      "game_user_join.name=Watcher", "game_user_join.toon_handle=2-S2-1-99", "game_user_join.clan_tag=WCH",
      "trigger_chat_message.chat_message=-zoom 40"};
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
  game_event_reader old_events(before, sample_base_build);
  game_event_reader new_events(*changed, sample_base_build);
  const auto old_one = std::make_unique<game_event>();
  const auto new_one = std::make_unique<game_event>();
  while (*old_events.next(*old_one)) {
    BOOST_REQUIRE(*new_events.next(*new_one));
    BOOST_TEST(new_one->tick == old_one->tick);
    BOOST_TEST(new_one->user == old_one->user);
    BOOST_TEST(new_one->name() == old_one->name());
  }
  BOOST_TEST(!*new_events.next(*new_one));
  const auto too_long = rewrite_game_events(before, sample_base_build,
                                            [](const game_event&, std::string_view, std::string_view) {
                                              return std::optional<std::string>(std::string(300, 'x'));
                                            });
  BOOST_TEST((too_long.error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
