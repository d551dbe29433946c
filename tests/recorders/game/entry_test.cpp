// Whatever enters a recording, the file opens, verifies and restores: random bytes in every text, extreme numbers in every field.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>

#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/text/utf8.hpp"

BOOST_AUTO_TEST_SUITE(game_threads_tests)
BOOST_AUTO_TEST_SUITE(entry_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

class hostile_game {
 public:
  explicit hostile_game(std::mt19937_64& random) : random_(random) {}

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }

  // Valid words, random bytes, control characters, incomplete characters, and occasionally something huge.
  std::string text() {
    static const std::string words[] = {"",
                                        "Ada",
                                        "w\xff",
                                        "\xf0\x9f\x98",
                                        "a\tb\x1b[31m",
                                        "\xed\xa0\x80",
                                        "\"\\\n",
                                        std::string("\0x", 2),
                                        "\xe2\x82\xac"};
    const std::uint64_t dice = below(100);
    if (dice < 60) return words[below(std::size(words))];
    std::string out(dice < 98 ? below(40) : 60'000 + below(20'000), '\0');
    for (char& one : out) one = static_cast<char>(random_());
    return out;
  }
  template <class Number = std::uint64_t>
  Number number() {
    using limits = std::numeric_limits<Number>;
    switch (below(5)) {
      case 0:
        return limits::max();
      case 1:
        return limits::min();
      case 2:
        return static_cast<Number>(limits::max() - below(3));
      case 3:
        return static_cast<Number>(random_());
      default:
        return static_cast<Number>(below(5));
    }
  }
  byte_vector bytes(std::size_t size) {
    byte_vector out(size);
    for (std::byte& one : out) one = static_cast<std::byte>(random_());
    return out;
  }
  analysis::unit_tag tag() { return {number<std::uint16_t>(), number<std::uint16_t>()}; }
  analysis::world_position position() {
    return {number<std::int32_t>(), number<std::int32_t>(), number<std::int32_t>()};
  }
  std::vector<analysis::unit_tag> tags() {
    std::vector<analysis::unit_tag> out(chance(3) ? below(20'000) : below(5));
    for (auto& one : out) one = tag();
    return out;
  }
  std::uint32_t slot() { return chance(80) ? static_cast<std::uint32_t>(below(3)) : number<std::uint32_t>(); }
  std::size_t size_of(std::uint32_t slot) { return chance(80) ? (slot == 0 ? 8 : below(20)) : below(40); }

  game::match about() {
    game::match out;
    out.game = text();
    out.game_version = text();
    out.map = text();
    out.seed = number();
    out.ticks_per_second = std::max(1u, number<std::uint32_t>());
    out.replay_id = text();
    out.timestamp = text();
    const double averages[] = {0, -1e300, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
    for (std::uint64_t i = below(4); i > 0; --i) {
      out.players.push_back({number<std::uint32_t>(), text(), text(), text(), averages[below(4)]});
    }
    return out;
  }
  game::world_layout layout() {
    const auto slot = [&](std::uint32_t number, std::uint32_t size) {
      return game::slot_layout{{number, text(), size}, {{text(), value_kind::text, number_of_offset(), 8}}};
    };
    return {{slot(0, 8), slot(1, 0)}, {slot(0, 8), slot(1, 0)}, {slot(1, 8), slot(2, 0)}};
  }
  game::match_options options(bool pumped) {
    game::match_options out;
    out.mode = threading::pumped;
    if (!pumped) out.mode = threading::own_thread;
    out.file = chance(50) ? game::container::icrep : game::container::reel;
    out.keyframe_interval_ticks = chance(80) ? 1 + static_cast<std::uint32_t>(below(5)) : UINT32_MAX;
    out.full_keyframe_interval = chance(80) ? 1 + static_cast<std::uint32_t>(below(5)) : UINT32_MAX;
    out.record_voice = true;
    out.seal_interval_ms = static_cast<std::uint32_t>(below(3));
    if (chance(30)) out.signing_key_seed.emplace().fill(std::byte{7});
    out.signing_interval_ticks = chance(80) ? 2 : UINT32_MAX;
    if (chance(40)) watch(out.detect.emplace());
    return out;
  }
  void watch(game::detection& eyes) {
    eyes.rules.weapon_range = number<std::int32_t>();
    eyes.rules.base_range = number<std::int32_t>();
    eyes.rules.calm_ms = number<std::uint32_t>();
    eyes.rules.ticks_per_second = number<std::uint32_t>();
    eyes.rules.statistics_interval_ms = number<std::uint32_t>();
    // Called where the match is written, possibly on another thread.
    eyes.unit = [own = std::make_shared<std::mt19937_64>(random_())](
                    const auto&, const auto& entity) -> std::optional<analysis::observed_unit> {
      hostile_game unit(*own);
      return analysis::observed_unit{entity.entity, static_cast<std::uint32_t>(unit.below(3)),
                                     unit.position(), static_cast<analysis::unit_role>(unit.below(3)),
                                     unit.number<std::int64_t>()};
    };
  }

  analysis::event_data event_data(std::uint64_t now) {
    const std::uint64_t tick = chance(70) ? now : number();
    switch (below(9)) {
      case 0:
        return analysis::vote_event{
            tick, analysis::vote::proposed{1, analysis::vote::custom{text()}, number<std::uint32_t>()}};
      case 1:
        return analysis::control_group_event{
            tick, 1, 2, static_cast<analysis::control_group_action>(number<std::uint32_t>())};
      case 2:
        return analysis::unit_position_sample{tick, std::vector<analysis::unit_position>(below(400))};
      case 3:
        return analysis::selection_changed{tick, 1, tags(), tags()};
      case 4:
        return analysis::vote_event{
            tick, analysis::vote::ballot_cast{1, 2, static_cast<analysis::vote::choice>(below(4))}};
      case 5: {
        analysis::player_stat_snapshot out{tick, number<std::uint32_t>(), {}};
        out.stats.army_value = number<std::int64_t>();
        return out;
      }
      case 6:
        return analysis::unit_created{tick, tag(), number<std::uint32_t>(), number<std::uint32_t>(),
                                      position()};
      case 7:
        return analysis::match_ended{tick, analysis::outcome::desync_terminated{number()}};
      default:
        return analysis::unit_destroyed{tick, tag(), tag(), number<std::uint32_t>()};
    }
  }

  void describe(game::world_recorder& to) {
    for (std::uint64_t i = below(12); i > 0; --i) {
      switch (below(8)) {
        case 0:
          to.remove(tag());
          break;
        case 1: {
          const std::uint32_t which = slot();
          to.player_field(number<std::uint32_t>(), which, bytes(size_of(which)));
          break;
        }
        case 2: {
          const std::uint32_t which = slot();
          to.singleton(which, bytes(which == 1 ? 8 : size_of(which)));
          break;
        }
        case 3:
          to.generator(bytes(below(50)));
          break;
        case 4:
          to.cell({number<std::int32_t>(), number<std::int32_t>(), number<std::int32_t>()}, text(),
                  number<std::int32_t>());
          break;
        case 5:
          (void)to.intern(text());
          break;
        default:
          to.entity(tag(), chance(70) ? text() : "tank");
          for (std::uint64_t n = below(3); n > 0; --n) {
            const std::uint32_t which = slot();
            to.component(which, bytes(size_of(which)));
          }
      }
    }
  }

  void play(game::world_recorder& to) {
    std::uint64_t tick = 0;
    for (int i = 0; i < 40; ++i) {
      if (chance(10)) to.changes_only(chance(50));
      const auto due = to.tick(tick, chance(30) ? number() : 0);
      if (!due) {
        BOOST_TEST(((due.error().code == error_code::over_limit && tick > icrep::last_writable_tick) ||
                    due.error().code == error_code::invalid_argument));
        tick = number();
        continue;
      }
      if (*due) describe(to);
      if (*due && chance(5)) to.drop_keyframe();
      for (std::uint64_t n = chance(2) ? 5000 : below(4); n > 0; --n) {
        (void)to.order(number<std::uint32_t>(), number<std::uint16_t>(), bytes(below(30)),
                       number<std::uint32_t>());
      }
      for (std::uint64_t n = below(4); n > 0; --n) (void)to.event({event_data(tick), chance(20)});
      const auto player = number<std::uint32_t>();
      (void)to.voice_track(player, chance(80));
      (void)to.voice(player, bytes(chance(90) ? below(100) : 20'000),
                     icrep::voice::to_player{number<std::uint32_t>()});
      (void)to.pump();
      tick = chance(95) ? tick + 1 : number();
    }
  }

  game::match_result result() {
    game::match_result out;
    if (chance(50)) {
      out.outcome = analysis::outcome::draw{analysis::outcome::team_surrender{
          number<std::uint32_t>(), std::vector<analysis::outcome::ballot>(below(3) * 5000)}};
    }
    for (std::uint64_t i = below(5); i > 0; --i) out.player_outcomes.push_back(text());
    out.state_hash = number();
    return out;
  }

 private:
  std::uint32_t number_of_offset() { return number<std::uint32_t>(); }
  std::mt19937_64& random_;
};

// Reads everything.
void check_readable(const game::replay& match) {
  const icrep::reader& file = match.file();
  for (const icrep::finding& one : file.verify()) {
    BOOST_TEST((one.severity != icrep::severity::damage), describe(one.what));
  }
  BOOST_TEST((file.verify_signatures().state != icrep::signature_state::tampered),
             describe(file.verify_signatures().why.value_or(error{error_code::malformed})));
  for (const icrep::stored_keyframe& one : match.keyframes()) {
    const auto state = match.restore(std::min(one.tick, match.total_ticks()));
    BOOST_REQUIRE_MESSAGE(state, why(state));
    BOOST_TEST(state->warnings.empty());
    for (const std::string& text : state->snapshot.core.intern_table) BOOST_TEST(text::is_utf8(text));
  }
  icrep::tick_frame frame;
  auto frames = match.orders(0, UINT64_MAX);
  while (frames.next(frame)) {}
  BOOST_TEST(frames.damage().empty());
  analysis::event happened;
  auto events = match.events();
  while (events.next(happened)) {}
  BOOST_TEST(events.damage().empty());
  for (const auto& player : match.players()) {
    for (const std::string* each : {&player.name, &player.faction, &player.outcome})
      BOOST_TEST(text::is_utf8(*each));
  }
}

}  // namespace

// The published file, the reel, and the file that recovery makes for a killed recorder.
BOOST_AUTO_TEST_CASE(no_input_makes_a_file_unreadable) {
  auto random = seeded_random("entry");
  for (int round = 0; round < 60; ++round) {
    BOOST_TEST_CONTEXT("round " << round) {
      const scratch_folder folder;
      hostile_game hostile(random);
      const auto options = hostile.options(round % 8 != 0);
      {
        auto recorder = game::world_recorder::begin(folder / "a", hostile.about(), hostile.layout(), options);
        BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
        hostile.play(*recorder);
        if (round % 3 != 0) {
          const auto report = recorder->end(hostile.result());
          BOOST_REQUIRE_MESSAGE(report, why(report));
        }
      }
      if (round % 3 == 0 && options.file == game::container::icrep) {
        const auto recovered = game::recover(folder / "a");
        BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
      }
      check_readable(opened(folder / "a"));
    }
  }
}

// Repaired values are in the file as far as possible, and reported by the counters, the report and the metadata.
BOOST_AUTO_TEST_CASE(a_repaired_text_is_reported) {
  const scratch_folder folder;
  game::match about = little_match();
  about.players[0].name = "Bob\xff";
  about.players[1].name = std::string(5000, 'x');
  auto recorder = little_recorder::begin(folder / "a", about, {.mode = threading::pumped});
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  BOOST_TEST(recorder->counters().fixed_texts == 2u);
  BOOST_REQUIRE(recorder->tick(0, 0, [&](auto& to) {
    to.entity({1, 1}, "w\xff").set(place{1, 2});
    to.entity({0xFFFF, 0xFFFF}, "nobody").set(place{3, 4});
    to.entity({2, 1}, std::string(70'000, 'y')).set(place{5, 6});
  }));
  BOOST_TEST(recorder->event(
      analysis::vote_event{0, analysis::vote::proposed{1, analysis::vote::custom{"kick \xfe"}, 0}}));
  BOOST_TEST(!recorder->event(analysis::unit_position_sample{0, std::vector<analysis::unit_position>(257)}));
  const auto report = recorder->end({.player_outcomes = {"w\xff", "lost"}});
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.fixed_texts == 6u);
  BOOST_TEST(report->counters.rejected_values == 2u);  // the entity, and its component
  BOOST_TEST(report->counters.events_lost == 1u);
  BOOST_TEST(!report->nothing_lost());

  const auto replay = opened(folder / "a");
  check_readable(replay);
  BOOST_TEST(replay.players()[0].name == "Bob\xEF\xBF\xBD");
  BOOST_TEST(replay.players()[1].name == std::string(1024, 'x'));
  BOOST_TEST(replay.players()[0].outcome == "w\xEF\xBF\xBD");
  const auto fixes = game::fixes_of(replay.facts());
  BOOST_REQUIRE(fixes);
  BOOST_TEST(fixes->texts == 6u);
  BOOST_TEST(fixes->values == 2u);
  const auto state = replay.restore(0);
  BOOST_REQUIRE(state);
  const auto& core = state->snapshot.core;
  BOOST_REQUIRE(core.entities.size() == 2u);
  BOOST_TEST(core.intern_table[core.entities[0].archetype] == "w\xEF\xBF\xBD");
  BOOST_TEST(core.intern_table[core.entities[1].archetype] == std::string(65'536, 'y'));
  analysis::event happened;
  BOOST_REQUIRE(replay.events().next(happened));
}

// More than any keyframe could contain.
BOOST_AUTO_TEST_CASE(interned_texts_are_limited) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0, 0, [&](auto& to) { to.entity({1, 1}, "tank").set(place{1, 2}); }));
  for (int i = 0; i < 300; ++i) (void)recorder->intern(std::to_string(i) + std::string(65'000, 'z'));
  const interned_text beyond = recorder->intern("one more " + std::string(65'000, 'z'));
  BOOST_TEST((recorder->intern("tank").id < beyond.id));
  BOOST_REQUIRE(recorder->tick(300, 0, [&](auto& to) { to.entity({2, 1}, "tank").set(place{1, 2}); }));
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.fixed_texts > 40u);
  BOOST_TEST(report->counters.keyframes_lost == 0u);
  const auto replay = opened(folder / "a");
  check_readable(replay);
  BOOST_TEST(replay.restore(301)->snapshot.core.intern_table.at(beyond.id) == "\xEF\xBF\xBD");
}

// Names and outcomes that exceed the layout's limits are rejected at the start, not at the end.
BOOST_AUTO_TEST_CASE(metadata_that_no_reader_accepts_are_rejected_at_the_start) {
  const scratch_folder folder;
  game::match about = little_match();
  about.players.assign(4000, {0, std::string(300, 'n'), "", "", 0});
  const auto refused = little_recorder::begin(folder / "a", about, {.mode = threading::pumped});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
  BOOST_TEST(!std::filesystem::exists(folder / "a.reel"));

  about.players.assign(3000, {0, std::string(200, 'n'), "", "", 0});
  auto recorder = little_recorder::begin(folder / "a", about, {.mode = threading::pumped});
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  BOOST_REQUIRE(recorder->tick(0));
  const auto report =
      recorder->end({.player_outcomes = std::vector<std::string>(3000, std::string(1000, '\x01'))});
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.fixed_texts > 2000u);
  check_readable(opened(folder / "a"));
}

// Lists of words get longer numbers when descriptions are merged: there is space for these, too.
BOOST_AUTO_TEST_CASE(descriptions_that_fill_the_metadata) {
  const scratch_folder folder;
  auto recorder = game::world_recorder::begin(folder / "a", little_match(), {}, {.mode = threading::pumped});
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  static int words = 0;
  words = 0;
  constexpr std::uint16_t types = 120;
  for (std::uint16_t type = 0; type < types; ++type) {
    if (type % 2 == 0) {
      BOOST_REQUIRE(recorder->tick(type / 2));
      (void)recorder->pump();
    }
    const bool taken = recorder->describe_order(type, &words, "o", 200, [] {
      std::vector<value_layout> values(200);
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        values[i].name = std::to_string(i);
        values[i].offset = i;
        values[i].size_bytes = 1;
        values[i].enumerators = {{std::to_string(words++), 0}};
      }
      return values;
    });
    BOOST_REQUIRE(taken);
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  const std::uint64_t refused = report->counters.rejected_values;
  BOOST_TEST(refused > 0u);
  BOOST_TEST(opened(folder / "a").types().layout().orders.size() + refused == types);
}

// A tick number without a successor is invalid.
BOOST_AUTO_TEST_CASE(the_highest_numbers) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a", little_match(), {.mode = threading::pumped});
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0));
  const auto refused = recorder->tick(~std::uint64_t{0});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
  BOOST_REQUIRE(recorder->tick(icrep::last_writable_tick));
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  const auto replay = opened(folder / "a");
  BOOST_TEST(replay.total_ticks() == icrep::last_writable_tick + 1);
  check_readable(replay);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
