// Writes the Echo VR ticks of reels to files: frames as they are, columns converted.
#include "tickreel/files/publish.hpp"

#include <algorithm>
#include <optional>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "echo_reels.hpp"
#include "echoreplay_format.hpp"
#include "paths.hpp"
#include "published_check.hpp"
#include "reels/decoded_reel.hpp"
#include "reels/publish_reel.hpp"
#include "reels/reel_facts.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echoreplay/decoder.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/reel/reader.hpp"
#include "zip.hpp"

namespace tickreel::files {

namespace {

class reel_publisher {
 public:
  reel_publisher(reel::reader source, const file_path& output, const publish_options& options,
                 const monitor& watch)
      : source_(std::move(source)), output_(output), options_(options), watch_(watch) {}

  using write = result<void> (reel_publisher::*)();
  result<publish_report> run(write as) {
    if (const auto done = (this->*as)(); !done) return fail(done.error());
    const reel::table_of_contents& contents = source_.contents();
    report_.torn_bytes = torn_bytes(contents);
    report_.reel_was_closed = contents.end == reel::reel_end::closed;
    return report_;
  }

  result<void> write_butter() {
    auto codec = butter::compression_for(options_.codec);
    if (!codec) return fail(codec.error());
    auto header = source_.last_header_update();
    if (!header) return fail(header.error());
    // Chunks as long as those of the known writer, independent of the keyframe interval.
    constexpr std::uint32_t chunk_frames = 300;
    auto writer = butter_writer::create(output_, options_.overwrite, *codec, chunk_frames);
    if (!writer) return fail(writer.error());
    decoded_reel ticks(source_, butter::decoder());
    if (!header->empty()) {
      if (auto begun = ticks.apply_header(); !begun) return begun;
    }
    frame_group group;
    for (;;) {
      auto more = next_group(ticks, group);
      if (!more) return fail(more.error());
      if (!*more) break;
      if (auto added = writer->add_group(group.bytes, group.frames, group.keyframe); !added) return added;
      report_.ticks += group.frames;
      if (auto going = report_progress(ticks.chunk().offset); !going) return going;
    }
    note(ticks);
    if (report_.ticks == 0) return no_ticks();
    auto bytes = writer->finish(*header);
    if (!bytes) return fail(bytes.error());
    report_.bytes = *bytes;
    return {};
  }

  result<void> write_echoreplay() {
    decoded_reel ticks(source_, echoreplay::decoder(), {.live = bool(options_.wait_for_more)});
    ticks.set_trusting(!options_.checks_lines);
    reel::frame frame;
    auto first = next_line(ticks, frame);
    if (!first) return fail(first.error());
    if (!*first) {
      note(ticks);
      return no_ticks();
    }
    bool held = true;
    const text_producer lines = [&]() -> result<std::string_view> {
      if (!std::exchange(held, false)) {
        auto more = next_line(ticks, frame);
        if (!more) return fail(more.error());
        if (!*more) return std::string_view{};
      }
      if (++report_.ticks % 64 == 0) {
        if (auto going = report_progress(ticks.chunk().offset); !going) return fail(going.error());
      }
      return as_text(frame.bytes);
    };
    auto file = published_file::create(output_, options_.overwrite);
    if (!file) return fail(file.error());
    zip_entry_options entry;
    entry.name = name_of(output_);
    entry.modified_s = source_.head().start_time_us / 1'000'000;
    entry.level = options_.codec.codec == codec_id::gzip ? options_.codec.level : 0;
    entry.max_text_bytes = text_bytes();
    if (auto written = write_zip(*file, entry, lines, watch_); !written) return written;
    if (auto checked = check_published_file(*file, echoreplay_format.name); !checked) return checked;
    note(ticks);
    report_.bytes = file->size();
    return file->commit();
  }

 private:
  // A keyframe and all frames up to the next, concatenated.
  struct frame_group {
    byte_vector bytes;
    std::uint32_t frames = 0;
    bool keyframe = false;  // begins with a keyframe
  };

  // False at the end. A group that exceeds the limit is returned in parts, of which only the first begins
  // with a keyframe.
  result<bool> next_group(decoded_reel<butter::decoder>& ticks, frame_group& out) {
    constexpr std::size_t max_bytes = 16u << 20;
    out.bytes.clear();
    out.frames = 0;
    for (;;) {
      if (!pending_) {
        reel::frame next;
        auto more = ticks.next(next);
        if (!more) return fail(more.error());
        if (!*more) return out.frames != 0;
        pending_ = next;
      }
      const bool keyframe = pending_->kind == frame_kind::keyframe;
      if (out.frames != 0 && (keyframe || out.bytes.size() + pending_->bytes.size() > max_bytes)) return true;
      if (out.frames == 0) out.keyframe = keyframe;
      out.bytes.insert(out.bytes.end(), pending_->bytes.begin(), pending_->bytes.end());
      ++out.frames;
      pending_.reset();
    }
  }

  // Waits until the next line is written.
  result<bool> next_line(decoded_reel<echoreplay::decoder>& ticks, reel::frame& out) {
    for (bool is_all = !options_.wait_for_more;;) {
      auto more = ticks.next(out);
      if (!more || *more || is_all) return more;
      is_all = !options_.wait_for_more();
      if (watch_.stop()) return fail(error_code::interrupted);
      if (auto looked = source_.refresh(); !looked) return fail(looked.error());
    }
  }

  template <class Decoder>
  void note(const decoded_reel<Decoder>& ticks) {
    report_.lost_ticks = ticks.losses().ticks();
    report_.lost = ticks.losses().sentences();
    append_unrecorded(ticks.unrecorded(), report_.lost);
  }

  // An upper limit: the content of all chunks, which is the text and a few bytes per frame.
  [[nodiscard]] std::uint64_t text_bytes() const {
    // Unknown while it grows: the largest size without the zip64 extension. If the text exceeds it, this
    // fails, and the reel is published at the end.
    if (options_.wait_for_more) return 0xFFFF'0000u;
    std::uint64_t bytes = 0;
    for (const reel::record_info& each : source_.contents().records) {
      if (each.kind == reel::record_kind::chunk) bytes += each.raw_bytes;
    }
    return bytes;
  }

  result<void> report_progress(std::uint64_t offset) {
    const std::uint64_t total = source_.contents().file_bytes;
    watch_.report(offset, total);
    if (watch_.stop()) return fail(error_code::interrupted);
    return {};
  }

  result<void> no_ticks() const {
    const auto& records = source_.contents().records;
    const bool any = std::any_of(records.begin(), records.end(), [](const reel::record_info& each) {
      return each.kind == reel::record_kind::chunk;
    });
    if (!any)
      return fail(error_code::truncated, error::no_offset, "it ended before its first tick was sealed");
    return fail(error_code::wrong_state, error::no_offset, no_tick_can_be_shown,
                static_cast<std::int64_t>(report_.lost_ticks));
  }

  reel::reader source_;
  const file_path& output_;
  const publish_options& options_;
  const monitor& watch_;
  publish_report report_;
  std::optional<reel::frame> pending_;  // the first frame of the next group
};

}  // namespace

result<publish_report> write_butter_of_reel(reel::reader source, const file_path& output,
                                            const publish_options& options, const monitor& watch) {
  return reel_publisher(std::move(source), output, options, watch).run(&reel_publisher::write_butter);
}

result<publish_report> write_echoreplay_of_reel(reel::reader source, const file_path& output,
                                                const publish_options& options, const monitor& watch) {
  return reel_publisher(std::move(source), output, options, watch).run(&reel_publisher::write_echoreplay);
}

result<recover_report> publish_echo_reel(const file_path& reel, const file_path& output,
                                         const recover_options& options) {
  publish_options publishing;
  publishing.overwrite = options.overwrite;
  publishing.checks_lines = true;
  auto published = publish_reel(reel, output, publishing, options.watch);
  if (!published) return fail(published.error());
  recover_report report;
  report.ticks = published->ticks;
  report.lost_ticks = published->lost_ticks;
  report.bytes = published->bytes;
  report.lost = std::move(published->lost);
  if (!published->reel_was_closed) report.lost.push_back(unsealed_ticks);
  return report;
}

namespace {

std::vector<std::string> losses_of_input(const convert_report& made) {
  source_losses losses = made.losses;
  losses.places.resize(losses.places.size() - made.not_stored.size());
  return sentences(losses);
}
std::vector<std::string> left_out_of_output(const convert_report& made) {
  std::vector<std::string> all = butter::sentences(made.left_out);
  all.insert(all.end(), made.not_stored.begin(), made.not_stored.end());
  return all;
}

}  // namespace

result<recover_report> publish_row_reel(const file_path& reel, const file_path& output,
                                        const recover_options& options) {
  convert_options converting;
  const format* const written = echo_output_of(extension_of(output));
  if (written == nullptr) return fail(error_code::unsupported_operation, error::no_offset, only_a_reel);
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  auto made = convert(reel, output, converting);
  if (!made) return fail(made.error());
  recover_report report;
  report.ticks = made->ticks;
  report.lost_ticks = made->losses.lost_ticks;
  report.bytes = made->bytes;
  const bool closed = !std::exchange(made->losses.cut_short, false);
  if (!written->as_echo_output.leaves_content_out) made->not_stored.clear();
  report.lost = losses_of_input(*made);
  report.left_out = left_out_of_output(*made);
  if (!closed) report.lost.emplace_back(unsealed_ticks);
  return report;
}

result<publish_report> write_file_of_rows(reel::reader source, const file_path& output,
                                          const publish_options& options, const monitor& watch) {
  convert_options converting;
  const format* const to = echo_output_of(extension_of(output));
  if (to == nullptr) return fail(error_code::unsupported_operation, error::no_offset, only_a_reel);
  if (std::ranges::count(to->codecs, options.codec.codec) != 0) converting.codec = options.codec;
  converting.overwrite = options.overwrite;
  converting.watch = watch;
  publish_report report;
  report.torn_bytes = torn_bytes(source.contents());
  report.reel_was_closed = source.contents().end == reel::reel_end::closed;
  auto input = open_row_reel(std::move(source), {});
  if (!input) return fail(input.error());
  auto made = convert(**input, output, converting);
  if (!made) return fail(made.error());
  report.ticks = made->ticks;
  report.lost_ticks = made->losses.lost_ticks;
  report.bytes = made->bytes;
  made->losses.cut_short = false;
  report.lost = losses_of_input(*made);
  report.left_out = left_out_of_output(*made);
  return report;
}

}  // namespace tickreel::files
