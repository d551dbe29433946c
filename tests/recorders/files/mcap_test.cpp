// Recordings of every format as .mcap.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "every_format.hpp"
#include "lines.hpp"
#include "mcap_core.hpp"
#include "mcap_reader.hpp"
#include "random.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_mcap_tests)
BOOST_AUTO_TEST_SUITE(mcap_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

files::conversion_report to_mcap(const std::filesystem::path& from, const std::filesystem::path& to,
                                 const files::conversion_options& options = {}) {
  const auto how = files::find_conversion(from, "mcap");
  BOOST_REQUIRE((how && *how != nullptr));
  auto report = (*how)->run(from, to, options);
  BOOST_REQUIRE_MESSAGE(report, from << (report ? "" : describe(report.error())));
  return *report;
}

// As `cat` and `events` print and report them.
std::vector<std::string> ticks_of(const std::filesystem::path& path, std::set<std::string>& losses,
                                  std::vector<std::int64_t>& times_ms) {
  const auto from = open_recording(path);
  std::vector<std::string> lines;
  for (;;) {
    const auto more = from->next();
    BOOST_REQUIRE(more);
    if (!*more) break;
    files::append_tick(*from, lines.emplace_back());
    times_ms.push_back(from->position().time_ms);
  }
  for (const std::string& each : from->losses()) losses.insert(each);
  return lines;
}
std::vector<std::string> ticks_of(const std::filesystem::path& path) {
  std::set<std::string> losses;
  std::vector<std::int64_t> times_ms;
  return ticks_of(path, losses, times_ms);
}
std::vector<std::string> events_of(const std::filesystem::path& path, std::set<std::string>& losses) {
  const auto from = open_recording(path);
  std::vector<std::string> lines;
  if (from->offers().events == nullptr) return lines;
  BOOST_REQUIRE(from->events({}, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  }));
  for (const std::string& each : from->losses()) losses.insert(each);
  return lines;
}

struct token {
  float x = 0;
  float y = 0;
  short_text<40> name = {};
};
TICKREEL_DESCRIBE(token, x, y, name);
struct table {
  entities<token, 8> tokens;
  double nothing = 0;
};
TICKREEL_DESCRIBE(table, tokens, nothing);

struct spot {
  float x = 1;
  float y = 2;
};
TICKREEL_DESCRIBE(spot, x, y);
struct crew {
  spot captain;
};
TICKREEL_DESCRIBE(crew, captain);
struct camp {
  std::array<spot, 1> soldiers;
  spot orange;
  crew home_team;
  std::array<spot, 1> velocities;
  spot lastPosition;
  spot target;
  spot angularVelocity;
};
TICKREEL_DESCRIBE(camp, soldiers, orange, home_team, velocities, lastPosition, target, angularVelocity);

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_the_lines_of_cat_and_events) {
  auto random = seeded_random("mcap of every format");
  const scratch_folder folder;
  std::set<std::string> with_scene;
  std::set<std::string> with_events;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      files::conversion_options options;
      options.overwrite = true;
      options.codec = codec_options{.codec = random() % 2 == 0 ? codec_id::none : codec_id::zstd};
      const auto output = folder.path() / "out.mcap";
      const auto report = to_mcap(path, output, options);
      const mcap_content read = mcap_reader::read(read_file(output));
      std::vector<std::int64_t> times_ms;
      std::set<std::string> losses;
      BOOST_TEST((read.of("/tick") == ticks_of(path, losses, times_ms)));
      BOOST_TEST((read.of("/events") == events_of(path, losses)));
      BOOST_TEST(report.ticks == times_ms.size());
      std::size_t at = 0;
      std::uint64_t first_ns = 0;
      for (const mcap_message& each : read.messages) {
        BOOST_TEST(text::is_json(each.data));
        if (each.topic == "/scene") with_scene.insert(path.filename().string());
        if (each.topic == "/events") with_events.insert(path.filename().string());
        if (each.topic != "/tick") continue;
        if (at == 0) first_ns = each.time_ns - static_cast<std::uint64_t>(times_ms[0]) * 1'000'000;
        BOOST_TEST(each.time_ns - first_ns == static_cast<std::uint64_t>(times_ms[at]) * 1'000'000);
        ++at;
      }
      BOOST_TEST(std::ranges::is_sorted(read.messages, {}, &mcap_message::time_ns));
      BOOST_TEST(read.metadata.at("health") == "whole");
      BOOST_TEST(read.metadata.at("format") == open_recording(path)->format());
      for (const std::string& each : report.lost) BOOST_TEST(losses.contains(each), each);
      for (const std::string& each : losses) BOOST_TEST(std::ranges::count(report.lost, each) == 1, each);
      for (const auto& [topic, schema] : read.schemas) BOOST_TEST(text::is_json(schema), topic);
    }
  }
  for (const char* name : {"match.butter", "plain.echoreplay", "match.reel", "match.tape", "walk.rec"}) {
    BOOST_TEST(with_scene.contains(name), name);
  }
  for (const char* name : {"match.butter", "match.icrep", "sample.SC2Replay"}) {
    BOOST_TEST(with_events.contains(name), name);
  }
}

BOOST_AUTO_TEST_CASE(times_begin_at_the_recorded_start) {
  const scratch_folder folder;
  const auto path = folder.path() / "match.echoreplay";
  write_match(path);
  (void)to_mcap(path, folder.path() / "out.mcap");
  const auto first = open_recording(path);
  BOOST_REQUIRE(first->next());
  const mcap_content read = mcap_reader::read(read_file(folder.path() / "out.mcap"));
  BOOST_REQUIRE(first->echo_state() != nullptr);
  BOOST_TEST(read.messages.front().time_ns ==
             static_cast<std::uint64_t>(first->echo_state()->recorded_time_ms) * 1'000'000);
}

BOOST_AUTO_TEST_CASE(times_that_an_mcap_cannot_hold_are_reported) {
  const scratch_folder folder;
  const auto path = folder.path() / "match.echoreplay";
  auto match = short_match();
  match.start_time_ms = -10'000;
  const auto ticks = write_match(path, {}, match).ticks;
  const auto report = to_mcap(path, folder.path() / "out.mcap");
  BOOST_TEST(report.ticks == ticks);
  const std::string expected =
      " ticks have a time before 1970 or after 2116; the .mcap has the nearest time that it can hold";
  BOOST_TEST(std::ranges::any_of(report.left_out,
                                 [&](const std::string& each) { return each.ends_with(expected); }));
}

BOOST_AUTO_TEST_CASE(a_described_world_has_a_scene_without_entities_that_left) {
  const scratch_folder folder;
  const std::string path = folder / "table.reel";
  {
    auto out = record<table>(path);
    BOOST_REQUIRE(out);
    auto now = std::make_unique<table>();
    token hostile{.x = 1, .y = 2};
    hostile.name = "\"\\\n\x01<b>";
    const auto first = now->tokens.add(hostile);
    BOOST_REQUIRE(first);
    BOOST_REQUIRE(now->tokens.add({.x = 3, .y = std::numeric_limits<float>::infinity()}));
    now->nothing = std::numeric_limits<double>::quiet_NaN();
    BOOST_REQUIRE(out->push(*now));
    BOOST_REQUIRE(now->tokens.remove(*first));
    BOOST_REQUIRE(out->push(*now));
    BOOST_REQUIRE(out->close());
  }
  (void)to_mcap(path, folder.path() / "out.mcap");
  const mcap_content read = mcap_reader::read(read_file(folder.path() / "out.mcap"));
  BOOST_TEST((read.of("/tick") == ticks_of(path)));
  const auto scenes = read.of("/scene");
  BOOST_REQUIRE(scenes.size() == 2u);
  for (const std::string& each : scenes) BOOST_TEST(text::is_json(each), each);
  // The second token has no finite position.
  BOOST_TEST(scenes[0].find("\"position\":{\"x\":1,\"y\":2,\"z\":0}") != std::string::npos, scenes[0]);
  BOOST_TEST(scenes[0].find("\"text\":\"\\\"\\\\\\u000a\\u0001<b>\"") != std::string::npos, scenes[0]);
  BOOST_TEST(scenes[0].find("tokens[1]") == std::string::npos, scenes[0]);
  BOOST_TEST(scenes[1].find("\"type\":0,\"id\":\"tokens[0]\"") != std::string::npos, scenes[1]);
  BOOST_TEST(scenes[1].find("\"entities\":[]") != std::string::npos, scenes[1]);
}

BOOST_AUTO_TEST_CASE(positions_are_found_by_the_words_of_names) {
  const scratch_folder folder;
  const std::string path = folder / "camp.reel";
  {
    auto out = record<camp>(path);
    BOOST_REQUIRE(out);
    BOOST_REQUIRE(out->push(camp{}));
    BOOST_REQUIRE(out->close());
  }
  (void)to_mcap(path, folder.path() / "out.mcap");
  const auto scenes = mcap_reader::read(read_file(folder.path() / "out.mcap")).of("/scene");
  BOOST_REQUIRE(scenes.size() == 1u);
  for (const char* shown : {"soldiers[0]", "orange", "home_team.captain"}) {
    BOOST_TEST(scenes[0].find("\"id\":\"" + std::string(shown) + '"') != std::string::npos, scenes[0]);
  }
  // Velocities, and places that are not the object's own.
  for (const char* hidden : {"velocities", "lastPosition", "target", "angularVelocity"}) {
    BOOST_TEST(scenes[0].find(hidden) == std::string::npos, scenes[0]);
  }
}

BOOST_AUTO_TEST_CASE(losses_are_reported_and_stored) {
  const scratch_folder folder;
  write_match(folder.path() / "match.reel");
  const byte_vector whole = read_file(folder.path() / "match.reel");
  const auto cut = folder.path() / "cut.reel";
  write_file(cut, byte_span(whole).first(whole.size() * 2 / 3));
  const auto report = to_mcap(cut, folder.path() / "out.mcap");
  BOOST_REQUIRE(!report.lost.empty());
  const mcap_content read = mcap_reader::read(read_file(folder.path() / "out.mcap"));
  BOOST_TEST(read.metadata.at("losses").find(report.lost.front()) != std::string::npos);
  BOOST_TEST(read.metadata.at("health") != "whole");
  BOOST_TEST((read.of("/tick") == ticks_of(cut)));
}

BOOST_AUTO_TEST_CASE(only_whole_recordings_become_an_mcap) {
  const scratch_folder folder;
  write_file(folder.path() / "walk.rec", a_walk());
  const auto how = files::find_conversion(folder.path() / "walk.rec", "mcap", true);
  BOOST_REQUIRE((how && *how != nullptr));
  files::conversion_options part;
  part.range.from = files::moment::at_tick(3);
  const auto refused = (*how)->run(folder.path() / "walk.rec", folder.path() / "out.mcap", part);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::unsupported_operation));
}

#ifndef _WIN32
// An independent reader gets the same messages.
BOOST_AUTO_TEST_CASE(mcap_core_reads_the_same, *with_mcap_core) {
  const scratch_folder folder;
  const mcap_core_folder reader("read.mjs");
  files::conversion_options options;
  for (const auto& path : fixtures(folder)) {
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const auto output = folder.path() / "out.mcap";
      options.overwrite = true;
      options.attach = !options.attach;
      (void)to_mcap(path, output, options);
      const std::string printed = folder / "printed";
      const std::string command = "node '" + reader.script() + "' '" + output.string() + "' " +
                                  (options.attach ? "'" + path.string() + "'" : "") + " > '" + printed + "'";
      BOOST_REQUIRE(std::system(command.c_str()) == 0);
      std::vector<std::string> lines = lines_of(std::string(as_text(read_file(printed))));
      BOOST_REQUIRE(!lines.empty());
      lines.pop_back();
      std::vector<std::string> expected;
      for (const mcap_message& each : mcap_reader::read(read_file(output)).messages) {
        std::string& line = expected.emplace_back();
        text::json_writer json(line);
        json.begin_array().value(each.topic).value(std::to_string(each.time_ns)).value(each.data).end_array();
      }
      BOOST_TEST(lines.size() == expected.size());
      BOOST_TEST((lines == expected));
    }
  }
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
