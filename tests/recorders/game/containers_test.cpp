// The same match in a reel instead of an .icrep; files that are ended early; files that are mapped or read.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(game_threads_tests)
BOOST_AUTO_TEST_SUITE(containers_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

game::match_options pumped(game::container file) {
  game::match_options options;
  options.file = file;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.full_keyframe_interval = 4;
  options.seal_interval_ms = 0;
  return options;
}

struct manner {
  bool finished = true;
  bool hashed = true;             // of the game; otherwise the writer adds hashes at keyframes
  bool pumped_elsewhere = false;  // all the time, by another thread
};

result<game::end_report> record(const std::string& path, const game::match_options& options,
                                std::uint64_t ticks, const manner& how_to = {}) {
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  std::atomic<bool> recorded{false};
  std::thread elsewhere;
  if (how_to.pumped_elsewhere) {
    elsewhere = std::thread([&] {
      while (!recorded) (void)recorder->pump();
    });
  }
  small_world world;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    if (!recorder->tick(tick, how_to.hashed ? world.hash() : 0, [&](auto& to) { world.describe(to); })) break;
    (void)recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3);
    (void)recorder->event(analysis::pause_event{tick, 0, true});
    if (how_to.pumped_elsewhere) {
      // About as long as the writer needs, so that it often runs in the middle of a tick.
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(tick % 64);
      while (std::chrono::steady_clock::now() < until) {}
    } else if (tick % 16 == 0) {
      (void)recorder->pump();
    }
    world.step();
  }
  recorded = true;
  if (elsewhere.joinable()) elsewhere.join();
  if (!how_to.finished) {
    (void)recorder->pump();
    return game::end_report{};
  }
  game::match_result how;
  how.outcome.emplace(analysis::outcome::draw{});
  how.state_hash = world.hash();
  return recorder->end(how);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reel_holds_the_same_match) {
  const scratch_folder folder;
  for (const std::uint32_t interval : {1u, 7u}) {
    const std::string icrep = folder / ("a" + std::to_string(interval) + ".icrep");
    const std::string reel = folder / ("a" + std::to_string(interval) + ".reel");
    auto options = pumped(game::container::icrep);
    options.keyframe_interval_ticks = interval;
    BOOST_REQUIRE(record(icrep, options, 300));
    options.file = game::container::reel;
    const auto report = record(reel, options, 300);
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(report->file_bytes == std::filesystem::file_size(reel));
    check_same(icrep, reel);
    const std::string back = reel + ".icrep";
    BOOST_REQUIRE(game::convert_reel_to_icrep(reel, back));
    check_same(icrep, back);
    BOOST_TEST(opened(back).file().verify().empty());
  }
}

// Independent of when the writer runs. Entities that exist for one tick only: a delta that lists every created and removed entity
// would have the size of many worlds.
BOOST_AUTO_TEST_CASE(a_delta_is_never_much_larger_than_the_world) {
  const scratch_folder folder;
  game::match_options options = pumped(game::container::icrep);
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 10;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  for (std::uint16_t tick = 0; tick < 40; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 0, [&](auto& to) {
      for (std::uint16_t i = 0; i < 500; ++i) {
        to.entity({i, tick}, "bullet").set(place{i, tick}).set(health{});
      }
    }));
    (void)recorder->pump();
  }
  BOOST_REQUIRE(recorder->end());
  const auto replay = opened(folder / "a.icrep");
  BOOST_REQUIRE(replay.keyframes().size() == 40u);
  const std::uint32_t world = replay.keyframes()[0].raw_bytes;
  for (const auto& keyframe : replay.keyframes()) BOOST_TEST(keyframe.raw_bytes <= 2 * world);
  for (std::uint16_t tick = 0; tick < 40; ++tick) {
    const auto state = replay.restore(tick);
    BOOST_REQUIRE(state);
    BOOST_TEST(state->snapshot.core.entities.size() == 500u);
    BOOST_TEST((state->snapshot.core.entities[9].entity == analysis::unit_tag{9, tick}));
  }
}

BOOST_AUTO_TEST_CASE(pumping_on_another_thread_writes_the_same) {
  const scratch_folder folder;
  constexpr std::uint64_t ticks = 3000;
  for (const auto file : {game::container::icrep, game::container::reel}) {
    for (const std::uint32_t interval : {1u, 3u}) {
      const std::string name = folder / (std::to_string(static_cast<int>(file)) + std::to_string(interval));
      auto options = pumped(file);
      options.keyframe_interval_ticks = interval;
      options.ring_ticks = 2 * ticks;  // everything fits, however slow the writer is
      options.events_per_tick = ticks;
      BOOST_REQUIRE(record(name, options, ticks, {.hashed = false}));
      const auto report =
          record(name + "-elsewhere", options, ticks, {.hashed = false, .pumped_elsewhere = true});
      BOOST_REQUIRE_MESSAGE(report, why(report));
      BOOST_TEST(report->nothing_lost());
      check_same(name, name + "-elsewhere");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_reel_of_a_killed_recorder) {
  const scratch_folder folder;
  auto random = seeded_random("left behind");
  BOOST_REQUIRE(record(folder / "a.reel", pumped(game::container::reel), 200, {.finished = false}));
  const byte_vector whole = read_file(folder / "a.reel");
  for (int round = 0; round < 40; ++round) {
    const std::string path = folder / ("cut" + std::to_string(round) + ".reel");
    const std::size_t size = random() % whole.size();
    std::ofstream(path, std::ios::binary).write(as_text(whole).data(), static_cast<std::streamsize>(size));
    const auto before = game::convert_reel_to_icrep(path, path + ".before");
    const auto recovered = reel::recover_in_place(path);
    BOOST_TEST(before.has_value() == recovered.has_value());
    if (!recovered) continue;  // truncated in the header
    const auto after = game::convert_reel_to_icrep(path, path + ".icrep");
    BOOST_REQUIRE_MESSAGE(after, why(after));
    BOOST_TEST(after->incomplete);
    BOOST_TEST(after->ticks == before->ticks);
    BOOST_TEST(after->keyframes == before->keyframes);
    const auto replay = opened(path + ".icrep");
    BOOST_TEST(replay.total_ticks() == after->ticks);
    small_world world;
    icrep::tick_frame frame;
    for (auto frames = replay.orders(0, UINT64_MAX); frames.next(frame); world.step()) {
      BOOST_TEST(frame.state_hash == world.hash());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_full_is_finished) {
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const scratch_folder folder;
    auto options = pumped(file);
    options.file_limit_bytes = (2u << 20) + (64u << 10);
    options.keyframe_interval_ticks = 1;
    const auto report = record(folder / "a", options, 1'000'000);
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->reached_file_limit);
    BOOST_TEST(!report->nothing_lost());
    BOOST_TEST(report->file_bytes <= options.file_limit_bytes);
    BOOST_TEST(report->total_ticks > 50u);
    BOOST_TEST(report->total_ticks < 100'000u);
    const auto replay = opened(folder / "a");
    BOOST_TEST(replay.file().header().incomplete);
    BOOST_TEST(!replay.file().header().live);
    BOOST_TEST(replay.total_ticks() == report->total_ticks);
    std::uint64_t frames = 0;
    icrep::tick_frame frame;
    for (auto orders = replay.orders(0, UINT64_MAX); orders.next(frame);) ++frames;
    BOOST_TEST(frames == report->total_ticks);
    BOOST_TEST(replay.restore(report->total_ticks)->warnings.empty());
    BOOST_TEST(!std::filesystem::exists(folder / "a.reel"));
  }
}

BOOST_AUTO_TEST_CASE(the_game_is_notified_of_a_full_file) {
  const scratch_folder folder;
  auto options = pumped(game::container::icrep);
  options.file_limit_bytes = 2u << 20;  // as much as finishing needs
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  BOOST_REQUIRE(recorder->tick(0, 1, [&](auto& to) { world.describe(to); }));
  BOOST_REQUIRE(recorder->tick(1, 1));
  BOOST_TEST(recorder->pump());
  BOOST_TEST((recorder->tick(2, 1).error().code == error_code::over_limit));
  BOOST_TEST((recorder->tick(3, 1).error().code == error_code::over_limit));
  BOOST_TEST((recorder->order(0, 1, place{}).error().code == error_code::wrong_state));
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->reached_file_limit);
  options.file_limit_bytes = icrep::writer_file_limit_bytes + 1;
  BOOST_TEST((little_recorder::begin(folder / "b.icrep", little_match(), options).error().code ==
              error_code::invalid_argument));
}

// System calls that are not the real ones are used for every byte.
BOOST_AUTO_TEST_CASE(reading_instead_of_mapping) {
  const scratch_folder folder;
  BOOST_REQUIRE(record(folder / "a.icrep", pumped(game::container::icrep), 50));
  system_calls other;
  const auto mapped = opened(folder / "a.icrep");
  const auto read = game::replay::open(folder / "a.icrep", other);
  BOOST_REQUIRE(read);
  BOOST_TEST((mapped.restore(44)->snapshot == read->restore(44)->snapshot));
  BOOST_TEST((game::replay::open(folder / "none").error().code == error_code::not_found));
  std::ofstream(folder / "empty", std::ios::binary).close();
  BOOST_TEST((game::replay::open(folder / "empty").error().code == error_code::truncated));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
