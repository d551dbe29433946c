// Many StarCraft II replays in one run of the program, and every verb on one.
#ifdef __linux__
#include <sys/stat.h>
#endif

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "file_bytes.hpp"
#include "json_object.hpp"
#include "lines.hpp"
#include "run_program.hpp"
#include "sample_file.hpp"
#include "sample_map.hpp"
#include "served_page.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "wrong_tables.hpp"

BOOST_AUTO_TEST_SUITE(cli_sc2_tests)
BOOST_AUTO_TEST_SUITE(sc2_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// The sample, on its own map.
byte_vector replay_on(const std::string& map) {
  auto members = sample_members();
  sc2replay::details details = sample_details();
  details.title = map;
  for (mpq::new_member& each : members) {
    if (each.name == "replay.details") each.bytes = sc2replay::write_details(details);
  }
  return sample_file(members);
}

std::string text_at(const auto& of, const char* key) {
  return std::string(of[key].get_string().value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_clip_names_the_formats_of_parts_and_counts_for_the_whole_game) {
  const scratch_folder folder;
  const std::string replay = folder / "game.SC2Replay";
  write_file(replay, sample_file());
  const auto clip = [&](const std::string& output) {
    return run({"clip", replay, "--from", "tick:1", "--to", "tick:9", "-o", folder / output});
  };
  const outcome same_format = clip("part.SC2Replay");
  BOOST_TEST(same_format.code == 2);
  BOOST_TEST(same_format.err.find("parts of .SC2Replay files become icrep") != std::string::npos,
             same_format.err);
  BOOST_TEST(!std::filesystem::exists(folder / "part.SC2Replay"));
  const outcome made = clip("part.icrep");
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(made.err.find("left out of the whole game: states") != std::string::npos, made.err);
  const outcome whole = run({"convert", replay, folder / "whole.icrep"});
  BOOST_TEST(whole.err.find("left out: states") != std::string::npos, whole.err);
  const outcome unknown = run({"convert", replay, folder / "whole.SC2Replay"});
  BOOST_TEST(unknown.code == 2);
  BOOST_TEST(
      unknown.err.find(": .SC2Replay files become arrow, icrep, mcap and parquet.") != std::string::npos,
      unknown.err);
}

BOOST_AUTO_TEST_CASE(a_page_contains_the_ground_of_a_map_file_and_doubts_about_it) {
  const scratch_folder folder, page_files;
  (void)stand_in_page(page_files);
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name != "replay.initData") continue;
    sc2replay::lobby lobby = sample_lobby();
    lobby.map_size_x = 8;
    lobby.map_size_y = 9;
    each.bytes = *sc2replay::write_lobby(lobby, sample_base_build);
  }
  const std::string replay = folder / "game.SC2Replay", large = folder / "large.SC2Replay",
                    map = folder / "small.SC2Map", page = folder / "page.html";
  write_file(replay, sample_file(members));
  write_file(large, sample_file());
  write_file(map, map_file(map_info(0x27, {}), minimap(24, true, false)));
  const auto view = [&](const std::string& recording, const std::string& under,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "view", "--html", page, recording, "--map", under, "--page", page_files.path().string(), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const outcome made = view(replay, map);
  BOOST_TEST(made.err.find("small.SC2Map: the recording states another file") != std::string::npos, made.err);
  const std::string text = text_of_file(page);
  BOOST_TEST(text.find("data-name=\"small.SC2Map\" data-edges=\"1 2 5 4\" data-doubt=\"the recording") !=
             std::string::npos);
  BOOST_TEST(text.find("\">Qk") != std::string::npos);  // "BM"
  BOOST_TEST(view(replay, map, {"--map-edges", "0", "0", "9", "8.5"}).code == made.code);
  BOOST_TEST(text_of_file(page).find("data-edges=\"0 0 9 8.5\"") != std::string::npos);
  // Of another size, no map at all, missing.
  std::filesystem::remove(page);
  const outcome wrong = view(large, map);
  BOOST_TEST(wrong.code == 1);
  BOOST_TEST(
      wrong.err.find("another map than that of the recording: its size is 8 x 9, and that of the recording's "
                     "map is 200 x ") != std::string::npos,
      wrong.err);
  const outcome no_map = view(replay, replay);
  BOOST_TEST(no_map.code == 1);
  BOOST_TEST(no_map.err.find("this is not a file of that format: it has no MapInfo") != std::string::npos,
             no_map.err);
  BOOST_TEST(view(replay, folder / "none.SC2Map").code == 1);
#ifdef __linux__
  const std::string pipe = folder / "pipe.SC2Map";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const outcome piped = view(replay, pipe);
  BOOST_TEST(piped.code == 1);
  BOOST_TEST(piped.err.find("pipe or a device") != std::string::npos, piped.err);
#endif
  BOOST_TEST(!std::filesystem::exists(page));
  // A picture needs content, and no doubts.
  using namespace std::string_view_literals;
  for (const std::string_view bad :
       {""sv, "no picture"sv, "\x89PNG\r\n\x1A\n"sv, "\xFF\xD8\xFF"sv, "RIFF\0\0\0\0WEBP"sv,
        "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\0\0\0\0\1\0\0\0\1IDAT"sv}) {
    write_file(folder / "map.png", as_bytes(bad));
    const outcome refused = view(replay, folder / "map.png");
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(refused.says("expected a PNG, JPEG or WebP"), refused.err);
  }
  constexpr auto jpeg = "\xFF\xD8\xFF\xC0\0\x0B\x08\0\1\0\1\1\1\x11\0\xFF\xDA\0\x08\1\1\0\0\x3F\0\xAA"sv;
  constexpr auto webp = "RIFF\x14\0\0\0WEBPVP8L\x08\0\0\0\x2F\0\0\0\0\0\0\0"sv;
  for (const std::string_view right : {jpeg, webp}) {
    write_file(folder / "map.png", as_bytes(right));
    BOOST_TEST(view(replay, folder / "map.png").code == made.code);
  }
  write_file(folder / "map.png",
             as_bytes("\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0....\0\0\0\1IDAT."sv));
  const outcome picture = view(replay, folder / "map.png");
  BOOST_TEST(picture.err.find("map.png") == std::string::npos, picture.err);
  BOOST_TEST(text_of_file(page).find("data-name=\"map.png\" data-edges=\"\"") != std::string::npos);
  // Wrong usage.
  BOOST_TEST(view(replay, map, {"--map-edges", "5", "0", "4", "8"}).code == 2);
  BOOST_TEST(view(replay, map, {"--map-edges", "nan", "0", "4", "8"}).code == 2);
  for (const auto& edges : {std::vector<std::string>{"0", "0", "1e300", "8"},
                            {"-1e11", "0", "4", "8"},
                            {"0", "0", "1e-9", "8"}}) {
    std::vector<std::string> words = {"--map-edges"};
    words.insert(words.end(), edges.begin(), edges.end());
    BOOST_TEST(view(replay, map, words).code == 2, edges[2]);
  }
  const outcome empty = view(replay, "");
  BOOST_TEST(empty.code == 2);
  BOOST_TEST(empty.err.find("the name is empty") != std::string::npos, empty.err);
  BOOST_TEST(run({"verify", replay, "--key", ""}).code == 2);
  BOOST_TEST(run({"view", replay, "--map-edges", "1", "2", "3", "4"}).code == 2);
  BOOST_TEST(run({"view", replay, replay, "--map", map, "--no-open"}).code == 2);
}

BOOST_AUTO_TEST_CASE(many_replays_with_bad_ones_among_them) {
  const scratch_folder folder;
  constexpr std::size_t count = 40;
  constexpr std::size_t cut = 7;
  constexpr std::size_t something_else = 23;
  std::vector<std::string> words = {"info", "--json"};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string path = folder / (std::to_string(i) + ".SC2Replay");
    byte_vector file = replay_on("Map " + std::to_string(i));
    if (i == cut) file.resize(file.size() / 2);
    write_file(path,
               i == something_else ? as_bytes(std::string_view("no replay at all\n")) : byte_span(file));
    words.push_back(path);
  }
  for (int round = 0; round < 3; ++round) {
    const outcome found = run(words);
    BOOST_TEST(found.code == 1);
    const auto lines = lines_of(found.out);
    BOOST_TEST_REQUIRE(lines.size() == count - 2);
    dom::parser parser;
    std::size_t line = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == cut || i == something_else) continue;
      const auto what = parse(parser, lines[line++]);
      BOOST_TEST(text_at(what, "file") == words[2 + i]);
      BOOST_TEST(text_at(what, "map") == "Map " + std::to_string(i));
      BOOST_TEST(text_at(what, "format") == "sc2replay");
      BOOST_TEST(text_at(what, "health") == "whole");
    }
    // Each bad one by name, in the same order, and their number.
    const std::size_t first = found.err.find(words[2 + cut] + ": at offset ");
    const std::size_t second = found.err.find(words[2 + something_else] + ": ");
    const std::size_t sum = found.err.find("2 of 40 files");
    BOOST_TEST((first < second && second < sum && sum != std::string::npos), found.err);
    BOOST_TEST(found.says("tickreel recover"), found.err);
    // Without a terminal there is no progress bar.
    BOOST_TEST((found.err.find_first_of("\r\x1B") == std::string::npos));
  }
  // Without the two the run succeeds.
  words.erase(words.begin() + 2 + something_else);
  words.erase(words.begin() + 2 + cut);
  const outcome sound = run(words);
  BOOST_TEST(sound.code == 0);
  BOOST_TEST(sound.err == "");
  BOOST_TEST(lines_of(sound.out).size() == count - 2);
}

BOOST_AUTO_TEST_CASE(diff_has_the_numbers_of_ticks) {
  const scratch_folder folder;
  const std::string replay = folder / "game.SC2Replay";
  write_file(replay, sample_file());
  const auto about = files::open(replay).value()->summarise().value();
  const std::string ticks = std::to_string(about.ticks);
  const outcome said = run({"diff", replay, replay, "--json"});
  BOOST_TEST(said.out.find("\"first_ticks\":" + ticks + ",\"second_ticks\":" + ticks) != std::string::npos,
             said.out);
}

BOOST_AUTO_TEST_CASE(diff_names_the_unreadable_file) {
  const scratch_folder folder;
  const std::string replay = folder / "a.SC2Replay";
  const std::string missing = folder / "missing.SC2Replay";
  const std::string text = folder / "notes.txt";
  write_file(replay, replay_on("Map"));
  write_file(text, as_bytes(std::string_view("no recording\n")));
  for (const std::string& other : {missing, text}) {
    for (const auto& words :
         {std::vector<std::string>{"diff", replay, other}, std::vector<std::string>{"diff", other, replay}}) {
      const outcome said = run(words);
      BOOST_TEST(said.code == 1);
      BOOST_TEST(said.err.starts_with("tickreel: " + other + ": "), said.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_replay_gives_its_intact_members) {
  const scratch_folder folder;
  const std::string path = folder / "cut.SC2Replay";
  byte_vector file = replay_on("Somewhere");
  const auto archive = sc2replay::open_archive(byte_span(file));
  BOOST_REQUIRE(archive);
  std::uint64_t end_of_members = 0;
  for (const mpq::member& each : archive->members()) {
    end_of_members = std::max(end_of_members, each.offset + each.packed_bytes);
  }
  write_file(path, byte_span(file).first(static_cast<std::size_t>(end_of_members)));
  BOOST_TEST(run({"info", path}).code == 1);
  const outcome done = run({"recover", path, "-o", folder / "saved.SC2Replay", "--json"});
  BOOST_TEST(done.code == 3, done.err);
  dom::parser parser;
  const outcome printed = run({"info", "--json", folder / "saved.SC2Replay"});
  BOOST_TEST(printed.code == 0);
  BOOST_TEST(text_at(parse(parser, lines_of(printed.out).at(0)), "map") == "Somewhere");
  const outcome verified = run({"verify", folder / "saved.SC2Replay"});
  BOOST_TEST(verified.code == 3, verified.out);
  BOOST_TEST(verified.out.find(": ok, ") != std::string::npos, verified.out);
  BOOST_TEST(verified.out.find("incomplete copy: ") != std::string::npos, verified.out);
  BOOST_TEST(printed.out.find("\"health\":\"recovered\"") != std::string::npos, printed.out);
  // Only the header remains.
  write_file(path, byte_span(file).first(1024));
  BOOST_TEST(run({"recover", path, "-o", folder / "none.SC2Replay"}).code == 1);
}

BOOST_AUTO_TEST_CASE(a_changed_member_is_reported) {
  const scratch_folder folder;
  const std::string path = folder / "changed.SC2Replay";
  byte_vector file = replay_on("Somewhere");
  const auto archive = sc2replay::open_archive(file);
  BOOST_REQUIRE(archive);
  const mpq::member* member = archive->find("replay.load.info");
  BOOST_REQUIRE(member != nullptr);
  file[static_cast<std::size_t>(member->offset)] ^= std::byte{0x10};
  write_file(path, file);
  const outcome checked = run({"verify", "--json", path});
  BOOST_TEST(checked.code == 1);
  dom::parser parser;
  const auto what = parse(parser, lines_of(checked.out).at(0));
  BOOST_TEST(!what["ok"].get_bool().value());
  const dom::element finding = what["findings"].at(0).value();
  BOOST_TEST(finding["offset"].get_uint64().value() == member->offset);
  BOOST_TEST((text_at(finding, "message").find("replay.load.info") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(inconsistent_tables_are_reported) {
  const scratch_folder folder;
  dom::parser parser;
  const auto verdict = [&](const byte_vector& file) {
    const std::string path = folder / "lying.SC2Replay";
    write_file(path, file);
    const outcome checked = run({"verify", "--json", path});
    return std::pair(checked.code, lines_of(checked.out).at(0));
  };
  const byte_vector file = replay_on("Somewhere");
  const auto odd = verdict(with_row(file, "replay.sync.events", [](table_row& row) { row.bytes = 77; }));
  BOOST_TEST(odd.first == 0);
  const std::string_view size = "replay.sync.events: has 5000 bytes, and the archive declares 77";
  BOOST_TEST((odd.second.find(size) != std::string::npos), odd.second);
  std::size_t row_at = 0;
  const byte_vector outside =
      with_row(file, "replay.game.events", [](table_row& row) { row.offset = 0x7FFFFFFF; }, &row_at);
  const auto nowhere = verdict(outside);
  BOOST_TEST(nowhere.first == 1);
  const auto what = parse(parser, nowhere.second);
  const auto findings = what["findings"].get_array().value();
  // And a note: the sample has no tracker events.
  BOOST_TEST_REQUIRE(findings.size() == 2u);
  const dom::element finding = findings.at(0).value();
  BOOST_TEST(finding["offset"].get_uint64().value() == row_at);
  BOOST_TEST(text_at(finding, "message").starts_with("replay.game.events: "));
}

BOOST_AUTO_TEST_CASE(games_that_go_back_in_time_are_converted_in_order) {
  // An upgrade at tick 500, then one a hundred ticks earlier: deltas wrap around.
  byte_vector stream;
  const auto integer = [&stream](std::uint64_t value) {
    value <<= 1;
    for (; value > 0x7F; value >>= 7) stream.push_back(static_cast<std::byte>((value & 0x7F) | 0x80));
    stream.push_back(static_cast<std::byte>(value));
  };
  const auto add_upgrade = [&](std::uint32_t delta, std::string_view name) {
    const auto tagged = [&](std::uint64_t value) {
      stream.push_back(std::byte{9});
      integer(value);
    };
    stream.push_back(std::byte{3});
    integer(3);
    tagged(delta);
    tagged(5);
    stream.push_back(std::byte{5});
    integer(3);
    integer(0);
    tagged(1);
    integer(1);
    stream.push_back(std::byte{2});
    integer(name.size());
    for (const char each : name) stream.push_back(static_cast<std::byte>(each));
    integer(2);
    tagged(1);
  };
  add_upgrade(500, "Later");
  add_upgrade(0xFFFFFFFF - 99, "Sooner");
  auto members = sample_members();
  members.push_back({"replay.tracker.events", stream});
  const scratch_folder folder;
  const std::string path = folder / "resumed.SC2Replay";
  const std::string icrep = folder / "resumed.icrep";
  write_file(path, sample_file(members));
  const outcome converted = run({"convert", path, icrep});
  BOOST_TEST(converted.code == 0);
  const outcome events = run({"events", icrep, "--type", "upgrade_completed"});
  const auto lines = lines_of(events.out);
  BOOST_TEST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0].starts_with(R"({"tick":400,)"), lines[0]);
  BOOST_TEST(lines[1].starts_with(R"({"tick":500,)"), lines[1]);
  BOOST_TEST(run({"verify", icrep}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_damaged_replay_is_converted_with_a_warning) {
  const scratch_folder folder;
  const std::string path = folder / "damaged.SC2Replay";
  const byte_vector file = replay_on("Somewhere");
  write_file(path, file);
  BOOST_TEST(run({"convert", path, folder / "sound.icrep"}).code == 0);
  for (const char* name : {"replay.server.battlelobby", "replay.sync.events", "unheard.of"}) {
    byte_vector copy = file;
    const auto archive = sc2replay::open_archive(byte_span(file));
    BOOST_REQUIRE(archive);
    const mpq::member* member = archive->find(name);
    BOOST_REQUIRE(member != nullptr);
    copy[static_cast<std::size_t>(member->offset + member->packed_bytes / 2)] ^= std::byte{0x10};
    write_file(path, copy);
    BOOST_TEST(run({"verify", path}).code == 1, name);
    check_run({"convert", "--force", path, folder / "damaged.icrep"}, 3, {name});
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_stream_does_not_affect_the_others) {
  const scratch_folder folder;
  const std::string path = folder / "broken.SC2Replay";
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes.pop_back();
  }
  write_file(path, sample_file(members));
  dom::parser parser;
  const outcome printed = run({"info", "--json", path});
  BOOST_TEST(printed.code == 0);
  BOOST_TEST(text_at(parse(parser, lines_of(printed.out).at(0)), "health") == "damaged");
  const outcome checked = run({"verify", path});
  BOOST_TEST(checked.code == 1);
  BOOST_TEST((checked.out.find("replay.game.events") != std::string::npos), checked.out);
  const outcome events = run({"events", path});
  BOOST_TEST(events.code == 3);
  BOOST_TEST(events.says("replay.game.events cannot be read further"), events.err);
  BOOST_TEST(!events.out.empty());
  check_run({"convert", path, folder / "broken.icrep"}, 3, {"replay.game.events"});
  // A partly anonymous replay is not anonymous.
  const outcome refused = run({"anonymise", path, "-o", folder / "nobody.SC2Replay"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(!std::filesystem::exists(std::filesystem::path(folder / "nobody.SC2Replay")));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
