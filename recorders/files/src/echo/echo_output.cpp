#include "echo_output.hpp"

#include <algorithm>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "laid_out.hpp"
#include "paths.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "zip.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint32_t default_interval_ticks = 300;  // of a .butter: as the known writer's
// A reel is there to be sought in, and a keyframe a second costs it 2 to 3 % of its bytes.
constexpr std::uint32_t default_reel_interval_ticks = 60;

std::uint32_t interval_of(const convert_options& options, std::uint32_t by_default = default_interval_ticks) {
  return std::clamp<std::uint32_t>(options.keyframe_interval_ticks.value_or(by_default), 1, 65535);
}

butter::encoder_options encoder_options_of(const convert_options& options) {
  butter::encoder_options encoding;
  if (options.hold) encoding.hold = *options.hold;
  encoding.bones = options.bones;
  return encoding;
}

void add(butter::omissions& to, const butter::omissions& from) {
  to.frames += from.frames;
  to.untold_fields += from.untold_fields;
  to.clamped_values += from.clamped_values;
  to.transliterated_names += from.transliterated_names;
  to.forced_keyframes += from.forced_keyframes;
}

// What is missing from the ticks stays known, as it is in a reel of a recorder's.
template <class Recorder>
result<void> pass_on_omissions(const echo_source& from, const convert_options& options, Recorder& into) {
  source_losses lost = from.losses();
  if (from.keeps_words()) lost = losses_of_words(std::move(lost));
  if (!options.bones) lost.left_out.clear();
  for (const echo::omission_tally* tally : {&lost.unrecorded, &lost.left_out}) {
    for (const echo::omission_tally::entry& each : tally->entries()) {
      if (!into.event(echo::omission_event, echo::omission_tally::record_of(each))) {
        return fail(error_code::wrong_state, error::no_offset, "what was left out cannot be told");
      }
      into.pump();
    }
  }
  return {};
}

// Records the feed into a reel. `fill(state)` turns the current tick into the encoder's state and says
// whether it fitted; `goes_on` whether the tick belongs into this file.
template <class Encoder, class Fill, class GoesOn>
result<void> record_reel(tick_feed& feed, const file_path& output, const convert_options& options,
                         convert_report& report, Encoder encoder, Fill&& fill, GoesOn&& goes_on) {
  auto tick = feed.current();
  if (!tick) return fail(tick.error());
  auto file = published_file::create(output, options.overwrite);
  if (!file) return fail(file.error());
  recorder_options recording;
  recording.cadence.keyframe_interval_ticks = interval_of(options, default_reel_interval_ticks);
  recording.codec = options.codec.value_or(codec_options{});
  recording.mode = threading::pumped;
  recording.seal_interval_ms = 3'600'000;  // nothing is lost here by waiting
  recording.seal_frames = interval_of(options, default_reel_interval_ticks);
  recording.ring_ticks = 2;
  const std::int64_t start_ms = (*tick)->recorded_time_ms;
  recording.start_time_us = start_ms * 1000;
  recording.metadata.push_back(echo_events_entry());
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::published_sink>(*file));
  auto made = recorder<Encoder>::open(std::move(sinks), std::move(encoder), recording);
  if (!made) return fail(made.error());
  recorder<Encoder>& into = *made;
  echo_event_log<recorder<Encoder>> events;
  frame_stamp stamp;
  while (*tick != nullptr && goes_on(**tick)) {
    const echo::state& state = **tick;
    // Clocks may be set back while recording; a reel's time only rises.
    stamp.time_us = std::max(stamp.time_us, (state.recorded_time_ms - start_ms) * 1000);
    bool fits = true;
    (void)into.capture(stamp, [&](typename Encoder::state_type& slot) noexcept { fits = fill(state, slot); });
    events.see(into, stamp, state);
    into.pump();
    if (!fits)
      return fail(error_code::over_limit, error::no_offset, "tick {} is too large for a reel",
                  static_cast<std::int64_t>(stamp.tick));
    if (const auto failure = into.failure()) return fail(*failure);
    ++stamp.tick;
    feed.take();
    tick = feed.current();
    if (!tick) return fail(tick.error());
  }
  events.finish(into);
  if (auto told = pass_on_omissions(feed.source(), options, into); !told) return told;
  auto closed = into.close();
  if (!closed) return fail(closed.error());
  if (const auto failure = into.failure()) return fail(*failure);
  report.ticks += stamp.tick;
  report.bytes += file->size();
  report.files.push_back(output);
  if constexpr (encoder_with_header<Encoder>) add(report.left_out, into.encoder().left_out());
  return file->commit();
}

}  // namespace

result<const echo::state*> tick_feed::current() {
  constexpr std::uint64_t report_every = 64;
  if (!held_ && !ended_) {
    auto more = from_.next(*state_);
    if (!more) return fail(more.error());
    held_ = *more;
    ended_ = !held_;
    if (held_ && given_++ % report_every == 0) {
      watch_.report(from_.bytes_done(), from_.bytes_total());
      if (watch_.stop()) return fail(error_code::interrupted);
    }
  }
  return held_ ? state_.get() : nullptr;
}

result<void> write_butter_file(tick_feed& feed, const file_path& output, const convert_options& options,
                               convert_report& report) {
  auto codec = butter::compression_for(options.codec.value_or(codec_options{.codec = codec_id::gzip}));
  if (!codec) return fail(codec.error());
  const std::uint32_t interval = interval_of(options);
  auto writer = butter_writer::create(output, options.overwrite, *codec, interval);
  if (!writer) return fail(writer.error());

  butter::encoder encoder(encoder_options_of(options));
  keyframe_cadence cadence({.keyframe_interval_ticks = interval});
  byte_vector room(encoder.max_frame_size());
  byte_vector group;
  std::uint32_t group_frames = 0;
  std::uint64_t ticks = 0;
  std::string session;
  std::string map;
  for (;;) {
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (ticks == 0 && *tick != nullptr) {
      session = (*tick)->match.sessionid.view();
      map = (*tick)->match.map_name.view();
    }
    const bool more = *tick != nullptr && (ticks == 0 || !encoder.needs_new_file(**tick));
    frame_kind kind = frame_kind::keyframe;
    if (more) {
      if (encoder.needs_keyframe(**tick)) cadence.force();
      kind = cadence.next({ticks, (*tick)->recorded_time_ms * 1000});
    }
    if (kind == frame_kind::keyframe && group_frames != 0) {
      if (auto added = writer->add_group(group, group_frames, true); !added) return added;
      group.clear();
      group_frames = 0;
    }
    if (!more && *tick != nullptr) {
      const echo::session& next = (*tick)->match;
      const bool same = next.sessionid.view() == session && next.map_name.view() == map;
      ++(same ? report.full_player_tables : report.new_matches);
    }
    if (!more) break;
    byte_writer out(room);
    encoder.encode(**tick, kind, out);
    if (!out.ok())
      return fail(error_code::buffer_too_small, error::no_offset, "tick {}",
                  static_cast<std::int64_t>(ticks));
    group.insert(group.end(), out.written().begin(), out.written().end());
    ++group_frames;
    ++ticks;
    feed.take();
  }
  byte_vector header(encoder.max_header_size());
  byte_writer out(header);
  encoder.write_header(out);
  auto bytes = writer->finish(out.written(), static_cast<std::uint16_t>(interval));
  if (!bytes) return fail(bytes.error());
  report.ticks += ticks;
  report.bytes += *bytes;
  report.files.push_back(output);
  add(report.left_out, encoder.left_out());
  return {};
}

result<void> write_echoreplay_file(tick_feed& feed, const file_path& output, const convert_options& options,
                                   convert_report& report) {
  if (options.codec && options.codec->codec != codec_id::gzip && options.codec->codec != codec_id::none) {
    return fail(error_code::unsupported_codec, error::no_offset,
                "an .echoreplay is a zip (gzip) or plain text (none)");
  }
  auto first = feed.current();
  if (!first) return fail(first.error());
  std::string line;
  std::uint64_t ticks = 0;
  bool previous_given = false;
  const text_producer lines = [&]() -> result<std::string_view> {
    if (std::exchange(previous_given, true)) feed.take();
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) return std::string_view{};
    ++ticks;
    line.clear();
    echo_source& from = feed.source();
    if (const std::string_view session = from.session_json(); session.empty()) {
      if (options.bones || (*tick)->bones == echo::bones_kind::absent) {
        echoreplay::append_line(**tick, line);
      } else {
        auto without_bones = std::make_unique<echo::state>(**tick);
        without_bones->bones = echo::bones_kind::absent;
        echoreplay::append_line(*without_bones, line);
      }
    } else if (options.bones && !from.source_line().empty()) {
      line = from.source_line();
      line += "\r\n";
    } else {
      const std::string_view bones = options.bones ? from.bones_json() : std::string_view{};
      echoreplay::append_line((*tick)->recorded_time_ms, session, bones, line);
    }
    return std::string_view(line);
  };
  auto file = published_file::create(output, options.overwrite);
  if (!file) return fail(file.error());
  if (options.codec && options.codec->codec == codec_id::none) {
    for (;;) {
      auto text = lines();
      if (!text) return fail(text.error());
      if (text->empty()) break;
      if (auto appended = file->append(as_bytes(*text)); !appended) return appended;
    }
  } else {
    zip_entry_options entry;
    entry.name = name_of(output);
    entry.modified_s = *first != nullptr ? (*first)->recorded_time_ms / 1000 : 0;
    entry.level = options.codec ? options.codec->level : 0;
    entry.archive_comment = [&] {
      return feed.source().is_doubtful() ? doubtful_archive : std::string_view{};
    };
    if (auto written = write_zip(*file, entry, lines, {}); !written) return written;
  }
  if (auto checked = check_laid_out(*file, "echoreplay"); !checked) return checked;
  report.ticks += ticks;
  report.bytes += file->size();
  report.files.push_back(output);
  return file->commit();
}

result<void> write_reel_file(tick_feed& feed, const file_path& output, const convert_options& options,
                             convert_report& report) {
  auto first = feed.current();
  if (!first) return fail(first.error());
  if (!feed.source().session_json().empty()) {
    // The game's own words, word for word.
    echo_source& from = feed.source();
    return record_reel(
        feed, output, options, report, echoreplay::encoder{},
        [&](const echo::state& tick, echoreplay::answer& slot) noexcept {
          const bool bones = options.bones && !from.bones_json().empty();
          return slot.assign(tick.recorded_time_ms, from.session_json(), from.bones_json(), bones);
        },
        [](const echo::state&) { return true; });
  }
  // Another session or map belongs into another reel, as it will into another .butter.
  std::string session;
  std::string map;
  return record_reel(
      feed, output, options, report, butter::encoder(encoder_options_of(options)),
      [](const echo::state& tick, echo::state& slot) noexcept {
        echo::copy_state(slot, tick);
        return true;
      },
      [&](const echo::state& tick) {
        if (session.empty() && map.empty()) {
          session = tick.match.sessionid.view();
          map = tick.match.map_name.view();
        }
        return tick.match.sessionid.view() == session && tick.match.map_name.view() == map;
      });
}

}  // namespace tickreel::files
