#include "echo_output.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <type_traits>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "echoreplay_format.hpp"
#include "extra_file.hpp"
#include "paths.hpp"
#include "published_check.hpp"
#include "reel/reel_facts.hpp"
#include "reel/restored_lines.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/tracks/row_encoder.hpp"
#include "zip.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint32_t default_interval_ticks = 300;  // of a .butter: that of the known writer
// Reels are used for seeking, and one keyframe per second costs 2 to 3 % of the size.
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

// Only a published file belongs to this conversion and is removed if a later one fails.
result<void> commit(published_file& file, const file_path& output, convert_report& report) {
  auto done = file.commit();
  if (done) report.files.push_back(output);
  return done;
}

void add(butter::omissions& to, const butter::omissions& from) {
  to.frames += from.frames;
  to.untold_fields += from.untold_fields;
  to.clamped_values += from.clamped_values;
  to.transliterated_names += from.transliterated_names;
  to.forced_keyframes += from.forced_keyframes;
}

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

// The header of frames that are kept, unless an option requests other ones; else empty.
byte_vector header_to_keep(echo_source& from, const convert_options& options) {
  const bool encodes = options.keyframe_interval_ticks || options.hold || !options.bones || options.extra;
  return encodes ? byte_vector() : from.kept_frame_header();
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
  recorder_options recording;
  recording.cadence.keyframe_interval_ticks = interval_of(options, default_reel_interval_ticks);
  if constexpr (std::is_same_v<Encoder, frame_copier>) recording.cadence.keyframe_interval_ticks = 0;
  recording.codec = options.codec.value_or(codec_options{});
  recording.mode = threading::pumped;
  recording.seal_interval_ms = 3'600'000;  // waiting loses nothing here
  recording.seal_frames = interval_of(options, default_reel_interval_ticks);
  recording.ring_ticks = 2;
  recording.schema = beside.schema;
  recording.metadata = beside.metadata;
  const std::int64_t start_ms = (*tick)->recorded_time_ms;
  recording.start_time_us = start_ms * 1000;
  if (!options.cut_from.empty()) {
    const byte_span text = as_bytes(options.cut_from);
    recording.metadata.push_back({cut_key, {text.begin(), text.end()}});
  }
  if (feed.source().is_doubtful()) {
    const byte_span text = as_bytes(doubtful_archive);
    recording.metadata.push_back({doubtful_key, {text.begin(), text.end()}});
  }
  recording.metadata.push_back(echo_events_entry());
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
      report.losses.places.push_back(std::to_string(kept->missing()) +
                                     " of the events that were recorded are missing");
    }
  } else {
    events.finish(into);
  }
  if (auto added = add_events(beside, true, last, into); !added) return added;
  // For rows, which store no more than a state, whatever is stored beside them.
  const bool with_omitted = !beside.schema.empty();
  if (auto noted = pass_on_omissions(feed.source(), options, with_omitted, into); !noted) return noted;
  auto closed = into.close();
  if (!closed) return fail(closed.error());
  if (const auto failure = into.failure()) return fail(*failure);
  if constexpr (std::is_same_v<Encoder, frame_copier>) {
    if (into.encoder().has_misplaced()) return fail(error_code::missing_keyframe);
  }
  report.ticks += ticks;
  report.events += kept != nullptr ? events_kept : events.count();
  report.bytes += file->size();
  if constexpr (encoder_with_header<Encoder>) add(report.left_out, into.encoder().left_out());
  return commit(*file, output, report);
}

}  // namespace

tick_feed::tick_feed(echo_source& from, const monitor& watch, bool keeps_events)
    : from_(from), watch_(watch), state_(std::make_unique<echo::state>()) {
  if (keeps_events && from_.give_event_records([this](byte_span record) { kept_->take_record(record); })) {
    kept_.emplace();
  }
}

tick_feed::~tick_feed() {
  if (kept_) (void)from_.give_event_records({});
}

echo_source::loss_count tick_feed::take_losses() noexcept {
  const bool has_numbers = from_.numbers_losses() && from_.tick_number();
  if (has_numbers && !next_number_) {
    // Ticks before a late beginning are not counted as losses here.
    const source_losses source_losses_now = from_.losses();
    const std::uint64_t first = from_.cut_from().empty() ? 0 : *from_.tick_number();
    next_number_ = source_losses_now.begins_late ? source_losses_now.begins_at : first;
    if (source_losses_now.begins_late) losses_taken_.ticks = source_losses_now.ticks_before;
  }
  const echo_source::loss_count now = from_.lost_to_date();
  std::uint64_t lost = now.ticks - std::min(now.ticks, losses_taken_.ticks);
  if (has_numbers && held_) {
    // The gap in its tick numbers; the iterator may have counted later losses already.
    const std::uint64_t number = *from_.tick_number();
    lost = std::min(lost, number - std::min(number, *next_number_));
    next_number_ = number + 1;
  }
  const std::uint64_t places = now.places - std::min(now.places, losses_taken_.places);
  losses_taken_.ticks += lost;
  losses_taken_.places += places;
  return {lost, places};
}

result<void> tick_feed::restart() {
  if (kept_) kept_.emplace();
  losses_taken_ = {};
  next_number_.reset();
  held_ = ended_ = false;
  given_ = 0;
  return from_.rewind();
}

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

namespace {

result<void> write_kept_frames(tick_feed& feed, const file_path& output, bool overwrite,
                               butter::compression codec, byte_span header, convert_report& report) {
  constexpr std::size_t max_group_bytes = 16u << 20;
  auto writer = butter_writer::create(output, overwrite, codec, default_interval_ticks);
  if (!writer) return fail(writer.error());
  byte_vector group;
  std::uint32_t group_frames = 0;
  bool starts_with_keyframe = false;
  std::uint64_t ticks = 0;
  const auto add_group = [&]() -> result<void> {
    if (group_frames == 0) return {};
    auto added = writer->add_group(group, group_frames, starts_with_keyframe);
    group.clear();
    group_frames = 0;
    return added;
  };
  for (;; feed.take()) {
    const auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) break;
    const echo_source::frame frame = feed.source().kept_frame();
    if (frame.keyframe || group.size() + frame.bytes.size() > max_group_bytes) {
      if (auto added = add_group(); !added) return added;
    }
    if (group_frames++ == 0) starts_with_keyframe = frame.keyframe;
    group.insert(group.end(), frame.bytes.begin(), frame.bytes.end());
    ++ticks;
  }
  if (auto added = add_group(); !added) return added;
  auto bytes = writer->finish(header);
  if (!bytes) return fail(bytes.error());
  report.ticks += ticks;
  report.bytes += *bytes;
  report.kept_frames = true;
  report.files.push_back(output);
  return {};
}

}  // namespace

result<void> write_butter_file(tick_feed& feed, const file_path& output, const convert_options& options,
                               convert_report& report) {
  auto codec = butter::compression_for(options.codec.value_or(codec_options{.codec = codec_id::gzip}));
  if (!codec) return fail(codec.error());
  if (auto tick = feed.current(); !tick) return fail(tick.error());
  if (const byte_vector header = header_to_keep(feed.source(), options); !header.empty()) {
    return write_kept_frames(feed, output, options.overwrite, *codec, header, report);
  }
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
  std::optional<echo::extra_writer> extra;
  std::optional<published_file> extra_file;
  if (options.extra) {
    auto begun = begin_extra_file(output, options.overwrite);
    if (!begun) return fail(begun.error());
    extra.emplace();
    extra_file.emplace(std::move(*begun));
  }
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
    if (extra) extra->see(**tick);
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
  if (!extra) return {};
  if (extra->lost_ticks() != 0) {
    report.losses.places.push_back(name_of(extra_path(output)) + " cannot store the last " +
                                   std::to_string(extra->lost_ticks()) + " ticks");
  }
  auto finished = finish_extra_file(*extra_file, *extra);
  if (!finished && !options.overwrite) {
    // That file may belong to another program: only the .butter is removed.
    report.files.pop_back();
    (void)remove_file(output);
  }
  return finished;
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
  std::uint64_t composed_lines = 0;  // of ticks whose own lines are lost
  std::uint64_t first_composed = 0;
  bool previous_given = false;
  bool at_end = false;
  const text_producer lines = [&]() -> result<std::string_view> {
    if (std::exchange(previous_given, true)) feed.take();
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) {
      const bool has_more = options.bones && feed.source().restores_text() && !std::exchange(at_end, true);
      return has_more ? feed.source().text_after() : std::string_view{};
    }
    ++ticks;
    line.clear();
    echo_source& from = feed.source();
    if (options.bones && from.restores_text() && !from.whole_line().empty()) {
      line = from.text_before();
      line += from.whole_line();
    } else if (const std::string_view session = from.session_json(); session.empty()) {
      if (from.keeps_source_text() && composed_lines++ == 0) first_composed = ticks - 1;
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
    std::string cut_comment;
    if (!options.cut_from.empty()) {
      constexpr std::size_t max_comment_bytes = 4096;
      cut_comment = (std::string(cut_archive) + options.cut_from).substr(0, max_comment_bytes);
    }
    std::string composed_comment;
    entry.archive_comment = [&] {
      if (feed.source().is_doubtful()) return doubtful_archive;
      if (composed_lines == 0) return std::string_view(cut_comment);
      composed_comment = std::string(composed_archive) + std::to_string(composed_lines) + ',' +
                         std::to_string(first_composed);
      return std::string_view(composed_comment);
    };
    if (auto written = write_zip(*file, entry, lines, {}); !written) return written;
  }
  if (auto checked = check_published_file(*file, echoreplay_format.name); !checked) return checked;
  report.ticks += ticks;
  report.bytes += file->size();
  return commit(*file, output, report);
}

namespace {

// Writes the whole recording as rows of `Tick`; false, and writes nothing, if a tick does not fit.
template <class Tick>
result<bool> write_rows(tick_feed& feed, const file_path& output, const convert_options& options,
                        convert_report& report) {
  using encoder = tracks::row_encoder<Tick>;
  constexpr std::uint64_t most_block_bytes = 4u << 20;
  auto rows = encoder::create({
      .most_rows = std::min(interval_of(options, default_reel_interval_ticks),
                            tracks::rows_within(component_size<Tick>, most_block_bytes)),
      .group_columns = echo::live_group_columns,
  });
  if (!rows) return fail(rows.error());
  bool has_room = true;
  echo_source& from = feed.source();
  const bool keeps_lines = from.keeps_source_text();
  echoreplay::line_keeper lines;
  std::string line;
  beside_ticks beside;
  beside.schema = to_bytes(schema_of<Tick>());
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

result<void> check_echoreplay(const byte_source& from) {
  auto input = open_echoreplay(from, {});
  if (!input) return fail(input.error());
  const auto state = std::make_unique<echo::state>();
  const auto first = (*input)->next(*state);
  if (!first) return fail(first.error());
  if (!*first) return fail(error_code::truncated, error::no_offset, "there is no tick");
  return {};
}

}  // namespace tickreel::files
