#include "cut_butter.hpp"

#include "butter_writer.hpp"
#include "open_file.hpp"
#include "ranged_echo.hpp"

namespace tickreel::files {

namespace {

// Times of a damaged file may be any number.
std::int64_t milliseconds_between(std::int64_t first, std::int64_t last) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first));
}

// Groups frames: a keyframe and its deltas.
class frame_groups {
 public:
  // `same_codec`: complete chunks are copied without compressing them again.
  frame_groups(butter_input_base& from, butter_writer& to, bool same_codec)
      : from_(from), to_(to), same_codec_(same_codec) {}

  // Adds the current tick of the input. Nothing is written before start().
  result<void> add() {
    if (from_.place().keyframe) {
      if (auto done = write(); !done) return done;
      has_keyframe_ = true;
      begins_with_keyframe_ = true;
    }
    // After damage, skips dependent ticks until the next keyframe.
    const butter_input_base::frame_place at = from_.stored_place();
    if (at.damaged_before != damaged_before_) {
      damaged_before_ = at.damaged_before;
      has_keyframe_ = from_.place().keyframe;
    }
    if (!has_keyframe_) return {};
    const byte_span frame = from_.stored_frame();
    // Without keyframes a recording would be a single group.
    if (frames_.size() + frame.size() > max_bytes && count_ != 0) {
      if (!started_) {
        return fail(error_code::over_limit, error::no_offset,
                    "the keyframe before that is too far away; 'recompress' or convert it first");
      }
      if (auto done = write(); !done) return done;
      begins_with_keyframe_ = false;
    }
    if (count_ == 0) {
      first_ = at;
      in_one_chunk_ = at.offset == 0;
    }
    in_one_chunk_ = in_one_chunk_ && at.chunk == first_.chunk;
    frames_.insert(frames_.end(), frame.begin(), frame.end());
    ++count_;
    return {};
  }

  void start() noexcept { started_ = true; }

  result<void> write() {
    result<void> done;
    if (started_ && count_ != 0) {
      const bool is_chunk = same_codec_ && in_one_chunk_ && frames_.size() == first_.content_bytes;
      const auto stored = is_chunk ? from_.stored_chunk(first_.chunk) : result<byte_span>(byte_span{});
      if (!stored) return fail(stored.error());
      done = stored->empty() ? to_.add_group(frames_, count_, begins_with_keyframe_)
                             : to_.add_stored_chunk(*stored);
      written_ += count_;
    }
    frames_.clear();
    count_ = 0;
    return done;
  }

  [[nodiscard]] std::uint32_t waiting() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }

 private:
  static constexpr std::size_t max_bytes = 16u << 20;
  butter_input_base& from_;
  butter_writer& to_;
  bool same_codec_;
  butter_input_base::frame_place first_;  // of the current group
  bool in_one_chunk_ = false;
  byte_vector frames_;
  std::uint32_t count_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t damaged_before_ = 0;
  bool has_keyframe_ = false;
  bool begins_with_keyframe_ = true;  // of the current group
  bool started_ = false;
};

}  // namespace

result<convert_report> cut_butter(const file_path& input, const file_path& output,
                                  const convert_options& options) {
  auto codec = butter::compression_for(options.codec.value_or(codec_options{.codec = codec_id::gzip}));
  if (!codec) return fail(codec.error());
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  auto opened = open_butter(*file, {.repair = false, .tolerant = true});
  if (!opened) return fail(opened.error());
  butter_input_base& frames = **opened;
  const std::uint16_t interval = frames.head().keyframe_interval_ticks;
  auto writer = butter_writer::create(output, options.overwrite, *codec, interval);
  if (!writer) return fail(writer.error());
  const codec_options wanted = butter::codec_of(*codec);
  const codec_options is = butter::codec_of(frames.head().codec);
  const bool same_codec = wanted.codec == is.codec && (!options.codec || options.codec->level == 0) &&
                          frames.head().codec != butter::compression::zstd_7_dict;
  frame_groups groups(frames, *writer, same_codec);
  ranged_echo part(std::move(*opened), options.range);

  result<void> kept;
  std::int64_t keyframe_ms = 0;
  const auto found = part.find([&](const echo::state& tick) {
    if (frames.place().keyframe) keyframe_ms = tick.recorded_time_ms;
    if (kept) kept = groups.add();
  });
  if (!found) return fail(found.error());
  if (!kept) return fail(kept.error());

  const auto tick = std::make_unique<echo::state>();
  cut_place cut;
  for (bool first = true;; first = false) {
    auto more = part.next(*tick);
    if (!more) return fail(more.error());
    if (!*more) break;
    if (first && !frames.place().keyframe) {
      cut.lead_in_ticks = groups.waiting();
      if (cut.lead_in_ticks != 0) cut.lead_in_ms = milliseconds_between(keyframe_ms, tick->recorded_time_ms);
      groups.start();
    }
    if (auto added = groups.add(); !added) return fail(added.error());
    groups.start();
    if (options.watch.stop()) return fail(error_code::interrupted);
  }
  if (auto written = groups.write(); !written) return fail(written.error());
  auto bytes = writer->finish(frames.stored_head(), interval);
  if (!bytes) return fail(bytes.error());
  convert_report report;
  report.ticks = groups.written();
  report.bytes = *bytes;
  report.files.push_back(output);
  report.losses = part.losses();
  report.kept_frames = true;
  report.cut = part.place();
  report.cut->lead_in_ticks = cut.lead_in_ticks;
  report.cut->lead_in_ms = cut.lead_in_ms;
  return report;
}

}  // namespace tickreel::files
