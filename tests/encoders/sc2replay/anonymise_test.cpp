// An anonymous replay identifies no player, and its game is the same event by event.
#include "tickreel/sc2replay/anonymise.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/packed_fields.hpp"
#include "tickreel/sc2replay/replay.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(anonymise_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// Every field of two events except texts and values derived from ids.
void compare_fields(const sc2replay::game_event& before, const sc2replay::game_event& after) {
  if (before.name() == "bank_signature") return;
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

void compare_games(const sc2replay::replay& before, const sc2replay::replay& after) {
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

// Everything that identifies a player, in all encodings of members and of the file.
class traces {
 public:
  explicit traces(const sc2replay::replay& of) {
    for (const sc2replay::player& each : of.players) {
      if (each.type == sc2replay::player_type::computer) continue;
      add_text(each.name);
      add_text(each.clan_tag);
      add_handle(each.handle);
      add_parts(each.name);
      add_parts(each.clan_tag);
    }
    if (of.details && of.details->players) {
      for (const sc2replay::details_player& each : *of.details->players) add_id(each.toon.id);
    }
    if (of.lobby) {
      for (const sc2replay::lobby_user& each : of.lobby->users) {
        add_text(each.name);
        add_text(each.clan_tag.value_or(""));
        add_handle(each.toon_handle);
        add_parts(each.name);
        add_parts(each.clan_tag.value_or(""));
      }
      for (const sc2replay::lobby_slot& each : of.lobby->slots) add_handle(each.toon_handle);
    }
    sc2replay::message_reader messages(of.message_events, of.base_build());
    sc2replay::message said;
    for (auto more = messages.next(said); more && *more; more = messages.next(said)) {
      if (said.kind == sc2replay::message_kind::chat && said.text.size() >= 6) add(said.text);
    }
  }

  [[nodiscard]] bool empty() const { return all_.empty(); }
  // Four letters of a name.
  [[nodiscard]] std::string part_found_in(byte_span bytes) const {
    for (const std::string& each : parts_) {
      if (as_text(bytes).find(each) != std::string_view::npos) return each;
    }
    return {};
  }
  [[nodiscard]] std::string found_in(byte_span bytes) const {
    for (const std::string& each : all_) {
      if (as_text(bytes).find(each) != std::string_view::npos) return each;
    }
    return {};
  }

 private:
  void add(std::string_view bytes) { all_.emplace_back(bytes); }
  void add_parts(std::string_view name) {
    for (std::size_t at = 0; at + 4 <= name.size(); ++at) {
      const std::string part(name.substr(at, 4));
      const bool letters = std::ranges::all_of(
          part, [](char each) { return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z'); });
      if (!letters) continue;
      parts_.push_back(part);
      std::string wide;
      for (const char each : part) wide += {each, '\0'};
      parts_.push_back(wide.substr(0, wide.size() - 1));
    }
  }
  // Also in UTF-16, in both byte orders, if it has at least two characters.
  void add_text(std::string_view text) {
    if (text.size() < 3) return;
    add(text);
    std::string wide;
    for (const char each : text) wide += {each, '\0'};
    add(wide.substr(0, wide.size() - 1));
  }
  void add_handle(std::string_view handle) {
    if (handle.size() < 6) return;
    add(handle);
    const std::string id(handle.substr(handle.rfind('-') + 1));
    if (id.size() >= 5) add(id);
    add_id(std::strtoull(id.c_str(), nullptr, 10));
  }
  // As integers of versioned data, and in both byte orders. Small ones occur everywhere by chance.
  void add_id(std::uint64_t id) {
    if (id < 100'000) return;
    std::string integer;
    for (std::uint64_t rest = id << 1; rest != 0; rest >>= 7) {
      integer += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));
    }
    add(integer);
    std::string little;
    for (unsigned i = 0; i < 4; ++i) little += static_cast<char>(id >> (8 * i) & 0xFF);
    add(little);
    add(std::string(little.rbegin(), little.rend()));
  }

  std::vector<std::string> all_;
  std::vector<std::string> parts_;
};

void check_traces(const sc2replay::replay& before, byte_span original, byte_span file) {
  const traces known(before);
  BOOST_TEST(!known.empty());
  // The search finds them in the original.
  const auto named = sc2replay::open_archive(original);
  BOOST_REQUIRE(named);
  const auto players = named->read(before.details ? "replay.details" : "replay.info");
  BOOST_REQUIRE(players);
  BOOST_TEST(!known.found_in(*players).empty());

  const auto archive = sc2replay::open_archive(file);
  BOOST_REQUIRE(archive);
  std::vector<std::string> names = {"(listfile)", "(attributes)"};
  for (const mpq::member& member : archive->members()) names.push_back(member.name);
  for (const std::string& name : names) {
    const auto bytes = archive->read(name);
    BOOST_REQUIRE(bytes);
    const std::string found = known.found_in(*bytes);
    BOOST_TEST(found.empty(), name << " holds " << found);
    // Names of game data identify no player: "Marine"; nor do names of members and races.
    if (name == "replay.tracker.events" || name == "(listfile)") continue;
    std::string others(as_text(*bytes));
    for (const std::string_view word : {"Terran", "Zerg", "Protoss", "Minimap.tga"}) {
      for (std::size_t at = 0; (at = others.find(word, at)) != std::string::npos;) {
        others.replace(at, word.size(), word.size(), ' ');
      }
    }
    const std::string part = known.part_found_in(as_bytes(others));
    BOOST_TEST(part.empty(), name << " holds " << part);
  }
  // Also between members.
  const std::string found = known.found_in(file);
  BOOST_TEST(found.empty(), "the file holds " << found);
}

void check(byte_span file) {
  const auto before = sc2replay::replay::open(file);
  BOOST_REQUIRE(before);
  const auto clean = sc2replay::anonymise(file);
  BOOST_REQUIRE(clean);
  const auto after = sc2replay::replay::open(byte_span(clean->file));
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
  check_traces(*before, file, clean->file);
  // Compressed, divided into sectors and listed as before.
  const auto old_archive = sc2replay::open_archive(file);
  const auto new_archive = sc2replay::open_archive(byte_span(clean->file));
  BOOST_REQUIRE(new_archive);
  BOOST_TEST((new_archive->shape() == old_archive->shape()));
  for (const mpq::member& each : new_archive->members()) {
    const mpq::member* const old_member = old_archive->find(each.name);
    BOOST_REQUIRE(old_member != nullptr);
    BOOST_TEST((new_archive->storage_of(each) == old_archive->storage_of(*old_member)), each.name);
  }
  // There is nothing left to remove.
  const auto again = sc2replay::anonymise(clean->file);
  BOOST_REQUIRE(again);
  BOOST_TEST((again->file == clean->file));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_sample_becomes_anonymous) {
  const byte_vector file = sample_file();
  check(file);
  const auto clean = sc2replay::anonymise(file);
  BOOST_TEST(clean->chat_lines == 3u);       // texts that a script repeats are equal
  BOOST_TEST(clean->left_out.size() == 2u);  // the lobby's server, and an unknown one
  const auto after = sc2replay::replay::open(byte_span(clean->file));
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

BOOST_AUTO_TEST_CASE(unknown_members_are_left_out) {
  const std::vector<std::pair<std::string, std::string>> strange = {
      {"plain", "xxAylaxx"},
      {"wide", std::string("B\0o\0r\0i\0n\0", 10)},
      {"handle", "2-S2-1-4545534"},
      {"id", "{\"id\":4545534}"},
      {"spectator", "Watcher was here"},
      {"clan", "TICK"},
  };
  auto members = sample_members();
  for (const auto& [name, text] : strange) {
    const byte_span bytes = as_bytes(std::string_view(text));
    members.push_back({name, byte_vector(bytes.begin(), bytes.end())});
  }
  const byte_vector file = sample_file(members);
  const auto clean = sc2replay::anonymise(file);
  BOOST_REQUIRE(clean);
  for (const auto& [name, text] : strange) {
    BOOST_TEST((std::find(clean->left_out.begin(), clean->left_out.end(), name) != clean->left_out.end()),
               name);
  }
  BOOST_TEST(clean->left_out.size() == strange.size() + 2);
  check(file);
}

BOOST_AUTO_TEST_CASE(real_replays_become_anonymous) {
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    BOOST_TEST_CONTEXT(each.filename().string()) {
      check(read_file(each));
    }
  }
}

BOOST_AUTO_TEST_CASE(unreadable_members_are_left_out) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes.pop_back();
  }
  const byte_vector file = sample_file(members);
  BOOST_TEST(!sc2replay::anonymise(file).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
