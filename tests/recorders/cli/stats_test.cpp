// tickreel stats as scripts use it: rows, totals, losses, and text that has a meaning in other programs.
#include <simdjson.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "statistics_rows.hpp"
#include "tickreel/files/statistics.hpp"

BOOST_AUTO_TEST_SUITE(cli_stats_tests)
BOOST_AUTO_TEST_SUITE(stats_test)

namespace {

using namespace tickreel::test;
namespace dom = simdjson::dom;
namespace files = tickreel::files;

double number_of(const std::string& text) {
  return text.empty() ? 0 : std::stod(text);
}

// A match in which the first player is called `name`.
void write_named(const std::string& path, std::string_view name) {
  tickreel::echo_vr::simulated_source source(short_match());
  class renamed final : public files::echo_source {
   public:
    renamed(files::echo_source& from, std::string_view name) : from_(&from), name_(name) {}
    tickreel::result<bool> next(tickreel::echo::state& out) override {
      auto more = from_->next(out);
      if (more && *more && out.match.player_count != 0) out.players[0].name.assign(name_);
      return more;
    }
    tickreel::result<void> rewind() override { return from_->rewind(); }

   private:
    files::echo_source* from_;
    std::string_view name_;
  } source_with_name(source, name);
  BOOST_REQUIRE(files::convert(source_with_name, path));
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_formats_of_a_match_give_the_same_rows) {
  const scratch_folder folder;
  std::vector<std::map<std::string, std::string>> first;
  for (const char* name : {"m.echoreplay", "m.reel", "m.butter"}) {
    const std::string path = folder / name;
    write_match(path, {}, match_of(3));
    const outcome printed = run({"stats", "--csv", path});
    BOOST_TEST(printed.code == 0);
    BOOST_TEST(printed.err == "");
    const auto rows = named_rows(printed.out);
    BOOST_TEST(rows.size() >= 4u);
    if (first.empty()) first = rows;
    BOOST_REQUIRE(rows.size() == first.size());
    for (std::size_t at = 0; at < rows.size(); ++at) {
      for (const char* key : {"player", "team", "points", "goals", "saves", "stuns", "map", "result"}) {
        BOOST_TEST(rows[at].at(key) == first[at].at(key), name << ' ' << key);
      }
      BOOST_TEST(std::abs(number_of(rows[at].at("distance_m")) - number_of(first[at].at("distance_m"))) <
                 0.02 * number_of(first[at].at("distance_m")) + 1);
      double typed = 0;
      for (const auto& [key, value] : rows[at]) {
        if (key.starts_with("goals_") && key != "goals_self") typed += number_of(value);
      }
      BOOST_TEST(typed == number_of(rows[at].at("goals")));
    }
  }
}

BOOST_AUTO_TEST_CASE(totals_add_up_the_rows) {
  const scratch_folder folder;
  std::vector<std::string> words = {"stats", "--csv"};
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    const std::string path = folder / (std::to_string(seed) + ".butter");
    write_match(path, {}, match_of(seed));
    words.push_back(path);
  }
  const auto rows = named_rows(run(words).out);
  words.push_back("--sums");
  const auto sums = named_rows(run(words).out);
  std::map<std::string, double> by_name;
  double highest = 0, total = 0;
  for (const auto& row : rows) total += number_of(row.at("stuns"));
  for (const auto& row : rows) highest = std::max(highest, number_of(row.at("top_speed_mps")));
  double sum = 0, top = 0, games = 0;
  for (const auto& row : sums) {
    sum += number_of(row.at("stuns"));
    games += number_of(row.at("games"));
    top = std::max(top, number_of(row.at("top_speed_mps")));
    // Distance over time is the average of all games.
    BOOST_TEST(std::abs(number_of(row.at("speed_mps")) * number_of(row.at("time_s")) -
                        number_of(row.at("distance_m"))) < 1);
  }
  BOOST_TEST(sum == total);
  BOOST_TEST(top == highest);
  BOOST_TEST(games == static_cast<double>(rows.size()));
}

BOOST_AUTO_TEST_CASE(folders_are_scanned_and_a_bad_file_does_not_stop_the_run) {
  const scratch_folder folder;
  write_match(folder / "a.butter", {}, match_of(3));
  write_match(folder / "z.echoreplay", {}, match_of(4));
  write_file(std::filesystem::path(folder / "notes.txt"), std::string_view("not a recording"));
  const outcome all = run({"stats", "--csv", folder.path().string()});
  BOOST_TEST(all.code == 0);
  BOOST_TEST(all.says("1 file in a folder was skipped"));
  const auto good = named_rows(all.out).size();
  BOOST_TEST(good >= 8u);
  const outcome named =
      run({"stats", "--csv", folder / "notes.txt", folder / "a.butter", folder / "z.echoreplay"});
  BOOST_TEST(named.code == 1);
  BOOST_TEST(named.says("notes.txt"));
  BOOST_TEST(named_rows(named.out).size() == good);
}

BOOST_AUTO_TEST_CASE(a_match_counts_once_and_clips_never) {
  const scratch_folder folder;
  const std::string season = folder / "season";
  std::filesystem::create_directory(season);
  write_match(season + "/a.butter", {}, match_of(3));
  const outcome alone = run({"stats", season, "--csv", "--sums"});
  BOOST_TEST(alone.err == "");
  // The same match again, a shorter recording of it, clips with a mark, and one with a name only.
  write_match(season + "/b.echoreplay", {}, match_of(3));
  BOOST_REQUIRE(run({"convert", season + "/a.butter", season + "/0.butter", "--to", "10s"}).code == 0);
  BOOST_REQUIRE(run({"clip", season + "/a.butter", "--to", "10s", "-o", season + "/0.reel"}).code == 0);
  BOOST_REQUIRE(run({"clip", season + "/a.butter", "--to", "10s", "-o", season + "/0.echoreplay"}).code == 0);
  BOOST_REQUIRE(run({"clip", season + "/a.butter", "--to", "10s", "-o", season + "/a_goal-2.butter"}).code ==
                0);
  const outcome all = run({"stats", season, "--csv", "--sums"});
  BOOST_TEST(all.code == 0, all.err);
  BOOST_TEST(all.out == alone.out);
  for (const char* clip : {"0.reel", "0.echoreplay", "a_goal-2.butter"}) {
    BOOST_TEST(all.says(std::string(clip) + ": not counted: a clip of a match"), all.err);
  }
  const std::string first = (std::filesystem::path(season) / "a.butter").string();
  BOOST_TEST(all.says("b.echoreplay: not counted: " + first + " contains the same match"), all.err);
  BOOST_TEST(all.says("0.butter: not counted: " + first + " contains the same match"), all.err);
  // The rows, and every other style.
  BOOST_TEST(named_rows(run({"stats", season, "--csv"}).out).size() == named_rows(alone.out).size());
  const outcome json = run({"stats", season, "--json"});
  std::size_t left_out = 0;
  for (std::size_t at = 0; (at = json.out.find("not counted: ", at)) != std::string::npos; ++at) ++left_out;
  BOOST_TEST(left_out == 5u);
  BOOST_TEST(json.out.find("\"match\":2") == std::string::npos);
  BOOST_TEST(run({"stats", season, "--html"}).out.find("<h2>Not counted</h2>") != std::string::npos);
  // A clip counts only if there is no full recording.
  const outcome clip = run({"stats", season + "/0.reel", "--csv"});
  BOOST_TEST(named_rows(clip.out).empty());
  BOOST_TEST(clip.code == 3);
  BOOST_TEST(clip.says("no match is counted"), clip.err);
  BOOST_TEST(clip.says("a clip of a match"));
  // The library has the same rule.
  const std::string index = folder / "index.sqlite";
  BOOST_REQUIRE(run({"library", "scan", season, "--db", index}).code == 0);
  const outcome counted = run({"library", "stats", "--db", index, "--json"});
  BOOST_TEST(counted.out.find("\"games\":1,\"files\":6") != std::string::npos, counted.out);
  const std::string page = folder / "page.html";
  const std::string charts = folder / "charts.svg";
  write_file(charts, tickreel::as_bytes("mine"));
  check_run({"library", "stats", "--db", index, "--html", page, "--svg", charts}, 1,
            {"charts.svg: the file exists already"});
  BOOST_TEST(!std::filesystem::exists(page));
  BOOST_TEST(run({"library", "stats", "--db", index, "--html", page}).out == page + "\n");
  const outcome full = run({"library", "stats", "--db", index, "--full", "--csv"});
  BOOST_TEST(full.out == alone.out, full.err);
}

BOOST_AUTO_TEST_CASE(values_that_depend_on_lost_ticks_are_marked_and_reported) {
  const scratch_folder folder;
  const std::string whole = folder / "m.echoreplay", cut = folder / "cut.reel";
  write_match(folder / "m.reel", {.keyframe_interval_ticks = 30}, match_of(3));
  const auto bytes = read_file(std::filesystem::path(folder / "m.reel"));
  write_file(std::filesystem::path(cut), tickreel::byte_span(bytes).first(bytes.size() * 2 / 3));
  const outcome printed = run({"stats", "--csv", cut});
  BOOST_TEST(printed.code == 3);
  BOOST_TEST(printed.says("cut.reel"));
  for (const auto& row : named_rows(printed.out)) {
    BOOST_TEST(row.at("uncertain").find("points") != std::string::npos);
    BOOST_TEST(row.at("uncertain").find("distance_m") != std::string::npos);
  }
  BOOST_TEST(run({"stats", cut}).out.find('?') != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_become_neither_formulas_nor_markup) {
  const scratch_folder folder;
  const std::string path = folder / "m.echoreplay";
  for (const char* name : {"=1+1", "+cmd", "-2+3", "@SUM(A1)", "=a,\"b\""}) {
    write_named(path, name);
    const outcome printed = run({"stats", "--csv", path});
    const auto rows = named_rows(printed.out);
    BOOST_TEST(std::ranges::any_of(
                   rows, [&](const auto& row) { return row.at("player") == std::string("'") + name; }),
               name);
    std::filesystem::remove(path);
  }
  write_named(path, "<img src=x onerror=alert(1)>");
  const outcome page = run({"stats", "--html", path});
  BOOST_TEST(page.code == 0);
  BOOST_TEST(page.out.find("<img") == std::string::npos);
  BOOST_TEST(page.out.find("&lt;img src=x onerror=alert(1)&gt;") != std::string::npos);
  BOOST_TEST(page.out.find("<script") == std::string::npos);
  BOOST_TEST(page.out.ends_with("</main></body></html>\n"));
  // A name after --html is not an output.
  const outcome named = run({"stats", path, "--html", path + ".html"});
  BOOST_TEST(named.code == 2);
  BOOST_TEST(named.out == "");
  BOOST_TEST(named.says("standard output"), named.err);
}

BOOST_AUTO_TEST_CASE(json_is_one_document) {
  const scratch_folder folder;
  write_match(folder / "a.butter", {}, match_of(3));
  write_match(folder / "b.butter", {}, match_of(4));
  const outcome printed = run({"stats", "--json", folder / "a.butter", folder / "b.butter"});
  dom::parser parser;
  dom::object document;
  BOOST_REQUIRE(parser.parse(printed.out).get(document) == simdjson::SUCCESS);
  BOOST_TEST(document["matches"].get_array().size() == 2u);
  std::int64_t games = 0, rows = 0;
  for (const dom::element match : document["matches"].get_array()) {
    rows += static_cast<std::int64_t>(match["players"].get_array().size());
  }
  for (const dom::element each : document["by_player"].get_array()) games += each["games"].get_int64();
  BOOST_TEST(games == rows);
  BOOST_TEST(std::int64_t(document["all"]["games"]) == rows);
}

BOOST_AUTO_TEST_CASE(a_format_without_players_is_a_clear_error) {
  const scratch_folder folder;
  BOOST_TEST(run({"stats", folder.path().string()}).code == 1);
  BOOST_TEST(run({"stats"}).code == 2);
  BOOST_TEST(run({"stats", "--csv", "--json", "x"}).code == 2);
  if (shared_data("rec").empty()) return;
  check_run({"stats", (shared_data("rec") / "truth1.rec").string()}, 1, {"no player statistics"});
}

// Checked by hand: the cache's own JSON, and the replay as sc2reader reads it.
BOOST_AUTO_TEST_CASE(shared_recordings_have_hand_checked_values) {
  if (shared_data("sc2").empty() || shared_data("gamecache").empty()) return;
  const outcome replay =
      run({"stats", "--csv", (shared_data("sc2") / "4.10.1.75800-1v1.SC2Replay").string()});
  BOOST_TEST(replay.code == 0);
  const auto rows = named_rows(replay.out);
  BOOST_REQUIRE(rows.size() == 2u);
  BOOST_TEST(rows[0].at("player") == "Alouette");
  BOOST_TEST(rows[0].at("actions") == "240");
  BOOST_TEST(rows[0].at("top_workers") == "36");
  BOOST_TEST(rows[0].at("minerals_lost") == "6725");
  BOOST_TEST(rows[1].at("upgrades") == "2");
  BOOST_TEST(rows[1].at("unspent") == "268.379");
  const outcome json = run({"stats", "--json", (shared_data("sc2") / "4.10.1.75800-1v1.SC2Replay").string()});
  BOOST_TEST(json.out.find("\"build_order\":[{\"time_ms\":") != std::string::npos);
  BOOST_TEST(json.out.find("\"kind\":\"researched\",\"name\":\"WarpGateResearch\"") != std::string::npos);
}

// A Protoss mirror hatches nothing, so the copy without names counts the same units.
BOOST_AUTO_TEST_CASE(a_converted_replay_gives_the_same_rows) {
  if (shared_data("sc2").empty()) return;
  const scratch_folder folder;
  const std::string replay = (shared_data("sc2") / "4.10.1.75800-1v1.SC2Replay").string();
  if (run({"convert", replay, folder / "x.icrep"}).code == 1)
    return;  // built without the libraries of .icrep
  const auto of_replay = named_rows(run({"stats", "--csv", replay}).out);
  const auto of_copy = named_rows(run({"stats", "--csv", folder / "x.icrep"}).out);
  BOOST_REQUIRE(of_copy.size() == of_replay.size());
  for (std::size_t at = 0; at < of_copy.size(); ++at) {
    for (const char* key :
         {"player", "result", "units_created", "units_lost", "units_killed", "upgrades", "top_army_value"}) {
      BOOST_TEST(of_copy[at].at(key) == of_replay[at].at(key), key);
    }
  }
}

// As the cache's expected.json has its players.
BOOST_AUTO_TEST_CASE(a_cache_has_one_row_per_player_and_game) {
  if (shared_data("gamecache").empty()) return;
  const outcome printed =
      run({"stats", "--csv", (shared_data("gamecache") / "v209-all-flags.gamecache").string()});
  BOOST_TEST(printed.code == 0);
  const auto rows = named_rows(printed.out);
  BOOST_REQUIRE(rows.size() == 10u);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    BOOST_TEST(rows[at].at("kills") == std::to_string(3 * at));
    BOOST_TEST(rows[at].at("deaths") == std::to_string(10 - at));
    BOOST_TEST(rows[at].at("apm") == std::to_string(120 + at));
    BOOST_TEST(rows[at].at("result") == (at % 2 == 0 ? "won" : "lost"));
    BOOST_TEST(rows[at].at("points") == "");
  }
}

BOOST_AUTO_TEST_CASE(the_library_counts_the_longest_recording_of_a_match_once) {
  const scratch_folder folder, index;
  write_match(folder / "a.butter", {}, match_of(3));
  auto shorter = match_of(3);
  shorter.match_seconds = 20;
  write_match(folder / "b.echoreplay", {}, shorter);
  const std::string db = index / "i.db";
  BOOST_TEST(run({"library", "scan", folder.path().string(), "--db", db}).code == 0);
  const outcome full = run({"library", "stats", "--full", "--csv", "--db", db});
  BOOST_TEST(full.code == 0);
  BOOST_TEST(full.out == run({"stats", "--csv", "--sums", folder / "a.butter"}).out);
}

BOOST_AUTO_TEST_CASE(damage_is_reported_with_its_position) {
  const auto folder = shared_data("butter");
  if (folder.empty()) return;
  check_run({"stats", (folder / "arena-bones-join.none.butter").string()}, 3,
            {"1 damaged place was skipped", "chunk 0, byte 5067: more players with bones than before"});
}

BOOST_AUTO_TEST_CASE(every_column_is_documented) {
  const std::string text = text_of_file(TICKREEL_STATISTICS_PAGE);
  for (std::size_t at = 0; at < files::statistic_count; ++at) {
    const std::string name(files::column_of(static_cast<files::statistic>(at)).name);
    BOOST_TEST(text.find("`" + name + "`") != std::string::npos, name << " is missing in docs/statistics.md");
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
