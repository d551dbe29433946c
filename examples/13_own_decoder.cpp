// Opens the reel of 12_own_encoder and prints the world at tick 400: the last keyframe before it, then the
// deltas.
#include <cstdio>
#include <tickreel/bytes/reader.hpp>
#include <tickreel/reel/frame_stream.hpp>

namespace {

int complain(const tickreel::error& what) {
  std::puts(tickreel::describe(what).c_str());
  return 1;
}

}  // namespace

int main() {
  constexpr std::uint64_t wanted = 400;
  auto reel = tickreel::reel::reader::open("own.reel");
  if (!reel) return complain(reel.error());

  const auto start = reel->chunk_for_tick(wanted);
  if (!start) return complain(start.error());

  float x = 0, y = 0;
  tickreel::reel::frame_stream frames(*reel, {.first_record = *start});
  tickreel::reel::frame frame;
  for (;;) {
    const auto more = frames.next(frame);
    if (!more) return complain(more.error());
    if (!*more || frame.stamp.tick > wanted) break;
    if (frame.kind == tickreel::frame_kind::keyframe) x = y = 0;
    tickreel::byte_reader bytes(frame.bytes);
    x += bytes.f32();
    y += bytes.f32();
    if (frame.stamp.tick == wanted) {
      std::printf("tick %llu: x %.2f, y %.2f\n", static_cast<unsigned long long>(wanted), x, y);
      return x == 100.0f ? 0 : 1;
    }
  }
  return 1;
}
