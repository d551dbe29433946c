// A viewer that follows a recording while it is being written: a recorder on one side, a reader on the other.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <tickreel/record/recorder.hpp>
#include <tickreel/reel/reader.hpp>

namespace {

struct score {
  std::int32_t blue = 0, orange = 0;
};

struct score_encoder {
  using state_type = score;
  static constexpr std::string_view encoder_name = "score";
  static constexpr std::uint32_t encoder_version = 1;
  [[nodiscard]] std::size_t max_frame_size() const noexcept { return 8; }
  [[nodiscard]] bool needs_keyframe(const score&) const noexcept { return true; }  // small enough to be whole
  void encode(const score& now, tickreel::frame_kind, tickreel::byte_writer& out) noexcept {
    out.i32(now.blue);
    out.i32(now.orange);
  }
};

}  // namespace

int main() {
  using namespace std::chrono_literals;
  std::filesystem::remove("live.reel");
  // Viewers want ticks sooner than once a second: seal often, and leave syncing to the system.
  auto recorder = tickreel::recorder<score_encoder>::open(
      "live.reel", {}, {.seal_interval_ms = 50, .sync_each_chunk = false, .ticks_per_second = 100});
  auto viewer = tickreel::reel::reader::open("live.reel");
  if (!recorder || !viewer) return 1;

  std::uint64_t seen = 0;
  for (std::int32_t tick = 0; tick < 100; ++tick) {
    recorder->push({tick / 10, tick / 20});
    std::this_thread::sleep_for(5ms);
    if (const auto fresh = viewer->refresh(); fresh && *fresh > 0) {
      std::printf("the viewer is at tick %llu\n", static_cast<unsigned long long>(viewer->contents().frames));
    }
  }
  if (const auto closed = recorder->close(); !closed) return 1;
  if (const auto last = viewer->refresh(); !last) return 1;
  seen = viewer->contents().frames;
  return seen == 100 ? 0 : 1;
}
