// Each system call of a recording, of its end and of its recovery fails once, or from then on.
#include <boost/test/unit_test.hpp>
#include <cerrno>

#include "failing_calls.hpp"
#include "old_live_file.hpp"
#include "scratch_folder.hpp"
#include "small_world.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(game_fault_tests)
BOOST_AUTO_TEST_SUITE(fault_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t ticks = 60;

struct outcome {
  bool begun = false;
  bool ended = false;
  game::match_counters counters;
};

outcome record(const std::string& path, system_calls& calls, game::container file = game::container::icrep) {
  game::match_options options;
  options.file = file;
  options.record_voice = true;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.full_keyframe_interval = 3;
  options.seal_interval_ms = 0;
  options.calls = &calls;
  options.signing_key_seed.emplace();
  options.signing_interval_ticks = 10;
  outcome out;
  auto recorder = little_recorder::begin(path, little_match(), options);
  if (!recorder) return out;
  out.begun = true;
  small_world world;
  (void)recorder->voice_track(0, true);
  const std::byte packet[4] = {};
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    (void)recorder->event(analysis::pause_event{tick, 0, true});
    (void)recorder->voice(0, packet);
    if (tick % 3 == 0) (void)recorder->pump();
    world.step();
  }
  const auto report = recorder->end();
  out.ended = report.has_value();
  out.counters = report ? report->counters : recorder->counters();
  return out;
}

// The contents of the file are correct, and its losses are reported.
void check_finished(const std::string& path) {
  auto replay = game::replay::open(path);
  BOOST_REQUIRE_MESSAGE(replay, why(replay));
  BOOST_TEST(!replay->file().header().live);
  // A failing disk is not reported as tampering.
  const auto signatures = replay->file().verify_signatures();
  BOOST_TEST((signatures.state != icrep::signature_state::tampered),
             (signatures.why ? describe(*signatures.why) : ""));
  std::vector<small_world> worlds(1);
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    worlds.push_back(worlds.back());
    worlds.back().step();
  }
  std::uint64_t frames = 0;
  icrep::tick_frame frame;
  for (auto cursor = replay->orders(0, ticks); cursor.next(frame); ++frames) {
    BOOST_REQUIRE(frame.state_hash == worlds.at(frame.tick).hash());
  }
  for (std::size_t i = 0; i < replay->keyframes().size(); ++i)
    BOOST_TEST(replay->file().snapshot(i).has_value());
  if (frames != ticks || replay->keyframes().size() != ticks / 5)
    BOOST_TEST(replay->file().header().incomplete);
}

bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}

BOOST_AUTO_TEST_CASE(each_call_of_a_recording_fails) {
  const scratch_folder folder;
  failing_calls none;
  BOOST_REQUIRE(record(folder / "none.icrep", none).ended);
  check_finished(folder / "none.icrep");
  int number = 0;
  for (const fault kind : {fault::refused, fault::short_write, fault::torn_write}) {
    for (const bool for_good : {false, true}) {
      for (std::uint64_t at = 1; at <= none.calls(); ++at) {
        const std::string path = folder / ("match-" + std::to_string(number++) + ".icrep");
        BOOST_TEST_INFO_SCOPE("call " << at << (for_good ? " and later, kind " : ", kind ") << int(kind));
        failing_calls calls(kind, ENOSPC, at, for_good);
        const outcome happened = record(path, calls);
        calls.heal();
        if (!happened.begun) {
          if (!for_good) BOOST_TEST((!exists(path) && !exists(path + ".reel")));
          continue;
        }
        if (!happened.ended) {
          // Recorded ticks wait until writes succeed again.
          const auto recovered = game::recover(path);
          BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
        } else {
          BOOST_TEST(game::recover(path).has_value());
        }
        BOOST_TEST(!exists(path + ".reel"));
        check_finished(path);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(each_call_of_a_recording_into_a_reel_fails) {
  const scratch_folder folder;
  failing_calls none;
  BOOST_REQUIRE(record(folder / "none.reel", none, game::container::reel).ended);
  check_finished(folder / "none.reel");
  int number = 0;
  for (const fault kind : {fault::refused, fault::short_write, fault::torn_write}) {
    for (const bool for_good : {false, true}) {
      for (std::uint64_t at = 1; at <= none.calls(); ++at) {
        const std::string path = folder / ("match-" + std::to_string(number++) + ".reel");
        BOOST_TEST_INFO_SCOPE("call " << at << (for_good ? " and later, kind " : ", kind ") << int(kind));
        failing_calls calls(kind, ENOSPC, at, for_good);
        const outcome happened = record(path, calls, game::container::reel);
        calls.heal();
        if (!happened.begun) {
          if (!for_good) BOOST_TEST(!exists(path));
          continue;
        }
        if (!happened.ended) {
          const auto recovered = reel::recover_in_place(path);
          BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
        }
        check_finished(path);
      }
    }
  }
}

// Either the output exists and is complete, or it does not exist.
BOOST_AUTO_TEST_CASE(each_call_of_a_conversion_fails) {
  const scratch_folder folder;
  failing_calls none;
  BOOST_REQUIRE(record(folder / "a.icrep", none).ended);
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  int number = 0;
  for (const bool to_reel : {true, false}) {
    const auto convert = [&](const std::string& output, system_calls& calls) {
      game::conversion_options options;
      options.calls = &calls;
      return to_reel ? game::convert_icrep_to_reel(folder / "a.icrep", output, options)
                     : game::convert_reel_to_icrep(folder / "a.reel", output, options);
    };
    failing_calls counting;
    BOOST_REQUIRE(convert(folder / (to_reel ? "none.reel" : "none.icrep"), counting));
    for (const fault kind : {fault::refused, fault::short_write, fault::torn_write}) {
      for (std::uint64_t at = 1; at <= counting.calls(); ++at) {
        const std::string path = folder / ("out-" + std::to_string(number++));
        BOOST_TEST_INFO_SCOPE("call " << at << ", kind " << int(kind));
        failing_calls calls(kind, ENOSPC, at, false);
        const auto report = convert(path, calls);
        if (report) BOOST_TEST(exists(path));
        if (exists(path)) check_finished(path);
      }
    }
  }
}

// Of a reel, and of a live file of version 0.1.
BOOST_AUTO_TEST_CASE(each_call_of_a_recovery_fails) {
  const scratch_folder folder;
  failing_calls fine;
  BOOST_REQUIRE(record(folder / "whole.icrep", fine).ended);
  const auto leave = [&](const std::string& path, bool old) {
    if (old) return leave_old_live_file(folder / "whole.icrep", path, 20);
    game::match_options options;
    options.mode = threading::pumped;
    options.keyframe_interval_ticks = 5;
    options.seal_interval_ms = 0;
    auto recorder = little_recorder::begin(path, little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    for (std::uint64_t tick = 0; tick < 20; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      (void)recorder->pump();
      world.step();
    }
  };
  int number = 0;
  for (const bool old : {false, true}) {
    failing_calls none;
    const std::string first = folder / (old ? "none-old.icrep" : "none.icrep");
    leave(first, old);
    BOOST_REQUIRE(game::recover(first, none));
    for (const fault kind : {fault::refused, fault::short_write, fault::torn_write}) {
      for (const bool for_good : {false, true}) {
        for (std::uint64_t at = 1; at <= none.calls(); ++at) {
          const std::string path = folder / ("match-" + std::to_string(number++) + ".icrep");
          BOOST_TEST_INFO_SCOPE("call " << at << (for_good ? " and later, kind " : ", kind ") << int(kind)
                                        << (old ? ", old" : ""));
          leave(path, old);
          failing_calls calls(kind, EIO, at, for_good);
          (void)game::recover(path, calls);
          const auto recovered = game::recover(path);
          BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
          BOOST_TEST(recovered->total_ticks == 20u);
          for (const char* left : {".reel", ".kf", ".ev", ".vo"}) BOOST_TEST(!exists(path + left));
          check_finished(path);
        }
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
