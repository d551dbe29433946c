// How fast is publishing a reel, and how fast is recovery after a crash?

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <vector>

#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/record/recorder.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

// The reel of a live recorder, as fast as possible: the caller waits where a game would drop ticks.
std::uint64_t record(const std::vector<echo::state>& ticks, const std::filesystem::path& path) {
  using recorder_type = recorder<butter::encoder, loss_policy::block>;
  auto to = must(
      recorder_type::open(path.string(), butter::encoder{}, {.seal_frames = 60, .ticks_per_second = 60}));
  for (const echo::state& tick : ticks) (void)to.push(tick);
  return must(to.close()).counters.written;
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "recover",
               "how fast does a reel become the file its audience opens, also after a crash?");
  fmt::print(
      "A simulated match with bones at 60 Hz, a chunk a second, files in the temporary folder; best of the "
      "runs.\n\n");
  const scratch_folder files("tickreel_bench_recover");
  const int times = self.quick() ? 1 : 3;
  const auto ticks = arena_match({.bones = true, .rate_hz = 60, .ticks = self.quick() ? 600u : 3600u});

  throughput_table out;
  const auto reel = files / "match.reel";
  out.measure("record: push, encode, seal, sync", {}, reel, times, [&] { return record(ticks, reel); });
  const auto publish = [&](const char* name, const char* file, const codec_options& codec) {
    out.measure(name, reel, files / file, times,
                [&] { return must(files::publish(reel, files / file, {.codec = codec})).ticks; });
  };
  publish("publish as .butter, gzip", "gzip.butter", {.codec = codec_id::gzip});
  publish("publish as .butter, zstd 3", "zstd.butter", {.codec = codec_id::zstd});
  publish("publish as .butter, not compressed", "none.butter", {.codec = codec_id::none});

  // Torn in the middle of a record, as after a power failure.
  const auto torn = files / "torn.reel";
  std::filesystem::copy_file(reel, torn);
  std::filesystem::resize_file(torn, std::filesystem::file_size(reel) * 2 / 3);
  out.measure("recover a torn reel as .butter, gzip", torn, files / "torn.butter", times,
              [&] { return must(files::recover(torn, files / "torn.butter", {.overwrite = true})).ticks; });
  out.print();
  self.results()["rows"] = out.take_rows();
  return self.finish();
}
