// The output of info, cat, seek and verify, as scripts use it.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "json_object.hpp"
#include "lines.hpp"
#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(read_verbs_test)

using namespace match_recordings;

BOOST_FIXTURE_TEST_CASE(info_is_one_stable_document, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const outcome said = run({"info", path, "--json"});
      BOOST_TEST(said.code == 0);
      BOOST_TEST(said.err == "");
      dom::parser parser;
      const dom::object info = parse(parser, said.out);
      BOOST_TEST(std::string_view(info["format"]) == path.substr(path.rfind('.') + 1));
      BOOST_TEST(std::uint64_t(info["format_version"]) >= 1u);
      BOOST_TEST(std::uint64_t(info["bytes"]) == std::filesystem::file_size(path));
      BOOST_TEST(std::uint64_t(info["ticks"]) == ticks);
      BOOST_TEST(std::uint64_t(info["keyframes"]) >= 1u);
      BOOST_TEST(std::int64_t(info["duration_ms"]) > 10'000);
      BOOST_TEST(std::string_view(info["health"]) == "whole");
      std::size_t players = 0;
      for (const dom::element player : dom::array(info["players"])) {
        BOOST_TEST(!std::string_view(player["name"]).empty());
        BOOST_TEST(!std::string_view(player["team"]).empty());
        ++players;
      }
      BOOST_TEST(players >= 4u);
      std::set<std::string_view> keys;
      for (const auto field : info) BOOST_TEST(keys.insert(field.key).second, "twice: " << field.key);
      BOOST_TEST(run({"info", path}).out.find("health") != std::string::npos);
    }
  }
  const outcome several = run({"info", "--json", butter, reel});
  BOOST_TEST(lines_of(several.out).size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(cat_prints_one_object_per_line, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const outcome said = run({"cat", path});
      BOOST_TEST(said.code == 0);
      BOOST_TEST(said.err == "");
      const std::vector<std::string> lines = lines_of(said.out);
      BOOST_REQUIRE(lines.size() == ticks);
      dom::parser parser;
      std::int64_t last_time = -1;
      for (std::size_t tick = 0; tick < ticks; ++tick) {
        const dom::object line = parse(parser, lines[tick]);
        BOOST_TEST(std::uint64_t(line["tick"]) == tick);
        BOOST_TEST(std::int64_t(line["time_ms"]) > last_time);
        last_time = line["time_ms"];
        BOOST_TEST(std::string_view(line["recorded_time"]).size() == 23u);
        BOOST_TEST(line["session"]["teams"].is_array());
      }
      const std::string one = run({"seek", path, "--tick", "100"}).out;
      BOOST_TEST(one == lines[100] + "\n");
      BOOST_TEST(run({"seek", path, "--time", "2"}).out == lines[60] + "\n");
      BOOST_TEST(run({"cat", path, "--from", "100", "--to", "100"}).out == one);
      BOOST_TEST(lines_of(run({"cat", path, "--from", "100", "--to", "119"}).out).size() == 20u);
      BOOST_TEST(lines_of(run({"cat", path, "--from", "1s", "--to", "2s"}).out).size() == 31u);
      BOOST_TEST(run({"cat", path, "--from", "100000"}).code == 1);
      BOOST_TEST(run({"cat", path, "--from", "soon"}).code == 2);
      BOOST_TEST(run({"seek", path, "--tick", "100000"}).code == 1);
      BOOST_TEST(run({"seek", path}).code == 2);
      BOOST_TEST(run({"seek", path, "--tick", "1", "--time", "1"}).code == 2);
      BOOST_TEST(run({"seek", path, "--clock", "soon"}).code == 2);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_clock_selects_the_same_tick_in_every_format, recordings) {
  std::set<std::string> times;
  for (const std::string& path : all()) {
    const outcome all_ticks_of = run({"cat", path});
    dom::parser parser;
    const dom::object first = parse(parser, lines_of(all_ticks_of.out).front());
    const double clock = first["session"]["game_clock"];
    const outcome found = run({"seek", path, "--clock", std::to_string(clock - 1.5)});
    BOOST_TEST(found.code == 0);
    times.insert(found.out.substr(0, found.out.find("\"session\"")));
  }
  BOOST_TEST(times.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(verify_reports_in_json_and_by_exit_code, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      dom::parser parser;
      const outcome sound = run({"verify", path, "--json"});
      BOOST_TEST(sound.code == 0);
      BOOST_TEST(bool(parse(parser, sound.out)["ok"]));
      const outcome cut_off = run({"verify", "--json", cut(path, 0.7, "cut")});
      const dom::object document = parse(parser, cut_off.out);
      const bool is_reel = path == reel;
      // A reel that just stops may still be growing: a torn record is an error, a missing end is not.
      if (!is_reel) BOOST_TEST(cut_off.code == 1);
      BOOST_TEST(bool(document["ok"]) == (cut_off.code == 0));
      std::size_t findings = 0;
      for (const dom::element each : dom::array(document["findings"])) {
        const std::string_view severity = each["severity"];
        BOOST_TEST((severity == "note" || severity == "warning" || severity == "error"));
        BOOST_TEST((each["offset"].is_uint64() || each["offset"].is_null()));
        BOOST_TEST(!std::string_view(each["message"]).empty());
        ++findings;
      }
      BOOST_TEST(findings > 0u);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(the_content_decides_the_format_and_not_the_name, recordings) {
  const std::string disguised = folder / "x.echoreplay";
  std::filesystem::copy_file(butter, disguised);
  dom::parser parser;
  BOOST_TEST(std::string_view(parse(parser, run({"info", "--json", disguised}).out)["format"]) == "butter");
  BOOST_TEST(run({"cat", disguised}).out == run({"cat", butter}).out);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
