// Queries of a replay: whose events these are, who took part, and what happened to units.
#include <simdjson.h>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>

#include "sample_file.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/state_stream.hpp"
#include "tickreel/files/statistics.hpp"
#include "tickreel/sc2replay/anonymise.hpp"
#include "tickreel/sc2replay/rewrite.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(queries_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

std::vector<std::string> events_of(byte_span file, const files::event_query& query) {
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  std::vector<std::string> out;
  const auto given = (*opened)->events(query, [&](std::string_view line) {
    out.emplace_back(line);
    return true;
  });
  BOOST_REQUIRE_MESSAGE(given.has_value(), (given ? std::string() : describe(given.error())));
  return out;
}

template <class Value>
const Value* fact_of(const std::vector<files::fact>& facts, std::string_view key) {
  for (const files::fact& each : facts) {
    if (each.key == key) return std::get_if<Value>(&each.value);
  }
  return nullptr;
}

files::summary summary_of(byte_span file) {
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  auto out = (*opened)->summarise();
  BOOST_REQUIRE(out.has_value());
  return std::move(*out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(ticks_rise_when_the_game_counts_from_zero_again) {
  using sc2replay::tracker_kind;
  sc2replay::versioned_writer to;
  const auto add_upgrade = [&to](std::uint32_t delta, std::string_view name) {
    to.choice(3);
    to.integer(delta);
    to.integer(static_cast<std::int64_t>(tracker_kind::upgrade));
    to.structure(2);
    to.field(0);
    to.integer(1);
    to.field(1);
    to.text(name);
  };
  add_upgrade(100, "before");
  add_upgrade(0u - 100u, "again");
  add_upgrade(120, "after");
  auto members = sample_members();
  members.push_back({"replay.tracker.events", to.take()});
  const byte_vector file = sample_file(members);
  const auto opened = files::open(byte_span(file));
  BOOST_REQUIRE(opened.has_value());
  std::map<std::uint64_t, std::string> ticks;
  std::uint64_t last_tick = 0;
  for (;;) {
    const auto more = (*opened)->next();
    BOOST_REQUIRE(more.has_value());
    if (!*more) break;
    const std::uint64_t tick = (*opened)->position().tick;
    BOOST_TEST((ticks.empty() || tick > last_tick), tick);
    last_tick = tick;
    (*opened)->append_state(ticks[tick]);
  }
  BOOST_TEST(ticks[100].find("\"before\"") != std::string::npos, ticks[100]);
  BOOST_TEST(ticks[100].find("{\"tick\":0,") != std::string::npos, ticks[100]);
  BOOST_TEST(ticks[100].find("\"again\"") != std::string::npos, ticks[100]);
  BOOST_TEST(ticks[120].find("\"after\"") != std::string::npos, ticks[120]);
}

BOOST_AUTO_TEST_CASE(all_events_of_a_player_are_found) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  for (const char* name : {"2.1.4.32283-1v1.SC2Replay", "5.0.0.80949-1v1.SC2Replay"}) {
    const byte_vector file = read_file(folder / name);
    const std::vector<std::string> types = {"construction_started", "construction_completed", "unit_created",
                                            "unit_destroyed", "unit_type_change"};
    simdjson::dom::parser parser;
    std::map<std::string, std::size_t> of_all;
    for (const std::string& line : events_of(file, {.types = types})) {
      const simdjson::dom::element event = parser.parse(line);
      const std::string type(event["type"].get_string().value());
      std::int64_t owner = -1;
      BOOST_TEST((event["owner"].get(owner) == simdjson::SUCCESS), line);
      std::string_view unit;
      BOOST_TEST((event["unit_type_name"].get(unit) == simdjson::SUCCESS), line);
      if (type == "unit_destroyed") BOOST_TEST((event["pos"]["x"].error() == simdjson::SUCCESS), line);
      if (owner == 1) ++of_all[type];
    }
    std::map<std::string, std::size_t> of_first;
    for (const std::string& line : events_of(file, {.types = types, .player = "1"})) {
      const simdjson::dom::element event = parser.parse(line);
      if (event["owner"].get_int64().value() == 1) {
        ++of_first[std::string(event["type"].get_string().value())];
      }
    }
    BOOST_TEST(of_all.at("construction_completed") > 5u);
    BOOST_TEST(of_all.at("unit_destroyed") > 0u);
    BOOST_TEST((of_first == of_all), name);
  }
}

BOOST_AUTO_TEST_CASE(spectators_are_reported) {
  const files::summary found = summary_of(sample_file());
  BOOST_REQUIRE(found.players.size() == 4u);
  BOOST_TEST(found.players[3].name == "Watcher");
  BOOST_TEST(found.players[3].team == "spectator");
  const auto* const type = fact_of<std::string>(found.players[3].facts, "type");
  BOOST_REQUIRE(type != nullptr);
  BOOST_TEST(*type == "observer");
  const auto* const race = fact_of<std::string>(found.players[0].facts, "race_english");
  BOOST_REQUIRE(race != nullptr);
  BOOST_TEST(*race == "Zerg");
  // The sample reports that it was arranged, and contains a computer player.
  const auto* const matched = fact_of<bool>(found.facts, "matched");
  BOOST_REQUIRE(matched != nullptr);
  BOOST_TEST(!*matched);
}

BOOST_AUTO_TEST_CASE(player_results_of_the_game_are_reported) {
  auto members = sample_members();
  const std::string_view json =
      R"({"Title":"Clockwork Canyon","Players":[{"PlayerID":1,"MMR":3173,"APM":162.0,"Result":"Win"}]})";
  members.push_back({"replay.gamemetadata.json", byte_vector(as_bytes(json).begin(), as_bytes(json).end())});
  for (mpq::new_member& each : members) {
    if (each.name != "replay.initData") continue;
    sc2replay::lobby lobby = sample_lobby();
    lobby.map_author_name = "2-S2-1-165251";
    lobby.users[0].highest_league = 5;
    lobby.users[1].scaled_rating = 2715;
    each.bytes = *sc2replay::write_lobby(lobby, sample_base_build);
  }
  const byte_vector file = sample_file(members);
  const files::summary found = summary_of(file);
  const auto text_of = [](const std::vector<files::fact>& facts, const char* key) {
    const auto* const text = fact_of<std::string>(facts, key);
    return text == nullptr ? std::string() : *text;
  };
  const auto& first = found.players[0].facts;
  BOOST_REQUIRE(fact_of<std::int64_t>(first, "mmr") != nullptr);
  BOOST_TEST(*fact_of<std::int64_t>(first, "mmr") == 3173);
  BOOST_REQUIRE(fact_of<double>(first, "game_apm") != nullptr);
  BOOST_TEST(*fact_of<double>(first, "game_apm") == 162.0);
  BOOST_TEST(text_of(first, "highest_league") == "diamond");
  BOOST_REQUIRE(fact_of<std::int64_t>(found.players[1].facts, "mmr") != nullptr);
  BOOST_TEST(*fact_of<std::int64_t>(found.players[1].facts, "mmr") == 2715);
  BOOST_TEST(text_of(found.facts, "region") == "Europe");
  BOOST_TEST(text_of(found.facts, "map_publisher") == "2-S2-1-165251");
  BOOST_TEST(text_of(found.facts, "match_id").starts_with("sc2-"));
}

BOOST_AUTO_TEST_CASE(a_very_long_tick_is_reported_in_pieces) {
  auto members = sample_members();
  constexpr std::size_t count = 20'000;
  byte_vector events;
  for (std::size_t i = 0; i < count; ++i) {
    add_sample_event(events, 0, 0, 32, 7, [](sample_bits& to) { put_text(to, "the same tick", 10); });
  }
  for (mpq::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes = events;
  }
  const byte_vector file = sample_file(members);
  const auto opened = files::open(byte_span(file));
  BOOST_REQUIRE(opened.has_value());
  BOOST_REQUIRE((*opened)->next().value());
  const auto* const pieces = dynamic_cast<const files::state_stream*>(opened->get());
  BOOST_REQUIRE(pieces != nullptr);
  std::size_t largest = 0;
  std::string all;
  BOOST_TEST(pieces->write_state([&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    all += piece;
    return true;
  }));
  BOOST_TEST(largest < 300u);
  std::string at_once;
  (*opened)->append_state(at_once);
  BOOST_TEST((at_once == all));
  simdjson::dom::parser parser;
  simdjson::dom::element read;
  BOOST_REQUIRE(parser.parse(simdjson::padded_string("{" + all + "}")).get(read) == simdjson::SUCCESS);
  BOOST_TEST(read["events"].get_array().size() == count);
  // A callback that returns false receives nothing more.
  std::size_t calls = 0;
  BOOST_TEST(!pieces->write_state([&](std::string_view) { return ++calls < 10; }));
  BOOST_TEST(calls == 10u);
  // The next tick is after all of them.
  BOOST_REQUIRE((*opened)->next().value());
  BOOST_TEST((*opened)->position().tick == 40u);
}

BOOST_AUTO_TEST_CASE(races_have_one_name_in_every_language) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (!each.name.starts_with("replay.details")) continue;
    sc2replay::details facts = sample_details();
    (*facts.players)[0].race = "\xED\x85\x8C\xEB\x9E\x80";  // Terran in Korean
    (*facts.players)[1].race = "no race";                   // and nothing is selected
    each.bytes = sc2replay::write_details(facts);
  }
  const byte_vector file = sample_file(members);
  const files::summary found = summary_of(file);
  const auto* const race = fact_of<std::string>(found.players[0].facts, "race_english");
  BOOST_REQUIRE(race != nullptr);
  BOOST_TEST(*race == "Terran");
  BOOST_TEST(fact_of<std::string>(found.players[1].facts, "race_english") == nullptr);
}

namespace {

// The sample resumed by another player at tick 50: Ayla's slot (user 0) has a new person, Borin's the old one.
byte_vector resumed_file(std::string_view by, std::string_view handle) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    byte_vector events;
    add_sample_event(events, 50, 0, 43, 7, [&](sample_bits& to) {
      to.bits(2, 5);
      const auto user = [&](unsigned id, std::string_view name, std::string_view toon) {
        to.bits(id, 4);
        to.bits(0, 2);
        put_text(to, name, 8);
        to.flag(true);
        put_text(to, toon, 7);
        to.flag(false);  // no clan tag
        to.flag(false);  // no clan logo
      };
      user(0, by, handle);
      user(1, "Borin", "2-S2-1-4545534");
      to.bits(1, 1);
    });
    add_sample_event(events, 18, 0, 101, 7, [](sample_bits& to) { to.bits(2, 4); });
    add_sample_event(events, 0, 1, 101, 7, [](sample_bits& to) { to.bits(0, 4); });
    each.bytes = std::move(events);
  }
  return sample_file(members);
}

std::string text_fact(const std::vector<files::fact>& facts, std::string_view key) {
  const auto* const found = fact_of<std::string>(facts, key);
  return found == nullptr ? "" : *found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_resumed_game_belongs_to_its_new_players) {
  const byte_vector file = resumed_file("Cora", "2-S2-1-777777");
  const files::summary found = summary_of(file);
  BOOST_TEST(found.players[0].name == "Cora");
  BOOST_TEST(text_fact(found.players[0].facts, "handle") == "2-S2-1-777777");
  BOOST_TEST(text_fact(found.players[0].facts, "took_over_from") == "Ayla");
  BOOST_TEST(found.players[1].name == "Borin");
  BOOST_TEST(text_fact(found.players[1].facts, "took_over_from").empty());
  // Another match than the original, and another than one that other people resumed.
  const std::string original = text_fact(summary_of(sample_file()).facts, "match_id");
  const std::string own = text_fact(found.facts, "match_id");
  BOOST_TEST(!original.empty());
  BOOST_TEST(own != original);
  BOOST_TEST(text_fact(found.facts, "resumed_from") == original);
  BOOST_TEST(own != text_fact(summary_of(resumed_file("Dora", "2-S2-1-888888")).facts, "match_id"));
  const std::string by_the_same =
      text_fact(summary_of(resumed_file("Ayla", "2-S2-1-278321")).facts, "match_id");
  BOOST_TEST(by_the_same != original);

  // Earlier chat is by the original players.
  const auto lines = events_of(file, {.types = {"chat"}});
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0].find("\"from\":\"Ayla\"") != std::string::npos, lines[0]);
  const auto opened = files::open(byte_span(file));
  BOOST_REQUIRE((*opened)->statistics([](const files::match_rows& match) {
    BOOST_TEST(match.players[0].player == "Cora");
    return true;
  }));
}

BOOST_AUTO_TEST_CASE(an_anonymous_copy_of_a_resumed_game_names_nobody) {
  const byte_vector file = resumed_file("Coraline", "2-S2-1-777777");
  const auto clean = sc2replay::anonymise(file);
  BOOST_REQUIRE(clean);
  const auto archive = sc2replay::open_archive(byte_span(clean->file));
  BOOST_REQUIRE(archive);
  for (const mpq::member& each : archive->members()) {
    const auto bytes = archive->read(each.name);
    BOOST_REQUIRE(bytes);
    for (const char* name : {"Ayla", "Borin", "Cora", "777777"}) {
      BOOST_TEST(as_text(*bytes).find(name) == std::string_view::npos, each.name << " has " << name);
    }
  }
  BOOST_TEST(summary_of(clean->file).players[0].name == "Player 1");
}

BOOST_AUTO_TEST_CASE(a_real_resumed_game) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  const files::summary found = summary_of(read_file(folder / "2.0.3.24764-resumed.SC2Replay"));
  BOOST_TEST(!text_fact(found.facts, "resumed_from").empty());
  BOOST_TEST(text_fact(found.facts, "resumed_from") != text_fact(found.facts, "match_id"));
  std::set<std::string> names;
  for (const auto& each : found.players) names.insert(each.name);
  BOOST_TEST(names.contains("ShadesofGray"));
  BOOST_TEST(names.contains("Zoulas"));
  BOOST_TEST(!names.contains("NeoSteele"));
}

// All times of a replay use one clock, which headers name.
BOOST_AUTO_TEST_CASE(info_and_statistics_use_one_clock) {
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    BOOST_TEST_CONTEXT(each.filename().string()) {
      const byte_vector file = read_file(each);
      const files::summary found = summary_of(file);
      const auto opened = files::open(byte_span(file));
      BOOST_REQUIRE((*opened)->statistics([&](const files::match_rows& match) {
        BOOST_TEST(match.duration_ms == found.duration_ms);
        BOOST_TEST(!match.clock.empty());
        BOOST_TEST(match.clock == text_fact(found.facts, "clock"));
        for (std::size_t at = 0; at < match.players.size(); ++at) {
          for (const files::build_entry& step : match.players[at].build_order) {
            BOOST_TEST(step.time_ms <= match.duration_ms);
          }
          const auto* const apm = fact_of<double>(found.players[at].facts, "apm");
          const auto& measured = match.players[at].get(files::statistic::apm);
          if (apm != nullptr && measured) BOOST_TEST(std::abs(*apm - *measured) <= 0.051);
        }
        return true;
      }));
    }
  }
}

BOOST_AUTO_TEST_CASE(two_replays_are_compared_by_stream_event_and_field) {
  const test::scratch_folder folder;
  const auto first = folder.path() / "first.SC2Replay";
  const auto second = folder.path() / "second.SC2Replay";
  write_file(first, sample_file());
  write_file(second, sample_file());
  const auto same = files::compare_replays(first, second);
  BOOST_REQUIRE(same);
  BOOST_TEST(same->same());
  BOOST_REQUIRE(same->streams.size() == 3u);
  BOOST_TEST(same->streams[0].same == 4u);

  // Another line in the second event, and one event more.
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.game.events") continue;
    const auto rewritten = sc2replay::rewrite_game_events(
        each.bytes, sample_base_build,
        [](const sc2replay::game_event&, std::string_view, std::string_view text) {
          return text == "-zoom 40" ? std::optional<std::string>("-zoom 50") : std::nullopt;
        });
    BOOST_REQUIRE(rewritten);
    each.bytes = *rewritten;
    add_sample_event(each.bytes, 1, 1, 101, 7, [](sample_bits& to) { to.bits(0, 4); });
  }
  const byte_vector file = sample_file(members);
  write_file(second, file);
  const auto other = files::compare_replays(first, second);
  BOOST_REQUIRE(other);
  BOOST_TEST(!other->same());
  BOOST_TEST(other->facts.empty());
  const auto& stream = other->streams[0];
  BOOST_TEST(stream.same == 1u);
  BOOST_TEST(stream.total[0] == 4u);
  BOOST_TEST(stream.total[1] == 5u);
  BOOST_REQUIRE(stream.first.has_value());
  BOOST_TEST(stream.first->number == 1u);
  BOOST_TEST(stream.first->tick == 8u);
  BOOST_TEST(stream.first->first == "\"-zoom 40\"");
  BOOST_TEST(stream.first->second == "\"-zoom 50\"");
  BOOST_TEST(!stream.first->field.empty());
  BOOST_TEST(!other->streams[2].first.has_value());

  // Without personal data: names differ, and so does chat.
  const auto clean = sc2replay::anonymise(sample_file());
  BOOST_REQUIRE(clean);
  write_file(second, clean->file);
  const auto anonymous = files::compare_replays(first, second);
  BOOST_REQUIRE(anonymous);
  BOOST_REQUIRE(!anonymous->facts.empty());
  BOOST_TEST(anonymous->facts[0].field == "players[0].name");
  BOOST_REQUIRE(anonymous->streams[2].first.has_value());
  BOOST_TEST(anonymous->streams[2].first->type == "chat");

  std::size_t failed = 0;
  write_file(second, as_bytes("no replay"));
  BOOST_TEST(!files::compare_replays(first, second, {}, &failed));
  BOOST_TEST(failed == 1u);
}

BOOST_AUTO_TEST_CASE(players_are_named_in_upper_and_lower_case) {
  const byte_vector file = sample_file();
  const auto exact = events_of(file, {.player = "Ayla"});
  BOOST_TEST(!exact.empty());
  BOOST_TEST((events_of(file, {.player = "aYLA"}) == exact));
}

// Computers' races are in the attributes; a co-op mission lists other races than those played.
BOOST_AUTO_TEST_CASE(a_computers_chosen_race) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  const files::summary found = summary_of(read_file(folder / "3.17.1.57218-coop.SC2Replay"));
  for (const auto& each : found.players) {
    if (text_fact(each.facts, "type") != "computer") continue;
    const std::string chosen = text_fact(each.facts, "chosen_race");
    BOOST_TEST((chosen.empty() || chosen == "random" || chosen == text_fact(each.facts, "race_english")),
               each.name << " " << chosen);
  }
}

// The last minute of a match is rarely complete: its value is the rate of the part that was played.
BOOST_AUTO_TEST_CASE(actions_of_the_last_minute_are_a_rate) {
  if (shared_data("sc2").empty()) return;
  std::size_t scaled = 0;
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    const std::string name = each.filename().string();
    // In a resumed game the time before the resumption does not count.
    if (name.find("resumed") != std::string::npos) continue;
    const auto opened = files::open(each);
    BOOST_REQUIRE(opened);
    BOOST_REQUIRE((*opened)->statistics([&](const files::match_rows& match) {
      for (const files::player_row& player : match.players) {
        for (const auto& [kind, minutes] : player.by_minute) {
          if (kind != "apm" || minutes.empty()) continue;
          const double seconds = player.get(files::statistic::time_s).value_or(0);
          const double last_seconds = seconds - 60 * static_cast<double>(minutes.size() - 1);
          if (last_seconds >= 60) continue;  // a short last minute is omitted
          double actions = minutes.back() * last_seconds / 60;
          for (std::size_t minute = 0; minute + 1 < minutes.size(); ++minute) actions += minutes[minute];
          const double all = player.get(files::statistic::actions).value_or(0);
          BOOST_TEST(std::abs(actions - all) <= 0.01 * all + 0.5, name << " " << player.player);
          ++scaled;
        }
      }
      return true;
    }));
  }
  BOOST_TEST(scaled > 10u);
}

BOOST_AUTO_TEST_CASE(totals_leave_computers_out) {
  files::match_rows match;
  match.format = "sc2replay";
  match.players.resize(2);
  match.players[0].player = "Ayla";
  match.players[0].set(files::statistic::units_created, 3);
  match.players[1].player = "A.I. 1";
  match.players[1].computer = true;
  match.players[1].set(files::statistic::units_created, 400);
  files::statistics_sums sums;
  sums.add(match);
  BOOST_TEST(sums.by_player().size() == 1u);
  BOOST_TEST(sums.all().row.get(files::statistic::units_created).value_or(0) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
