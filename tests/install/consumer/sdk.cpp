// Records a hundred ticks of a struct, described and with an encoder of its own, and reads both reels back.
// The codec is the best that the build has.
#include <cstdio>
#include <tickreel/reel/reader.hpp>
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);

struct world_encoder {
  using state_type = world;
  static constexpr std::string_view encoder_name = "consumer";
  static constexpr std::uint32_t encoder_version = 1;
  std::size_t max_frame_size() const noexcept { return 4; }
  bool needs_keyframe(const world&) const noexcept { return false; }
  void encode(const world& now, tickreel::frame_kind, tickreel::byte_writer& out) noexcept { out.f32(now.x); }
};

template <class Recorder>
bool record_hundred(tickreel::result<Recorder> opened) {
  if (!opened) return std::puts(tickreel::describe(opened.error()).c_str()), false;
  for (int tick = 0; tick < 100; ++tick) opened->push({static_cast<float>(tick)});
  return opened->close().has_value();
}

int main() {
  std::remove("sdk.reel");
  using recorder = tickreel::recorder<world_encoder, tickreel::loss_policy::block>;
  if (!record_hundred(recorder::open("sdk.reel", {}, {}))) return 1;
  auto reader = tickreel::reel::reader::open("sdk.reel");
  if (!reader || reader->contents().frames != 100) return 1;

  std::remove("world.reel");
  constexpr auto waits = tickreel::loss_policy::block;
  if (!record_hundred(tickreel::record<world, waits>("world.reel", {.ticks_per_second = 60}))) return 1;
  auto in = tickreel::replay<world>("world.reel");
  return in && in->at(99) && in->at(99)->x == 99 ? 0 : 1;
}
