// Matches from .icrep to reel and back.
#include "icrep_conversion.hpp"

#include <algorithm>

#include "byte_stream.hpp"
#include "paths.hpp"
#include "reel/reel_losses.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/match.hpp"

namespace tickreel::files {

namespace {

using game_conversion = result<game::conversion_report> (*)(const file_path&, const file_path&,
                                                            const game::conversion_options&);

result<conversion_report> convert_match(game_conversion convert, const codec_options& codec,
                                        const file_path& input, const file_path& output,
                                        const conversion_options& options) {
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "keyframes of a match stay as they were recorded; leave --keyframe-interval away");
  }
  game::conversion_options how;
  how.overwrite = options.overwrite;
  how.codec = codec;
  how.progress = [&](std::uint64_t done, std::uint64_t total) {
    options.watch.report(done, total);
    return !options.watch.stop();
  };
  const auto done = convert(input, output, how);
  if (!done) return fail(done.error());
  conversion_report report;
  report.ticks = done->ticks;
  report.bytes = done->bytes;
  for (std::uint32_t number = 1; number <= done->files; ++number) {
    report.files.push_back(game::part_path(output, number));
  }
  if (done->missing_parts != 0) {
    report.lost.push_back(std::to_string(done->missing_parts) + " files of the match, which are not there");
  }
  if (done->damaged_parts != 0) {
    report.lost.push_back(std::to_string(done->damaged_parts) + " damaged blocks or records");
  }
  if (done->total_ticks > done->ticks) {
    report.lost_ticks = done->total_ticks - done->ticks;
    report.lost.push_back(std::to_string(report.lost_ticks) + " ticks have no orders");
  } else if (done->incomplete && report.lost.empty()) {
    report.lost.push_back("the recording is incomplete, and says so");
  }
  return report;
}

}  // namespace

result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  return convert_match(&game::convert_icrep_to_reel,
                       options.codec.value_or(codec_options{.codec = codec_id::zstd}), input, output,
                       options);
}

result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  if (options.codec && options.codec->codec != codec_id::lz4) {
    return fail(error_code::unsupported_codec, error::no_offset,
                "an .icrep has lz4; 'recompress' can undo it");
  }
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const auto losses = losses_of(*source);
  if (!losses) return fail(losses.error());
  auto report = convert_match(&game::convert_reel_to_icrep, {}, input, output, options);
  if (!report) return report;
  report->lost_ticks = std::max(report->lost_ticks, losses->ticks());
  const auto named = losses->sentences();
  report->lost.insert(report->lost.begin(), named.begin(), named.end());
  return report;
}

}  // namespace tickreel::files
