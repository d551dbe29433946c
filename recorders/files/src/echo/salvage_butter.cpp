#include "salvage_butter.hpp"

#include <algorithm>
#include <vector>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "tickreel/butter/file.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{4} << 30;
constexpr std::size_t largest_chunk = 256u << 20;  // butter::reader_limits

// A .butter file in memory, seen as head and chunks.
class chunk_walk {
 public:
  static result<chunk_walk> open(const file_path& path) {
    auto content = read_whole_file(path, largest_file);
    if (!content) return fail(content.error());
    chunk_walk walk(std::move(*content));
    auto reader = butter::reader::open(walk.content_);
    if (!reader) return fail(reader.error());
    if (reader->chunk_count() == 0) return fail(error_code::truncated, 0, "there are no chunks");
    walk.reader_.emplace(std::move(*reader));
    return walk;
  }

  [[nodiscard]] butter::reader& reader() noexcept { return *reader_; }
  [[nodiscard]] byte_span content() const noexcept { return content_; }

  // The head up to the chunk table: its count and sizes lie right before the first chunk.
  [[nodiscard]] byte_span header() const noexcept {
    const std::size_t table_bytes = 4 + 4 * reader_->chunk_count();
    return byte_span(content_).first(static_cast<std::size_t>(reader_->chunk_offset(0)) - table_bytes);
  }

  // The bytes of a chunk, as many as are there.
  [[nodiscard]] byte_span stored(std::size_t chunk) const noexcept {
    const std::uint64_t begin = std::min<std::uint64_t>(reader_->chunk_offset(chunk), content_.size());
    const std::uint64_t count = std::min<std::uint64_t>(reader_->chunk_bytes(chunk), content_.size() - begin);
    return byte_span(content_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  }

  [[nodiscard]] codec_id codec() const noexcept { return butter::codec_of(reader_->head().codec).codec; }

  // A chunk's frames, or what can be had of them when it is cut or damaged.
  byte_vector unpack(std::size_t chunk) {
    const byte_span packed = stored(chunk);
    if (codec() == codec_id::none) return {packed.begin(), packed.end()};
    byte_vector frames;
    if (decompressor_.decompress(codec(), packed, largest_chunk, frames)) return frames;
    decompressor_.decompress_prefix(codec(), packed, largest_chunk, frames);
    return frames;
  }

 private:
  explicit chunk_walk(byte_vector content) : content_(std::move(content)) {}

  byte_vector content_;
  std::optional<butter::reader> reader_;
  decompressor decompressor_;
};

// The decodable part of a chunk: from its first keyframe, or its start when the chunk before was whole, up to
// the last whole frame.
struct good_part {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t frames = 0;
  std::uint32_t dropped = 0;  // before `begin`
  bool whole = false;
};

class salvager {
 public:
  salvager(chunk_walk walk, butter_writer writer, const monitor& watch)
      : walk_(std::move(walk)),
        writer_(std::move(writer)),
        watch_(watch),
        state_(std::make_unique<echo::state>()) {}

  result<recover_report> run() {
    butter::reader& reader = walk_.reader();
    for (std::size_t chunk = 0; chunk < reader.chunk_count(); ++chunk) {
      watch_.report(reader.chunk_offset(chunk), walk_.content().size());
      if (watch_.stop()) return fail(error_code::interrupted);
      if (reader.chunk_bytes(chunk) == 0) continue;
      if (auto kept = keep(chunk); !kept) return fail(kept.error());
    }
    if (report_.ticks == 0) return fail(error_code::truncated, 0, "no tick can be saved");
    auto bytes = writer_.finish(walk_.header(), reader.head().keyframe_interval_ticks);
    if (!bytes) return fail(bytes.error());
    report_.bytes = *bytes;
    return report_;
  }

 private:
  result<void> keep(std::size_t chunk) {
    const byte_span stored = walk_.stored(chunk);
    const std::string which =
        "chunk " + std::to_string(chunk + 1) + " of " + std::to_string(walk_.reader().chunk_count());
    if (stored.empty()) {
      before_was_whole_ = false;
      report_.lost.push_back(which + " is not in the file");
      return {};
    }
    const byte_vector frames = walk_.unpack(chunk);
    const good_part good = look_at(frames);
    before_was_whole_ = good.whole;
    report_.ticks += good.frames;
    const bool all = good.whole && good.begin == 0 && stored.size() == walk_.reader().chunk_bytes(chunk);
    if (all) return writer_.add_stored_chunk(stored);
    report_.lost.push_back(which + (good.whole ? " stands on frames that are lost: " : " is damaged: ") +
                           std::to_string(good.frames) + " ticks of it are kept");
    if (good.frames == 0) return {};
    return writer_.add_group(byte_span(frames).subspan(good.begin, good.end - good.begin), good.frames, true);
  }

  // The frames as a small file of their own, which the format's reader reads as far as it can.
  good_part look_at(byte_span frames) {
    good_part good;
    const std::uint32_t sizes[] = {static_cast<std::uint32_t>(frames.size())};
    auto file = butter::lay_out_head(walk_.header(), 0, butter::compression::none, sizes);
    if (!file) return good;
    file->insert(file->end(), frames.begin(), frames.end());
    auto reader = butter::reader::open(*file);
    if (!reader) return good;
    bool started = before_was_whole_;
    result<bool> more = false;
    while ((more = reader->next(*state_)) && *more) {
      const butter::frame_position& at = reader->position();
      if (!started && !at.keyframe) {
        ++good.dropped;
        continue;
      }
      if (!started) good.begin = static_cast<std::size_t>(at.frame_offset);
      started = true;
      good.end = static_cast<std::size_t>(at.frame_offset + at.frame_bytes);
      ++good.frames;
    }
    good.whole = more.has_value() && good.frames > 0;
    return good;
  }

  chunk_walk walk_;
  butter_writer writer_;
  const monitor& watch_;
  std::unique_ptr<echo::state> state_;
  recover_report report_;
  bool before_was_whole_ = false;
};

// Ticks of a whole file; an error where it is damaged, fewer where it is cut.
result<std::uint64_t> count_ticks(butter::reader& reader, const monitor& watch, std::uint64_t file_bytes) {
  auto state = std::make_unique<echo::state>();
  for (std::uint64_t ticks = 0;; ++ticks) {
    auto more = reader.next(*state);
    if (!more) return fail(more.error());
    if (!*more) return ticks;
    if (ticks % 256 == 0) {
      watch.report(reader.position().chunk_offset, file_bytes);
      if (watch.stop()) return fail(error_code::interrupted);
    }
  }
}

}  // namespace

result<convert_report> recompress_butter(const file_path& input, const file_path& output,
                                         const convert_options& options) {
  auto codec = butter::compression_for(options.codec.value_or(codec_options{.codec = codec_id::gzip}));
  if (!codec) return fail(codec.error());
  auto walk = chunk_walk::open(input);
  if (!walk) return fail(walk.error());
  butter::reader& reader = walk->reader();
  convert_report report;
  report.kept_frames = true;
  auto ticks = count_ticks(reader, options.watch, walk->content().size());
  if (!ticks) return fail(ticks.error());
  report.ticks = *ticks;
  auto writer = butter_writer::create(output, options.overwrite, *codec, 0);
  if (!writer) return fail(writer.error());
  for (std::size_t chunk = 0; chunk < reader.chunk_count(); ++chunk) {
    if (reader.chunk_bytes(chunk) == 0) continue;
    // Each chunk for itself, so that the new file has the chunks of the old one.
    if (auto added = writer->add_chunk(walk->unpack(chunk)); !added) return fail(added.error());
  }
  auto bytes = writer->finish(walk->header(), reader.head().keyframe_interval_ticks);
  if (!bytes) return fail(bytes.error());
  report.bytes = *bytes;
  report.files.push_back(output);
  return report;
}

result<recover_report> salvage_butter(const file_path& input, const file_path& output,
                                      const recover_options& options) {
  auto walk = chunk_walk::open(input);
  if (!walk) return fail(walk.error());
  const butter::compression codec = walk->reader().head().codec;
  auto writer =
      butter_writer::create(output, options.overwrite, codec, walk->reader().head().keyframe_interval_ticks);
  if (!writer) return fail(writer.error());
  return salvager(std::move(*walk), std::move(*writer), options.watch).run();
}

}  // namespace tickreel::files
