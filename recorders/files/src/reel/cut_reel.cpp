#include "cut_reel.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cut_events.hpp"
#include "echo/missing_lines.hpp"
#include "echo/ranged_echo.hpp"
#include "echo/restored_lines.hpp"
#include "icrep/icrep_conversion.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "range_errors.hpp"
#include "reels/reel_encoders.hpp"
#include "reels/reel_facts.hpp"
#include "reels/reel_losses.hpp"
#include "reels/ticked_reel.hpp"
#include "reels/unrecorded.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/reel/cut.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

namespace tickreel::files {

namespace {

struct wanted_ticks {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
};

// For Echo VR, times and game clocks are those of the ticks, not of the reel.
result<wanted_ticks> echo_ticks(const byte_source& from, const tick_range& range) {
  auto opened = open_echo_reel(from, {.repair = false, .tolerant = true});
  if (!opened) return fail(opened.error());
  (*opened)->keep_times_only(true);
  ranged_echo part(std::move(*opened), range);
  const auto tick = std::make_unique<echo::state>();
  for (;;) {
    const auto more = part.next(*tick);
    if (!more) return fail(more.error());
    if (!*more || !range.to) break;
  }
  wanted_ticks found{part.place().first_tick.value_or(0), part.place().last_tick.value_or(0)};
  // Ticks that are lost at the range's edges may be its own.
  if (const auto before = part.tick_before()) found.first = std::min(found.first, *before + 1);
  if (part.begins_recording()) found.first = 0;
  if (const auto after = part.tick_after(); after && *after != 0)
    found.last = std::max(found.last, *after - 1);
  if (!range.to || part.ends_recording()) found.last = std::numeric_limits<std::uint64_t>::max();
  return found;
}

result<wanted_ticks> ticks_of(const byte_source& from, reel::reader& source, const tick_range& range) {
  const reel_encoder* const known = known_reel_encoder(source.head());
  const bool only_ticks = !range.uses(moment::by::time) && !range.uses(moment::by::clock);
  if (known != nullptr && known->open_echo != nullptr && !only_ticks) return echo_ticks(from, range);
  if (range.uses(moment::by::clock)) return fail(no_game_clock);
  wanted_ticks found;
  if (range.from && range.from->unit == moment::by::tick) found.first = range.from->tick;
  if (range.to && range.to->unit == moment::by::tick) found.last = range.to->tick;
  if (range.from && range.from->unit == moment::by::time) {
    const auto first = reel::first_tick_from(source, first_us_from(*range.from), reel::edge::with_lost);
    if (!first) return fail(first.error());
    found.first = *first;
  }
  if (range.to && range.to->unit == moment::by::time) {
    const auto first_after = reel::first_tick_from(source, first_us_after(*range.to));
    if (!first_after && first_after.error().code != error_code::out_of_range)
      return fail(first_after.error());
    if (first_after && *first_after == 0) {
      return fail(error_code::out_of_range, error::no_offset, "no tick is there: the first is tick 0");
    }
    if (first_after) found.last = *first_after - 1;
  }
  return found;
}

}  // namespace

result<conversion_report> cut_reel(const file_path& input, const file_path& output,
                                   const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  const auto from = open_file(input);
  if (!from) return fail(from.error());
  auto source = reel::reader::open(*from);
  if (!source) return fail(source.error());
  if (game::is_match_reel(source->head())) return cut_match_reel(input, output, options);
  if (options.codec || options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a part of a reel keeps its frames: compression and keyframe interval cannot be changed");
  }
  const auto wanted = ticks_of(*from, *source, options.range);
  if (!wanted) return fail(wanted.error());
  auto check = check_for_copy(*source);
  if (!check) return fail(check.error());
  reel::cut_options how;
  how.accepts = std::move(check->accepts);
  how.first_tick = wanted->first;
  how.last_tick = wanted->last;
  how.overwrite = options.overwrite;
  how.marks_missing_end = !source->is_being_written();
  how.progress = [&](std::uint64_t done, std::uint64_t total) {
    options.watch.report(done, total);
    return !options.watch.stop();
  };
  std::string ticks = ", ticks " + std::to_string(wanted->first) + " to ";
  ticks +=
      wanted->last == std::numeric_limits<std::uint64_t>::max() ? "the end" : std::to_string(wanted->last);
  const std::string text = name_of(input) + ticks;
  how.metadata.push_back({cut_key, {as_bytes(text).begin(), as_bytes(text).end()}});
  reel_losses losses;
  how.missing = [&](const reel::item& each) { losses.note(each); };
  std::optional<tracks::row_rewriter> rows;
  const reel::header& head = source->head();
  if (head.encoder_name == tracks::rows_name && tracks::row_decoder::reads_version(head.encoder_version)) {
    auto made = tracks::row_rewriter::create(head.schema, {.rows_version = head.encoder_version});
    if (!made) return fail(made.error());
    rows.emplace(std::move(*made));
    how.rewriter = &*rows;
  }
  cut_events events;
  events.apply_to(how);
  const auto done = reel::cut_into(*source, output, how);
  if (!done) return fail(done.error());
  conversion_report report;
  report.ticks = done->ticks;
  report.bytes = done->bytes;
  report.files = {output};
  report.lost_ticks = losses.ticks();
  report.lost = losses.sentences();
  report.lost.insert(report.lost.end(), check->lost.begin(), check->lost.end());
  // If the lines are stored, nothing was left out.
  if (!keeps_lines(head)) append_unrecorded(events.unrecorded(), report.lost);
  const auto lacks = may_lack_lines(*source);
  if (!lacks) return fail(lacks.error());
  if (*lacks) {
    if (auto reported = append_missing_lines(output, report.lost); !reported) return fail(reported.error());
  }
  if (done->reached_end) append_missing_end(*source, report.lost);
  cut_place cut{done->first.tick, done->last.tick, done->first.time_us / 1000, done->last.time_us / 1000};
  cut.lead_in_ticks = done->ahead;
  cut.lead_in_ms = difference(done->first_wanted.time_us, done->first.time_us) / 1000;
  report.cut = cut;
  return report;
}

}  // namespace tickreel::files
