// A name in every text of a replay, and none of it in the anonymous copy.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>

#include "generated_events.hpp"
#include "random.hpp"
#include "sample_file.hpp"
#include "tickreel/sc2replay/anonymise.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(planted_names_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

constexpr std::string_view planted = "Zaphodbeeblebrox";

std::string wide(std::string_view text, bool big_endian) {
  std::string out;
  for (const char each : text) {
    if (big_endian) out += '\0';
    out += each;
    if (!big_endian) out += '\0';
  }
  return out;
}

// Random numbers, and the name in every text.
struct planting_source : random_source {
  explicit planting_source(std::mt19937_64& random, std::string_view text = planted)
      : random_source(random), planted_(text) {}
  byte_span blob(const sc2r::layout_op& op) {
    text_ = planted_;
    if (op.kind == sc2r::layout_kind::bytes) text_.resize(op.bits, 'Z');
    const std::size_t most = op.bits >= 16 ? 65535 : (std::size_t{1} << op.bits) - 1;
    if (op.kind == sc2r::layout_kind::blob && text_.size() > most) text_.resize(most);
    return as_bytes(text_);
  }
  std::string_view planted_;
  std::string text_;
};

// A lobby with a player of that name in each slot.
byte_vector planted_lobby(std::mt19937_64& random, std::uint32_t build) {
  const bool beta = build < 15133;
  const auto* const what =
      sc2r::find_layout(beta ? sc2r::layout_stream::info : sc2r::layout_stream::init_data, 0, build);
  BOOST_REQUIRE(what != nullptr);
  struct source : planting_source {
    using planting_source::planting_source;
    unsigned array(const sc2r::layout_op&) { return 2; }
    bool optional(const sc2r::layout_op&) { return true; }
  } answers(random);
  byte_vector room(1u << 20);
  sc2r::packed_writer to(room);
  write_layout(what->ops, to, answers);
  to.align();
  BOOST_REQUIRE(to.ok());
  return {to.written().begin(), to.written().end()};
}

byte_vector planted_stream(std::mt19937_64& random, sc2r::layout_stream stream, std::uint32_t build) {
  byte_vector out;
  planting_source answers(random);
  for (const sc2r::layout& each : sc2r::layouts(stream)) {
    if (each.first_base_build > build || build >= each.end_base_build) continue;
    // Enough events to reach every alternative of a choice.
    for (int i = 0; i < 40; ++i) {
      append_event(out, 1, static_cast<std::uint8_t>(i % 3), each,
                   stream == sc2r::layout_stream::game ? 7 : 4, answers);
    }
  }
  return out;
}

byte_vector planted_details() {
  sc2replay::details out = sample_details();
  const std::string text(planted);
  for (sc2replay::details_player& each : *out.players) {
    each.name = text;
    each.race = text;
    each.hero = text;
  }
  for (std::string* each :
       {&out.title, &out.difficulty, &out.thumbnail, &out.description, &out.image_file, &out.map_file}) {
    *each = "by " + text;
  }
  out.cache_handles = {std::string("s2ma\0\0EU", 8) + text + std::string(16, 'x')};
  out.mod_paths = std::vector<std::string>{"Mods/" + text};
  byte_vector bytes = sc2replay::write_details(out);
  // An unknown field: the count of fields is the second byte.
  bytes[1] = std::byte(std::to_integer<int>(bytes[1]) + 2);
  sc2replay::versioned_writer more;
  more.field(40);
  more.text(planted);
  bytes.insert(bytes.end(), more.bytes().begin(), more.bytes().end());
  BOOST_REQUIRE(sc2replay::read_details(bytes).has_value());
  return bytes;
}

// An event of an unknown kind that contains a text.
byte_vector planted_tracker() {
  sc2replay::versioned_writer out;
  out.choice(0);
  out.integer(1);
  out.integer(99);
  out.structure(1);
  out.field(0);
  out.text(planted);
  byte_vector bytes = out.take();
  return bytes;
}

byte_vector bytes_of(std::string_view text) {
  const byte_span bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

// Six letters in any encoding: four of them, in any case, occur by chance in megabytes of random numbers. Only the first ones if
// the text was too short for more when it was planted.
std::string part_in(byte_span bytes) {
  std::string text(as_text(bytes));
  const std::string beginning(planted.substr(0, 4));
  for (const std::string& spelled : {beginning, wide(beginning, false), wide(beginning, true)}) {
    if (text.find(spelled) != std::string::npos) return beginning;
  }
  for (char& each : text) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each + 32);
  }
  std::string word(planted);
  word.front() = 'z';
  constexpr std::size_t letters = 6;
  for (std::size_t at = 0; at + letters <= word.size(); ++at) {
    const std::string part = word.substr(at, letters);
    for (const std::string& spelled : {part, wide(part, false), wide(part, true)}) {
      if (text.find(spelled) != std::string::npos) return part;
    }
  }
  return {};
}

void check_build(std::mt19937_64& random, std::uint32_t build) {
  const bool beta = build < 15133;
  sc2replay::header header = beta ? sample_beta_header() : sample_header();
  header.base_build = build;
  // The length of the beta's file identifies it.
  if (!beta) header.signature += " of " + std::string(planted);
  std::vector<mpq::new_member> members = {
      {"replay.game.events", planted_stream(random, sc2r::layout_stream::game, build)},
      {"replay.message.events", planted_stream(random, sc2r::layout_stream::message, build)},
      {"replay.tracker.events", planted_tracker()},
      {"replay.load.info", bytes_of("Assets/" + std::string(planted))},
      {"replay.sync.events", bytes_of(wide(planted, false))},
      {"replay.sync.history", bytes_of(wide(planted, true))},
      {"save.jpg", bytes_of("\xFF\xD8 " + std::string(planted))},
      {"replay.server.battlelobby", bytes_of(planted)},
      {"replay.resumable.events", bytes_of(planted)},
      {"replay.of." + std::string(planted), bytes_of("nothing")},
      {"something.else", bytes_of("nothing")}};
  const byte_vector lobby = planted_lobby(random, build);
  if (beta) {
    members.push_back({"replay.info", lobby});
  } else {
    const auto attributes = sc2replay::write_attributes(sample_attributes(), build);
    if (attributes) members.push_back({"replay.attributes.events", *attributes});
    members.push_back({"replay.details", planted_details()});
    members.push_back({"replay.details.backup", planted_details()});
    members.push_back({"replay.initData", lobby});
    members.push_back({"replay.initData.backup", lobby});
    const std::string name(planted);
    members.push_back(
        {"replay.gamemetadata.json",
         bytes_of(R"({"Title":")" + name + R"(","GameVersion":")" + name + R"(","By":")" + name + R"(",")" +
                  name + R"(":1,"Players":[{"PlayerID":1,"APM":7,"Result":")" + name +
                  R"(","SelectedRace":")" + name + R"(","AssignedRace":"Zerg","Name":")" + name +
                  R"("}]})")});
  }
  const auto written = sc2replay::write_header(header);
  BOOST_REQUIRE(written);
  const auto file = mpq::write_archive(*written, members);
  BOOST_REQUIRE(file);
  BOOST_TEST(!part_in(*file).empty());
  const auto clean = sc2replay::anonymise(*file);
  BOOST_REQUIRE_MESSAGE(clean.has_value(), (clean ? std::string() : describe(clean.error())));
  BOOST_TEST(part_in(clean->file).empty());
  const auto archive = sc2replay::open_archive(byte_span(clean->file));
  BOOST_REQUIRE(archive);
  BOOST_TEST(archive->nameless() == 0u);
  std::vector<std::string> names = {"(listfile)", "(attributes)"};
  for (const mpq::member& each : archive->members()) names.push_back(each.name);
  for (const std::string& name : names) {
    const auto bytes = archive->read(name);
    BOOST_REQUIRE(bytes);
    const std::string part = part_in(*bytes);
    BOOST_TEST(part.empty(), name << " holds " << part);
  }
  // The rest can be read as before.
  const auto after = sc2replay::replay::open(byte_span(clean->file));
  BOOST_REQUIRE(after);
  for (const auto& each : after->problems) BOOST_TEST(each.member == "replay.attributes.events");
  BOOST_TEST((after->game_events.size() > 0));
  sc2replay::game_event_reader events(after->game_events, build);
  const auto event = std::make_unique<sc2replay::game_event>();
  auto more = events.next(*event);
  while (more && *more) more = events.next(*event);
  BOOST_TEST(more.has_value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_in_every_text_is_removed) {
  std::mt19937_64 random = seeded_random("a_name_in_every_text_is_removed");
  for (const std::uint32_t build : {13891u, 14803u, 15405u, 16117u, 17326u, 19679u, 21995u, 23260u, 24247u,
                                    24944u, 27950u, 34784u, 38215u, 54518u, 70154u, 80949u}) {
    BOOST_TEST_CONTEXT("base build " << build) {
      check_build(random, build);
    }
  }
}

namespace {

// A player who joined later, or owns a bank, is in neither the details nor the lobby. The player who resumes the game is the one
// whose slot is taken.
void check_stranger(std::mt19937_64& random, bool resumes) {
  constexpr std::string_view stranger = "2-S2-1-7316482";
  byte_vector events;
  planting_source answers(random, stranger);
  std::size_t kinds = 0;
  for (const sc2r::layout& each : sc2r::layouts(sc2r::layout_stream::game)) {
    if (each.first_base_build > sample_base_build || sample_base_build >= each.end_base_build) continue;
    const bool is_resumption = each.name == "hijack_replay_game";
    if (each.name != "game_user_join" && each.name != "bank_signature" && !(resumes && is_resumption)) {
      continue;
    }
    ++kinds;
    for (int i = 0; i < 40; ++i) append_event(events, 1, 0, each, 7, answers);
  }
  BOOST_TEST(kinds == (resumes ? 3u : 2u));
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes = events;
  }
  const byte_vector file = sample_file(members);
  const auto clean = sc2replay::anonymise(file);
  BOOST_REQUIRE(clean);
  const auto before = sc2replay::replay::open(byte_span(file));
  const auto after = sc2replay::replay::open(byte_span(clean->file));
  BOOST_REQUIRE((before && after));
  BOOST_TEST((as_text(before->game_events).find("7316482") != std::string_view::npos));
  BOOST_TEST((as_text(after->game_events).find("7316482") == std::string_view::npos));
  const std::string_view neutral = resumes ? "2-S2-1-" : "2-S2-1-0";
  BOOST_TEST((as_text(after->game_events).find(neutral) != std::string_view::npos));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_handle_of_another_player_is_removed) {
  std::mt19937_64 random = seeded_random("the_handle_of_another_player_is_removed");
  check_stranger(random, false);
  check_stranger(random, true);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
