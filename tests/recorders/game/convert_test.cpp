// From .icrep to a reel and back: nothing is lost on the way, and earlier losses are still reported.
#include <boost/test/unit_test.hpp>

#include "golden_bytes.hpp"
#include "hex.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "small_world.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(convert_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

void record(const std::string& path, std::uint64_t ticks, bool finished, std::uint32_t ring_ticks = 64) {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 7;
  options.full_keyframe_interval = 4;
  options.seal_interval_ms = 0;
  options.ring_ticks = ring_ticks;
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3));
    if (tick % 3 == 0) BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
    if (tick % 20 == 0) (void)recorder->pump();
    world.step();
  }
  game::match_result how;
  how.outcome.emplace(analysis::outcome::completed{analysis::outcome::winning_player{1}, {}});
  how.player_outcomes = {"lost", "won"};
  how.state_hash = world.hash();
  if (finished) {
    BOOST_REQUIRE(recorder->end(how));
  } else {
    (void)recorder->pump();
  }
}

game::conversion_report taken(const result<game::conversion_report>& report) {
  BOOST_REQUIRE_MESSAGE(report, why(report));
  return *report;
}

}  // namespace

BOOST_AUTO_TEST_CASE(conversion_round_trips) {
  const scratch_folder folder;
  record(folder / "a.icrep", 200, true);
  std::uint64_t reports = 0;
  game::conversion_options options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    ++reports;
    return done <= total;
  };
  const auto there = taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel", options));
  BOOST_TEST(there.ticks == 200u);
  BOOST_TEST(there.keyframes == 29u);
  BOOST_TEST(there.events == 68u);
  BOOST_TEST(!there.incomplete);
  BOOST_TEST(there.bytes == std::filesystem::file_size(folder / "a.reel"));
  BOOST_TEST(reports > 0u);
  const auto back = taken(game::convert_reel_to_icrep(folder / "a.reel", folder / "b.icrep", options));
  BOOST_TEST(back.ticks == 200u);
  BOOST_TEST(back.keyframes == 29u);
  BOOST_TEST(back.events == 68u);
  BOOST_TEST(!back.incomplete);
  BOOST_TEST(back.bytes == std::filesystem::file_size(folder / "b.icrep"));
  check_same(folder / "a.icrep", folder / "b.icrep");
  // A reel can be played directly.
  check_same(folder / "a.icrep", folder / "a.reel");
  BOOST_TEST(opened(folder / "b.icrep").file().verify().empty());

  auto reel = reel::reader::open(folder / "a.reel");
  BOOST_REQUIRE(reel);
  BOOST_TEST(game::is_match_reel(reel->head()));
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST(reel->contents().lost_ticks == 0u);
  BOOST_TEST(reel->contents().keyframe_chunks == 8u);
  // Every tick can be reached through the chunk that the reel names for it.
  for (std::uint64_t tick = 0; tick < 200; ++tick) BOOST_TEST(reel->chunk_for_tick(tick).has_value());
}

BOOST_AUTO_TEST_CASE(signatures_and_all_events_survive) {
  const scratch_folder folder;
  write_file(folder / "a.icrep", from_hex(golden::complete_file));
  const auto there = taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  BOOST_TEST(there.events == 21u);
  (void)taken(game::convert_reel_to_icrep(folder / "a.reel", folder / "b.icrep"));
  check_same(folder / "a.icrep", folder / "b.icrep");
  BOOST_TEST(
      (opened(folder / "b.icrep").file().verify_signatures().state == icrep::signature_state::states_only));
}

BOOST_AUTO_TEST_CASE(existing_files_are_not_overwritten) {
  const scratch_folder folder;
  record(folder / "a.icrep", 20, true);
  (void)taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  const auto refused = game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel");
  BOOST_TEST((refused.error().code == error_code::already_exists));
  BOOST_TEST((game::convert_reel_to_icrep(folder / "a.reel", folder / "a.icrep").error().code ==
              error_code::already_exists));
  game::conversion_options options;
  options.overwrite = true;
  (void)taken(game::convert_reel_to_icrep(folder / "a.reel", folder / "a.icrep", options));
  BOOST_TEST((game::convert_reel_to_icrep(folder / "none", folder / "b.icrep").error().code ==
              error_code::not_found));
  BOOST_TEST(!std::filesystem::exists(folder / "b.icrep"));
}

BOOST_AUTO_TEST_CASE(cancelling_leaves_nothing) {
  const scratch_folder folder;
  record(folder / "a.icrep", 100, true);
  (void)taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  game::conversion_options options;
  options.progress = [](std::uint64_t, std::uint64_t) { return false; };
  BOOST_TEST((game::convert_icrep_to_reel(folder / "a.icrep", folder / "b.reel", options).error().code ==
              error_code::interrupted));
  BOOST_TEST((game::convert_reel_to_icrep(folder / "a.reel", folder / "b.icrep", options).error().code ==
              error_code::interrupted));
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder.path()))
    files += each.exists() ? 1u : 0u;
  BOOST_TEST(files == 2u);
}

BOOST_AUTO_TEST_CASE(reels_of_other_formats_are_rejected) {
  const scratch_folder folder;
  reel::header head;
  head.encoder_name = "other";
  auto out = reel::writer::create(folder / "a.reel", head);
  BOOST_REQUIRE(out);
  BOOST_REQUIRE(out->finish());
  BOOST_TEST((game::convert_reel_to_icrep(folder / "a.reel", folder / "a.icrep").error().code ==
              error_code::unsupported_operation));
  BOOST_TEST((game::replay::open(folder / "a.reel").error().code == error_code::unsupported_operation));
}

BOOST_AUTO_TEST_CASE(losses_are_still_reported) {
  const scratch_folder folder;
  record(folder / "a.icrep", 200, true, 8);
  const std::uint32_t lost = opened(folder / "a.icrep").file().header().lost_frame_count;
  BOOST_TEST(lost > 0u);
  BOOST_TEST(taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel")).incomplete);
  BOOST_TEST(taken(game::convert_reel_to_icrep(folder / "a.reel", folder / "b.icrep")).incomplete);
  check_same(folder / "a.icrep", folder / "b.icrep");
  BOOST_TEST(opened(folder / "b.icrep").file().header().incomplete);
  auto reel = reel::reader::open(folder / "a.reel");
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks > 0u);
}

BOOST_AUTO_TEST_CASE(a_live_recording) {
  const scratch_folder folder;
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 7;
  options.seal_interval_ms = 0;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < 100; ++tick, world.step()) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    (void)recorder->pump();
  }
  // Still being written.
  const auto back = taken(game::convert_reel_to_icrep(folder / "a.icrep.reel", folder / "b.icrep"));
  BOOST_TEST(back.incomplete);
  BOOST_TEST(back.ticks == 99u);  // the last one is still open
  const game::replay made = opened(folder / "b.icrep");
  BOOST_TEST(made.file().header().incomplete);
  BOOST_TEST(!made.file().header().live);
  BOOST_TEST(made.total_ticks() == 99u);
  BOOST_TEST(opened(folder / "a.icrep.reel").total_ticks() == 99u);
}

// Destroyed without end(), only the match's outcome is lost.
BOOST_AUTO_TEST_CASE(a_recorder_destroyed_without_end) {
  const scratch_folder folder;
  record(folder / "a.icrep", 100, false);
  BOOST_TEST(!std::filesystem::exists(folder / "a.icrep"));
  const auto back = taken(game::convert_reel_to_icrep(folder / "a.icrep.reel", folder / "b.icrep"));
  BOOST_TEST(back.incomplete);
  BOOST_TEST(back.ticks == 100u);
  BOOST_TEST(back.events == 34u);
  BOOST_TEST(back.keyframes == 15u);
}

// Whatever is truncated or flipped: no crash, and never a file that claims to be complete.
BOOST_AUTO_TEST_CASE(damaged_reels) {
  auto random = seeded_random("damaged reels");
  const scratch_folder folder;
  record(folder / "a.icrep", 60, true);
  (void)taken(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  const byte_vector good = read_file(folder / "a.reel");
  game::conversion_options options;
  options.overwrite = true;
  std::size_t converted = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    byte_vector bad = good;
    if (round % 2 == 0) {
      bad.resize(good.size() * round / 300);
    } else {
      bad[random() % bad.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    write_file(folder / "bad.reel", bad);
    const auto report = game::convert_reel_to_icrep(folder / "bad.reel", folder / "bad.icrep", options);
    if (!report) continue;
    ++converted;
    const game::replay made = opened(folder / "bad.icrep");
    BOOST_TEST(made.file().header().incomplete == report->incomplete);
    std::uint64_t frames = 0;
    icrep::tick_frame frame;
    for (auto cursor = made.orders(0, UINT64_MAX); cursor.next(frame);) ++frames;
    BOOST_TEST(frames == report->ticks);
    if (frames < 60 || report->keyframes < 9 || report->events < 21) BOOST_TEST(report->incomplete);
  }
  BOOST_TEST(converted > 50u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
