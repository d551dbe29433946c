// Your own encoder: it encodes a tick as a whole at a keyframe, otherwise as a difference.
#include <cstdio>
#include <tickreel/record/recorder.hpp>

struct world {
  float x = 0, y = 0;
};

struct world_encoder {
  using state_type = world;
  static constexpr std::string_view encoder_name = "my_game";
  static constexpr std::uint32_t encoder_version = 1;
  std::size_t max_frame_size() const noexcept { return 8; }
  bool needs_keyframe(const world&) const noexcept { return false; }
  void encode(const world& now, tickreel::frame_kind kind, tickreel::byte_writer& out) noexcept {
    if (kind == tickreel::frame_kind::keyframe) held = {};
    const world change{now.x - held.x, now.y - held.y};
    out.f32(change.x);
    out.f32(change.y);
    held = {held.x + change.x, held.y + change.y};  // the reader's state; errors never accumulate
  }
  world held;
};

int main() {
  auto recorder =
      tickreel::recorder<world_encoder>::open("own.reel", {}, {.ring_ticks = 1024, .ticks_per_second = 60});
  if (!recorder) return std::puts(tickreel::describe(recorder.error()).c_str()), 1;
  world now;
  for (int tick = 0; tick < 600; ++tick, now.x += 0.25f) recorder->push(now);  // never waits
  const auto report = recorder->close();
  return report ? std::printf("%d ticks\n", int(report->counters.written)), 0 : 1;
}
