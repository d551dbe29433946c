// Records a hundred ticks of a struct with an encoder of its own and reads the reel back.
#include <cstdio>
#include <tickreel/record/recorder.hpp>
#include <tickreel/reel/reader.hpp>

struct world {
  float x = 0;
};

struct world_encoder {
  using state_type = world;
  static constexpr std::string_view encoder_name = "consumer";
  static constexpr std::uint32_t encoder_version = 1;
  std::size_t max_frame_size() const noexcept { return 4; }
  bool needs_keyframe(const world&) const noexcept { return false; }
  void encode(const world& now, tickreel::frame_kind, tickreel::byte_writer& out) noexcept { out.f32(now.x); }
};

int main() {
  std::remove("sdk.reel");
  tickreel::recorder_options options;
  options.codec = {tickreel::codec_id::zstd};
  using recorder = tickreel::recorder<world_encoder, tickreel::loss_policy::block>;
  auto opened = recorder::open("sdk.reel", {}, options);
  if (!opened) return std::puts(tickreel::describe(opened.error()).c_str()), 1;
  for (int tick = 0; tick < 100; ++tick) opened->push({static_cast<float>(tick)});
  if (const auto closed = opened->close(); !closed) return 1;
  auto reader = tickreel::reel::reader::open("sdk.reel");
  return reader && reader->contents().frames == 100 ? 0 : 1;
}
