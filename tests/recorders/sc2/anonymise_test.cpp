// Nobody can be told from an anonymous replay, and its game is the same event for event.
#include "tickreel/sc2/anonymise.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/sc2/replay.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/packed_fields.hpp"

using namespace tickreel;
using namespace tickreel::test;

namespace {

// Every field of two events but the texts.
void compare_fields(const sc2replay::game_event& before, const sc2replay::game_event& after) {
  if (before.bytes.size() == after.bytes.size() &&
      std::equal(before.bytes.begin(), before.bytes.end(), after.bytes.begin())) {
    return;
  }
  const auto fields_of = [](const sc2replay::game_event& event) {
    sc2replay::packed_reader from(event.bytes);
    from.skip_bits(event.body_bit);
    return sc2replay::packed_fields::read(event.what->ops, from);
  };
  const auto old_fields = fields_of(before);
  const auto new_fields = fields_of(after);
  BOOST_REQUIRE(old_fields);
  BOOST_REQUIRE(new_fields);
  BOOST_REQUIRE(old_fields->fields().size() == new_fields->fields().size());
  for (std::size_t i = 0; i < old_fields->fields().size(); ++i) {
    const sc2replay::packed_field& old_field = old_fields->fields()[i];
    const sc2replay::packed_field& new_field = new_fields->fields()[i];
    BOOST_REQUIRE(old_field.op == new_field.op);
    BOOST_REQUIRE(old_field.number == new_field.number);
  }
}

void compare_games(const sc2::replay& before, const sc2::replay& after) {
  const std::uint32_t build = before.base_build();
  sc2replay::game_event_reader old_events(before.game_events, build);
  sc2replay::game_event_reader new_events(after.game_events, build);
  const auto old_event = std::make_unique<sc2replay::game_event>();
  const auto new_event = std::make_unique<sc2replay::game_event>();
  for (auto more = old_events.next(*old_event); more && *more; more = old_events.next(*old_event)) {
    const auto there = new_events.next(*new_event);
    BOOST_REQUIRE((there && *there));
    BOOST_REQUIRE(old_event->tick == new_event->tick);
    BOOST_REQUIRE(old_event->user == new_event->user);
    BOOST_REQUIRE(old_event->what == new_event->what);
    compare_fields(*old_event, *new_event);
  }
  const auto none = new_events.next(*new_event);
  BOOST_TEST((none && !*none));
  BOOST_TEST((before.tracker_events == after.tracker_events));
  sc2replay::message_reader old_messages(before.message_events, build);
  sc2replay::message_reader new_messages(after.message_events, build);
  sc2replay::message old_message;
  sc2replay::message new_message;
  for (auto more = old_messages.next(old_message); more && *more; more = old_messages.next(old_message)) {
    const auto there = new_messages.next(new_message);
    BOOST_REQUIRE((there && *there));
    BOOST_REQUIRE(old_message.tick == new_message.tick);
    BOOST_REQUIRE(old_message.user == new_message.user);
    BOOST_REQUIRE((old_message.kind == new_message.kind));
    BOOST_REQUIRE((old_message.to == new_message.to));
    if (new_message.kind == sc2replay::message_kind::chat && !old_message.text.empty()) {
      BOOST_REQUIRE(new_message.text == "...");
    }
  }
}

void check_traces(const sc2::replay& before, byte_span file) {
  const auto archive = sc2::archive::open(file);
  BOOST_REQUIRE(archive);
  std::vector<std::string> traces;
  for (const sc2replay::player& each : before.players) {
    if (each.type == sc2replay::player_type::computer) continue;
    for (const std::string& trace : {each.name, each.clan_tag, each.handle}) {
      if (trace.size() >= 3) traces.push_back(trace);
    }
  }
  BOOST_TEST(!traces.empty());
  for (const sc2::member& member : archive->members()) {
    const auto bytes = archive->read(member.name);
    BOOST_REQUIRE(bytes);
    for (const std::string& trace : traces) {
      BOOST_TEST((as_text(*bytes).find(trace) == std::string_view::npos), member.name << " holds " << trace);
    }
  }
}

void check(byte_span file) {
  const auto before = sc2::replay::open(file);
  BOOST_REQUIRE(before);
  const auto clean = sc2::anonymise(file);
  BOOST_REQUIRE(clean);
  const auto after = sc2::replay::open(byte_span(clean->file));
  BOOST_REQUIRE(after);
  BOOST_TEST(after->problems.empty());
  BOOST_TEST((after->header == before->header));
  BOOST_TEST((after->attributes == before->attributes));
  BOOST_REQUIRE(after->players.size() == before->players.size());
  for (std::size_t i = 0; i < after->players.size(); ++i) {
    const sc2replay::player& old_player = before->players[i];
    const sc2replay::player& new_player = after->players[i];
    BOOST_TEST(new_player.number == old_player.number);
    BOOST_TEST((new_player.event_user == old_player.event_user));
    BOOST_TEST((new_player.team == old_player.team));
    BOOST_TEST((new_player.result == old_player.result));
    BOOST_TEST(new_player.race == old_player.race);
    BOOST_TEST(new_player.clan_tag.empty());
    if (old_player.type == sc2replay::player_type::computer) {
      BOOST_TEST(new_player.name == old_player.name);
    } else {
      BOOST_TEST(new_player.name == "Player " + std::to_string(old_player.number));
    }
  }
  if (before->details) BOOST_TEST((after->details->cache_handles == before->details->cache_handles));
  compare_games(*before, *after);
  check_traces(*before, clean->file);
  // Nothing is left to do.
  const auto again = sc2::anonymise(clean->file);
  BOOST_REQUIRE(again);
  BOOST_TEST((again->file == clean->file));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_sample_becomes_anonymous) {
  const byte_vector file = sample_file();
  check(file);
  const auto clean = sc2::anonymise(file);
  BOOST_TEST(clean->chat_lines == 3u);  // what a script repeats is one
  BOOST_TEST(clean->left_out.size() == 1u);
  const auto after = sc2::replay::open(byte_span(clean->file));
  BOOST_TEST(after->lobby->users[2].name == "Spectator 1");
  BOOST_TEST(after->lobby->slots[3].toon_handle == "2-S2-1-100");
  BOOST_TEST(after->lobby->slots[0].toon_handle == "2-S2-1-1");
  BOOST_TEST((after->lobby->users[0].clan_tag == std::string()));
  const std::string_view events = as_text(after->game_events);
  BOOST_TEST((events.find("Spectator 1") != std::string_view::npos));
  for (const char* trace : {"Watcher", "WCH", "2-S2-1-99", "-zoom 40"}) {
    BOOST_TEST((events.find(trace) == std::string_view::npos), trace);
  }
}

BOOST_AUTO_TEST_CASE(real_replays_become_anonymous) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    if (each.path().extension() != ".SC2Replay") continue;
    BOOST_TEST_CONTEXT(each.path().filename().string()) {
      check(read_file(each.path()));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_not_passed_on) {
  auto members = sample_members();
  for (sc2::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes.pop_back();
  }
  const auto file = sc2::write_archive(*sc2replay::write_header(sample_header()), members);
  BOOST_REQUIRE(file);
  BOOST_TEST(!sc2::anonymise(*file).has_value());
}
