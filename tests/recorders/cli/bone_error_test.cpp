// --bone-error: reels whose bones are near those of the game.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"
#include "tickreel/files/echo_source.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(bone_error_test)

namespace {

using namespace tickreel::test;
namespace echo = tickreel::echo;

double apart_m(const echo::vec3& a, const echo::vec3& b) {
  return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

// The largest distance between bones; everything else is equal.
double compare(const std::string& exact, const std::string& near) {
  const auto left = tickreel::files::open_echo(exact), right = tickreel::files::open_echo(near);
  BOOST_REQUIRE((left && right));
  const auto a = std::make_unique<echo::state>(), b = std::make_unique<echo::state>();
  double largest_m = 0;
  std::size_t bones = 0;
  for (;;) {
    const auto more = (*left)->next(*a), same = (*right)->next(*b);
    BOOST_REQUIRE((more && same));
    BOOST_REQUIRE(*more == *same);
    if (!*more) break;
    BOOST_REQUIRE(a->bone_player_count == b->bone_player_count);
    for (std::size_t i = 0; i < a->bone_player_count; ++i) {
      for (std::size_t k = 0; k < echo::bone_count; ++k, ++bones) {
        largest_m =
            std::max(largest_m, apart_m(a->bone_players[i].positions[k], b->bone_players[i].positions[k]));
      }
    }
    BOOST_REQUIRE(a->recorded_time_ms == b->recorded_time_ms);
    BOOST_REQUIRE(a->match.game_clock == b->match.game_clock);
    BOOST_REQUIRE(std::equal(a->players.begin(), a->players.begin() + a->match.player_count,
                             b->players.begin(), [](const echo::player& p, const echo::player& q) {
                               return apart_m(p.head.position, q.head.position) == 0 && p.name == q.name;
                             }));
  }
  BOOST_REQUIRE(bones > 1000u);
  return largest_m;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reel_with_bones_near_those_of_the_source_is_small) {
  const scratch_folder folder;
  const std::string source = folder / "match.echoreplay", exact = folder / "exact.reel",
                    near = folder / "near.reel";
  write_match(source, {}, short_match(true));
  BOOST_REQUIRE(run({"convert", source, exact}).code == 0);
  BOOST_REQUIRE(run({"convert", source, near, "--bone-error", "0.5mm,0.1deg"}).code == 0);
  BOOST_TEST(2 * std::filesystem::file_size(near) < std::filesystem::file_size(exact));
  BOOST_TEST(run({"verify", near}).code == 0);
  BOOST_TEST(run({"info", "--json", near}).out.find("\"metadata.bone_errors\":\"0.5 mm, 0.1 degrees\"") !=
             std::string::npos);
  const double largest_m = compare(exact, near);
  BOOST_TEST(largest_m > 0.0001);
  BOOST_TEST(largest_m <= 0.0005);
  // A copy of its frames adds no error, and a copy as text is a whole recording.
  const std::string part = folder / "part.reel", text = folder / "text.echoreplay";
  BOOST_TEST(run({"clip", near, "--from", "tick:0", "--to", "tick:100000", "-o", part}).code == 0);
  BOOST_TEST(compare(near, part) == 0);
  BOOST_TEST(run({"convert", near, text}).code == 0);
  BOOST_TEST(compare(near, text) == 0);
}

BOOST_AUTO_TEST_CASE(wrong_uses_are_refused) {
  const scratch_folder folder;
  const std::string source = folder / "match.echoreplay", reel = folder / "x.reel";
  write_match(source);
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"convert", source, reel, "--bone-error", "0.5mm"}, "such as 0.5mm,0.1deg"},
      {{"convert", source, reel, "--bone-error", "0.5mm,0.1"}, "such as 0.5mm,0.1deg"},
      {{"convert", source, reel, "--bone-error", "0mm,0.1deg"}, "such as 0.5mm,0.1deg"},
      {{"convert", source, reel, "--bone-error", "nanmm,0.1deg"}, "such as 0.5mm,0.1deg"},
      {{"convert", source, reel, "--bone-error", "1m,11deg"}, "such as 0.5mm,0.1deg"},
      {{"convert", source, folder / "x.butter", "--bone-error", "1cm,1deg"}, "for a .reel"},
      {{"convert", source, folder / "x.parquet", "--bone-error", "1cm,1deg"}, "--bone-error has no effect"},
      {{"convert", source, reel, "--bone-error", "1cm,1deg", "--no-bones"}, "no effect with --no-bones"},
      {{"convert", source, reel, "--bone-error", "1cm,1deg", "--profile", "small"}, "--profile"},
      {{"record", "echo", "--no-config", "--bone-error", "1cm,1deg"}, "for --format reel"},
      {{"record", "echo", "--no-config", "--format", "reel", "--no-bones", "--bone-error", "1cm,1deg"},
       "no effect with --no-bones"},
      {{"record", "echo", "--no-config", "--format", "reel", "--bone-error", "1"}, "such as 0.5mm,0.1deg"},
  };
  for (const auto& [words, message] : wrong) {
    const outcome refused = run(words);
    BOOST_TEST(refused.code == 2, refused.err);
    BOOST_TEST(refused.err.find(message) != std::string::npos, refused.err);
    BOOST_TEST(!std::filesystem::exists(reel));
  }
}

#ifndef _WIN32

BOOST_AUTO_TEST_CASE(a_live_recording_has_bones_near_those_of_the_game) {
  const scratch_folder folder;
  const served game({"--simulate", "--loop"});
  const std::string near = folder / "near.reel";
  outcome recorded;
  // On a busy machine no poll may be answered in that time.
  for (int seconds = 3; seconds < 60 && !std::filesystem::exists(near); seconds *= 2) {
    recorded = run({"record", "echo", game.address(), "--no-config", "--out", folder.path().string(),
                    "--format", "reel", "--bone-error", "2mm, 0.5deg", "--rate", "30", "--name", "near",
                    "--duration", std::to_string(seconds)});
  }
  // It loses polls, which is reported, by each verb that reads the reel, too.
  BOOST_REQUIRE_MESSAGE((recorded.code == 0 || recorded.code == 3), recorded.err);
  const outcome checked = run({"verify", near}), info = run({"info", "--json", near});
  BOOST_TEST((checked.code == 0 || checked.code == 3), checked.out);
  BOOST_TEST((info.code == 0 || info.code == 3), info.err);
  BOOST_TEST(info.out.find("\"metadata.bone_errors\":\"2 mm, 0.5 degrees\"") != std::string::npos, info.out);
  BOOST_TEST(run({"cat", near}).out.find("\"bone_t\"") != std::string::npos);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
