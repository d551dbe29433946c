// Reports as their readers see them, and the self-contained page.
#include "fixtures.hpp"
#include "page_user.hpp"
#include "served_page.hpp"

BOOST_AUTO_TEST_SUITE(pages_tests)
BOOST_AUTO_TEST_SUITE(reports_test, *tickreel::test::with_browser)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct report_reader : page_user {
  void check_page() {
    // No script; pictures as wide as their container; nothing drawn outside of them.
    BOOST_TEST(count("script, img, link, iframe, object") == 0);
    BOOST_TEST(count("svg") > 0);
    BOOST_TEST(
        page.truth("[...document.querySelectorAll('.plot svg, .map svg')].every(svg => "
                   "svg.getBoundingClientRect().width > 100 && svg.getAttribute('aria-label'))"));
    BOOST_TEST(page.truth(
        "[...document.querySelectorAll('.plot svg, .map svg')].every(svg => { const all = svg.getBBox(), "
        "room = "
        "svg.viewBox.baseVal; return all.x >= -1 && all.y >= -1 && all.x + all.width <= room.width + 1 "
        "&& all.y + all.height <= room.height + 1 })"));
    BOOST_TEST(page.truth(
        "[...document.querySelectorAll('table')].every(table => new Set([...table.rows].map(row => "
        "row.cells.length)).size == 1)"));
    BOOST_TEST(page.truth("!/NaN|Infinity|undefined/.test(document.body.textContent)"));
    for (const int width : {360, 1280, 3840}) {
      page.resize(std::max(width, 500), 900);
      BOOST_TEST(page.truth("document.documentElement.scrollWidth <= innerWidth"), width);
    }
    page.resize(1200, 1000);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_report_of_an_echo_match, report_reader) {
  auto options = short_match();
  options.match_seconds = 60;
  write_match(folder / "m.butter", {}, options);
  make({"report", folder / "m.butter", "-o", folder / "r.html"});
  open(folder / "r.html");
  check_page();
  BOOST_TEST(count(".score .side") == 2);
  // Both teams, the disc, and all players.
  BOOST_TEST(count(".map") == 3 + count(".players thead th") - 1);
  BOOST_TEST(page.text("document.querySelector('.players thead').textContent").find("player") !=
             std::string::npos);
  // As wide as its value.
  BOOST_TEST(
      page.truth("Math.abs([...document.querySelectorAll('.share b')].reduce((sum, each) => sum + "
                 "parseFloat(each.textContent), 0) - 100) <= 2"));
  check_narrow();
}

BOOST_FIXTURE_TEST_CASE(reports_of_other_recordings, report_reader) {
  for (const auto& [part, name] :
       {std::pair("sc2", "4.10.1.75800-1v1.SC2Replay"), std::pair("rec", "truth1.rec"),
        std::pair("gamecache", "real-3.04b.gamecache.dat")}) {
    const auto shared = shared_data(part);
    if (shared.empty()) continue;
    make({"report", (shared / name).string(), "-o", folder / "r.html", "--force"});
    open(folder / "r.html");
    if (std::string_view(part) != "gamecache") check_page();
    check_narrow();
  }
}

BOOST_FIXTURE_TEST_CASE(one_file_runs_its_script_and_nothing_else, page_user) {
  const scratch_folder files;
  (void)stand_in_page(files);
  write_match(folder / "m.butter");
  make({"view", folder / "m.butter", "--html", folder / "one.html", "--page", files.path().string()});
  open(folder / "one.html");
  // The script was allowed by its hash, found the recording, and the style is applied.
  BOOST_TEST(page.text("document.title").starts_with("shown </script><!-- "));
  BOOST_TEST(page.number("document.title.length") > 1000);
  BOOST_TEST(page.text("getComputedStyle(document.body).color") == "rgb(0, 128, 128)");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
