// Fixed runs whose instructions are counted, not timed: scripts/perf_guard starts this under valgrind.
//
// counted_run() is what valgrind looks at; everything before it, such as making the ticks, is not counted.

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/world_encoder.hpp"
#include "../support/worlds.hpp"
#include "counted_run.hpp"
#include "described_units.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/game/game_recorder.hpp"
#include "tickreel/record/recorder.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

void encode_butter(bool bones) {
  const auto ticks = arena_match({.bones = bones, .ticks = 60});
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  const auto pass = [&] {
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      byte_writer out(room);
      encoder.encode(ticks[i], i == 0 ? frame_kind::keyframe : frame_kind::delta, out);
    }
  };
  pass();  // builds its tables
  counted_run(pass);
}

void encode_world(std::size_t entities, std::size_t changed, bool marked) {
  world now({"guarded", entities, changed, 60});
  world_frames frames(entities);
  byte_vector room(frames.max_frame_size());
  const auto tick = [&] {
    byte_writer out(room);
    if (marked) {
      frames.marked(now.placements(), now.conditions(), now.changes(), out);
    } else {
      frames.compared(now.placements(), now.conditions(), out);
    }
  };
  {
    byte_writer out(room);
    frames.keyframe(now.placements(), now.conditions(), out);
  }
  for (int i = 0; i < 20; ++i) {
    now.step();
    counted_run(tick);
  }
}

// The game's thread: a tick, and the changes of its keyframe.
void record_game(std::size_t entities, std::size_t changed) {
  using recorder = game::game_recorder<game::world_types<game::components<placement, condition>>>;
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tickreel_perf_guard.icrep";
  const auto clear = [&path] {
    for (const char* suffix : {"", ".reel"}) std::filesystem::remove(path.string() + suffix);
  };
  clear();
  game::match about;
  about.game = "guarded";
  about.replay_id = "00000000-0000-4000-8000-000000000000";
  about.timestamp = "2026-01-01T00:00:00Z";
  about.players = {{0, "A", "", "", 0}};
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 1000;
  options.sync_interval_ms = 0;
  auto to = must(recorder::begin(path.string(), about, options));
  to.changes_only(true);
  world now({"guarded", entities, changed, 60});
  for (std::uint64_t tick = 0; tick < 40; ++tick) {
    now.step();
    const auto record = [&] {
      (void)must(to.tick(tick, tick + 1));
      if (to.wants_whole_world()) {
        for (std::size_t i = 0; i < now.placements().size(); ++i) {
          to.entity({static_cast<std::uint16_t>(i), 1}, "unit")
              .set(now.placements()[i])
              .set(now.conditions()[i]);
        }
        return;
      }
      for (const std::uint32_t i : now.changes().entities()) {
        auto entity = to.entity({static_cast<std::uint16_t>(i), 1});
        if (now.changes().is_marked(i, placement_slot)) entity.set(now.placements()[i]);
        if (now.changes().is_marked(i, condition_slot)) entity.set(now.conditions()[i]);
      }
    };
    // The first ones grow the buffers to their final size.
    if (tick < 20) {
      record();
    } else {
      counted_run(record);
    }
    (void)to.pump();
  }
  clear();
}

// A push, with the copy that it makes.
void push_match() {
  const auto ticks = arena_match({.bones = true, .ticks = 60});
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::memory_sink>());
  auto to = must(recorder<butter::encoder>::open(std::move(sinks), butter::encoder{},
                                                 {.mode = threading::pumped, .ticks_per_second = 60}));
  counted_run([&] {
    for (const echo::state& tick : ticks) (void)to.push(tick);
  });
}

struct guarded_run {
  std::string_view name;
  void (*work)();
};
constexpr guarded_run runs[] = {
    {"butter_8_players", [] { encode_butter(false); }},
    {"butter_8_players_with_bones", [] { encode_butter(true); }},
    {"world_10000_compared", [] { encode_world(10'000, 100, false); }},
    {"world_10000_marked", [] { encode_world(10'000, 100, true); }},
    {"shooter_128_compared", [] { encode_world(128, 128, false); }},
    {"icrep_500_marked", [] { record_game(500, 25); }},
    {"icrep_10000_marked", [] { record_game(10'000, 100); }},
    {"push_8_players_with_bones", &push_match},
    {"described_5000_push_of_changes", [] { record_units(part::push_of_changes); }},
    {"described_5000_writer", [] { record_units(part::writer); }},
    {"described_5000_tick_at_random", [] { record_units(part::tick_at_random); }},
};

// Counts are compared only if all of this is equal.
void print_environment() {
#if defined(__clang__)
  std::printf("Clang %d", __clang_major__);
#else
  std::printf("GCC %d", __GNUC__);
#endif
#if defined(__x86_64__)
  std::printf(", x86-64, %s", __builtin_cpu_supports("avx2") ? "AVX2" : "no AVX2");
#elif defined(__aarch64__)
  std::printf(", AArch64");
#endif
#ifdef __GLIBC__
  std::printf(", glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);  // whose memcpy is counted too
#endif
  std::printf("\n");
}

}  // namespace

// --list: the runs' names. --environment: what the counts depend on. Otherwise a name: that run.
int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "--list";
  if (what == "--environment") {
    print_environment();
    return 0;
  }
  for (const guarded_run& each : runs) {
    if (what == "--list") std::printf("%s\n", each.name.data());
    if (what != each.name) continue;
    each.work();
    return 0;
  }
  return what == "--list" ? 0 : 2;
}
