#include "recover_butter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "butter_writer.hpp"
#include "byte_stream.hpp"
#include "tickreel/butter/recover.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::files {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{4} << 30;

// Consecutive chunks that are lost, completely or in part.
struct lost_run {
  std::size_t first_chunk = 0;
  std::size_t last_chunk = 0;
  butter::chunk_fate fate = butter::chunk_fate::damaged;  // of the first chunk
  std::uint32_t kept = 0;                                 // ticks of the first chunk
  std::uint64_t ticks_before = 0;                         // in the output, including `kept`
  std::optional<std::int64_t> before_ms;                  // recorded time of the last of them
  std::optional<std::int64_t> next_ms;                    // of the first tick after the run
};

std::string_view sentence_of(butter::chunk_fate fate) {
  switch (fate) {
    case butter::chunk_fate::cut:
      return "cut off by the end of the file";
    case butter::chunk_fate::contradictory:
      return "damaged from one byte on";
    case butter::chunk_fate::unfounded:
      return "complete, but depends on missing ticks";
    default:
      return "damaged";
  }
}

class butter_recovery {
 public:
  butter_recovery(butter::recovery_reader from, std::uint64_t file_bytes, butter_writer writer,
                  const monitor& watch)
      : from_(std::move(from)), file_bytes_(file_bytes), writer_(std::move(writer)), watch_(watch) {}

  result<recover_report> run() {
    if (from_.table_was_wrong()) {
      report_.searched_to_end = true;
      report_.lost.emplace_back("the table of the chunks; the chunks were found without it");
    }
    butter::recovered_chunk chunk;
    while (from_.next(chunk)) {
      watch_.report(from_.bytes_done(), file_bytes_);
      if (watch_.stop()) return fail(error_code::interrupted);
      if (auto kept = keep(chunk); !kept) return fail(kept.error());
    }
    report_.another_at = from_.another_begins_at();
    if (run_) runs_.push_back(*run_);
    for (const lost_run& each : runs_) report(each);
    if (report_.ticks == 0) return fail(error_code::truncated, 0, "no tick is readable");
    auto bytes = writer_.finish(from_.header(), from_.head().keyframe_interval_ticks);
    if (!bytes) return fail(bytes.error());
    report_.bytes = *bytes;
    return report_;
  }

 private:
  result<void> keep(const butter::recovered_chunk& chunk) {
    if (chunk.frame_count != 0) {
      if (run_) {
        run_->next_ms = chunk.first_time_ms;
        runs_.push_back(*std::exchange(run_, std::nullopt));
      }
      report_.ticks += chunk.frame_count;
      last_ms_ = chunk.last_time_ms;
      intervals_ += chunk.frame_count - 1;
      span_ms_ += chunk.last_time_ms - chunk.first_time_ms;
    }
    if (chunk.fate == butter::chunk_fate::whole) {
      longest_ = std::max(longest_, chunk.frame_count);
      return writer_.add_stored_chunk(chunk.stored);
    }
    if (run_) {
      run_->last_chunk = chunk.number;
    } else {
      run_ = lost_run{chunk.number,  chunk.number, chunk.fate,  chunk.frame_count,
                      report_.ticks, last_ms_,     std::nullopt};
    }
    if (chunk.frame_count == 0) return {};
    return writer_.add_group(chunk.frames, chunk.frame_count, chunk.starts_with_keyframe);
  }

  // Chunks do not store their number of ticks. It is estimated from the times if ticks follow, and from
  // complete chunks otherwise.
  [[nodiscard]] std::uint64_t estimate(const lost_run& lost) const {
    const bool between = lost.next_ms && lost.before_ms && *lost.next_ms > *lost.before_ms;
    if (between && intervals_ != 0 && span_ms_ > 0) {
      const double each_ms = static_cast<double>(span_ms_) / static_cast<double>(intervals_);
      const double all = static_cast<double>(*lost.next_ms - *lost.before_ms) / each_ms;
      // The system clock may have been set.
      constexpr double most = 1e7;
      return static_cast<std::uint64_t>(std::clamp(std::nearbyint(all) - 1, 0.0, most));
    }
    const std::uint64_t whole = std::uint64_t{longest_} * (lost.last_chunk - lost.first_chunk + 1);
    return whole - std::min<std::uint64_t>(whole, lost.kept);
  }

  void report(const lost_run& lost) {
    const std::uint64_t about = estimate(lost);
    report_.lost_ticks += about;
    const bool one = lost.first_chunk == lost.last_chunk;
    std::string text =
        one ? "chunk " + std::to_string(lost.first_chunk + 1)
            : "chunks " + std::to_string(lost.first_chunk + 1) + " to " + std::to_string(lost.last_chunk + 1);
    text += " of " + std::to_string(from_.chunk_count());
    if (one) {
      text += " is " + std::string(sentence_of(lost.fate));
    } else {
      text += ", of which the first is " + std::string(sentence_of(lost.fate));
    }
    text += about == 0 ? ": an unknown number of ticks " : ": about " + counted(about, "tick ", "ticks ");
    text +=
        lost.ticks_before == 0 ? "at the beginning" : "after tick " + std::to_string(lost.ticks_before - 1);
    if (lost.kept != 0) text += "; " + std::to_string(lost.kept) + " before them are recovered";
    report_.lost.push_back(std::move(text));
  }

  butter::recovery_reader from_;
  std::uint64_t file_bytes_;
  butter_writer writer_;
  const monitor& watch_;
  recover_report report_;
  std::optional<lost_run> run_;  // the current run
  std::vector<lost_run> runs_;
  std::optional<std::int64_t> last_ms_;
  std::uint32_t longest_ = 0;    // ticks of a complete chunk
  std::uint64_t intervals_ = 0;  // between ticks of one chunk, and their total time
  std::int64_t span_ms_ = 0;
};

// The ticks of a complete file; an error if it is damaged, fewer if it is truncated.
result<std::uint64_t> count_ticks(butter::reader& reader, const monitor& watch, std::uint64_t file_bytes) {
  for (std::uint64_t ticks = 0;; ++ticks) {
    auto more = reader.skip();
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
  const auto content = read_whole_file(input, largest_file);
  if (!content) return fail(content.error());
  auto opened = butter::reader::open(*content);
  if (!opened) return fail(opened.error());
  butter::reader& reader = *opened;
  const std::size_t chunks = reader.chunk_count();
  if (chunks == 0) return fail(error_code::truncated, 0, "there are no chunks");
  convert_report report;
  report.kept_frames = true;
  auto ticks = count_ticks(reader, options.watch, content->size());
  if (!ticks) return fail(ticks.error());
  report.ticks = *ticks;
  auto writer = butter_writer::create(output, options.overwrite, *codec, 0);
  if (!writer) return fail(writer.error());
  const codec_id from = butter::codec_of(reader.head().codec).codec;
  const butter::reader_limits limits;
  decompressor codecs;
  byte_vector frames;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    if (reader.chunk_bytes(chunk) == 0) continue;
    const byte_span stored = byte_span(*content).subspan(static_cast<std::size_t>(reader.chunk_offset(chunk)),
                                                         reader.chunk_bytes(chunk));
    auto unpacked = codecs.decompress(from, stored, limits.max_chunk_bytes, frames);
    if (!unpacked) return fail(unpacked.error());
    // Each chunk separately, so that the new file has the chunks of the old one.
    if (auto added = writer->add_chunk(frames); !added) return fail(added.error());
  }
  // The head up to the chunk table: its count and sizes are directly before the first chunk.
  const std::size_t table_bytes = 4 + 4 * chunks;
  const auto header =
      byte_span(*content).first(static_cast<std::size_t>(reader.chunk_offset(0)) - table_bytes);
  auto bytes = writer->finish(header, reader.head().keyframe_interval_ticks);
  if (!bytes) return fail(bytes.error());
  report.bytes = *bytes;
  report.files.push_back(output);
  return report;
}

result<recover_report> recover_butter(const file_path& input, const file_path& output,
                                      const recover_options& options) {
  const auto content = read_whole_file(input, largest_file);
  if (!content) return fail(content.error());
  auto from = butter::recovery_reader::open(*content);
  if (!from) return fail(from.error());
  auto writer = butter_writer::create(output, options.overwrite, from->head().codec,
                                      from->head().keyframe_interval_ticks);
  if (!writer) return fail(writer.error());
  return butter_recovery(std::move(*from), content->size(), std::move(*writer), options.watch).run();
}

}  // namespace tickreel::files
