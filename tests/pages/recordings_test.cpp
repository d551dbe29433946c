// The page of recordings, and its picture.
#include <algorithm>
#include <cmath>

#include "page_user.hpp"
#include "random.hpp"
#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/samp_rec/reader.hpp"

BOOST_AUTO_TEST_SUITE(pages_tests)
BOOST_AUTO_TEST_SUITE(recordings_test, *tickreel::test::with_browser)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The position of a recording's player at `time_s` after its first block.
struct place {
  double x = 0;
  double y = 0;
  double z = 0;
  double heading_deg = 0;
};

class recorded_track {
 public:
  explicit recorded_track(const std::string& file) {
    const auto read = samp_rec::read_recording(read_file(file));
    BOOST_REQUIRE(read);
    const auto take = [&](const auto& blocks) {
      for (const auto& each : blocks) {
        times_.push_back((each.time_ms - blocks.front().time_ms) / 1000.0);
        places_.push_back({each.position_m.x, each.position_m.y, each.position_m.z,
                           samp_rec::heading_degrees(each.rotation)});
      }
    };
    take(read->vehicle);
    take(read->on_foot);
  }
  [[nodiscard]] double last_s() const { return times_.back(); }
  [[nodiscard]] place at(double time_s) const {
    const auto after = std::upper_bound(times_.begin(), times_.end(), time_s);
    if (after == times_.end()) return places_.back();
    const auto i = static_cast<std::size_t>(after - times_.begin());
    const place& from = places_[i - 1];
    const place& to = places_[i];
    const double share = (time_s - times_[i - 1]) / (times_[i] - times_[i - 1]);
    const auto between = [&](double a, double b) { return a + (b - a) * share; };
    return {between(from.x, to.x), between(from.y, to.y), between(from.z, to.z),
            from.heading_deg + samp_rec::turn_degrees(from.heading_deg, to.heading_deg) * share};
  }

 private:
  std::vector<double> times_;
  std::vector<place> places_;
};

// The convoy of the examples: a guard on foot and three vehicles.
struct convoy_page : page_user {
  std::vector<std::string> names = {"gatekeeper", "lead", "rear", "truck"};
  std::vector<recorded_track> tracks;
  double last_s = 0;

  convoy_page() {
    make({"npc", "build", TICKREEL_SOURCE "/examples/npc/convoy.lua", "-o", folder / "recordings"});
    make({"npc", "plot", folder / "recordings", "--html", folder / "convoy.html"});
    for (const std::string& name : names) {
      tracks.emplace_back(folder / ("recordings/" + name + ".rec"));
      last_s = std::max(last_s, tracks.back().last_s());
    }
    open(folder / "convoy.html");
    BOOST_REQUIRE(count(".actor") == 4);
  }

  double time() { return page.number("+document.getElementById('time').value"); }
  bool plays() { return page.text("document.getElementById('play').textContent") == "Pause"; }
  void focus(const std::string& id) { page.ask("document.getElementById('" + id + "').focus()"); }
  // With the keys only: to the start, then in steps.
  void go_to(int tens, int seconds, int tenths) {
    focus("time");
    page.press({key::home});
    for (int i = 0; i < tens; ++i) page.press({key::page_up});
    for (int i = 0; i < seconds; ++i) page.press({key::right});
    for (int i = 0; i < tenths; ++i) page.press({key::right}, key::shift);
    BOOST_TEST(std::abs(time() - (10 * tens + seconds + 0.1 * tenths)) < 0.002);
  }

  // The line through the numbers beside the map: an axis, read as users read it.
  struct axis {
    double zero = 0;
    double scale = 0;
    [[nodiscard]] double value(double at) const { return (at - zero) / scale; }
  };
  axis axis_of(const std::string& labels, const std::string& coordinate) {
    const auto ends =
        page.ask("(all => [all[0], all[all.length - 1]].map(one => [+one.textContent, +one.getAttribute('" +
                 coordinate + "')]))(document.querySelectorAll('" + labels + "'))");
    const auto of = [&](std::size_t which, std::size_t what) {
      return ends.at(which).at(what).get_double().value();
    };
    axis found;
    found.scale = (of(1, 1) - of(0, 1)) / (of(1, 0) - of(0, 0));
    found.zero = of(0, 1) - found.scale * of(0, 0);
    return found;
  }

  // Arrows, pointer and table show the recorded values for the time on the slider.
  void check_places() {
    const double now = time();
    const axis east = axis_of(".east", "x");
    axis north = axis_of(".north", "y");
    north.zero -= 4;  // numbers are placed four below their lines
    // A tenth of a pixel in metres, and positions are interpolated over a tenth of a second.
    const double drawn_m = 0.15 / east.scale + 0.02;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const place want = tracks[i].at(now);
      const auto shown = page.ask(
          "(i => { const mark = document.querySelectorAll('.actor')[i], at = "
          "mark.transform.baseVal.getItem(0).matrix,"
          "arrow = mark.querySelector('path').transform.baseVal.getItem(0),"
          "cells = [...document.querySelectorAll('#now tr')[i].cells].map(cell => cell.textContent);"
          "return [at.e, at.f, arrow.angle, cells[0], +cells[1], +cells[2], +cells[3], parseFloat(cells[4])] "
          "})(" +
          std::to_string(i) + ")");
      const auto number = [&](std::size_t at) { return shown.at(at).get_double().value(); };
      BOOST_TEST_CONTEXT(names[i] << " at " << now << " s") {
        BOOST_TEST(std::string_view(shown.at(3)) == names[i]);
        BOOST_TEST(std::abs(east.value(number(0)) - want.x) < drawn_m);
        BOOST_TEST(std::abs(north.value(number(1)) - want.y) < drawn_m);
        BOOST_TEST(std::abs(samp_rec::turn_degrees(-number(2), want.heading_deg)) < 1);
        BOOST_TEST(std::abs(number(4) - want.x) < 0.02);
        BOOST_TEST(std::abs(number(5) - want.y) < 0.02);
        BOOST_TEST(std::abs(number(6) - want.z) < 0.02);
        BOOST_TEST(std::abs(samp_rec::turn_degrees(number(7), want.heading_deg)) < 1.5);
      }
    }
    const double hand = page.number("document.querySelector('path.now').getBBox().x");
    const auto frame = page.ask("(at => [at.x, at.width])(document.querySelector('.frame').getBBox())");
    const double from = frame.at(0).get_double();
    const double width = frame.at(1).get_double();
    BOOST_TEST(std::abs((hand - from) / width - now / last_s) < 0.001);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_slider_shows_all_positions, convoy_page) {
  BOOST_TEST(count("main > svg") == 1);
  BOOST_TEST(count(".graph") == 2 * 4);  // speed and height
  BOOST_TEST(count(".way") >= 4);
  BOOST_TEST(count("#now tr") == 4);
  BOOST_TEST(std::abs(page.number("+document.getElementById('time').max") - last_s) < 0.002);
  BOOST_TEST(page.text("document.title") == "gatekeeper, lead, rear, truck");
  check_places();

  auto random = seeded_random("moments");
  for (int round = 0; round < 4; ++round) {
    go_to(static_cast<int>(random() % 6), static_cast<int>(random() % 5), static_cast<int>(random() % 4));
    check_places();
  }
  page.press({key::end});
  BOOST_TEST(std::abs(time() - last_s) < 0.002);
  check_places();
  // The first recording ends earlier than the others: its marker stays at its last position.
  BOOST_TEST(page.text("document.querySelectorAll('#now tr')[0].className") == "over");
  BOOST_TEST(page.text("document.getElementById('clock').textContent") == "1:05.3 of 1:05.3");
}

BOOST_FIXTURE_TEST_CASE(the_slider_is_dragged, convoy_page) {
  const screen_point middle = page.middle_of("#time");
  const auto sides =
      page.ask("(at => [at.left, at.right])(document.getElementById('time').getBoundingClientRect())");
  const double left = sides.at(0).get_double();
  const double right = sides.at(1).get_double();
  page.drag({left + 9, middle.y}, {std::round(left + (right - left) * 0.7), middle.y});
  BOOST_TEST(std::abs(time() / last_s - 0.7) < 0.02);
  check_places();
  page.drag({std::round(left + (right - left) * 0.7), middle.y},
            {std::round(left + (right - left) * 0.3), middle.y});
  BOOST_TEST(std::abs(time() / last_s - 0.3) < 0.02);
  check_places();
}

BOOST_FIXTURE_TEST_CASE(the_graphs_are_dragged, convoy_page) {
  for (const int graph : {1, 2}) {
    const auto frame = page.ask(
        "(one => { one.scrollIntoView({block: 'center'}); const at = one.getBoundingClientRect();"
        "return [at.left, at.right, at.top, at.bottom] })(document.querySelectorAll('.frame')[" +
        std::to_string(graph) + "])");
    const auto side = [&](std::size_t at) { return frame.at(at).get_double().value(); };
    const double left = side(0);
    const double width = side(1) - left;
    const double y = std::round((side(2) + side(3)) / 2);
    page.drag({std::round(left + width * 0.2), y}, {std::round(left + width * 0.25 * graph), y});
    BOOST_TEST(std::abs(time() / last_s - 0.25 * graph) < 0.005);
    check_places();
  }
  // In other programs it is a static picture.
  const double before = time();
  page.click(".frame");
  BOOST_TEST(time() == before);
}

BOOST_FIXTURE_TEST_CASE(playback_continues_and_stops, convoy_page) {
  BOOST_TEST(!plays());
  page.click("#play");
  BOOST_TEST(plays());
  page.wait_until("+time.value > 0.3");
  page.wait_until("+time.value > 0.6");
  page.click("#play");
  BOOST_TEST(!plays());
  const double stopped = time();
  check_places();
  // Ten frames later it has not moved.
  page.ask(
      "void (window.frames_seen = 0, (function count() { if (++frames_seen < 10) "
      "requestAnimationFrame(count) })())");
  page.wait_until("frames_seen >= 10");
  BOOST_TEST(time() == stopped);

  // At its end it stops by itself, and restarts on request.
  focus("time");
  page.press({key::end, key::left});
  page.click("#play");
  page.wait_until("play.textContent == 'Play'");
  BOOST_TEST(std::abs(time() - last_s) < 0.002);
  page.click("#play");
  page.wait_until("+time.value > 0 && +time.value < time.max / 2");
  BOOST_TEST(plays());
  page.click("#play");

  // Or repeats.
  page.click("#again");
  page.press({key::end, key::left});
  focus("time");
  page.press({key::end, key::left});
  page.click("#play");
  page.wait_until("+time.value < time.max / 2");
  BOOST_TEST(plays());
}

BOOST_FIXTURE_TEST_CASE(everything_works_with_keys, convoy_page) {
  // The table comes first: keys scroll it where it is wider than the window.
  page.press({key::tab});
  BOOST_TEST(page.text("document.activeElement.className") == "list");
  for (const char* id : {"play", "rate", "again", "time"}) {
    page.press({key::tab});
    BOOST_TEST(page.text("document.activeElement.id") == id);
    BOOST_TEST(page.text("getComputedStyle(document.activeElement).outlineStyle") != "none", id);
  }
  page.press({key::tab}, key::shift);
  page.press({key::space});
  BOOST_TEST(page.truth("again.checked"));
  page.press({key::tab}, key::shift);
  page.press({key::down});
  BOOST_TEST(page.text("rate.value") == "2");
  page.press({key::tab}, key::shift);
  page.press({key::enter});
  BOOST_TEST(plays());
  page.press({key::space});
  BOOST_TEST(!plays());
  // The space bar also starts playback from the slider.
  focus("time");
  page.press({key::space});
  BOOST_TEST(plays());
  page.press({key::space});
  BOOST_TEST(!plays());
  // The drawn values are also available as text.
  page.press({key::home, key::right});
  BOOST_TEST(page.text("time.getAttribute('aria-valuetext')") == "0:01.0 of 1:05.3");
  for (const char* each : {"#play", "#rate", "#again", "#time"}) {
    BOOST_TEST(
        page.truth(std::string("(one => one.textContent || one.labels.length || one.ariaLabel)(document."
                               "querySelector('") +
                   each + "'))"),
        each);
  }
  check_narrow();
  BOOST_TEST(page.truth("(at => at.bottom <= innerHeight && at.width > 100)(time.getBoundingClientRect())"));
}

BOOST_FIXTURE_TEST_CASE(names_are_shown_as_text, page_user) {
  make({"npc", "build", TICKREEL_SOURCE "/examples/npc/helicopter.lua", "-o", folder.path().string()});
  const std::string wicked = folder / (std::string(wicked_name) + ".rec");
  std::filesystem::rename(folder / "maverick.rec", wicked);
  make({"npc", "plot", wicked, wicked, "--html", folder / "page.html", "-o", folder / "picture.svg"});
  open(folder / "page.html");
  BOOST_TEST(page.text("document.title") == std::string(wicked_name) + " and 1 more");
  BOOST_TEST(count("img") == 0);
  BOOST_TEST(count("#now tr") == 2);
  BOOST_TEST(page.text("document.querySelector('#now td').textContent") == wicked_name);
  BOOST_TEST(page.text("document.querySelector('main > svg .name').textContent") == wicked_name);
  // The picture alone is a separate document, which must be valid XML.
  open(folder / "picture.svg");
  BOOST_TEST(page.text("document.documentElement.tagName") == "svg");
  BOOST_TEST(count("parsererror, img") == 0);
  BOOST_TEST(count(".graph") == 2 * 2);
  BOOST_TEST(page.text("document.querySelector('.name').textContent") == wicked_name);
}

BOOST_FIXTURE_TEST_CASE(recordings_without_movement_are_shown, page_user) {
  make({"npc", "build", TICKREEL_SOURCE "/examples/npc/taxi.lua", "-o", folder.path().string()});
  const byte_vector whole = read_file(folder / "taxi.rec");
  const auto shorten = [&](std::size_t bytes, const char* name) {
    std::ofstream(folder / name, std::ios::binary) << as_text(byte_span(whole).first(bytes));
    return folder / name;
  };
  const std::string nothing = shorten(8, "nothing.rec");
  const std::string one_block = shorten(8 + 67, "one.rec");
  make({"npc", "plot", nothing, one_block, "--html", folder / "page.html"});
  open(folder / "page.html");
  BOOST_TEST(count(".actor") == 1);
  BOOST_TEST(count("#now tr") == 1);
  page.click("#play");
  page.wait_until("play.textContent == 'Play'");
  BOOST_TEST(page.truth("!/NaN|Infinity/.test(document.body.outerHTML.split('<script')[0])"));
  make({"npc", "plot", nothing, "--html", folder / "empty.html"});
  open(folder / "empty.html");
  BOOST_TEST(count(".actor") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
