#include <optional>

#include "butter_writer.hpp"
#include "echo_output.hpp"
#include "extra_file.hpp"
#include "paths.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/record/recorder.hpp"

namespace tickreel::files {

namespace {

// Collects the frames from a keyframe to the next one, which a writer takes together.
class frame_group {
 public:
  explicit frame_group(butter_writer& to) : to_(to) {}

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  void add(byte_span frame, bool is_keyframe) {
    if (count_++ == 0) starts_with_keyframe_ = is_keyframe;
    bytes_.insert(bytes_.end(), frame.begin(), frame.end());
  }
  // Writes the group, if it has frames, and begins the next one.
  result<void> flush() {
    if (count_ == 0) return {};
    auto added = to_.add_group(bytes_, count_, starts_with_keyframe_);
    bytes_.clear();
    count_ = 0;
    return added;
  }

 private:
  butter_writer& to_;
  byte_vector bytes_;
  std::uint32_t count_ = 0;
  bool starts_with_keyframe_ = false;
};

result<void> write_kept_frames(tick_feed& feed, const file_path& output, bool overwrite,
                               butter::compression codec, byte_span header, convert_report& report) {
  constexpr std::size_t max_group_bytes = 16u << 20;
  auto writer = butter_writer::create(output, overwrite, codec, default_butter_interval_ticks);
  if (!writer) return fail(writer.error());
  frame_group group(*writer);
  std::uint64_t ticks = 0;
  for (;; feed.take()) {
    const auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) break;
    const echo_source::frame frame = feed.source().kept_frame();
    if (frame.keyframe || group.bytes() + frame.bytes.size() > max_group_bytes) {
      if (auto added = group.flush(); !added) return added;
    }
    group.add(frame.bytes, frame.keyframe);
    ++ticks;
  }
  if (auto added = group.flush(); !added) return added;
  auto bytes = writer->finish(header);
  if (!bytes) return fail(bytes.error());
  report.ticks += ticks;
  report.bytes += *bytes;
  report.kept_frames = true;
  report.files.push_back(output);
  return {};
}

// The side data of a .butter and their file; neither without the option.
struct side_data {
  std::optional<echo::extra_writer> values;
  std::optional<published_file> file;

  result<void> begin(const file_path& butter, const convert_options& options) {
    if (!options.extra) return {};
    auto begun = begin_extra_file(butter, options.overwrite);
    if (!begun) return fail(begun.error());
    values.emplace();
    file.emplace(std::move(*begun));
    return {};
  }

  // Call it when the .butter is written.
  result<void> finish(const file_path& butter, const convert_options& options, convert_report& report) {
    if (!values) return {};
    if (values->lost_ticks() != 0) {
      report.losses.places.push_back(name_of(extra_path(butter)) + " cannot store the last " +
                                     counted(values->lost_ticks(), "tick"));
    }
    auto finished = finish_extra_file(*file, *values);
    if (!finished && !options.overwrite) {
      // That file may belong to another program: only the .butter is removed.
      report.files.pop_back();
      (void)remove_file(butter);
    }
    return finished;
  }
};

// Ticks whose disc and last score have no place: a .butter has them only on maps of the arena.
class ticks_without_disc {
 public:
  void see(std::uint64_t number, const echo::session& match) {
    constexpr std::uint64_t lost = echo::session::has_disc | echo::session::has_last_score;
    if ((match.fields & lost) == 0 || echo::mode_of(match.map_name.view()) != echo::mode::other) return;
    if (count_++ == 0) first_ = number;
  }
  void report(std::string_view map, std::vector<std::string>& places) const {
    if (count_ == 0) return;
    places.push_back(
        "the disc and the last score of " + counted(count_, "tick") + " from tick " + std::to_string(first_) +
        " on: a .butter stores them only on maps of the arena, not on \"" + std::string(map) + '"');
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t first_ = 0;
};

}  // namespace

result<void> write_butter_file(tick_feed& feed, const file_path& output, const convert_options& options,
                               convert_report& report) {
  auto codec = butter::compression_for(options.codec.value_or(codec_options{.codec = codec_id::gzip}));
  if (!codec) return fail(codec.error());
  if (auto tick = feed.current(); !tick) return fail(tick.error());
  if (const byte_vector header = header_to_keep(feed.source(), options); !header.empty()) {
    return write_kept_frames(feed, output, options.overwrite, *codec, header, report);
  }
  const std::uint32_t interval = interval_of(options, default_butter_interval_ticks);
  auto writer = butter_writer::create(output, options.overwrite, *codec, interval);
  if (!writer) return fail(writer.error());

  butter::encoder encoder(encoder_options_of(options));
  keyframe_cadence cadence({.keyframe_interval_ticks = interval});
  byte_vector room(encoder.max_frame_size());
  frame_group group(*writer);
  std::uint64_t ticks = 0;
  std::string session;
  std::string map;
  side_data side;
  ticks_without_disc discs;
  if (auto begun = side.begin(output, options); !begun) return begun;
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
    if (kind == frame_kind::keyframe) {
      if (auto added = group.flush(); !added) return added;
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
    group.add(out.written(), kind == frame_kind::keyframe);
    if (side.values) side.values->see(**tick);
    discs.see(feed.source().tick_number().value_or(feed.taken() - 1), (*tick)->match);
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
  discs.report(map, report.losses.places);
  return side.finish(output, options, report);
}

}  // namespace tickreel::files
