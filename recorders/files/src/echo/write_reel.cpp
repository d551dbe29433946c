#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>

#include "echo_output.hpp"
#include "reels/reel_facts.hpp"
#include "restored_lines.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/bone_errors.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/tracks/row_encoder.hpp"
#include "zip.hpp"

namespace tickreel::files {

namespace {

// Reels are used for seeking, and one keyframe per second costs 2 to 3 % of the size.
constexpr std::uint32_t default_reel_interval_ticks = 60;

// Data of a reel beside its ticks.
struct beside_ticks {
  byte_vector schema;
  std::vector<reel::metadata_entry> metadata;
  // The events of the last filled tick; null: no events.
  std::function<const std::vector<byte_vector>*(bool at_end)> events;
};

// Call it before the tick is pumped, so that the events are sealed with it and not with the next chunk.
template <class Recorder>
result<void> add_events(const beside_ticks& beside, bool at_end, frame_stamp stamp, Recorder& into) {
  const std::vector<byte_vector>* const events = beside.events ? beside.events(at_end) : nullptr;
  if (events == nullptr) return {};
  constexpr std::size_t max_waiting_bytes = 512u << 10;  // half of the recorder's limit
  std::size_t waiting_bytes = 0;
  for (const byte_vector& each : *events) {
    waiting_bytes += each.size();
    if (waiting_bytes > max_waiting_bytes) {
      into.pump();
      waiting_bytes = each.size();
    }
    if (!into.event(stamp, echoreplay::line_event, each, echoreplay::line_restorer::is_shape(each))) {
      return fail(error_code::wrong_state, error::no_offset, "a line cannot be kept");
    }
  }
  return {};
}

// Records the omissions of the source, as a recorder does.
template <class Recorder>
result<void> pass_on_omissions(const echo_source& from, const convert_options& options, bool with_omitted,
                               Recorder& into) {
  source_losses lost = from.losses();
  if (from.keeps_source_text() && !with_omitted) lost = losses_of_source_text(std::move(lost));
  if (!options.bones) lost.left_out.clear();
  for (const echo::omission_tally* tally : {&lost.unrecorded, &lost.left_out}) {
    for (const echo::omission_tally::entry& each : tally->entries()) {
      if (!into.event(echo::omission_event, echo::omission_tally::record_of(each))) {
        return fail(error_code::wrong_state, error::no_offset, "the omissions cannot be recorded");
      }
      into.pump();
    }
  }
  return {};
}

// The number of the first tick: a reel of a late subscriber keeps its numbers, and keeps reporting what came
// before them.
template <class Recorder>
std::uint64_t pass_on_beginning(const echo_source& from, Recorder& into) {
  constexpr std::uint64_t max_ticks = std::uint64_t{1} << 62;
  const source_losses lost = from.losses();
  if (!lost.begins_late) return 0;
  const std::uint64_t first = lost.begins_at < max_ticks ? lost.begins_at : 0;
  // If their number is unknown, it is at most the first tick's number.
  const std::uint64_t ticks = lost.ticks_before != 0 ? lost.ticks_before : std::max<std::uint64_t>(first, 1);
  into.note_gap(ticks, {}, {first - std::min<std::uint64_t>(first, 1), 0}, reel::gap_reason::left_out);
  return first;
}

// Records the events of ticks that were passed. Returns how many; the recorder counts those that it refuses.
template <class Recorder>
std::uint64_t pass_on_events(stored_events& from, bool at_end, std::int64_t time_us, Recorder& into) {
  std::uint64_t count = 0;
  while (const auto one = from.next(at_end)) {
    std::array<std::byte, echo::max_event_record_bytes> room;
    const byte_span record = byte_span(room).first(echo::write_event_record(one->what, one->number, room));
    const frame_stamp stamp{one->what.tick, time_us};
    if (!into.event(stamp, echo::event_record, record)) {
      // Too many events are waiting.
      into.pump();
      if (!into.event(stamp, echo::event_record, record)) continue;
    }
    ++count;
  }
  return count;
}

// An encoder of frames as their recording stores them.
class frame_copier {
 public:
  using state_type = echo_source::frame;
  static constexpr std::string_view encoder_name = butter::encoder::encoder_name;
  static constexpr std::uint32_t encoder_version = butter::encoder::encoder_version;
  static constexpr std::size_t max_frame_bytes = 256u << 10;

  explicit frame_copier(byte_vector header) : header_(std::move(header)) {}

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return max_frame_bytes; }
  [[nodiscard]] bool needs_keyframe(const state_type& next) const noexcept { return next.keyframe; }
  void encode(const state_type& next, frame_kind kind, byte_writer& out) noexcept {
    misplaced_ = misplaced_ || (kind == frame_kind::keyframe) != next.keyframe;
    out.bytes(next.bytes);
  }
  [[nodiscard]] std::uint32_t header_revision() const noexcept { return 1; }
  [[nodiscard]] std::size_t max_header_size() const noexcept { return header_.size(); }
  void write_header(byte_writer& out) const noexcept { out.bytes(header_); }
  [[nodiscard]] butter::omissions left_out() const noexcept { return {}; }
  // A delta was needed as a keyframe.
  [[nodiscard]] bool has_misplaced() const noexcept { return misplaced_; }

 private:
  byte_vector header_;
  bool misplaced_ = false;
};

recorder_options recording_options(const echo_source& from, const convert_options& options,
                                   const beside_ticks& beside, std::int64_t start_ms) {
  recorder_options recording;
  recording.cadence.keyframe_interval_ticks = interval_of(options, default_reel_interval_ticks);
  recording.codec = options.codec.value_or(codec_options{});
  recording.mode = threading::pumped;
  recording.seal_interval_ms = 3'600'000;  // waiting loses nothing here
  recording.seal_frames = interval_of(options, default_reel_interval_ticks);
  recording.ring_ticks = 2;
  recording.schema = beside.schema;
  recording.metadata = beside.metadata;
  recording.start_time_us = start_ms * 1000;
  if (!options.cut_from.empty()) {
    const byte_span text = as_bytes(options.cut_from);
    recording.metadata.push_back({cut_key, {text.begin(), text.end()}});
  }
  if (from.is_doubtful()) {
    const byte_span text = as_bytes(doubtful_archive);
    recording.metadata.push_back({doubtful_key, {text.begin(), text.end()}});
  }
  recording.metadata.push_back(echo_events_entry());
  return recording;
}

template <class Encoder>
result<void> close_reel(recorder<Encoder>& into) {
  auto closed = into.close();
  if (!closed) return fail(closed.error());
  if (const auto failure = into.failure()) return fail(*failure);
  if constexpr (std::is_same_v<Encoder, frame_copier>) {
    if (into.encoder().has_misplaced()) return fail(error_code::missing_keyframe);
  }
  return {};
}

// Records the feed into a reel. `fill(state)` converts the current tick to the encoder's state and returns
// whether it fits; `continues` returns whether the tick belongs to this file.
template <class Encoder, class Fill, class Continues>
result<void> record_reel(tick_feed& feed, const file_path& output, const convert_options& options,
                         convert_report& report, Encoder encoder, Fill&& fill, Continues&& continues,
                         const beside_ticks& beside = {}) {
  auto tick = feed.current();
  if (!tick) return fail(tick.error());
  auto file = published_file::create(output, options.overwrite);
  if (!file) return fail(file.error());
  const std::int64_t start_ms = (*tick)->recorded_time_ms;
  recorder_options recording = recording_options(feed.source(), options, beside, start_ms);
  if constexpr (std::is_same_v<Encoder, frame_copier>) recording.cadence.keyframe_interval_ticks = 0;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::published_sink>(*file));
  auto made = recorder<Encoder>::open(std::move(sinks), std::move(encoder), recording);
  if (!made) return fail(made.error());
  recorder<Encoder>& into = *made;
  echo_event_log<recorder<Encoder>> events;
  stored_events* const kept = feed.kept();
  std::uint64_t events_kept = 0;
  const std::uint64_t first_tick = report.files.empty() ? pass_on_beginning(feed.source(), into) : 0;
  frame_stamp stamp{first_tick, 0};
  frame_stamp last = stamp;
  std::uint64_t ticks = 0;
  // The losses of the source become gaps.
  const auto note_losses = [&](const echo_source::loss_count& lost, bool is_truncated) {
    const bool has_unknown = lost.places != 0 || is_truncated;
    if (lost.ticks == 0 && !has_unknown) return;
    if (kept == nullptr) events.note_lost();
    if (has_unknown) into.note_unknown_gap(last, last, reel::gap_reason::damaged);
    if (lost.ticks == 0) return;
    into.note_gap(lost.ticks, stamp, {stamp.tick + lost.ticks - 1, stamp.time_us},
                  reel::gap_reason::source_failed);
    stamp.tick += lost.ticks;
  };
  while (*tick != nullptr && continues(**tick)) {
    const echo::state& state = **tick;
    note_losses(feed.take_losses(), false);
    // Clocks may be set back while recording; a reel's time never decreases.
    stamp.time_us = std::max(stamp.time_us, (state.recorded_time_ms - start_ms) * 1000);
    bool fits = true;
    (void)into.capture(stamp, [&](typename Encoder::state_type& slot) noexcept { fits = fill(state, slot); });
    if (!fits)
      return fail(error_code::over_limit, error::no_offset, "tick {} is too large for a reel",
                  static_cast<std::int64_t>(stamp.tick));
    if (kept != nullptr) {
      kept->pass(feed.source().tick_number().value_or(stamp.tick), stamp.tick);
      events_kept += pass_on_events(*kept, false, stamp.time_us, into);
    } else {
      events.see(into, stamp, state);
    }
    if (auto added = add_events(beside, false, stamp, into); !added) return added;
    into.pump();
    if (const auto failure = into.failure()) return fail(*failure);
    last = stamp;
    ++ticks;
    ++stamp.tick;
    feed.take();
    tick = feed.current();
    if (!tick) return fail(tick.error());
  }
  if (*tick == nullptr) {
    const source_losses all = feed.source().losses();
    note_losses(feed.take_losses(), all.cut_short && !all.being_recorded);
  }
  if (kept != nullptr) {
    events_kept += pass_on_events(*kept, true, stamp.time_us, into);
    if (kept->missing() != 0) {
      report.losses.places.push_back(counted(kept->missing(), "of the events that were recorded is",
                                             "of the events that were recorded are") +
                                     " missing");
    }
  } else {
    events.finish(into);
  }
  if (auto added = add_events(beside, true, last, into); !added) return added;
  // For rows, which store no more than a state, whatever is stored beside them.
  const bool with_omitted = !beside.schema.empty();
  if (auto noted = pass_on_omissions(feed.source(), options, with_omitted, into); !noted) return noted;
  if (auto closed = close_reel(into); !closed) return closed;
  report.ticks += ticks;
  report.events += kept != nullptr ? events_kept : events.count();
  report.bytes += file->size();
  if constexpr (encoder_with_header<Encoder>) add(report.left_out, into.encoder().left_out());
  return commit(*file, output, report);
}

// Writes the whole recording as rows of `Tick`; false, and writes nothing, if a tick does not fit.
template <class Tick>
result<bool> write_rows(tick_feed& feed, const file_path& output, const convert_options& options,
                        convert_report& report) {
  using encoder = tracks::row_encoder<Tick>;
  constexpr std::uint64_t max_block_bytes = 4u << 20;
  schema declared = schema_of<Tick>();
  if (options.bone_errors) echo::allow_bone_errors(declared, *options.bone_errors);
  auto rows = encoder::create(
      declared, {
                    .max_rows = std::min(interval_of(options, default_reel_interval_ticks),
                                         tracks::rows_within(component_size<Tick>, max_block_bytes)),
                    .group_columns = echo::live_group_columns,
                });
  if (!rows) return fail(rows.error());
  bool has_room = true;
  echo_source& from = feed.source();
  // A line is restored from exact values.
  const bool keeps_lines = from.keeps_source_text() && !options.bone_errors;
  echoreplay::line_keeper lines;
  std::string line;
  beside_ticks beside;
  beside.schema = to_bytes(declared);
  if (options.bone_errors) {
    const std::string errors = echo::sentence_of(*options.bone_errors);
    beside.metadata.push_back({echo::bone_errors_key, {as_bytes(errors).begin(), as_bytes(errors).end()}});
  }
  if (keeps_lines) {
    const byte_span kept = as_bytes("kept");
    beside.metadata.push_back({echoreplay::lines_key, {kept.begin(), kept.end()}});
    beside.events = [&](bool at_end) {
      if (at_end) lines.keep_end(from.text_after());
      return &lines.events();
    };
  }
  const auto reference_of = [&](const echo::state& tick) -> echo::line_reference {
    if (!keeps_lines) return {};
    if (from.session_json().empty()) return lines.keep_none(from.text_before());
    line = from.whole_line();
    // Reels of lines store them without line ends, which were always the same.
    if (line.empty() && !from.source_line().empty()) line.append(from.source_line()).append("\r\n");
    if (!options.bones || line.empty()) {
      line.clear();
      echoreplay::append_line(tick.recorded_time_ms, from.session_json(),
                              options.bones ? from.bones_json() : std::string_view(), line);
    }
    if (options.bones) return lines.keep(from.text_before(), line, tick);
    auto without_bones = std::make_unique<echo::state>(tick);
    without_bones->bones = echo::bones_kind::absent;
    return lines.keep(from.text_before(), line, *without_bones);
  };
  const auto done = record_reel(
      feed, output, options, report, std::move(*rows),
      [&](const echo::state& tick, Tick& slot) noexcept {
        const bool without_bones = !options.bones;
        has_room = without_bones ? tick.match.player_count <= slot.players.size() : Tick::has_room_for(tick);
        if (!has_room) return false;
        echo::assign(slot, tick, reference_of(tick));
        if (without_bones) echo::clear_bones(slot);
        return true;
      },
      [](const echo::state&) { return true; }, beside);
  if (!has_room) return false;
  if (!done) return fail(done.error());
  if (lines.not_kept() != 0) {
    report.losses.places.push_back("lines or texts between lines that are too long to be stored: " +
                                   std::to_string(lines.not_kept()));
  }
  return true;
}

// Frames as they are stored. False, and nothing is written, where they do not fit into a reel.
result<bool> write_frame_reel(tick_feed& feed, const file_path& output, const convert_options& options,
                              convert_report& report, byte_vector header) {
  bool fits = true;
  const auto done = record_reel(
      feed, output, options, report, frame_copier(std::move(header)),
      [&](const echo::state&, echo_source::frame& slot) noexcept {
        slot = feed.source().kept_frame();
        fits = slot.bytes.size() <= frame_copier::max_frame_bytes;
        return fits;
      },
      [](const echo::state&) { return true; });
  if (!fits || (!done && done.error().code == error_code::missing_keyframe)) return false;
  if (!done) return fail(done.error());
  report.kept_frames = true;
  return true;
}

result<void> write_row_reel(tick_feed& feed, const file_path& output, const convert_options& options,
                            convert_report& report) {
  for (const auto write :
       {&write_rows<echo::small_recorded_tick>, &write_rows<echo::recorded_tick_with_bones>,
        &write_rows<echo::largest_recorded_tick>}) {
    const auto written = write(feed, output, options, report);
    if (!written) return fail(written.error());
    if (*written) return {};
    if (auto again = feed.restart(); !again) return again;
  }
  return fail(error_code::over_limit, error::no_offset, "more players than a state can store");
}

}  // namespace

result<void> write_reel_file(tick_feed& feed, const file_path& output, const convert_options& options,
                             convert_report& report) {
  if (const auto first = feed.current(); !first) return fail(first.error());
  if (byte_vector header = header_to_keep(feed.source(), options); !header.empty()) {
    const auto kept = write_frame_reel(feed, output, options, report, std::move(header));
    if (!kept) return fail(kept.error());
    if (*kept) return {};
    if (auto again = feed.restart(); !again) return again;
  }
  if (!options.hold) return write_row_reel(feed, output, options, report);
  // As configured. Another session or map needs another reel, as it needs another .butter.
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
