#include <algorithm>
#include <array>
#include <memory>

#include "echo/missing_lines.hpp"
#include "open_file.hpp"
#include "reel_format.hpp"
#include "reels/reel_facts.hpp"
#include "reels/reel_losses.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

namespace tickreel::files {

namespace {

result<tracks::row_rewriter> rewriter_for(const reel::header& head, tracks::rewrite_options options = {}) {
  if (head.encoder_name != tracks::rows_name) {
    return fail(
        error_code::unsupported_operation, error::no_offset,
        "only reels of described structs can be compacted; this one contains another format's frames");
  }
  if (!tracks::row_decoder::reads_version(head.encoder_version)) {
    return fail(error_code::unsupported_version, error::no_offset,
                "tracks of version {}, this program reads {}", head.encoder_version, tracks::rows_version);
  }
  options.rows_version = head.encoder_version;
  return tracks::row_rewriter::create(head.schema, options);
}

// Counts the bytes and discards them.
class discarding_sink final : public reel::sink {
 public:
  result<void> accept_header(byte_span) override { return {}; }
  result<void> accept_record(const reel::record_info&, byte_span) override { return {}; }
};

}  // namespace

result<compaction_sample> sample_compaction(const file_path& input, const monitor& watch) {
  // A sixth of the memory of compact(). With wide ticks the sampled blocks are shorter and save a little
  // less.
  constexpr std::uint64_t sampled_block_bytes = 4u << 20;
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  auto rows = rewriter_for(source->head(), {.max_block_bytes = sampled_block_bytes});
  if (!rows) return fail(rows.error());
  const auto codec = is_available(codec_id::zstd) ? codec_id::zstd : codec_id::none;
  auto out = reel::writer::create_without_file(source->head(), {.codec = codec});
  if (!out) return fail(out.error());
  out->add_sink(std::make_unique<discarding_sink>());
  // Those that can be decoded without the ones before.
  std::vector<std::size_t> chunks;
  const auto& records = source->contents().records;
  for (std::size_t number = 0; number < records.size(); ++number) {
    if (records[number].is_entrance()) chunks.push_back(number);
  }
  compaction_sample seen;
  if (chunks.empty()) return seen;
  // Not at the beginning, where a match waits for its players.
  for (const std::size_t place : std::array{chunks[chunks.size() / 3], chunks[chunks.size() * 2 / 3]}) {
    reel::frame_stream walk(*source, {.first_record = place});
    reel::frame next;
    double replaced = 0;
    std::uint64_t count = 0;
    for (auto more = walk.next(next);; more = walk.next(next)) {
      if (!more) return fail(more.error());
      if (!*more || (count != 0 && rows->is_due(next))) break;
      if (count++ % 64 == 0 && watch.stop()) return fail(error_code::interrupted);
      if (auto added = rows->add(next); !added) return fail(added.error());
      const reel::record_info& chunk = records[walk.next_record_number() - 1];
      replaced += static_cast<double>(chunk.bytes) / std::max(1u, chunk.frames);
    }
    if (count == 0) continue;
    const std::uint64_t before = out->bytes();
    if (auto written = rows->write(*out); !written) return fail(written.error());
    seen.bytes += static_cast<std::uint64_t>(replaced);
    seen.compacted_bytes += out->bytes() - before;
  }
  return seen;
}

result<edit_report> compact_reel(const file_path& input, const file_path& output,
                                 const edit_options& options) {
  // Checked, to know whether the output lacks something.
  auto source = reel::reader::open(input, {}, true);
  if (!source) return fail(source.error());
  const reel::header& head = source->head();
  auto rows = rewriter_for(head);
  if (!rows) return fail(rows.error());
  const auto lacks_lines = may_lack_lines(*source);
  if (!lacks_lines) return fail(lacks_lines.error());
  reel::copy_options copying;
  if (lacks_something(source->contents()) && !is_recovered(head)) {
    const byte_span yes = as_bytes("yes");
    copying.metadata.push_back({recovered_key, {yes.begin(), yes.end()}});
  }
  copying.overwrite = options.overwrite;
  copying.rewriter = &*rows;
  copying.schema = pack_schema(head.schema);
  copying.progress = [&](std::uint64_t done, std::uint64_t total) {
    options.watch.report(done, total);
    return !options.watch.stop();
  };
  auto done = reel::recover_into(input, output, copying);
  if (!done) return fail(done.error());
  const bool whole = done->losses.empty() && done->found.end == reel::reel_end::closed;
  const bool smaller = done->bytes < done->found.file_bytes;
  if (whole && !smaller) {
    // The input's blocks were longer than ten seconds.
    copying.overwrite = true;
    copying.rewriter = nullptr;
    done = reel::recover_into(input, output, copying);
    if (!done) return fail(done.error());
  }
  edit_report report;
  report.bytes = done->bytes;
  report.changes = smaller ? 1 : 0;
  if (whole && !smaller) report.notes.emplace_back("it cannot become smaller: copied");
  report.facts.push_back({"ticks", static_cast<std::int64_t>(done->ticks)});
  report.facts.push_back({"bytes_before", static_cast<std::int64_t>(done->found.file_bytes)});
  report.lost = sentences_of_copy(*done);
  if (*lacks_lines) {
    if (auto reported = append_missing_lines(output, report.lost); !reported) return fail(reported.error());
  }
  return report;
}

}  // namespace tickreel::files
