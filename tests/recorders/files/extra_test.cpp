// Values that a .butter cannot store, written beside it and read back.
#include <filesystem>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/extra.hpp"

BOOST_AUTO_TEST_SUITE(files_extra_tests)
BOOST_AUTO_TEST_SUITE(extra_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The extra values of each tick.
std::vector<std::string> extras_of(const std::filesystem::path& path) {
  std::vector<std::string> all;
  const auto part = std::make_unique<echo::state>();
  for (const echo::state& tick : all_ticks(path)) {
    echo::take_extra(tick, *part);
    std::string& text = all.emplace_back();
    echo::append_session_json(*part, echo::json_shape::api, echo::number_style::shortest, text);
  }
  return all;
}

bool mentions(const files::convert_report& report, std::string_view word) {
  for (const std::string& each : report.losses.places) {
    if (each.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_butter_and_its_side_data_restore_everything) {
  const scratch_folder folder;
  for (const auto mode : {echo::mode::arena, echo::mode::combat}) {
    const std::string name = mode == echo::mode::arena ? "arena" : "combat";
    echo_vr::simulation_options match = short_match();
    match.mode = mode;
    const std::string source = folder / (name + ".echoreplay");
    (void)write_match(source, {}, match);
    const auto wanted = extras_of(source);
    BOOST_REQUIRE(!wanted.empty());
    const std::string butter = folder / (name + ".butter");
    BOOST_REQUIRE(files::convert(file_path(source), butter, {.extra = true}));
    BOOST_TEST(std::filesystem::exists(folder / (name + ".extra.json")));
    for (const char* extension : {".reel", ".echoreplay"}) {
      const std::string back = folder / (name + "-back" + extension);
      const auto report = files::convert(file_path(butter), back);
      BOOST_REQUIRE(report);
      BOOST_TEST(!report->lossy_source());
      BOOST_TEST(extras_of(back) == wanted, boost::test_tools::per_element());
    }
    // A clip contains those of its range; by tick, by time and by the game's clock.
    const files::moment clock = files::moment::at_clock(double{all_ticks(source)[40].match.game_clock});
    for (const files::tick_range range :
         {files::tick_range{files::moment::at_tick(40), files::moment::at_tick(70)},
          files::tick_range{files::moment::at_time(1.0), files::moment::at_time(2.0)},
          files::tick_range{clock, std::nullopt}}) {
      files::convert_options options;
      options.range = range;
      options.overwrite = true;
      BOOST_REQUIRE(files::convert(file_path(source), folder / "wanted.echoreplay", options));
      const auto report = files::convert(file_path(butter), folder / "part.echoreplay", options);
      BOOST_REQUIRE(report);
      BOOST_TEST(!report->lossy_source());
      BOOST_TEST(extras_of(folder / "part.echoreplay") == extras_of(folder / "wanted.echoreplay"),
                 boost::test_tools::per_element());
    }
    // Without it the values are missing.
    std::filesystem::remove(folder / (name + ".extra.json"));
    BOOST_REQUIRE(files::convert(file_path(butter), folder / (name + "-bare.reel")));
    BOOST_TEST(extras_of(folder / (name + "-bare.reel")) != wanted);
  }
}

BOOST_AUTO_TEST_CASE(foreign_side_data_is_ignored_and_reported) {
  const scratch_folder folder;
  (void)write_match(folder / "a.echoreplay");
  echo_vr::simulation_options longer = short_match();
  longer.match_seconds += 1;
  (void)write_match(folder / "b.echoreplay", {}, longer);
  for (const char* name : {"a", "b"}) {
    const std::string base = folder / name;
    BOOST_REQUIRE(files::convert(file_path(base + ".echoreplay"), base + ".butter", {.extra = true}));
  }
  BOOST_REQUIRE(files::convert(file_path(folder / "a.butter"), folder / "good.reel"));
  write_file(folder / "a.extra.json", read_file(folder / "b.extra.json"));
  const auto other = files::convert(file_path(folder / "a.butter"), folder / "other.reel");
  BOOST_REQUIRE(other);
  BOOST_TEST(mentions(*other, "another recording"));
  BOOST_TEST(other->lossy_source());
  write_file(folder / "a.extra.json", "nonsense");
  const auto broken = files::convert(file_path(folder / "a.butter"), folder / "broken.reel");
  BOOST_REQUIRE(broken);
  BOOST_TEST(mentions(*broken, "was ignored"));
  BOOST_TEST(all_ticks(folder / "broken.reel").size() == all_ticks(folder / "good.reel").size());
  // Damaged in the middle: all ticks are present, and the position is reported.
  std::filesystem::copy_file(folder / "b.extra.json", folder / "half.json");
  const auto half = read_file(folder / "half.json");
  write_file(folder / "b.extra.json", as_text(half).substr(0, half.size() - 40));
  const auto cut = files::convert(file_path(folder / "b.butter"), folder / "cut.reel");
  BOOST_REQUIRE(cut);
  BOOST_TEST(mentions(*cut, "side data of the .butter is incomplete"));
}

BOOST_AUTO_TEST_CASE(an_existing_name_is_rejected_before_the_butter_is_written) {
  const scratch_folder folder;
  (void)write_match(folder / "a.echoreplay");
  write_file(folder / "a.extra.json", "mine");
  const auto refused =
      files::convert(file_path(folder / "a.echoreplay"), folder / "a.butter", {.extra = true});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::already_exists));
  BOOST_TEST(!std::filesystem::exists(folder / "a.butter"));
  BOOST_REQUIRE(files::convert(file_path(folder / "a.echoreplay"), folder / "a.butter",
                               {.extra = true, .overwrite = true}));
  BOOST_TEST(std::filesystem::file_size(folder / "a.extra.json") > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
