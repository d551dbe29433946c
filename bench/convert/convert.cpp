// How fast is the conversion of one format to another?

#include <fmt/format.h>

#include <filesystem>

#include "../support/exit_on_error.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"

int main(int argc, char** argv) {
  using namespace tickreel;
  using namespace tickreel::bench;

  program self(argc, argv, "convert", "how fast does one format become another?");
  fmt::print("A simulated match with bones at 60 Hz, files in the temporary folder; best of the runs.\n\n");
  const scratch_folder files("tickreel_bench_convert");
  const int times = self.quick() ? 1 : 3;
  echo_vr::simulated_source match({.seed = 20220716, .match_seconds = self.quick() ? 1.0f : 15.0f});

  throughput_table out;
  const auto run = [&](const char* name, const std::filesystem::path& from, const std::filesystem::path& to,
                       const files::convert_options& options = {}) {
    out.measure(name, from, to, times, [&] { return must(files::convert(from, to, options)).ticks; });
  };
  const auto text = files / "match.echoreplay";
  const auto butter = files / "match.butter";
  out.measure("simulator to .echoreplay", {}, text, 1,
              [&] { return must(files::convert(match, text)).ticks; });
  run(".echoreplay to .butter, gzip", text, butter);
  run(".butter to .butter, zstd, frames kept", butter, files / "zstd.butter",
      {.codec = codec_options{.codec = codec_id::zstd}});
  run(".butter to .butter, encoded again", butter, files / "anew.butter", {.keyframe_interval_ticks = 150});
  run(".butter to .echoreplay", butter, files / "back.echoreplay");
  run(".butter to reel", butter, files / "match.reel");
  out.print();
  self.results()["rows"] = out.take_rows();
  return self.finish();
}
