// The program on .icrep files, as scripts and users run it.
#include <boost/test/unit_test.hpp>

#include "../game/old_live_file.hpp"
#include "file_bytes.hpp"
#include "golden_bytes.hpp"
#include "hex.hpp"
#include "json_object.hpp"
#include "lines.hpp"
#include "run_program.hpp"
#include "tickreel/game/game_recorder.hpp"
#include "tickreel/icrep/layout.hpp"
#include "tickreel/icrep/reader.hpp"

BOOST_AUTO_TEST_SUITE(cli_icrep_tests)
BOOST_AUTO_TEST_SUITE(icrep_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct place {
  std::int32_t x = 0;
  std::int32_t y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct label {
  short_text<12> text;
  std::optional<std::uint16_t> number;
};
TICKREEL_DESCRIBE(label, text, number);
struct purse {
  std::int64_t gold = 0;
};
TICKREEL_DESCRIBE(purse, gold);
using world = game::world_types<game::components<place, label>, game::player_fields<purse>>;

constexpr std::uint64_t ticks = 100;

// A match of 100 ticks at 10 per second, a keyframe every 20. `late_move`: one unit is elsewhere from tick 50 on.
void write_match(const std::string& path, bool own_hashes, bool late_move = false, bool finish = true) {
  game::match about;
  about.game = "little";
  about.map = "Valley";
  about.ticks_per_second = 10;
  about.seed = 7;
  about.replay_id = "00000000-0000-4000-8000-000000000002";
  about.timestamp = "2027-01-02T03:04:05Z";
  about.players = {{0, "Alice", "red", "", 0}, {1, "Bob", "blue", "", 0}};
  game::match_options options;
  options.keyframe_interval_ticks = 20;
  options.mode = threading::pumped;
  auto recorder = game::game_recorder<world>::begin(path, about, options);
  BOOST_REQUIRE_MESSAGE(recorder, (recorder ? "" : describe(recorder.error())));
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    const bool moved = late_move && tick >= 50;
    const auto done =
        recorder->tick(tick, own_hashes ? 1000 + tick + (moved ? 1 : 0) : 0, [&](auto& keyframe) {
          label words;
          words.text = "Alice's";
          if (tick >= 40) words.number = 9;
          const auto x = static_cast<std::int32_t>(tick) + (moved ? 5 : 0);
          keyframe.entity({1, 0}, "tank").set(place{x, -3}).set(words);
          keyframe.player(0).set(purse{500 + static_cast<std::int64_t>(tick)});
        });
    BOOST_REQUIRE(done);
    const std::array<std::byte, 2> payload = {std::byte{0xAB}, static_cast<std::byte>(tick)};
    if (tick % 10 == 3) BOOST_REQUIRE(recorder->order(1, 4, payload, 250));
    if (tick % 25 == 0) {
      BOOST_REQUIRE(
          recorder->event(analysis::resource_collected{tick, static_cast<std::uint32_t>(tick / 50), 1, 5}));
    }
    while (recorder->pump()) {}
  }
  if (!finish) return;
  const auto ended =
      recorder->end({.outcome = {}, .player_outcomes = {"won", "lost"}, .state_hash = own_hashes ? 99u : 0u});
  BOOST_REQUIRE(ended);
}

struct matches {
  scratch_folder folder;
  std::string plain = folder / "plain.icrep";    // no hashes of the game
  std::string hashed = folder / "hashed.icrep";  // hashes of the game
  std::string golden = folder / "golden.icrep";
  matches() {
    write_match(plain, false);
    write_match(hashed, true);
    write_file(golden, from_hex(golden::complete_file));
  }
};

std::string minified(dom::element element) {
  return simdjson::minify(element);
}

}  // namespace

BOOST_AUTO_TEST_CASE(info_describes_a_match) {
  const matches files;
  const outcome printed = run({"info", "--json", files.plain});
  BOOST_TEST(printed.code == 0);
  dom::parser parser;
  const dom::object info = parse(parser, printed.out);
  BOOST_TEST(minified(info["format"]) == "\"icrep\"");
  BOOST_TEST(minified(info["format_version"]) == "1");
  BOOST_TEST(minified(info["ticks"]) == "100");
  BOOST_TEST(minified(info["keyframes"]) == "5");
  BOOST_TEST(minified(info["duration_ms"]) == "9900");
  BOOST_TEST(minified(info["health"]) == "\"whole\"");
  BOOST_TEST(minified(info["players"]) == R"([{"name":"Alice","team":"red","number":0,"outcome":"won"},)"
                                          R"({"name":"Bob","team":"blue","number":1,"outcome":"lost"}])");
  BOOST_TEST(minified(info["orders"]) == "10");
  BOOST_TEST(minified(info["events"]) == "4");
  BOOST_TEST(minified(info["signature"]) == "\"unsigned\"");
  BOOST_TEST(minified(info["map_name"]) == "\"Valley\"");
}

BOOST_AUTO_TEST_CASE(cat_prints_every_state_with_the_names_of_its_fields) {
  const matches files;
  const outcome printed = run({"cat", files.plain});
  BOOST_TEST(printed.code == 0);
  const auto lines = lines_of(printed.out);
  BOOST_REQUIRE(lines.size() == 5u);
  BOOST_TEST(lines[0].starts_with("{\"tick\":0,\"time_ms\":0,\"keyframe\":\"full\","));
  dom::parser parser;
  const dom::object third = parse(parser, lines[2]);
  BOOST_TEST(minified(third["tick"]) == "40");
  BOOST_TEST(minified(third["time_ms"]) == "4000");
  BOOST_TEST(minified(third["players"]) ==
             R"([{"player":0,"name":"Alice","fields":{"purse":{"gold":540}}}])");
  BOOST_TEST(minified(third["entities"]) ==
             R"([{"entity":"1:0","archetype":"tank","components":{"place":{"x":40,"y":-3},)"
             R"("label":{"text":"Alice's","number":9}}}])");
  BOOST_TEST(contains(lines[1], R"("number":null)"));
  const auto some = lines_of(run({"cat", files.plain, "--from", "30", "--to", "60"}).out);
  BOOST_REQUIRE(some.size() == 2u);
  BOOST_TEST(some[0].starts_with("{\"tick\":40,"));
  BOOST_TEST(some[1].starts_with("{\"tick\":60,"));
}

BOOST_AUTO_TEST_CASE(seek_prints_the_orders_left_to_play) {
  const matches files;
  dom::parser parser;
  for (const auto& words : {std::vector<std::string>{"--tick", "57"}, {"--time", "5.7"}}) {
    std::vector<std::string> line = {"seek", files.plain};
    line.insert(line.end(), words.begin(), words.end());
    const outcome printed = run(line);
    BOOST_TEST(printed.code == 0);
    const dom::object state = parse(parser, printed.out);
    BOOST_TEST(minified(state["tick"]) == "40");
    BOOST_TEST(minified(state["requested_tick"]) == "57");
    BOOST_TEST(minified(state["ticks_to_play"]) == "17");
    BOOST_TEST(
        minified(state["orders_to_play"]) ==
        R"([{"tick":43,"player":1,"sub_tick_us":250,"type":"game_order","type_tag":4,"payload":"ab2b"},)"
        R"({"tick":53,"player":1,"sub_tick_us":250,"type":"game_order","type_tag":4,"payload":"ab35"}])");
  }
  BOOST_TEST(run({"seek", files.plain, "--tick", "100"}).code == 0);
  check_run({"seek", files.plain, "--tick", "101"}, 1, {"tick 101 of 100"});
  // Without a game clock, the clock is the time.
  const outcome by_clock = run({"seek", files.plain, "--clock", "00:01"});
  BOOST_TEST(by_clock.code == 0);
  BOOST_TEST(by_clock.out == run({"seek", files.plain, "--time", "1"}).out);
  BOOST_TEST(by_clock.out == run({"seek", files.plain, "--time", "00:01"}).out);
}

BOOST_AUTO_TEST_CASE(events_by_type_player_and_range) {
  const matches files;
  const auto all = lines_of(run({"events", files.plain}).out);
  BOOST_REQUIRE(all.size() == 4u);
  BOOST_TEST(all[1] == R"({"tick":25,"type":"resource_collected","player":0,"resource_type":1,"amount":5})");
  BOOST_TEST(lines_of(run({"events", files.plain, "--player", "Bob"}).out).size() == 2u);
  BOOST_TEST(lines_of(run({"events", files.plain, "--player", "1"}).out).size() == 2u);
  BOOST_TEST(lines_of(run({"events", files.plain, "--from", "25", "--to", "5s"}).out).size() == 2u);
  BOOST_TEST(run({"events", files.plain, "--type", "army_wipe"}).out.empty());
  BOOST_TEST(lines_of(run({"events", files.golden, "--type", "army_wipe,match_ended"}).out).size() == 2u);
  BOOST_TEST(lines_of(run({"events", files.golden}).out).size() == 21u);
  BOOST_TEST(run({"events", files.plain, "--type", "nonsense"}).code == 2);
  BOOST_TEST(run({"events", files.plain, "--player", "Carol"}).says("has no player of that name"));
  BOOST_TEST(run({"events", files.plain, "--from", "x"}).code == 2);
}

BOOST_AUTO_TEST_CASE(signing_and_checking_signatures) {
  const matches files;
  const std::string key = files.folder / "relay.key";
  const std::string other = files.folder / "other.key";
  BOOST_TEST(run({"keygen", key}).code == 0);
  BOOST_TEST(run({"keygen", other}).code == 0);
  BOOST_TEST(run({"keygen", key}).says("exists already"));
  std::filesystem::remove(other);
  BOOST_TEST(run({"keygen", other}).says("other.key.pub: the file exists already"));
  BOOST_TEST(!std::filesystem::exists(other));
  BOOST_TEST(run({"keygen", other, "--force"}).code == 0);
#ifndef _WIN32
  using std::filesystem::perms;
  BOOST_TEST((std::filesystem::status(key).permissions() == (perms::owner_read | perms::owner_write)));
#endif
  write_file(files.folder / "big", byte_vector(5000));
  check_run({"sign", files.plain, "--key", files.folder / "big", "-o", files.folder / "big.icrep"}, 1,
            {"--key takes the file of a secret key"});
  for (const std::string& file : {files.plain, files.hashed}) {
    const std::string is_signed = file + ".signed";
    BOOST_TEST(run({"sign", file, "--key", key, "-o", is_signed}).code == 0);
    const outcome good = run({"verify", "--json", "--key", key + ".pub", is_signed});
    BOOST_TEST(good.code == 0);
    BOOST_TEST(contains(good.out, R"("signature":"whole")"));
    const outcome stranger = run({"verify", "--key", other + ".pub", is_signed});
    BOOST_TEST(stranger.code == 1);
    BOOST_TEST(contains(stranger.out, "not the one expected"));
    const outcome without = run({"verify", "--key", key + ".pub", file});
    BOOST_TEST(without.code == 1);
    BOOST_TEST(contains(without.out, "unsigned"));
    check_run({"verify", "--key", key, file}, 2, {"this is the secret key", key + ".pub"});
    BOOST_TEST(run({"verify", file}).code == 0);
    BOOST_TEST(run({"sign", is_signed, "--key", key, "-o", is_signed + "2"}).says("--replace"));
    BOOST_TEST(run({"sign", is_signed, "--key", other, "-o", is_signed + "2", "--replace"}).code == 0);

    byte_vector bytes = read_file(is_signed);
    const auto place = icrep::read_header(bytes)->signature;
    bytes[place.offset + 20] ^= std::byte{1};
    write_file(is_signed, bytes);
    const outcome tampered = run({"verify", "--json", is_signed});
    BOOST_TEST(tampered.code == 1);
    BOOST_TEST(contains(tampered.out, R"("signature":"tampered")"));
    BOOST_TEST(contains(tampered.out, "\"message\":\"tampered: "));
    BOOST_TEST(contains(run({"info", "--json", is_signed}).out, R"("health":"damaged")"));
  }
  BOOST_TEST(run({"sign", files.plain, "--key", key + ".pub", "-o", files.folder / "x"}).says("secret one"));
  BOOST_TEST(
      run({"sign", files.plain, "--key", files.folder / "none", "-o", files.folder / "x"}).says("keygen"));
  BOOST_TEST(run({"sign", files.plain, "-o", files.folder / "x"}).code == 2);
}

// With its signature broken or with a changed state behind a valid checksum: no copy is made in silence.
BOOST_AUTO_TEST_CASE(copies_report_signatures_that_are_not_valid) {
  const matches files;
  const std::string key = files.folder / "relay.key";
  const std::string is_signed = files.folder / "signed.icrep";
  const std::string tampered = files.folder / "tampered.icrep";
  const std::string tampered_reel = files.folder / "tampered.reel";
  const std::string copy = files.folder / "copy.icrep";
  const std::string reel = files.folder / "copy.reel";
  BOOST_REQUIRE(run({"keygen", key}).code == 0);
  BOOST_REQUIRE(run({"sign", files.plain, "--key", key, "-o", is_signed}).code == 0);
  byte_vector bytes = read_file(is_signed);
  bytes[icrep::read_header(bytes)->signature.offset + 20] ^= std::byte{1};
  write_file(tampered, bytes);
  const auto commands = [&](const std::string& file, const std::string& file_reel) {
    return std::vector<std::vector<std::string>>{{"recompress", file, "-o", copy, "--force"},
                                                 {"anonymise", file, "-o", copy, "--force"},
                                                 {"strip-voice", file, "-o", copy, "--force"},
                                                 {"clip", file, "--from", "tick:40", "-o", copy, "--force"},
                                                 {"convert", file, reel, "--force"},
                                                 {"convert", file_reel, copy, "--force"},
                                                 {"recover", file_reel, "-o", copy, "--force"},
                                                 {"convert", file, files.folder / "copy.mcap", "--force"},
                                                 {"cat", file},
                                                 {"cat", file_reel},
                                                 {"events", file},
                                                 {"stats", file},
                                                 {"query", "SELECT count(*) FROM ticks", file},
                                                 {"query", "SELECT count(*) FROM events", file}};
  };
  BOOST_REQUIRE(run({"convert", is_signed, files.folder / "signed.reel"}).code == 0);
  BOOST_REQUIRE(run({"convert", tampered, tampered_reel}).code == 3);
  BOOST_TEST(contains(run({"verify", tampered_reel}).out, "tampered: "));
  for (const auto& words : commands(tampered, tampered_reel)) {
    BOOST_TEST_CONTEXT(words[0] << ' ' << words[1]) {
      const outcome said = run(words);
      BOOST_TEST(said.code == 3, said.err);
      BOOST_TEST(contains(said.out + said.err, "the input's signatures are not valid (tampered: "), said.err);
    }
  }
  for (const auto& words : commands(is_signed, files.folder / "signed.reel")) {
    BOOST_TEST_CONTEXT(words[0] << ' ' << words[1]) {
      const outcome said = run(words);
      BOOST_TEST(said.code == 0, said.err);
      BOOST_TEST(!contains(said.out + said.err, "not valid"), said.err);
    }
  }
  const outcome recovered = run({"recover", tampered, "-o", copy, "--force"});
  BOOST_TEST(recovered.code == 3);
  BOOST_TEST(contains(recovered.out, "the signatures, which were not valid (tampered: "), recovered.out);
  // Only that copy can be signed.
  const std::string again = files.folder / "again.icrep";
  for (const bool replace : {false, true}) {
    std::vector<std::string> words = {"sign", tampered, "--key", key, "-o", again};
    if (replace) words.emplace_back("--replace");
    const outcome refused = run(words);
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(
        refused.says("the existing signatures are not valid; 'tickreel recover' makes a copy without them"),
        refused.err);
    BOOST_TEST(!std::filesystem::exists(again));
  }
  BOOST_TEST(run({"sign", copy, "--key", key, "-o", again}).code != 1);
  BOOST_TEST(std::filesystem::exists(again));
}

// Each kind of damage in the format's description, and its message.
BOOST_AUTO_TEST_CASE(verify_names_each_damage) {
  const matches files;
  const outcome whole = run({"verify", "--json", files.golden});
  BOOST_TEST(whole.code == 0);
  BOOST_TEST(contains(whole.out, R"("signature":"signed states only")"));
  BOOST_TEST(contains(whole.out, "1 keyframe is a delta that cannot be applied"));
  // Anyone can remove a seal: --key requires one.
  const outcome asked = run(
      {"verify", "--key", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", files.golden});
  BOOST_TEST(asked.code == 1);
  BOOST_TEST(contains(asked.out, "signed states only"));
  const auto damaged = [&](auto change) {
    byte_vector bytes = from_hex(golden::complete_file);
    change(bytes);
    write_file(files.golden, bytes);
    const outcome printed = run({"verify", "--json", files.golden});
    BOOST_TEST(printed.code == 1);
    return printed.out;
  };
  const auto flip = [](std::size_t at) { return [at](byte_vector& bytes) { bytes[at] ^= std::byte{1}; }; };
  BOOST_TEST(contains(damaged(flip(707 + 32)),
                      R"("offset":707,"message":"the content does not match its checksum)"));
  BOOST_TEST(
      contains(damaged([](byte_vector& bytes) { bytes[887 + 8 + 20] = std::byte{2}; }), "is_full is 2"));
  BOOST_TEST(contains(damaged([](byte_vector& bytes) {
                        bytes[887] = std::byte{0};
                        bytes[887 + 5] = std::byte{1};
                      }),
                      "an index of 1099511627776 keyframes"));
  const std::string signature = damaged(flip(2380 + 8 + 8));
  BOOST_TEST(contains(signature, "tampered: "));
  BOOST_TEST(contains(signature, "signature 0, of tick 0"));
  BOOST_TEST(
      contains(damaged([](byte_vector& bytes) { bytes.pop_back(); }), "ends outside the file of 2635"));
  BOOST_TEST(contains(damaged([](byte_vector& bytes) { bytes[48] = std::byte{4}; }),
                      "the signature chain ends at tick 3, the recording at 4"));
}

BOOST_AUTO_TEST_CASE(names_are_removed) {
  const matches files;
  const std::string out = files.folder / "anonymous.icrep";
  const outcome done = run({"anonymise", files.plain, "-o", out, "--json"});
  BOOST_TEST(done.code == 0);
  BOOST_TEST(contains(run({"info", "--json", out}).out, R"("players":[{"name":"Player 1",)"));
  BOOST_TEST(contains(run({"cat", out}).out, R"("text":"Player 1's")"));
  BOOST_TEST(!contains(text_of_file(out), "Alice"));
  BOOST_TEST(run({"verify", out}).code == 0);
  BOOST_TEST(run({"anonymise", files.plain, "-o", out}).says("--force"));
  BOOST_TEST(run({"anonymise", files.plain, "-o", out, "--force"}).code == 0);
  BOOST_TEST(run({"anonymise", files.plain, "-o", files.plain, "--force"}).code == 2);
  const outcome of_signed = run({"anonymise", files.golden, "-o", out, "--force"});
  BOOST_TEST(of_signed.says("signatures are no longer valid"));
  const outcome silent = run({"strip-voice", files.plain, "-o", out, "--force"});
  BOOST_TEST(silent.code == 0);
  BOOST_TEST(silent.err == "tickreel: " + out + ": it contains no voice: copied\n");
  BOOST_TEST((read_file(out) == read_file(files.plain)));
  const std::string reel = files.folder / "match.reel";
  BOOST_REQUIRE(run({"convert", files.plain, reel}).code == 0);
  check_run({"strip-voice", reel, "-o", out, "--force"}, 1,
            {"convert the reel to its", "'tickreel convert' makes an .icrep"});
}

BOOST_AUTO_TEST_CASE(compressing_and_converting_change_nothing) {
  const matches files;
  const std::string stored = files.folder / "stored.icrep";
  const std::string small = files.folder / "small.icrep";
  const std::string reel = files.folder / "match.reel";
  const std::string back = files.folder / "back.icrep";
  BOOST_TEST(run({"recompress", files.plain, "-o", stored, "--codec", "none"}).code == 0);
  BOOST_TEST(run({"recompress", stored, "-o", small}).code == 0);
  BOOST_TEST(std::filesystem::file_size(small) < std::filesystem::file_size(stored));
  BOOST_TEST(run({"recompress", stored, "-o", small, "--force", "--codec", "zstd"})
                 .says(".icrep takes none and lz4"));
  BOOST_TEST(run({"convert", small, reel}).code == 0);
  BOOST_TEST(run({"convert", reel, back}).code == 0);
  const std::string states = run({"cat", files.plain}).out;
  const std::string events = run({"events", files.plain}).out;
  for (const std::string& file : {stored, small, reel, back}) {
    BOOST_TEST(run({"verify", file}).code == 0, file);
    BOOST_TEST((run({"cat", file}).out == states), file);
    BOOST_TEST((run({"events", file}).out == events), file);
    BOOST_TEST(run({"diff", files.plain, file}).code == 0, file);
  }
  BOOST_TEST(contains(run({"info", "--json", reel}).out, R"("format":"reel")"));
}

BOOST_AUTO_TEST_CASE(a_clip_of_a_match_reel_touches_no_other_files) {
  const matches files;
  const std::string reel = files.folder / "match.reel";
  BOOST_REQUIRE(run({"convert", files.plain, reel}).code == 0);
  for (const std::string extension : {".reel", ".icrep"}) {
    const std::string part = files.folder / "part" + extension;
    for (const char* const mine : {".whole.icrep", ".part.icrep"})
      write_file(part + mine, as_bytes(std::string_view("mine")));
    const outcome made = run({"clip", reel, "--from", "tick:30", "--to", "tick:50", "-o", part});
    BOOST_TEST(made.code == 0, made.err);
    for (const char* const mine : {".whole.icrep", ".part.icrep"}) {
      BOOST_TEST(text_of_file(part + mine) == "mine");
    }
    // No other file is left.
    std::size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator(files.folder.path())) {
      count += each.path().filename().string().starts_with("part" + extension) ? 1u : 0u;
    }
    BOOST_TEST(count == 3u);
  }
}

BOOST_AUTO_TEST_CASE(losses_of_a_match_reel_are_reported_for_the_affected_clip) {
  const matches files;
  const std::string reel = files.folder / "match.reel";
  BOOST_REQUIRE(run({"convert", files.plain, reel}).code == 0);
  std::filesystem::resize_file(reel, std::filesystem::file_size(reel) * 2 / 3);
  const outcome whole = run({"clip", reel, "--from", "tick:0", "-o", files.folder / "a.reel"});
  BOOST_TEST(whole.code == 3, whole.err);
  const outcome first =
      run({"clip", reel, "--from", "tick:0", "--to", "tick:5", "-o", files.folder / "b.reel"});
  BOOST_TEST(first.code == 0, first.err);
}

BOOST_AUTO_TEST_CASE(a_truncated_match_reel_is_not_reported_as_complete) {
  const matches files;
  const std::string reel = files.folder / "match.reel";
  BOOST_TEST(run({"convert", files.plain, reel}).code == 0);
  std::filesystem::resize_file(reel, std::filesystem::file_size(reel) * 2 / 3);
  BOOST_TEST(contains(run({"info", "--json", reel}).out, R"("health":"incomplete")"));
  const outcome checked = run({"verify", reel});
  BOOST_TEST(checked.code == 1);
  BOOST_TEST(contains(checked.out, "the last record is torn"));
}

BOOST_AUTO_TEST_CASE(diff_finds_tick_entity_component_and_field) {
  const matches files;
  for (const bool own_hashes : {false, true}) {
    const std::string moved = files.folder / (own_hashes ? "moved_hashed.icrep" : "moved.icrep");
    write_match(moved, own_hashes, true);
    const outcome printed = run({"diff", own_hashes ? files.hashed : files.plain, moved, "--json"});
    BOOST_TEST(printed.code == 3);
    dom::parser parser;
    const dom::object found = parse(parser, printed.out);
    BOOST_TEST(minified(found["same"]) == "false");
    BOOST_TEST(minified(found["first_different_tick"]) == (own_hashes ? "50" : "60"));
    BOOST_TEST(
        minified(found["state"]) ==
        R"({"tick":60,"where":"entity 1:0","component":"place","field":"x","first":"60","second":"65"})");
  }
  BOOST_TEST(run({"diff", files.plain, files.folder / "none"}).code == 1);
  BOOST_TEST(run({"diff", files.plain}).code == 2);
}

BOOST_AUTO_TEST_CASE(recovering_the_reel_of_a_killed_recorder) {
  const scratch_folder folder;
  write_match(folder / "match.icrep", false, false, false);
  write_match(folder / "ended.icrep", false);
  leave_old_live_file(folder / "ended.icrep", folder / "old.icrep", 90);
  const std::string reel = folder / "match.icrep.reel";
  // Closed by its recorder's destructor, but the match was not ended.
  BOOST_TEST(contains(run({"info", "--json", reel}).out, R"("health":"incomplete")"));
  const outcome printed = run({"verify", reel});
  BOOST_TEST(contains(printed.out, "was not ended"));
  for (const char* const verb : {"cat", "events"}) {
    const outcome shown = run({verb, reel});
    BOOST_TEST(shown.code == 3, verb);
    BOOST_TEST(shown.says("the file ends early"), verb);
  }
  BOOST_TEST(run({"cat", reel, "--to", "20"}).code == 0);
  // No state is stored there.
  BOOST_TEST(run({"cat", folder / "ended.icrep", "--from", "5", "--to", "7"}).code == 0);
  BOOST_TEST(run({"recover", reel, "-o", folder / "destroyed.icrep"}).code == 3);
  std::filesystem::resize_file(reel,
                               std::filesystem::file_size(reel) - 10);  // killed while it ended the reel
  // A reel; and a live file with spools, as version 0.1 wrote it.
  for (const std::string& live : {folder / "match.icrep.reel", folder / "old.icrep"}) {
    const std::string saved = live + ".saved.icrep";
    const byte_vector before = read_file(live);
    BOOST_TEST(contains(run({"info", "--json", live}).out, R"("health":"incomplete")"));
    const outcome done = run({"recover", live, "-o", saved});
    BOOST_TEST(done.code == 3);
    BOOST_TEST((read_file(live) == before));
    BOOST_TEST(run({"verify", saved}).code == 3);
    const std::string info = run({"info", "--json", saved}).out;
    BOOST_TEST(contains(info, R"("health":"recovered")"));
    BOOST_TEST(!run({"cat", saved}).out.empty());
  }
  BOOST_TEST(contains(run({"verify", folder / "old.icrep"}).out, "was not ended"));
  BOOST_TEST(run({"recover", folder / "match.icrep.reel"}).code == 3);
  BOOST_TEST(std::filesystem::exists(folder / "match.icrep"));

  const std::string whole = folder / "whole.icrep";
  const std::string cut = folder / "cut.icrep";
  write_match(whole, false);
  const byte_vector bytes = read_file(whole);
  write_file(cut, byte_span(bytes).first(bytes.size() - 1));
  BOOST_TEST(run({"info", cut}).says("recover"));
  const outcome repaired = run({"recover", cut});
  BOOST_TEST(repaired.code == 3);
  BOOST_TEST(run({"verify", folder / "cut.recovered.icrep"}).code == 3);
  BOOST_TEST(run({"recover", whole, "-o", folder / "copy.icrep"}).code == 0);
  BOOST_TEST((read_file(folder / "copy.icrep") == bytes));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
