#include "described_conversion.hpp"

#include <algorithm>
#include <functional>

#include "described_reel.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "range_errors.hpp"
#include "reel_format.hpp"
#include "reels/reel_encoders.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t flush_bytes = 256u << 10;

// Writes each tick with `append`, into a file that appears complete or not at all.
result<conversion_report> write_lines(recording& from, const file_path& output,
                                      const conversion_options& options, std::string text,
                                      const std::function<void(std::string&)>& append) {
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  conversion_report report;
  const tick_range& range = options.range;
  std::vector<std::string> ahead;
  if (range.from) {
    if (auto found = from.seek(*range.from); !found) return fail(found.error());
    // The loss between the keyframe and the first tick.
    if (range.from->unit != moment::by::tick || from.position().tick == range.from->tick) {
      ahead = from.losses();
    }
  }
  for (;;) {
    const auto more = from.next();
    if (!more) return fail(more.error());
    if (!*more) break;
    const tick_position& at = from.position();
    const auto clock = from.game_clock();
    if (range.to && is_after(*range.to, at.tick, at.time_ms, clock)) break;
    if (!range.is_all()) {
      if (!report.cut) report.cut = cut_place{at.tick, at.tick, at.time_ms, at.time_ms};
      report.cut->last_tick = at.tick;
      report.cut->last_ms = at.time_ms;
    }
    append(text);
    ++report.ticks;
    if (text.size() < flush_bytes) continue;
    options.watch.report(from.position().offset, 0);
    if (options.watch.stop()) return fail(error_code::interrupted);
    if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
    text.clear();
  }
  if (auto written = to->append(as_bytes(text)); !written) return fail(written.error());
  if (!range.is_all() && report.ticks == 0) {
    return fail(error_code::out_of_range, error::no_offset, "no tick is there: the next is tick {}",
                static_cast<std::int64_t>(from.position().tick));
  }
  report.lost = from.losses();
  if (report.lost.size() >= ahead.size() && std::equal(ahead.begin(), ahead.end(), report.lost.begin())) {
    report.lost.erase(report.lost.begin(), report.lost.begin() + static_cast<std::ptrdiff_t>(ahead.size()));
  }
  report.bytes = to->size();
  report.files = {output};
  if (auto committed = to->commit(); !committed) return fail(committed.error());
  return report;
}

result<byte_source> open_input(const file_path& input, const file_path& output,
                               const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset, "a text has no compression and no keyframes");
  }
  return open_file(input);
}

}  // namespace

result<conversion_report> convert_reel_to_ndjson(const file_path& input, const file_path& output,
                                                 const conversion_options& options) {
  const auto file = open_input(input, output, options);
  if (!file) return fail(file.error());
  if (options.range.uses(moment::by::clock)) {
    const auto has_clock = is_echo_recording(input);
    if (!has_clock) return fail(has_clock.error());
    if (!*has_clock) return fail(no_game_clock);
  }
  auto from = open_reel_recording(*file, {});
  if (!from) return fail(from.error());
  const recording& ticks = **from;
  return write_lines(**from, output, options, {}, [&](std::string& text) {
    append_tick(ticks, text);
    text += '\n';
  });
}

result<conversion_report> convert_reel_to_csv(const file_path& input, const file_path& output,
                                              const conversion_options& options) {
  const auto file = open_input(input, output, options);
  if (!file) return fail(file.error());
  if (options.range.uses(moment::by::clock)) return fail(no_game_clock);
  const auto source = reel::reader::open(*file);
  if (!source) return fail(source.error());
  if (const auto known = reel_encoder_of(source->head()); !known) return fail(known.error());
  auto from = open_described(*file);
  if (!from) return fail(from.error());
  const described_recording& ticks = **from;
  std::string names = "tick,time_ms";
  append_csv_names(ticks.described(), names);
  names += '\n';
  return write_lines(**from, output, options, std::move(names), [&](std::string& text) {
    text += std::to_string(ticks.position().tick) + "," + std::to_string(ticks.position().time_ms);
    append_csv_row(ticks.described(), ticks.row(), text);
    text += '\n';
  });
}

}  // namespace tickreel::files
