// Matches as recordings: iterating over states, damage, key files.
#include <filesystem>
#include <map>

#include "quick_summary_check.hpp"
#include "random.hpp"
#include "random_world.hpp"
#include "reel_damage.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/key_file.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_icrep_tests)
BOOST_AUTO_TEST_SUITE(icrep_recording_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

byte_vector match_of(std::uint64_t ticks, byte_span orders, byte_span keyframes) {
  metadata facts = example_metadata();
  facts.is_signed = false;
  facts.total_ticks = ticks;
  facts.schema = random_world::schema();
  facts.state_hash = "core-sha256";
  return file_of(facts, orders, keyframes);
}

// Keyframes every 4 ticks, 7 to a group, of a random world.
byte_vector random_match(std::mt19937_64& random) {
  constexpr std::uint64_t ticks = 120;
  random_world world(random);
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  keyframe_section_writer keyframes;
  order_stream_writer orders;
  byte_vector order_bytes;
  std::optional<delta_group> group;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    tick_frame frame{tick, 0, {}};
    if (tick % 4 == 0) {
      world.change(tick);
      frame.state_hash = sync_hash(core_hash(world.state().core));
      auto delta = group && tick % 28 != 0 ? std::optional(group->delta(world.state())) : std::nullopt;
      if (delta && *delta) {
        taken(keyframes.add(tick, false, to_bytes(**delta)));
      } else {
        group = taken(delta_group::begin(world.state(), slots));
        taken(keyframes.add(tick, true, to_bytes(world.state())));
      }
    }
    taken(orders.add(frame, order_bytes));
  }
  taken(orders.finish(order_bytes));
  return match_of(ticks, order_bytes, keyframes.finish());
}

std::string state_of(const files::recording& at) {
  std::string json;
  at.append_state(json);
  return json;
}

}  // namespace

// Iterating costs one delta per keyframe, seeking restores from the full keyframe; both must give the same state.
BOOST_AUTO_TEST_CASE(iterating_and_seeking_agree) {
  auto random = seeded_random("walking and seeking");
  const scratch_folder folder;
  for (int round = 0; round < 10; ++round) {
    const byte_vector bytes = random_match(random);
    write_file(folder / "match.icrep", bytes);
    const auto walk = taken(files::open(folder / "match.icrep"));
    const auto jump = taken(files::open(folder / "match.icrep"));
    std::size_t states = 0;
    while (taken(walk->next())) {
      ++states;
      taken(jump->seek(files::moment::at_tick(walk->position().tick)));
      BOOST_REQUIRE(taken(jump->next()));
      BOOST_TEST(jump->position().tick == walk->position().tick);
      std::string sought = state_of(*jump);
      const std::string added =
          ",\"requested_tick\":" + std::to_string(walk->position().tick) + ",\"ticks_to_play\":0";
      const std::size_t place = sought.find(added);
      BOOST_REQUIRE(place != std::string::npos);
      sought.erase(place, added.size());
      BOOST_TEST(sought == state_of(*walk));
    }
    BOOST_TEST(states == 30u);
    BOOST_TEST(walk->losses().empty());
    // After a search, iteration continues with the next states.
    taken(jump->seek(files::moment::at_tick(50)));
    BOOST_REQUIRE(taken(jump->next()));
    BOOST_TEST(jump->position().tick == 48u);
    BOOST_REQUIRE(taken(jump->next()));
    BOOST_TEST(jump->position().tick == 52u);
  }
}

// Scripts read these names; struct members may have others.
BOOST_AUTO_TEST_CASE(orders_to_play_have_the_format_s_names) {
  using namespace order;
  auto random = seeded_random("names of orders");
  random_world world(random);
  keyframe_section_writer keyframes;
  taken(keyframes.add(0, true, to_bytes(world.state())));
  const std::vector<player_order> all = {move{{{1, 2}}, {3, 4, 5}},
                                         attack{{}, unit_target{{3, 4}}},
                                         idle{},
                                         chat_message{to_player{3}, "hi"},
                                         chat_command{"pause", {"now"}},
                                         vote{propose{analysis::vote::kick{1, 2}}},
                                         vote{cast{4, analysis::vote::choice::no}},
                                         game_order{65535, from_hex("00ff")}};
  order_stream_writer orders;
  byte_vector order_bytes;
  for (std::uint64_t tick = 0; tick < 3; ++tick) {
    tick_frame frame{tick, 0, {}};
    if (tick == 1) {
      for (const player_order& one : all) frame.orders.push_back({1, one, 0});
    }
    taken(orders.add(frame, order_bytes));
  }
  taken(orders.finish(order_bytes));
  const scratch_folder folder;
  write_file(folder / "match.icrep", match_of(3, order_bytes, keyframes.finish()));
  const auto match = taken(files::open(folder / "match.icrep"));
  taken(match->seek(files::moment::at_tick(2)));
  BOOST_REQUIRE(taken(match->next()));
  const std::string state = state_of(*match);
  const std::string begin = R"("orders_to_play":)";
  BOOST_REQUIRE(state.find(begin) != std::string::npos);
  const std::string one = R"({"tick":1,"player":1,"sub_tick_us":0,"type":")";
  const std::string wanted =
      begin + "[" + one + R"(move","units":[{"index":1,"generation":2}],"target":{"x":3,"y":4,"z":5}},)" +
      one + R"(attack","units":[],"target":{"kind":"unit","unit":{"index":3,"generation":4}}},)" + one +
      R"(idle"},)" + one + R"(chat_message","channel":{"kind":"player","player":3},"text":"hi"},)" + one +
      R"(chat_command","cmd":"pause","args":["now"]},)" + one +
      R"(vote","action":{"kind":"propose","vote_type":{"kind":"kick","player":1,"reason":2}}},)" + one +
      R"(vote","action":{"kind":"cast","vote":4,"choice":"no"}},)" + one +
      R"(game_order","type_tag":65535,"payload":"00ff"}])";
  BOOST_TEST(state.substr(state.find(begin), wanted.size()) == wanted);
}

BOOST_AUTO_TEST_CASE(damaged_states_are_skipped_and_reported) {
  auto random = seeded_random("damaged states");
  const scratch_folder folder;
  byte_vector bytes = random_match(random);
  const reader whole = taken(reader::open(bytes));
  bytes[static_cast<std::size_t>(whole.keyframes()[3].offset) + 5] ^= std::byte{1};
  write_file(folder / "match.icrep", bytes);
  const auto walk = taken(files::open(folder / "match.icrep"));
  std::size_t states = 0;
  while (taken(walk->next())) {
    BOOST_TEST(walk->position().tick != 12u);
    ++states;
  }
  BOOST_TEST(states + walk->losses().size() == 30u);
  BOOST_TEST(!walk->losses().empty());
  BOOST_TEST(walk->losses()[0].starts_with("the state at tick 12 cannot be restored"));
  BOOST_TEST((taken(walk->summarise()).health == files::health::damaged));
  BOOST_TEST(!taken(walk->verify()).ok());
}

namespace {

// A reel of a random match, 28 ticks per chunk.
byte_vector reel_of_match(const scratch_folder& folder, std::mt19937_64& random) {
  const std::string match = folder / "match.icrep";
  const std::string reel = folder / "match.reel";
  write_file(match, random_match(random));
  const auto* const how = taken(files::find_conversion(match, "reel"));
  BOOST_REQUIRE(how != nullptr);
  taken(how->run(match, reel, {.overwrite = true}));
  return read_file(reel);
}

std::vector<std::string> losses_of_walk(const std::string& path) {
  const auto walk = taken(files::open(path));
  while (taken(walk->next())) {}
  return walk->losses();
}

bool any_begins(const std::vector<std::string>& sentences, std::string_view words) {
  return std::ranges::any_of(sentences, [&](const std::string& each) { return each.starts_with(words); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_truncated_reel_is_reported) {
  auto random = seeded_random("a reel that ends early");
  const scratch_folder folder;
  const byte_vector whole = reel_of_match(folder, random);
  BOOST_TEST(losses_of_walk(folder / "match.reel").empty());
  const auto reel = taken(tickreel::reel::reader::from_memory(whole));
  const auto& records = reel.contents().records;
  const auto end = std::ranges::find(records, tickreel::reel::record_kind::header_update,
                                     &tickreel::reel::record_info::kind);
  BOOST_REQUIRE((end != records.end()));
  const std::string cut = folder / "cut.reel";
  write_file(cut, byte_span(whole).first(static_cast<std::size_t>(end->offset)));
  BOOST_TEST(any_begins(losses_of_walk(cut), "the file ends early"));
  const auto happened = taken(files::open(cut));
  (void)taken(happened->events({}, [](std::string_view) { return true; }));
  BOOST_TEST(any_begins(happened->losses(), "the file ends early"));
  // Irrelevant for readers that have not reached it.
  taken(happened->seek(files::moment::at_tick(50)));
  BOOST_REQUIRE(taken(happened->next()));
  BOOST_TEST(happened->losses().empty());
}

BOOST_AUTO_TEST_CASE(omissions_by_recovery_are_reported_and_are_not_damage) {
  auto random = seeded_random("a recovered reel");
  const scratch_folder folder;
  byte_vector bytes = reel_of_match(folder, random);
  {
    const auto reel = taken(tickreel::reel::reader::from_memory(bytes));
    const auto& records = reel.contents().records;
    const auto chunk = std::ranges::find(records, 28u, &tickreel::reel::record_info::first_tick);
    BOOST_REQUIRE((chunk != records.end() && chunk->last_tick == 55u));
    bytes[static_cast<std::size_t>(chunk->offset) + 20] ^= std::byte{8};
  }
  const std::string damaged = folder / "damaged.reel";
  write_file(damaged, bytes);
  for (const char* const name : {"saved.reel", "saved.icrep"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto report = taken(files::recover(damaged, folder / name));
      BOOST_TEST(report.lost_ticks == 28u);
      const auto saved = taken(files::open(folder / name));
      BOOST_TEST((taken(saved->quick_summary()).health == files::health::recovered));
      BOOST_TEST((taken(saved->summarise()).health == files::health::recovered));
      BOOST_TEST(taken(saved->verify()).ok());
    }
  }
  // A state without the orders since the previous one.
  const auto sought = taken(files::open(damaged));
  taken(sought->seek(files::moment::at_tick(40)));
  BOOST_REQUIRE(taken(sought->next()));
  BOOST_TEST(any_begins(sought->losses(), "ticks 28 to 55 (28)"));
  taken(sought->seek(files::moment::at_tick(20)));
  BOOST_REQUIRE(taken(sought->next()));
  BOOST_TEST(sought->losses().empty());
}

// Every kind of damage at every record: every output verifies, and reports its losses.
BOOST_AUTO_TEST_CASE(recovered_match_reels_verify) {
  auto random = seeded_random("damaged match reels");
  const scratch_folder folder;
  const byte_vector whole = reel_of_match(folder, random);
  const auto places = places_of(whole);
  const std::string damaged = folder / "damaged.reel";
  std::size_t cases = 0;
  for (const reel_damage& damage : every_damage(places.size())) {
    const auto bytes = apply(damage, whole, places, whole, random);
    if (!bytes) continue;
    write_file(damaged, *bytes);
    for (const char* const name : {"saved.reel", "saved.icrep"}) {
      BOOST_TEST_CONTEXT(name << ": " << damage.name() << " at record " << damage.record << " of "
                              << places.size()) {
        ++cases;
        const auto report = taken(files::recover(damaged, folder / name, {.overwrite = true}));
        const auto saved = taken(files::open(folder / name));
        const files::verification outcome = taken(saved->verify());
        for (const files::finding& each : outcome.findings) {
          BOOST_REQUIRE_MESSAGE(each.level != files::severity::error, each.message);
        }
        if (report.lost_ticks != 0) {
          BOOST_REQUIRE(!report.lost.empty());
          BOOST_REQUIRE((taken(saved->summarise()).health == files::health::recovered));
        }
      }
    }
  }
  BOOST_TEST(cases > 100u);
}

BOOST_AUTO_TEST_CASE(key_files) {
  const scratch_folder folder;
  const files::key_pair pair = taken(files::make_key_pair());
  const files::key_pair other = taken(files::make_key_pair());
  BOOST_TEST((pair.seed != other.seed));
  taken(files::write_secret_key(folder / "k", pair.seed, false));
  taken(files::write_public_key(folder / "k.pub", pair.public_key, false));
  BOOST_TEST(
      (files::write_secret_key(folder / "k", other.seed, false).error().code == error_code::already_exists));
  BOOST_TEST((taken(files::read_secret_key(folder / "k")) == pair.seed));
  BOOST_TEST((taken(files::read_public_key(folder / "k")) == pair.public_key));
  BOOST_TEST((taken(files::read_public_key(folder / "k.pub")) == pair.public_key));
  BOOST_TEST((taken(files::read_public_key(files::key_text(pair.public_key))) == pair.public_key));
  BOOST_TEST((files::read_secret_key(folder / "k.pub").error().code == error_code::malformed));
  for (const std::string_view text :
       {"", "tickreel-secret-key ed25519 12", "tickreel-secret-key ed25519 ", "zz"}) {
    write_file(folder / "bad", as_bytes(text));
    BOOST_TEST((files::read_secret_key(folder / "bad").error().code == error_code::malformed), text);
    BOOST_TEST((files::read_public_key(folder / "bad").error().code == error_code::malformed), text);
  }
  // RFC 8032, test 1.
  BOOST_TEST(to_hex(files::public_key_of(array_of<32>(from_hex(example_key_seed)))) ==
             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
}

// Wherever it is truncated, a quick summary detects it.
BOOST_AUTO_TEST_CASE(a_quick_summary_equals_the_full_one) {
  auto random = seeded_random("a quick summary");
  scratch_folder folder;
  const std::filesystem::path path = folder.path() / "match.icrep";
  const byte_vector match = random_match(random);
  write_file(path, match);
  BOOST_TEST(check_quick_summary(path));
  BOOST_TEST(files::name(looked_at(path, true).health) == "whole");
  for (int round = 0; round < 40; ++round) {
    write_file(path, byte_span(match).first(static_cast<std::size_t>(random() % match.size())));
    const auto opened = files::open(path);
    if (!opened) continue;
    check_quick_summary(path);
    BOOST_TEST(files::name(looked_at(path, true).health) != "whole");
  }
}

// The states of a clip are those of the original from the full keyframe at or before its first tick on, in a file and in a reel.
BOOST_AUTO_TEST_CASE(a_clip_of_a_match_equals_the_match) {
  auto random = seeded_random("parts of a match");
  const scratch_folder folder;
  for (int round = 0; round < 10; ++round) {
    write_file(folder / "match.icrep", random_match(random));
    const auto to_reel = taken(files::find_conversion(folder / "match.icrep", "reel"));
    files::conversion_options plain;
    plain.overwrite = true;
    BOOST_REQUIRE(to_reel->run(folder / "match.icrep", folder / "match.reel", plain));
    std::map<std::uint64_t, std::string> states;
    const auto walk = taken(files::open(folder / "match.icrep"));
    while (taken(walk->next())) states[walk->position().tick] = state_of(*walk);
    std::uint64_t first = std::uniform_int_distribution<std::uint64_t>(0, 119)(random);
    std::uint64_t last = std::uniform_int_distribution<std::uint64_t>(0, 119)(random);
    if (first > last) std::swap(first, last);
    for (const auto& [from, to] :
         {std::pair("match.icrep", "part.icrep"), std::pair("match.icrep", "part.reel"),
          std::pair("match.reel", "part.icrep"), std::pair("match.reel", "part.reel")}) {
      BOOST_TEST_CONTEXT(from << " to " << to << ", ticks " << first << " to " << last) {
        files::conversion_options options;
        options.overwrite = true;
        options.range = {files::moment::at_tick(first), files::moment::at_tick(last)};
        const auto how =
            taken(files::find_conversion(folder / from, files::format_of_name(folder / to), true));
        BOOST_REQUIRE(how != nullptr);
        const auto made = taken(how->run(folder / from, folder / to, options));
        BOOST_TEST(made.lost.empty());
        BOOST_TEST(made.cut.value().last_tick.value() == last);
        const std::uint64_t begin = made.cut->first_tick.value();
        BOOST_TEST(begin == first - first % 28);
        BOOST_TEST(made.ticks == last - begin + 1);
        const auto part = taken(files::open(folder / to));
        std::uint64_t expected = begin;
        while (taken(part->next())) {
          BOOST_REQUIRE(part->position().tick == expected);
          BOOST_TEST(state_of(*part) == states.at(expected));
          expected += 4;
        }
        BOOST_TEST(expected == last - last % 4 + 4);
        BOOST_TEST(taken(part->verify()).ok());
        // The format counts up to the highest tick.
        const files::summary about = taken(part->summarise());
        BOOST_TEST(about.ticks == last + 1);
        const auto said = std::ranges::find(about.facts, "cut_from", &files::fact::key);
        BOOST_REQUIRE((said != about.facts.end()));
        const std::string& where = std::get<std::string>(said->value);
        BOOST_TEST(where.starts_with(std::string(from) + ", ticks "), where);
        BOOST_TEST(where.ends_with(" to " + std::to_string(last)), where);
        // A place before the clip selects its first tick. A range before it has none.
        if (begin == 0) continue;
        BOOST_REQUIRE(part->seek(files::moment::at_tick(begin - 1)));
        BOOST_TEST(part->position().tick == begin);
        options.range = {files::moment::at_tick(0), files::moment::at_tick(begin - 1)};
        const auto again = taken(files::find_conversion(folder / to, "icrep", true));
        const auto before = again->run(folder / to, folder / "none.icrep", options);
        BOOST_REQUIRE(!before);
        BOOST_TEST((before.error().code == error_code::out_of_range), before.error().detail);
      }
    }
    BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 4);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
