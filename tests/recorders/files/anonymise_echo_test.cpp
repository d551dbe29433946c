// Echo VR recordings without names: the bytes identify no player, and the game is unchanged.
#include <algorithm>
#include <array>
#include <set>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_clips_tests)
BOOST_AUTO_TEST_SUITE(anonymise_echo_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::set<std::string> words_about_people(const std::vector<echo::state>& ticks) {
  std::set<std::string> words;
  const auto add = [&](std::string_view text) {
    if (text.size() >= 3 && text != "[INVALID]") words.emplace(text);
  };
  for (const echo::state& tick : ticks) {
    for (std::size_t i = 0; i < tick.match.player_count; ++i) {
      add(tick.players[i].name.view());
      add(std::to_string(tick.players[i].userid));
    }
    add(tick.match.client_name.view());
    add(tick.match.sessionid.view());
    add(tick.match.sessionip.view());
    add(tick.match.last_score.person_scored.view());
    add(tick.match.last_score.assist_scored.view());
  }
  return words;
}

// All stored bytes, decompressed.
std::string unpacked(const std::filesystem::path& path) {
  const byte_vector bytes = read_file(path);
  std::string all(as_text(bytes));
  const auto format = files::detect(file_path(path));
  BOOST_REQUIRE(format);
  if ((*format)->name == "butter") {
    auto reader = butter::reader::open(bytes);
    BOOST_REQUIRE(reader);
    while (const auto more = reader->skip()) {
      if (!*more) break;
      if (reader->position().frame_offset == 0) all += as_text(reader->chunk_content());
    }
  } else if ((*format)->name == "reel") {
    auto reader = reel::reader::open(file_path(path));
    BOOST_REQUIRE(reader);
    reel::record record;
    for (std::size_t i = 0; i < reader->contents().records.size(); ++i) {
      BOOST_REQUIRE(reader->read(i, record));
      all += as_text(record.payload);
    }
  }
  // Columns of a reel are compressed a second time, and so are its lines.
  for (const std::string& each : all_states(path)) all += each;
  return all;
}

// A number as the formats store it, in both byte orders.
std::array<std::string, 2> bytes_of(std::uint64_t number) {
  std::array<std::string, 2> both;
  for (unsigned i = 0; i < 8; ++i) both[0] += static_cast<char>(number >> (8 * i) & 0xFF);
  both[1].assign(both[0].rbegin(), both[0].rend());
  return both;
}

echo_vr::simulation_options a_match() {
  echo_vr::simulation_options match = short_match(true);
  match.match_seconds = 40;
  return match;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_bytes_identify_no_player) {
  const scratch_folder folder;
  const auto path = [&](const std::string& name) { return folder.path() / name; };
  write_match(path("m.butter"), {}, a_match());
  write_match(path("m.echoreplay"), {}, a_match());
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  write_match(path("plain.echoreplay"), plain, a_match());
  write_match(path("frames.reel"), {}, a_match());
  // With unknown fields that identify a player, also in the reel's omission records.
  const auto ticks = all_ticks(path("m.echoreplay"));
  const std::string somebody(ticks.front().players[0].name.view());
  std::string text(as_text(read_file(path("plain.echoreplay"))));
  for (std::size_t at = text.find("\t{"); at != std::string::npos; at = text.find("\n", at)) {
    at = text.find("\t{", at);
    if (at == std::string::npos) break;
    text.insert(at + 2, "\"best_friend\":\"" + somebody + "\",");
  }
  write_file(path("unknown.echoreplay"), text);
  (void)files::convert(path("unknown.echoreplay"), path("words.reel"));
  (void)files::convert(path("unknown.echoreplay"), path("converted.butter"));
  const std::set<std::string> words = words_about_people(ticks);
  BOOST_TEST(words.size() > 8u);
  for (const char* name : {"m.butter", "m.echoreplay", "plain.echoreplay", "frames.reel",
                           "unknown.echoreplay", "words.reel", "converted.butter"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto from = all_ticks(path(name));
      const auto target = path("public" + path(name).extension().string());
      const auto done = files::anonymise(file_path(path(name)), target, {.overwrite = true});
      BOOST_REQUIRE_MESSAGE(done, (done ? "" : describe(done.error())));
      const std::string all = unpacked(target);
      for (const std::string& each : words) BOOST_TEST(all.find(each) == std::string::npos, each);
      for (const std::string& each : done->lost) BOOST_TEST(each.find(somebody) == std::string::npos);
      const bool has_unknown =
          std::string_view(name).starts_with("unknown") || name == std::string_view("words.reel");
      BOOST_TEST(!done->lost.empty() == has_unknown);
      // The same game with the same number of players.
      const auto to = all_ticks(target);
      BOOST_REQUIRE(to.size() == from.size());
      for (const std::string& each : words_about_people(to)) BOOST_TEST(!words.contains(each), each);
      for (std::size_t p = 0; p < from.front().match.player_count; ++p) {
        // Small numbers occur everywhere.
        if (from.front().players[p].userid < 1u << 24) continue;
        for (const std::string& each : bytes_of(from.front().players[p].userid)) {
          BOOST_TEST(all.find(each) == std::string::npos);
        }
      }
      std::set<std::pair<std::uint64_t, std::string>> renamed, before;
      for (std::size_t i = 0; i < to.size(); ++i) {
        BOOST_REQUIRE(to[i].match.player_count == from[i].match.player_count);
        BOOST_REQUIRE(to[i].match.blue_points == from[i].match.blue_points);
        BOOST_REQUIRE(to[i].recorded_time_ms == from[i].recorded_time_ms);
        for (std::size_t p = 0; p < to[i].match.player_count; ++p) {
          BOOST_REQUIRE(to[i].players[p].stats == from[i].players[p].stats);
          before.emplace(from[i].players[p].userid, from[i].players[p].name.view());
          renamed.emplace(to[i].players[p].userid, to[i].players[p].name.view());
        }
        // The scorer is one of the players.
        const auto scored = to[i].match.last_score.person_scored.view();
        if (from[i].match.last_score.person_scored.view() != "[INVALID]" && !scored.empty()) {
          BOOST_REQUIRE(
              std::ranges::any_of(renamed, [&](const auto& each) { return each.second == scored; }));
        }
      }
      BOOST_TEST(renamed.size() == before.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(text_between_the_lines_of_a_reel_is_removed_and_reported) {
  const scratch_folder folder;
  const auto path = [&](const std::string& name) { return folder.path() / name; };
  files::convert_options plain;
  plain.codec = codec_options{.codec = codec_id::none};
  write_match(path("m.echoreplay"), plain, a_match());
  std::string text(as_text(read_file(path("m.echoreplay"))));
  text.insert(text.find('\n') + 1, "A player was here\r\n");
  write_file(path("m.echoreplay"), text);
  BOOST_REQUIRE(files::convert(path("m.echoreplay"), path("m.reel")));
  const auto done = files::anonymise(file_path(path("m.reel")), file_path(path("public.reel")), {});
  BOOST_REQUIRE(done);
  const auto reports_text = [](const std::string& each) {
    return each.find("1 text between ticks") != std::string::npos;
  };
  BOOST_TEST(std::ranges::count_if(done->lost, reports_text) == 1);
  BOOST_TEST(unpacked(path("public.reel")).find("A player was here") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_salt_gives_stable_pseudonyms_and_without_it_they_are_random) {
  const scratch_folder folder;
  const auto names_of = [&](const char* name, const std::string& salt) {
    const auto target = folder.path() / "public.butter";
    files::edit_options options;
    options.overwrite = true;
    options.salt = salt;
    BOOST_REQUIRE(files::anonymise(file_path(folder.path() / name), target, options));
    const auto tick = all_ticks(target).front();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tick.match.player_count; ++i) names.emplace_back(tick.players[i].name.view());
    return names;
  };
  write_match(folder.path() / "m.butter");
  files::convert_options part;
  part.range.from = files::moment::at_tick(30);
  BOOST_REQUIRE(files::convert(file_path(folder.path() / "m.butter"), folder.path() / "later.butter", part));
  BOOST_TEST(names_of("m.butter", "one") == names_of("later.butter", "one"));
  BOOST_TEST(names_of("m.butter", "one") != names_of("m.butter", "two"));
  BOOST_TEST(names_of("m.butter", "").front() == "Player 1");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
