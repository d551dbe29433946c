// The report about a match: its contents, for every recording, and texts of a recording never become markup.
#include "tickreel/viewer/report.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "fixtures.hpp"
#include "odd_name.hpp"
#include "report/match_report.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/gamecache/file.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(report_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr const char* wicked = "<img src=x onerror=boom()>&amp;'\"` \xE4\xBA\xBA\x01\xFF";

std::size_t count(const std::string& in, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
  return found;
}

// Opened in the order in which they are closed, and only elements that a report has.
void check_elements(const std::string& html) {
  static const std::vector<std::string> known = {
      "html", "head",    "meta",    "title", "style",   "body",    "main",  "h1",    "h2",     "h3",
      "p",    "div",     "span",    "b",     "small",   "table",   "thead", "tbody", "tr",     "th",
      "td",   "section", "article", "nav",   "ol",      "ul",      "li",    "a",     "figure", "figcaption",
      "svg",  "g",       "path",    "rect",  "details", "summary", "dl",    "dt",    "dd",     "bdi"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<', 10); at != std::string::npos; at = html.find('<', at + 1)) {
    const bool closes = html[at + 1] == '/';
    const std::size_t from = at + (closes ? 2 : 1);
    const std::string name = html.substr(from, html.find_first_of(" >/", from) - from);
    BOOST_REQUIRE_MESSAGE(std::find(known.begin(), known.end(), name) != known.end(),
                          "an element <" << name << ">");
    const std::size_t end = html.find('>', at);
    if (closes) {
      BOOST_REQUIRE_MESSAGE(!open.empty() && open.back() == name, "</" << name << "> at " << at);
      open.pop_back();
    } else if (html[end - 1] != '/' && name != "meta") {
      open.push_back(name);
    }
    // Attribute values are texts without quotes.
    bool quoted = false;
    for (std::size_t in = at; in < end; ++in) {
      if (html[in] == '"') quoted = !quoted;
      BOOST_REQUIRE((quoted || html.compare(in, 3, " on") != 0));
    }
  }
  BOOST_TEST(open.empty());
}

std::string page_of(const std::filesystem::path& file) {
  auto part = viewer::report_of(file);
  BOOST_REQUIRE_MESSAGE(part, file << ": " << (part ? "" : describe(part.error())));
  auto page = viewer::report_page({std::move(*part)});
  BOOST_REQUIRE(page.has_value());
  check_elements(*page);
  for (const char* wrong : {"Mnan", "Lnan", "Hnan", "Linf", "script src", "http-equiv=\"refresh", "url("}) {
    BOOST_TEST(page->find(wrong) == std::string::npos, file << " says " << wrong);
  }
  BOOST_TEST(page->size() < 2'000'000u);
  return std::move(*page);
}

// A match in which every player has such a name.
class renamed final : public files::echo_source {
 public:
  explicit renamed(const echo_vr::simulation_options& options) : from_(options) {}
  result<bool> next(echo::state& out) override {
    auto more = from_.next(out);
    if (!more || !*more) return more;
    for (std::size_t at = 0; at < out.match.player_count; ++at) {
      out.players[at].name.assign(std::to_string(at) + wicked);
    }
    out.match.map_name.assign(wicked);
    out.match.teams[0].name.assign(wicked);
    out.match.client_name.assign(wicked);
    return more;
  }
  result<void> rewind() override { return from_.rewind(); }

 private:
  echo_vr::simulated_source from_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_echo_match_gives_the_same_report_in_every_format) {
  const scratch_folder folder;
  auto options = short_match();
  options.match_seconds = 60;
  std::string first;
  for (const char* name : {"m.echoreplay", "m.butter", "m.reel"}) {
    write_match(folder / name, {}, options);
    const std::string page = page_of(folder / name);
    for (const char* part :
         {"class=\"score\"", "<h2>Players</h2>", "<h2>Possession</h2>", "Where the teams were",
          "Where each player was", "Speed of the disc", "Where the disc was", "<h2>Events</h2>"}) {
      BOOST_TEST(page.find(part) != std::string::npos, name << " lacks " << part);
    }
    BOOST_TEST(count(page, "class=\"map\"") >= 3u + 4u);  // teams and disc, players
    // Both goals of the arena in each.
    BOOST_TEST(count(page, "class=\"line goal\"") == 2 * count(page, "class=\"map\""));
    BOOST_TEST(page.find("<h1>Echo Arena</h1>") != std::string::npos);
    BOOST_TEST(page.find("The match begins") != std::string::npos);
    // Users send pages to others.
    BOOST_TEST(page.find("session ip") == std::string::npos);
    BOOST_TEST(page.find("203.0.113.77") == std::string::npos);
    // A .butter has no names of teams.
    std::string points;
    for (std::size_t at = page.find("<b>"); at < page.find("<h2>"); at = page.find("<b>", at + 1)) {
      points += page.substr(at, page.find("</b>", at) - at);
    }
    if (first.empty()) first = points;
    BOOST_TEST(points == first);
    BOOST_TEST(count(points, "<b>") == 2u);
  }
}

BOOST_AUTO_TEST_CASE(names_are_shown_as_text) {
  const scratch_folder folder;
  for (const char* name : {"m.echoreplay", "m.butter", "m.reel"}) {
    auto options = short_match();
    options.match_seconds = 30;
    renamed source(options);
    BOOST_REQUIRE(files::convert(source, folder / name));
    const std::string page = page_of(folder / name);
    BOOST_TEST(page.find("<img") == std::string::npos);
    BOOST_TEST(page.find("&lt;img src=x onerror=boom()&gt;&amp;amp;&#39;&quot;") != std::string::npos);
    const std::size_t isolated = page.find("<bdi>");
    BOOST_REQUIRE(isolated != std::string::npos);
    // After the number that distinguishes the players.
    BOOST_TEST(page.substr(isolated + 6, 16) == "&lt;img src=x on");
  }
  gamecache::contents games{.layout = gamecache::layout::flagged, .items = {}};
  gamecache::item one;
  one.fields = gamecache::field::all;
  one.path = "x.w3g";
  one.name = gamecache::from_utf8("<script>boom()</script>", gamecache::text_form::wide);
  one.stats_per_player = 5;
  gamecache::player player;
  player.name = gamecache::from_utf8("<b onclick=boom()>", gamecache::text_form::wide);
  one.players = {player, player};
  games.items.push_back(one);
  const auto bytes = gamecache::write(games);
  BOOST_REQUIRE(bytes);
  const std::string file = folder / odd_name("<b>.gamecache");
  std::ofstream(file, std::ios::binary) << as_text(*bytes);
  const std::string page = page_of(file);
  BOOST_TEST(page.find("&lt;script&gt;boom()") != std::string::npos);
  BOOST_TEST(page.find("<title>Report: " + odd_name_in_page("<b>.gamecache") + "</title>") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_shared_recording_has_one) {
  for (const char* part : {"butter", "sc2", "rec", "gamecache"}) {
    const auto folder = shared_data(part);
    if (folder.empty()) continue;
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      if (!files::detect(each.path())) continue;
      // A defect of the reference writer, which only opening detects.
      const auto known = viewer::report_of(each.path());
      if (!known && known.error().code == error_code::missing_keyframe) continue;
      const std::string page = page_of(each.path());
      BOOST_TEST(page.find("<h2>The recording</h2>") != std::string::npos);
      if (std::string_view(part) == "rec" && each.file_size() > 5000) {
        BOOST_TEST(page.find("Where: position") != std::string::npos, each.path());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(starcraft_has_its_curves_and_maps) {
  const auto folder = shared_data("sc2");
  if (folder.empty()) return;
  const std::string page = page_of(folder / "4.10.1.75800-1v1.SC2Replay");
  for (const char* part : {"Alouette", " won\"", "army value", "income", "Where units were lost",
                           "Where the camera was", "Build orders", "glhf", "spending quotient"}) {
    BOOST_TEST(page.find(part) != std::string::npos, part);
  }
  BOOST_TEST(page.find("command manager state") == std::string::npos);
  BOOST_TEST(page.find("events of the game's protocol") != std::string::npos);
  BOOST_TEST(page.find("<bdi>PXP</bdi> finishes WarpGateResearch") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(losses_are_on_the_page) {
  const scratch_folder folder;
  write_match(folder / "m.echoreplay");
  const std::string text = text_of_plain(folder, folder / "m.echoreplay");
  std::ofstream(folder / "cut.echoreplay", std::ios::binary) << text.substr(0, text.size() * 2 / 3);
  const auto part = viewer::report_of(folder / "cut.echoreplay");
  BOOST_REQUIRE(part.has_value());
  BOOST_REQUIRE(!part->losses.empty());
  BOOST_TEST(part->matches.front().html.find("Missing in this recording") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_match_in_a_list_has_its_date_result_and_length) {
  viewer::match_report match;
  match.title = "Antiga Shipyard";
  match.seconds = 751;
  BOOST_TEST(viewer::contents_line(match) == "12:31");
  match.started_ms = 1461488400000;  // 24 April 2016, 9:00
  match.score = {{"Ada", "s0", "won", true}, {"Bo", "s1", "lost", false}};
  BOOST_TEST(viewer::contents_line(match) == "24 Apr 2016, Ada beat Bo, 12:31");
  match.score = {{"blue", "blue", "4", true}, {"orange", "orange", "2", false}};
  BOOST_TEST(viewer::contents_line(match) == "24 Apr 2016, blue 4 : 2 orange, 12:31");
  match.score.clear();
  match.started_ms = -1;
  BOOST_TEST(viewer::contents_line(match) == "31 Dec 1969, 12:31");
}

BOOST_AUTO_TEST_CASE(several_matches_have_a_list_and_a_bound) {
  const scratch_folder folder;
  write_match(folder / "m.butter");
  auto one = viewer::report_of(folder / "m.butter");
  BOOST_REQUIRE(one.has_value());
  const auto page = viewer::report_page({*one, *one, *one});
  BOOST_REQUIRE(page.has_value());
  check_elements(*page);
  BOOST_TEST(count(*page, "<article") == 3u);
  BOOST_TEST(count(*page, "href=\"#match-") == 3u);
  const std::string list = page->substr(page->find("<nav"), page->find("</nav>") - page->find("<nav"));
  BOOST_TEST(count(list, one->matches.front().line) == 3u);
  const auto small = viewer::report_page({*one, *one}, {.page_bytes = 1000});
  BOOST_REQUIRE(!small.has_value());
  BOOST_TEST((small.error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_a_recording_is_an_error) {
  const scratch_folder folder;
  std::ofstream(folder / "x") << "nothing of the kind";
  BOOST_TEST(!viewer::report_of(folder / "x").has_value());
  BOOST_TEST(!viewer::report_of(folder / "none").has_value());
  write_match(folder / "m.butter");
  const auto stopped =
      viewer::report_of(folder / "m.butter", {}, {.progress = {}, .cancelled = [] { return true; }});
  BOOST_REQUIRE(!stopped.has_value());
  BOOST_TEST((stopped.error().code == error_code::interrupted));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
