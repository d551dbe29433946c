// Plays two minutes of a simulated Echo VR match and records it into match.butter, without network or game.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <tickreel/butter/encoder.hpp>
#include <tickreel/echo_vr/simulator.hpp>
#include <tickreel/files/publish.hpp>
#include <tickreel/record/recorder.hpp>

int main() {
  // This loop has no frame rate, so it may wait for the writer; a game would drop ticks and count them.
  using recorder = tickreel::recorder<tickreel::butter::encoder, tickreel::loss_policy::block>;
  std::filesystem::remove("match.butter.reel");
  auto recording = recorder::open("match.butter.reel", tickreel::butter::encoder{}, {.ticks_per_second = 60});
  if (!recording) return std::puts(tickreel::describe(recording.error()).c_str()), 1;

  tickreel::echo_vr::match_simulator match({.seed = 7});
  auto state = std::make_unique<tickreel::echo::state>();
  for (int tick = 0; tick < 2 * 60 * 60 && match.next(*state); ++tick) recording->push(*state);
  if (const auto closed = recording->close(); !closed) {
    return std::puts(tickreel::describe(closed.error()).c_str()), 1;
  }

  // The reel is safe on disk; now it is published as the file that players open.
  const auto published = tickreel::files::publish("match.butter.reel", "match.butter", {.overwrite = true});
  if (!published) return std::puts(tickreel::describe(published.error()).c_str()), 1;
  std::filesystem::remove("match.butter.reel");
  std::printf("match.butter: %llu ticks, %llu bytes each\n",
              static_cast<unsigned long long>(published->ticks),
              static_cast<unsigned long long>(published->bytes / published->ticks));
}
