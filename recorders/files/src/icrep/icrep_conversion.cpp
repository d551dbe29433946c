// Converts matches from .icrep to reel and back.
#include "icrep_conversion.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <system_error>

#include "byte_stream.hpp"
#include "icrep_clock.hpp"
#include "icrep_losses.hpp"
#include "paths.hpp"
#include "range_errors.hpp"
#include "reels/reel_losses.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/match.hpp"
#include "tickreel/icrep/cut.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::files {

namespace {

using game_conversion = result<game::conversion_report> (*)(const file_path&, const file_path&,
                                                            const game::conversion_options&);

// `lost`: losses of the input that are already known.
result<conversion_report> convert_match(game_conversion convert, const codec_options& codec,
                                        const file_path& input, const file_path& output,
                                        const conversion_options& options,
                                        std::vector<std::string> lost = {}) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "keyframes of a match cannot be changed: omit --keyframe-interval");
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
  report.lost = std::move(lost);
  report.ticks = done->ticks;
  report.bytes = done->bytes;
  for (std::uint32_t number = 1; number <= done->files; ++number) {
    report.files.push_back(game::part_path(output, number));
  }
  if (done->missing_parts != 0) {
    report.lost.push_back(counted(done->missing_parts, "missing file", "missing files") + " of the match");
  }
  if (done->damaged_parts != 0) {
    report.lost.push_back(
        counted(done->damaged_parts, "damaged block or record", "damaged blocks or records"));
  }
  if (done->total_ticks > done->ticks) {
    report.lost_ticks = done->total_ticks - done->ticks;
    report.lost.push_back(counted(report.lost_ticks, "tick has", "ticks have") + " no orders");
  } else if (done->incomplete && report.lost.empty()) {
    report.lost.emplace_back(marked_incomplete);
  }
  // A reel has no sections, in whose layout data could be hidden, and takes longer to open.
  append_invalid_signatures(convert == &game::convert_icrep_to_reel ? input : output, report.lost);
  return report;
}

// A temporary file between two formats, deleted by the destructor. It is beside the output, with an unused
// name.
class temporary_file {
 public:
  static result<std::unique_ptr<temporary_file>> create(const file_path& output, bool overwrite) {
    const auto named = published_file::create(output, overwrite);
    if (!named) return fail(named.error());
    return std::unique_ptr<temporary_file>(new temporary_file(named->temporary_path()));
  }
  ~temporary_file() { (void)remove_file(path_); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  [[nodiscard]] const file_path& path() const noexcept { return path_; }

 private:
  explicit temporary_file(file_path path) : path_(std::move(path)) {}

  file_path path_;
};

conversion_options without_range(conversion_options options) {
  options.range = {};
  options.overwrite = false;
  options.codec.reset();
  return options;
}

// `source` is the recording that the part was cut from.
result<conversion_report> cut_icrep_of(const file_path& source, const file_path& input,
                                       const file_path& output, const conversion_options& options) {
  if (options.range.uses(moment::by::clock)) return fail(no_game_clock);
  constexpr std::uint64_t max_icrep_bytes = UINT32_MAX;
  const auto file = read_whole_file(input, max_icrep_bytes);
  if (!file) return fail(file.error());
  const auto opened = icrep::reader::open(*file);
  if (!opened) return fail(opened.error());
  const icrep_clock clock{icrep::tick_seconds(opened->facts()).value_or(1.0 / 15)};
  icrep::cut_options how;
  if (options.range.from) {
    const auto first = clock.tick_of(*options.range.from);
    if (!first) return fail(first.error());
    how.first_tick = *first;
  }
  if (options.range.to && options.range.to->unit == moment::by::tick) how.last_tick = options.range.to->tick;
  if (options.range.to && options.range.to->unit == moment::by::time) {
    const double last = std::floor((options.range.to->seconds + 0.0005) / clock.tick_seconds);
    if (last < 1e15) how.last_tick = static_cast<std::uint64_t>(last);
  }
  if (how.last_tick < how.first_tick) {
    return fail(error_code::out_of_range, error::no_offset, "no tick is there: the next is tick {}",
                static_cast<std::int64_t>(how.first_tick));
  }
  const std::uint64_t last = std::min(how.last_tick, std::max<std::uint64_t>(opened->total_ticks(), 1) - 1);
  if (last < opened->first_tick()) {
    return fail(error_code::out_of_range, error::no_offset, "no tick is there: the first is tick {}",
                static_cast<std::int64_t>(opened->first_tick()));
  }
  how.cut_from =
      name_of(source) + ", ticks " + std::to_string(how.first_tick) + " to " + std::to_string(last);
  const auto made = icrep::cut(*file, how);
  if (!made) return fail(made.error());
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  if (auto written = to->append(made->file); !written) return fail(written.error());
  conversion_report report;
  report.ticks = made->ticks;
  report.bytes = to->size();
  report.files = {output};
  report.lost_ticks = made->missing_ticks;
  if (made->missing_ticks != 0) {
    report.lost.push_back(counted(made->missing_ticks, "tick has", "ticks have") + " no orders");
  }
  if (made->lost_keyframes != 0) {
    report.lost.push_back(counted(made->lost_keyframes, "state, which is damaged or depends on a damaged one",
                                  "states, which are damaged or depend on damaged ones"));
  }
  if (made->damaged_blocks != 0) {
    report.lost.push_back(counted(made->damaged_blocks, "damaged block") + " of orders, events or voice");
  }
  for (const error& each : made->damage) report.lost.push_back(describe(each));
  // Content at an unknown position may belong to the part.
  const auto reported = icrep::lost_content_of(opened->facts());
  if (reported && (reported->keyframes != 0 || reported->events != 0))
    append_reported_losses(*opened, report.lost);
  if (made->is_unfinished && report.lost.empty()) report.lost.emplace_back(marked_incomplete);
  append_invalid_signatures(*opened, report.lost);
  if (made->dropped_signature) {
    report.left_out.emplace_back("the signatures, which cover the whole recording");
  }
  cut_place cut{made->first_tick, made->last_tick, clock.time_ms_of(made->first_tick),
                clock.time_ms_of(made->last_tick)};
  if (made->first_tick <= how.first_tick) {
    cut.lead_in_ticks = how.first_tick - made->first_tick;
    cut.lead_in_ms = clock.time_ms_of(how.first_tick) - cut.first_ms;
  } else if (made->first_tick > opened->first_tick()) {
    report.lost.push_back("no valid state leads to tick " + std::to_string(how.first_tick) +
                          ": it begins with tick " + std::to_string(made->first_tick));
  }
  report.cut = cut;
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

}  // namespace

result<conversion_report> cut_icrep(const file_path& input, const file_path& output,
                                    const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a part of a match keeps its frames: compression and keyframe interval cannot be changed");
  }
  return cut_icrep_of(input, input, output, options);
}

result<conversion_report> cut_converted(
    const file_path& input, const file_path& output, const conversion_options& options,
    const std::function<result<conversion_report>(const file_path& whole)>& make) {
  const auto whole = temporary_file::create(output, options.overwrite);
  if (!whole) return fail(whole.error());
  const auto made = make((*whole)->path());
  if (!made) return made;
  auto report = cut_icrep_of(input, (*whole)->path(), output, options);
  if (!report) return report;
  report->lost.insert(report->lost.begin(), made->lost.begin(), made->lost.end());
  report->left_out.insert(report->left_out.begin(), made->left_out.begin(), made->left_out.end());
  return report;
}

namespace {

// Writes a reel's match as one .icrep. add_losses() reports its losses.
result<void> match_as_icrep(const file_path& input, const file_path& output,
                            const conversion_options& options) {
  const auto whole = convert_reel_to_icrep(input, output, without_range(options));
  if (!whole) return fail(whole.error());
  if (whole->files.size() > 1) {
    for (std::size_t each = 1; each < whole->files.size(); ++each) {
      (void)remove_file(whole->files[each]);
    }
    return fail(error_code::unsupported_operation, error::no_offset,
                "this match becomes {} files; convert it, and clip one of them",
                static_cast<std::int64_t>(whole->files.size()));
  }
  return {};
}

// Adds the losses of the reel in the range; for a range without an end, also those after the last tick.
result<void> add_losses(const file_path& input, const tick_range& range, conversion_report& report) {
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const cut_place& cut = *report.cut;
  const auto losses = losses_of(*source, *cut.first_tick, range.to ? *cut.last_tick : UINT64_MAX);
  if (!losses) return fail(losses.error());
  report.lost_ticks = std::max(report.lost_ticks, losses->ticks());
  const auto named = losses->sentences();
  report.lost.insert(report.lost.begin(), named.begin(), named.end());
  if (!range.to) append_missing_end(*source, report.lost);
  return {};
}

}  // namespace

result<conversion_report> cut_match_reel(const file_path& input, const file_path& output,
                                         const conversion_options& options) {
  const auto whole = temporary_file::create(output, options.overwrite);
  if (!whole) return fail(whole.error());
  const auto part = temporary_file::create(output, options.overwrite);
  if (!part) return fail(part.error());
  if (auto made = match_as_icrep(input, (*whole)->path(), options); !made) return fail(made.error());
  conversion_options cutting = without_range(options);
  cutting.range = options.range;
  auto report = cut_icrep_of(input, (*whole)->path(), (*part)->path(), cutting);
  if (!report) return report;
  if (auto reported = add_losses(input, options.range, *report); !reported) return fail(reported.error());
  conversion_options back = options;
  back.range = {};
  const auto reel = convert_icrep_to_reel((*part)->path(), output, back);
  if (!reel) return reel;
  report->bytes = reel->bytes;
  report->files = reel->files;
  return report;
}

result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  if (!options.range.is_all()) {
    const auto part = temporary_file::create(output, options.overwrite);
    if (!part) return fail(part.error());
    conversion_options cutting = without_range(options);
    cutting.range = options.range;
    auto report = cut_icrep_of(input, input, (*part)->path(), cutting);
    if (!report) return report;
    conversion_options rest = options;
    rest.range = {};
    const auto reel = convert_icrep_to_reel((*part)->path(), output, rest);
    if (!reel) return reel;
    report->bytes = reel->bytes;
    report->files = reel->files;
    return report;
  }
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
  if (!options.range.is_all()) {
    const auto whole = temporary_file::create(output, options.overwrite);
    if (!whole) return fail(whole.error());
    if (auto made = match_as_icrep(input, (*whole)->path(), options); !made) return fail(made.error());
    auto report = cut_icrep_of(input, (*whole)->path(), output, options);
    if (!report) return report;
    if (auto reported = add_losses(input, options.range, *report); !reported) return fail(reported.error());
    return report;
  }
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const auto losses = losses_of(*source);
  if (!losses) return fail(losses.error());
  std::vector<std::string> lost = losses->sentences();
  append_missing_end(*source, lost);
  auto report = convert_match(&game::convert_reel_to_icrep, {}, input, output, options, std::move(lost));
  if (report) report->lost_ticks = std::max(report->lost_ticks, losses->ticks());
  return report;
}

result<recover_report> publish_match_reel(const file_path& reel, const file_path& output,
                                          const recover_options& options) {
  conversion_options converting;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  const auto made = convert_reel_to_icrep(reel, output, converting);
  if (!made) return fail(made.error());
  recover_report report;
  report.ticks = made->ticks;
  report.lost_ticks = made->lost_ticks;
  report.bytes = made->bytes;
  report.lost = made->lost;
  return report;
}

}  // namespace tickreel::files
