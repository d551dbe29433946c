#include "tickreel/recording/publish.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "publish_reel.hpp"
#include "reel_frames.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/reel/reader.hpp"
#include "zip.hpp"

namespace tickreel::recording {

namespace {

class reel_publisher {
 public:
  reel_publisher(reel::reader source, const std::filesystem::path& output, const publish_options& options,
                 const monitor& watch)
      : source_(std::move(source)), output_(output), options_(options), watch_(watch) {}

  result<publish_report> run() {
    const std::string& encoder = source_.head().encoder_name;
    result<void> done;
    if (encoder == butter::encoder::encoder_name) {
      done = write_butter();
    } else if (encoder == echoreplay::encoder::encoder_name) {
      done = write_echoreplay();
    } else {
      return fail(error_code::unsupported_operation, 0,
                  "the reel's frames belong to no format that can be laid out");
    }
    if (!done) return fail(done.error());
    const reel::table_of_contents& contents = source_.contents();
    // What whole records promise and damaged ones did not give is lost too.
    report_.lost_ticks =
        contents.lost_ticks + (contents.frames > report_.ticks ? contents.frames - report_.ticks : 0);
    report_.torn_bytes = contents.file_bytes - contents.valid_bytes;
    report_.reel_was_closed = contents.end == reel::reel_end::closed;
    return report_;
  }

 private:
  result<void> write_butter() {
    auto codec = butter::compression_for(options_.codec);
    if (!codec) return fail(codec.error());
    auto header = source_.last_header_update();
    if (!header) return fail(header.error());
    // Chunks as long as the known writer's, however often keyframes come.
    constexpr std::uint32_t chunk_frames = 300;
    auto writer = butter_writer::create(output_, options_.overwrite, *codec, chunk_frames);
    if (!writer) return fail(writer.error());
    constexpr std::size_t group_limit = 16u << 20;
    reel_groups groups(source_);
    groups.frames().set_tolerant(true);
    frame_group group;
    for (;;) {
      auto more = groups.next(group, group_limit);
      if (!more) return fail(more.error());
      if (!*more) break;
      const auto frames = static_cast<std::uint32_t>(group.stamps.size());
      if (auto added = writer->add_group(group.bytes, frames, group.keyframe); !added) {
        return added;
      }
      report_.ticks += group.stamps.size();
      if (auto going = tell(group.offset); !going) return going;
    }
    if (report_.ticks == 0) return no_ticks();
    auto bytes = writer->finish(*header);
    if (!bytes) return fail(bytes.error());
    report_.bytes = *bytes;
    return {};
  }

  result<void> write_echoreplay() {
    reel_frames frames(source_);
    frames.set_tolerant(true);
    reel::frame frame;
    auto first = frames.next(frame);
    if (!first) return fail(first.error());
    if (!*first) return no_ticks();
    bool held = true;
    const text_producer lines = [&]() -> result<std::string_view> {
      if (!std::exchange(held, false)) {
        auto more = frames.next(frame);
        if (!more) return fail(more.error());
        if (!*more) return std::string_view{};
      }
      if (++report_.ticks % 64 == 0) {
        if (auto going = tell(frames.chunk().offset); !going) return fail(going.error());
      }
      return as_text(frame.bytes);
    };
    auto file = published_file::create(utf8(output_), options_.overwrite);
    if (!file) return fail(file.error());
    zip_entry_options entry;
    entry.name = utf8(output_.filename());
    entry.modified_s = source_.head().start_time_us / 1'000'000;
    entry.level = options_.codec.codec == codec_id::gzip ? options_.codec.level : 0;
    entry.at_most_bytes = text_bytes();
    if (auto written = write_zip(*file, entry, lines, watch_); !written) return written;
    report_.bytes = file->size();
    return file->commit();
  }

  // No more than what all chunks hold: the text and a few bytes for each frame.
  [[nodiscard]] std::uint64_t text_bytes() const {
    std::uint64_t bytes = 0;
    for (const reel::record_info& each : source_.contents().records) {
      if (each.kind == reel::record_kind::chunk) bytes += each.raw_bytes;
    }
    return bytes;
  }

  result<void> tell(std::uint64_t offset) {
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
    return fail(error_code::missing_keyframe, error::no_offset, "the reel holds no tick that can be shown");
  }

  reel::reader source_;
  const std::filesystem::path& output_;
  const publish_options& options_;
  const monitor& watch_;
  publish_report report_;
};

}  // namespace

result<publish_report> publish_reel(const std::filesystem::path& reel, const std::filesystem::path& output,
                                    const publish_options& options, const monitor& watch) {
  auto source = reel::reader::open(reel);
  if (!source) return fail(source.error());
  return reel_publisher(std::move(*source), output, options, watch).run();
}

result<publish_report> publish(const std::filesystem::path& reel, const std::filesystem::path& output,
                               const publish_options& options) {
  return publish_reel(reel, output, options, {.progress = options.progress});
}

}  // namespace tickreel::recording
