#include "match_file.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "kept_lines.hpp"
#include "live_publisher.hpp"
#include "publish_match_reel.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/echo/bone_errors.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/row_encoder.hpp"

namespace tickreel::echo_vr {
namespace {

// A poll thread serves many targets and must never wait for a disk.
constexpr loss_policy when_full = loss_policy::drop_newest;

// Enough for the maximum number of players: a late join never exceeds the reel's limit. Unused slots cost
// almost nothing.
using recorded_row = echo::largest_recorded_tick;

bool has_bone_errors(record_format format, const match_options& options) noexcept {
  return format == record_format::reel && options.bone_errors;
}

using row_encoder = tracks::row_encoder<recorded_row>;

schema schema_for(record_format format, const match_options& options) {
  schema made = schema_of<recorded_row>();
  if (has_bone_errors(format, options)) echo::allow_bone_errors(made, *options.bone_errors);
  return made;
}

result<row_encoder> make_row_encoder(const schema& declared) {
  constexpr std::uint64_t max_row_block_bytes = 4u << 20;
  return row_encoder::create(
      declared, {.max_rows = tracks::rows_within(component_size<recorded_row>, max_row_block_bytes),
                 .group_columns = echo::live_group_columns});
}

codec_options reel_codec() noexcept {
  for (const codec_id codec : {codec_id::zstd, codec_id::gzip}) {
    if (is_available(codec)) return {.codec = codec};
  }
  return {.codec = codec_id::none};
}

reel::metadata_entry text_entry(std::string key, std::string_view value) {
  const byte_span bytes = as_bytes(value);
  return {std::move(key), {bytes.begin(), bytes.end()}};
}

// Whether the lines of responses are stored beside the rows.
bool keeps_lines(record_format format, const match_options& options) noexcept {
  return kind_of(format).has_rows && has_text(format, options);
}

recorder_options options_for(record_format format, const match_beginning& match,
                             const match_options& options) {
  recorder_options made;
  made.cadence.keyframe_interval_ticks = options.keyframe_interval_ticks;
  made.seal_interval_ms = options.seal_interval_ms;
  made.codec = reel_codec();
  if (!is_published(format) && options.codec) made.codec = *options.codec;
  const double ring = std::ceil(match.rate_hz * options.ring_seconds);
  made.ring_ticks = static_cast<std::uint32_t>(std::clamp(ring, 8.0, 4096.0));
  made.ticks_per_second = match.rate_hz;
  made.start_time_us = match.time_ms * 1000;
  made.metadata.push_back(text_entry("sessionid", match.session_id));
  made.metadata.push_back(text_entry("map_name", match.map));
  made.metadata.push_back(files::echo_events_entry());
  if (kind_of(format).has_rows) made.schema = to_bytes(schema_for(format, options));
  if (has_bone_errors(format, options)) {
    made.metadata.push_back(text_entry(echo::bone_errors_key, echo::sentence_of(*options.bone_errors)));
  }
  if (keeps_lines(format, options)) made.metadata.push_back(text_entry(echoreplay::lines_key, "kept"));
  return made;
}

template <class Encoder>
class recorded_file final : public match_file {
 public:
  using recorder_type = recorder<Encoder, when_full>;

  static result<std::unique_ptr<match_file>> open(record_format format, Encoder encoder,
                                                  const match_beginning& match,
                                                  const match_options& options) {
    std::vector<std::unique_ptr<reel::sink>> sinks;
    if (options.sinks && options.buffer_ms == 0) {
      sinks = options.sinks({.path = reel_path(match.stem, format),
                             .name = file_path(match.stem.filename()).utf8(),
                             .target = match.target,
                             .format = format});
    }
    auto opened = recorder_type::open(reel_path(match.stem, format), std::move(encoder),
                                      options_for(format, match, options), std::move(sinks));
    if (!opened) return fail(opened.error());
    auto made = std::make_unique<recorded_file>();
    made->format_ = format;
    made->stem_ = match.stem;
    made->codec_ = options.codec.value_or(codec_options{.codec = codec_id::gzip});
    made->recorder_.emplace(std::move(*opened));
    if (keeps_lines(format, options)) made->lines_.emplace();
    const bool may_have_extra = description_of(format).as_echo_output.has_side_data;
    if (may_have_extra && options.extra && options.buffer_ms == 0) made->extra_.emplace();
    made->clips_ = options.clips;
    made->is_buffer_ = options.buffer_ms != 0;
    if (made->clips_ != nullptr) {
      made->clips_->opened({.reel = reel_path(match.stem, format),
                            .stem = match.stem,
                            .format = format,
                            .codec = made->codec_,
                            .target = match.target,
                            .session_id = match.session_id,
                            .begin_ms = match.time_ms,
                            .is_buffer = made->is_buffer_});
    }
    if (kind_of(format).is_published_live && !made->is_buffer_) {
      made->growing_.emplace(reel_path(match.stem, format), final_path(match.stem, format), made->codec_);
    }
    return std::unique_ptr<match_file>(std::move(made));
  }

  void add(const match_tick& tick) override;

  void note_gap(std::uint64_t ticks, frame_stamp first, frame_stamp last) override {
    events_.note_lost();
    recorder_->note_gap(ticks, first, last, reel::gap_reason::source_failed);
  }
  std::uint64_t left_out() const override {
    // The response text is stored, except for those.
    if (lines_) return omissions_.count(echo::omission_kind::unreadable_bones) + lines_->missing_lines();
    return omissions_.total();
  }
  recorder_counters counters() const override {
    recorder_counters all = recorder_->counters();
    all.dropped += too_long_;
    return all;
  }
  std::optional<error> failure() const override { return recorder_->failure(); }

  finished_file finish(const files::monitor& watch) override {
    events_.finish(*recorder_);
    // The final counts of omitted values are known now.
    for (const auto& each : omissions_.entries()) {
      const byte_vector record = echo::omission_tally::record_of(each);
      (void)recorder_->event(echo::omission_event, record);
    }
    const auto closed = recorder_->close();
    const recorder_counters counted = recorder_->counters();
    std::vector<std::string> format_lacks;
    if constexpr (std::is_same_v<Encoder, butter::encoder>) {
      format_lacks = butter::sentences(recorder_->encoder().left_out());
    }
    if (lines_ && lines_->missing_lines() != 0) {
      format_lacks.push_back("the lines of " + tickreel::counted(lines_->missing_lines(), "tick") +
                             " could not be stored");
    }
    recorder_.reset();  // closes the reel
    if (clips_ != nullptr) clips_->closing(file_path(reel_path(stem_, format_)), watch);
    std::optional<files::publish_report> publish_result;
    if (growing_ && closed && counted.written != 0) publish_result = growing_->finish(watch);
    growing_.reset();
    finished_file done;
    done.path = reel_path(stem_, format_);
    done.ticks = counted.written;
    done.dropped_ticks = counted.dropped + counted.lost + too_long_;
    done.lost_ticks = counted.dropped + counted.lost + counted.noted;
    done.left_out = left_out();
    done.format_lacks = std::move(format_lacks);
    if (counted.failed_sinks != 0) {
      done.undelivered =
          closed ? closed->earlier_failure
                 : error{error_code::io_failed, error::no_offset, "a sink lacks records of the reel"};
    }
    if (counted.written == 0) {
      if (!closed) {
        done.failure = closed.error();
        return done;
      }
      (void)remove_file(done.path);
      done.path = final_path(stem_, format_);
      // Files that were opened under a name taken by another recorder were never reported.
      if (done.dropped_ticks + done.lost_ticks != 0) {
        done.failure = closed->earlier_failure.value_or(
            error{error_code::io_failed, error::no_offset, "no tick reached the file"});
      }
      return done;
    }
    if (is_buffer_) {
      growing_.reset();
      (void)remove_file(done.path);
      done.was_buffer = true;
      return done;
    }
    if (!is_published(format_)) {
      if (!closed) done.failure = closed.error();
      // It may have been deleted or truncated: check the file itself.
      const auto standing = reel::reader::open(file_path(done.path));
      if (standing) done.bytes = standing->contents().file_bytes;
      if (!standing) done.failure = standing.error();
      if (closed && standing && standing->contents().end != reel::reel_end::closed) {
        done.failure =
            error{error_code::truncated, standing->contents().file_bytes, "the reel lacks its end"};
      }
      return done;
    }
    publish_match_reel({.output = final_path(stem_, format_),
                        .codec = codec_,
                        .already = std::move(publish_result),
                        .extra = extra_ ? &*extra_ : nullptr},
                       done, watch);
    return done;
  }

 private:
  // Counts omitted values. A new kind is written to the reel immediately, the counts at the end.
  void leave_out(const echo::omission& what, frame_stamp where) {
    const std::size_t known = omissions_.entries().size();
    omissions_.set_place({where.tick, 0, 0});
    omissions_.left_out(what);
    if (omissions_.entries().size() == known) return;
    (void)recorder_->event(where, echo::omission_event,
                           echo::omission_tally::record_of(omissions_.entries().back()));
  }

  record_format format_ = record_format::butter;
  std::optional<echo::extra_writer> extra_;
  echo::omission_tally omissions_;
  files::echo_event_log<recorder_type> events_;
  std::optional<kept_lines> lines_;  // of rows in a reel that is the file
  std::uint64_t too_long_ = 0;       // ticks
  std::filesystem::path stem_;
  codec_options codec_;
  std::optional<recorder_type> recorder_;
  std::optional<live_publisher> growing_;
  clip_saver* clips_ = nullptr;
  bool is_buffer_ = false;
};

template <>
void recorded_file<butter::encoder>::add(const match_tick& tick) {
  const bool taken = recorder_->push(tick.stamp, *tick.state);
  if (taken && extra_) extra_->see(*tick.state);
  events_.see(*recorder_, tick.stamp, *tick.state);
  for (const auto& each : tick.left_out->entries()) {
    leave_out({each.kind, each.path, each.value, each.count}, tick.stamp);
  }
}

template <>
void recorded_file<row_encoder>::add(const match_tick& tick) {
  const echo::line_reference how = lines_ ? lines_->keep(*recorder_, tick) : echo::line_reference{};
  (void)recorder_->capture(tick.stamp,
                           [&](recorded_row& slot) noexcept { echo::assign(slot, *tick.state, how); });
  events_.see(*recorder_, tick.stamp, *tick.state);
  // Readers of the response text have these values; for readers of the state they are reported as missing.
  for (const auto& each : tick.left_out->entries()) {
    leave_out({each.kind, each.path, each.value, each.count}, tick.stamp);
  }
}

template <>
void recorded_file<echoreplay::encoder>::add(const match_tick& tick) {
  events_.see(*recorder_, tick.stamp, *tick.state);
  // The larger body is omitted, so that the tick itself is stored.
  const bool fits = tick.session.size() + tick.bones.size() <= echoreplay::answer::capacity;
  if (tick.session.size() > echoreplay::answer::capacity) {
    ++too_long_;
    return note_gap(1, tick.stamp, tick.stamp);
  }
  if (!fits) {
    leave_out({echo::omission_kind::unreadable_bones, "bones", "longer than a line has room for"},
              tick.stamp);
  }
  for (const auto& each : tick.left_out->entries()) {
    // The response text is stored.
    if (each.kind == echo::omission_kind::unreadable_bones)
      leave_out({each.kind, each.path, each.value}, tick.stamp);
  }
  (void)recorder_->capture(tick.stamp, [&](echoreplay::answer& slot) noexcept {
    (void)slot.assign(tick.time_ms, tick.session, fits ? tick.bones : std::string_view{},
                      tick.asked_for_bones);
  });
}

struct kind_row : recorded_kind {
  result<std::unique_ptr<match_file>> (*open)(record_format format, const match_beginning& match,
                                              const match_options& options) = nullptr;
};

result<std::unique_ptr<match_file>> open_butter_file(record_format format, const match_beginning& match,
                                                     const match_options& options) {
  return recorded_file<butter::encoder>::open(format, butter::encoder({.hold = options.hold}), match,
                                              options);
}

result<std::unique_ptr<match_file>> open_echoreplay_file(record_format format, const match_beginning& match,
                                                         const match_options& options) {
  return recorded_file<echoreplay::encoder>::open(format, echoreplay::encoder(), match, options);
}

result<std::unique_ptr<match_file>> open_rows_file(record_format format, const match_beginning& match,
                                                   const match_options& options) {
  auto rows = make_row_encoder(schema_for(format, options));
  if (!rows) return fail(rows.error());
  return recorded_file<row_encoder>::open(format, std::move(*rows), match, options);
}

// In the order of record_format.
constexpr kind_row kinds[] = {
    {{.name = butter::encoder::encoder_name}, &open_butter_file},
    {{.name = echoreplay::encoder::encoder_name, .is_published_live = true}, &open_echoreplay_file},
    {{.name = "reel", .has_rows = true}, &open_rows_file},
    {{.name = "tape", .has_rows = true}, &open_rows_file},
};
static_assert(std::size(kinds) == all_record_formats.size());

const kind_row& row_of(record_format format) noexcept {
  return kinds[static_cast<std::size_t>(format)];
}

}  // namespace

const recorded_kind& kind_of(record_format format) noexcept {
  return row_of(format);
}

const files::format& description_of(record_format format) noexcept {
  return *files::find_format(kind_of(format).name);
}

bool is_published(record_format format) noexcept {
  return !description_of(format).has_records;
}

bool has_text(record_format format, const match_options& options) noexcept {
  // A line is restored from exact values.
  if (has_bone_errors(format, options)) return false;
  return description_of(format).as_echo_output.text != files::stored_text::nowhere;
}

std::string_view extension(record_format format) noexcept {
  return description_of(format).extension;
}

std::filesystem::path match_file::final_path(const std::filesystem::path& stem, record_format format) {
  std::filesystem::path path = stem;
  path += extension(format);
  return path;
}

std::filesystem::path match_file::reel_path(const std::filesystem::path& stem, record_format format) {
  std::filesystem::path path = final_path(stem, format);
  if (is_published(format)) path += extension(record_format::reel);
  return path;
}

std::filesystem::path match_file::reel_of(std::filesystem::path final_path) {
  if (!files::is_reel_name(final_path)) final_path += extension(record_format::reel);
  return final_path;
}

result<std::unique_ptr<match_file>> match_file::open(record_format format, const match_beginning& match,
                                                     const match_options& options) {
  return row_of(format).open(format, match, options);
}

}  // namespace tickreel::echo_vr
