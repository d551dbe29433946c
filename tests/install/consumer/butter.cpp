// Records a hundred ticks of an empty lobby with the .butter encoder and reads the reel back.
#include <cstdio>
#include <tickreel/butter/encoder.hpp>
#include <tickreel/record/recorder.hpp>
#include <tickreel/reel/reader.hpp>

int main() {
  using recorder = tickreel::recorder<tickreel::butter::encoder, tickreel::loss_policy::block>;
  std::remove("consumer.reel");
  auto opened = recorder::open("consumer.reel", tickreel::butter::encoder{}, {});
  if (!opened) return std::puts(tickreel::describe(opened.error()).c_str()), 1;
  tickreel::echo::state state;
  for (int tick = 0; tick < 100; ++tick) {
    state.recorded_time_ms = 1000 + tick * 16;
    opened->push(state);
  }
  if (const auto closed = opened->close(); !closed) return 1;
  auto reader = tickreel::reel::reader::open("consumer.reel");
  return reader && reader->contents().frames == 100 ? 0 : 1;
}
