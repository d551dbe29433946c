// tickreel derive as scripts use it.
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/record/recorder.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(derive_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

}  // namespace

BOOST_AUTO_TEST_CASE(reels_are_derived_in_place_and_other_formats_into_a_reel) {
  const scratch_folder folder;
  const std::string butter = folder / "m.butter";
  const std::string reel = folder / "m.reel";
  write_match(butter);
  write_match(reel);
  const std::string found = run({"events", butter}).out;
  BOOST_TEST(!found.empty());
  // An input that fails does not stop the others.
  const outcome both = run({"derive", "--in-place", "--json", butter, reel});
  BOOST_TEST(both.code == 1);
  BOOST_TEST(both.says("this format cannot store derived events"), both.err);
  BOOST_TEST(both.out.starts_with("{\"file\":\""), both.out);
  BOOST_TEST(both.out.find("\"events_before\":") != std::string::npos, both.out);
  const outcome made = run({"derive", butter, "-o", folder / "of_butter.reel"});
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(run({"events", folder / "of_butter.reel"}).out == found);
  BOOST_TEST(run({"derive", butter, "-o", folder / "of_butter.reel"}).code == 1);
  BOOST_TEST(run({"derive", butter, "-o", folder / "of_butter.reel", "--force"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_with_several_names_is_reported) {
  const scratch_folder folder;
  const std::string reel = folder / "m.reel";
  write_match(reel);
  std::vector<std::string> words{"derive", "--in-place", reel, reel};
  std::error_code no_links;
  std::filesystem::create_symlink("m.reel", folder / "link.reel", no_links);
  if (!no_links) words.push_back(folder / "link.reel");
  const outcome twice = run(words);
  BOOST_TEST(twice.code == 0, twice.err);
  BOOST_TEST(std::count(twice.out.begin(), twice.out.end(), '\n') == 1, twice.out);
  BOOST_TEST(twice.says("named more than once; processed once"), twice.err);
  BOOST_TEST(twice.out.find("hard link") == std::string::npos, twice.out);
  std::filesystem::create_hard_link(reel, folder / "other.reel");
  if (std::filesystem::hard_link_count(reel) < 2) return;  // Wine does not count them
  const outcome parted = run({"derive", "--in-place", reel});
  BOOST_TEST(parted.code == 0, parted.err);
  BOOST_TEST(parted.out.find("another hard link, which still names the old content") != std::string::npos,
             parted.out);
}

BOOST_AUTO_TEST_CASE(ticks_lost_while_recording_are_reported) {
  const scratch_folder folder;
  const std::string reel = folder / "m.reel";
  recorder_options options;
  options.mode = threading::pumped;
  auto to = recorder<butter::encoder>::open(reel, butter::encoder(), options);
  BOOST_REQUIRE(to);
  echo_vr::match_simulator match(short_match());
  const auto state = std::make_unique<echo::state>();
  frame_stamp stamp;
  for (int tick = 0; tick < 20 && match.next(*state); ++tick) {
    stamp = {stamp.tick + 1, stamp.time_us + 33'333};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { echo::copy_state(slot, *state); }));
    if (tick == 9) {
      to->note_gap(2, {stamp.tick + 1, stamp.time_us}, {stamp.tick + 2, stamp.time_us},
                   reel::gap_reason::source_failed);
      stamp.tick += 2;
    }
    (void)to->pump();
  }
  BOOST_REQUIRE(to->close());
  BOOST_TEST(run({"cat", reel}).code == 3);
  const outcome derived = run({"derive", reel, "-o", folder / "derived.reel"});
  BOOST_TEST(derived.code == 3);
  BOOST_TEST(derived.out.find("lost: 2 ticks that the reel already reports as lost") != std::string::npos,
             derived.out);
  const outcome recovered = run({"recover", reel, "-o", folder / "recovered.reel"});
  BOOST_TEST(recovered.code == 3);
  BOOST_TEST(recovered.out.find("2 ticks that the reel already reports as lost") != std::string::npos,
             recovered.out);
}

// Equality up to the shorter end does not hide that one is longer.
BOOST_AUTO_TEST_CASE(a_clip_and_its_original_differ_in_length) {
  const scratch_folder folder;
  const std::string whole = folder / "m.butter";
  const auto ticks = write_match(whole).ticks;
  BOOST_REQUIRE(
      run({"clip", whole, "--from", "tick:0", "--to", "tick:49", "-o", folder / "part.butter"}).code == 0);
  const outcome compared = run({"diff", "--json", whole, folder / "part.butter"});
  const std::string lengths = "\"first_ticks\":" + std::to_string(ticks) + ",\"second_ticks\":50}";
  BOOST_TEST(compared.out.find(lengths) != std::string::npos, compared.out);
}

BOOST_AUTO_TEST_CASE(contradictory_arguments_are_wrong_usage) {
  const scratch_folder folder;
  const std::string reel = folder / "m.reel";
  write_match(reel);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"derive", reel},
                                                {"derive", reel, "--in-place", "-o", folder / "x.reel"},
                                                {"derive", reel, reel, "-o", folder / "x.reel"},
                                                {"derive", reel, "--in-place", "--force"}}) {
    BOOST_TEST(run(words).code == 2);
  }
  BOOST_TEST(run({"derive", reel, "-o", folder / "x.butter"}).code == 1);
  BOOST_TEST(!std::filesystem::exists(folder / "x.reel"));
  const std::string nowhere = folder / "nowhere/x.reel";
  BOOST_TEST(run({"derive", reel, "-o", nowhere}).says("nowhere/x.reel: "));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
