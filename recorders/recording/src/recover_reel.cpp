// What a dead recorder's reel still gives: the file of its format, or a reel that ends as a reel should.
#include "byte_stream.hpp"
#include "formats.hpp"
#include "icrep_conversion.hpp"
#include "publish_reel.hpp"
#include "reel_facts.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/recording/convert.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::recording {

namespace {

std::string count_of(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what);
}

result<recover_report> publish_what_is_there(const std::filesystem::path& input,
                                             const std::filesystem::path& output,
                                             const recover_options& options) {
  publish_options publishing;
  publishing.overwrite = options.overwrite;
  auto published = publish_reel(input, output, publishing, options.watch);
  if (!published) return fail(published.error());
  recover_report report;
  report.ticks = published->ticks;
  report.bytes = published->bytes;
  if (published->lost_ticks > 0) report.lost.push_back(count_of(published->lost_ticks, "ticks are lost"));
  if (published->torn_bytes > 0) {
    report.lost.push_back(count_of(published->torn_bytes, "bytes of a record that was never completed"));
  } else if (!published->reel_was_closed) {
    report.lost.push_back("the recorder did not end properly: ticks after the last sealed chunk");
  }
  return report;
}

class published_sink final : public reel::sink {
 public:
  explicit published_sink(published_file& to) : to_(to) {}
  result<void> accept_header(byte_span bytes) override { return to_.append(bytes); }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override { return to_.append(bytes); }

 private:
  published_file& to_;
};

// The whole records into a reel that ends as a reel should. Chunks that continue a lost one are lost too.
result<recover_report> recover_as_reel(const std::filesystem::path& input,
                                       const std::filesystem::path& output, const recover_options& options) {
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const reel::table_of_contents& contents = source->contents();
  auto file = published_file::create(utf8(output), options.overwrite);
  if (!file) return fail(file.error());
  reel::header head = source->head();
  const byte_span yes = as_bytes("yes");
  if (contents.end != reel::reel_end::closed)
    head.metadata.push_back({recovered_key, {yes.begin(), yes.end()}});
  codec_options codec;
  for (const reel::record_info& each : contents.records) {
    if (each.kind == reel::record_kind::chunk && each.codec != codec_id::none) codec.codec = each.codec;
  }
  auto writer = reel::writer::create_without_file(std::move(head), codec);
  if (!writer) return fail(writer.error());
  writer->add_sink(std::make_unique<published_sink>(*file));
  recover_report report;
  std::uint64_t lost_frames = 0;
  bool wait_for_keyframe = true;
  reel::record record;
  for (std::size_t number = 0; number < contents.records.size(); ++number) {
    const reel::record_info& info = contents.records[number];
    options.watch.report(info.offset, contents.file_bytes);
    if (options.watch.stop()) return fail(error_code::interrupted);
    if (info.kind == reel::record_kind::index || info.kind == reel::record_kind::end) continue;
    const bool chunk = info.kind == reel::record_kind::chunk;
    const bool enters = chunk && (info.flags & reel::starts_with_keyframe) != 0;
    const auto got = source->read(number, record);
    if (chunk && (!got || (wait_for_keyframe && !enters))) {
      lost_frames += info.frames;
      wait_for_keyframe = true;
      continue;
    }
    if (!got) {
      report.lost.push_back("a damaged record at offset " + std::to_string(info.offset));
      continue;
    }
    if (chunk) {
      wait_for_keyframe = false;
      report.ticks += info.frames;
    }
    if (auto appended = writer->append(info, record.payload); !appended) return fail(appended.error());
    if (const auto& failure = writer->sink_failure()) return fail(*failure);
  }
  if (report.ticks == 0) return fail(error_code::truncated, 0, "no tick can be saved");
  if (auto finished = writer->finish(); !finished) return fail(finished.error());
  if (const auto& failure = writer->sink_failure()) return fail(*failure);
  if (lost_frames > 0) report.lost.push_back(count_of(lost_frames, "ticks in damaged records"));
  if (contents.lost_ticks > 0)
    report.lost.push_back(count_of(contents.lost_ticks, "ticks were lost while recording"));
  if (contents.file_bytes > contents.valid_bytes) {
    report.lost.push_back(
        count_of(contents.file_bytes - contents.valid_bytes, "bytes of a record that was never completed"));
  }
  report.bytes = file->size();
  if (auto committed = file->commit(); !committed) return fail(committed.error());
  return report;
}

result<recover_report> recover_match(const std::filesystem::path& input, const std::filesystem::path& output,
                                     const recover_options& options) {
  conversion_options converting;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  const auto made = convert_reel_to_icrep(input, output, converting);
  if (!made) return fail(made.error());
  recover_report report;
  report.ticks = made->ticks;
  report.bytes = made->bytes;
  report.lost = made->lost;
  return report;
}

}  // namespace

result<recover_report> recover_reel(const std::filesystem::path& input, const std::filesystem::path& output,
                                    const recover_options& options) {
  if (target_of(output) == target::reel) return recover_as_reel(input, output, options);
  const auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  if (game::is_match_reel(source->head())) return recover_match(input, output, options);
  return publish_what_is_there(input, output, options);
}

}  // namespace tickreel::recording
