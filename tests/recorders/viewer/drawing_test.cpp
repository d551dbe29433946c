// Collected data stay small and lose only detail.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "draws.hpp"
#include "report/drawing.hpp"
#include "report/words.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(drawing_test)

namespace {

using namespace tickreel;
using namespace tickreel::viewer;

std::size_t count(const std::string& in, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_curve_keeps_every_peak_in_bounded_memory) {
  test::draws random(__func__);
  curve line;
  double low = 0, high = 0;
  for (int at = 0; at < 100'000; ++at) {
    const double y = random.real(-1, 1) * (random.below(1000) == 0 ? 50 : 1);
    low = std::min(low, y);
    high = std::max(high, y);
    line.add(at, y);
  }
  BOOST_TEST(line.buckets().size() <= curve::max_buckets);
  BOOST_TEST(line.buckets().size() > curve::max_buckets / 3);
  BOOST_TEST(line.low() == low);
  BOOST_TEST(line.high() == high);
  BOOST_TEST(line.buckets().front().from == 0);
  BOOST_TEST(line.buckets().back().to == 99'999);
  for (std::size_t at = 1; at < line.buckets().size(); ++at) {
    BOOST_REQUIRE(line.buckets()[at].from > line.buckets()[at - 1].to);
  }
}

BOOST_AUTO_TEST_CASE(non_numbers_are_not_drawn) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  curve line;
  density cells;
  for (const double each : {nothing, endless, -endless}) {
    line.add(each, 1);
    line.add(1, each);
    cells.add(each, 1);
    cells.add(1, each);
    cells.add(1, 1, each == endless ? -1 : each);
  }
  cells.add(1e300, 0);
  BOOST_TEST(line.empty());
  BOOST_TEST(cells.empty());
  std::string html;
  append_chart("t", "", {{"a", "s0", &line}}, html);
  append_heat_maps("t", "", "m", {{"a", "s0", &cells}}, false, html);
  BOOST_TEST(html.empty());
}

BOOST_AUTO_TEST_CASE(heat_maps_of_a_row_have_cells_of_one_size_and_scale) {
  density near_one(1), wide(1);
  near_one.add(0.5, 0.5, 4);
  near_one.add(1.5, 0.5, 4);  // one cell of the other map
  for (int at = -100; at < 100; at += 10) wide.add(at, at / 4.0, 32);
  BOOST_REQUIRE(wide.cell() > near_one.cell());
  std::string html;
  append_heat_maps("t", "", "m", {{"a", "blue", &near_one}, {"b", "orange", &wide}}, false, html);
  std::set<std::string> sizes;
  std::vector<std::size_t> starts;
  for (std::size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) {
    starts.push_back(at);
  }
  BOOST_REQUIRE(starts.size() == 2u);
  for (std::size_t at = html.find('h', starts[0]); at != std::string::npos; at = html.find('h', at + 1)) {
    if (html[at + 1] < '0' || html[at + 1] > '9') continue;
    const std::size_t end = html.find('v', at);
    sizes.insert(html.substr(at + 1, end - at - 1));
  }
  BOOST_TEST(sizes.size() == 1u);
  const std::string first = html.substr(starts[0], starts[1] - starts[0]);
  // A quarter of the longest time is half of the colour's steps.
  BOOST_TEST(first.find("fill-opacity=\"0.69\"") != std::string::npos, first);
  BOOST_TEST(first.find("fill-opacity=\"1.00\"") == std::string::npos);
  BOOST_TEST(html.find("class=\"line goal\"") == std::string::npos);
  html.clear();
  append_heat_maps("t", "", "m", {{"a", "blue", &near_one}}, true, html);
  BOOST_TEST(html.find("class=\"line goal\"") != std::string::npos);
  BOOST_TEST(html.find("80 by 31 m") != std::string::npos, html);
}

BOOST_AUTO_TEST_CASE(a_density_grows_to_all_points_and_keeps_its_sum) {
  test::draws random(__func__);
  for (int round = 0; round < 50; ++round) {
    density cells(0.25);
    const double reach = std::pow(10, random.real(-1, 9));
    double sum = 0;
    density::box seen;
    for (int at = 0; at < 300; ++at) {
      const double x = random.real(-reach, reach), y = random.real(-reach, reach);
      const double weight = random.real(0.1, 1);
      cells.add(x, y, weight);
      sum += weight;
      seen.include({x, y, x + 1e-9, y + 1e-9});
    }
    double kept = 0;
    int filled = 0;
    cells.for_each([&](double, double, double value) {
      kept += value;
      ++filled;
    });
    BOOST_TEST(kept == sum, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(filled <= density::side * density::side);
    const density::box all = cells.bounds();
    BOOST_TEST(all.left <= seen.left);
    BOOST_TEST(all.bottom <= seen.bottom);
    BOOST_TEST(all.right >= seen.left);
    BOOST_TEST(all.top >= seen.bottom);
    BOOST_TEST(all.right - all.left <= density::side * cells.cell());
    // At most a few steps coarser than necessary.
    BOOST_TEST(cells.cell() <= std::max(0.25, reach / 4));
  }
}

BOOST_AUTO_TEST_CASE(outliers_do_not_spoil_a_chart) {
  for (const auto& [first, second] : {std::pair(0.0, 0.0), std::pair(5.0, 5.0), std::pair(-1e308, 1e308),
                                      std::pair(1e-300, 2e-300), std::pair(1e15, 1e15 + 1)}) {
    curve line;
    line.add(0, first);
    line.add(1, second);
    std::string html;
    append_chart("t", "", {{"a", "s0", &line}}, html);
    BOOST_TEST(html.find("nan") == std::string::npos, html);
    BOOST_TEST(html.find("inf") == std::string::npos, html);
    BOOST_TEST(html.find("class=\"line s0\"") != std::string::npos);
    BOOST_TEST(html.size() < 4000u);
  }
}

BOOST_AUTO_TEST_CASE(a_strip_shows_possession_over_time) {
  strip of;
  of.set(0, 0.25, 0);
  of.set(0.5, 1, 1);
  of.set(2, 1, 0);  // backwards: nothing
  const auto all = of.stretches();
  BOOST_REQUIRE(all.size() == 3u);
  BOOST_TEST(all[0].owner == 0);
  BOOST_TEST(all[1].owner == strip::nobody);
  BOOST_TEST(all[2].owner == 1);
  BOOST_TEST(all[2].to == strip::places);
  std::string html;
  append_strip("t", of, {{"<a>", "blue"}, {"b", "orange"}}, 60, html);
  BOOST_TEST(count(html, "<rect class=\"fill\"") == 2u);
  BOOST_TEST(html.find("<a>") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(words) {
  BOOST_TEST(label_of("top_shot_speed_mps") == "top shot speed, m/s");
  BOOST_TEST(label_of("possession_s") == "possession, s");
  BOOST_TEST(label_of("ping_ms") == "ping, ms");
  BOOST_TEST(label_of("goals") == "goals");
  BOOST_TEST(time_text(0) == "0:00");
  BOOST_TEST(time_text(3723) == "1:02:03");
  BOOST_TEST(time_text(-5) == "-0:05");
  BOOST_TEST(number_text(0.5) == "0.5");
  BOOST_TEST(number_text(-0.0) == "0");
  BOOST_TEST(number_text(1e300) == "1e+300");
  BOOST_TEST(number_text(12.345, 0.1) == "12.3");
  BOOST_TEST(safe("<b>\"'&") == "&lt;b&gt;&quot;&#39;&amp;");
  // Truncated between characters.
  BOOST_TEST(safe("aé", 2) == "a…");
  BOOST_TEST(nice_step(100, 4) == 50);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
