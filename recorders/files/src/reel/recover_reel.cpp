// Recovers the reel of a killed recorder: writes the file of its format, or a closed reel.
#include <algorithm>
#include <utility>

#include "byte_stream.hpp"
#include "icrep/icrep_conversion.hpp"
#include "publish_reel.hpp"
#include "reel_facts.hpp"
#include "reel_format.hpp"
#include "reel_losses.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/reel/recover.hpp"
#include "unrecorded.hpp"

namespace tickreel::files {

result<recover_report> publish_echo_reel(const file_path& reel, const file_path& output,
                                         const recover_options& options) {
  publish_options publishing;
  publishing.overwrite = options.overwrite;
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

result<recover_report> only_a_reel() {
  return fail(error_code::unsupported_operation, error::no_offset,
              "a reel is recovered as a reel: name the output X.reel");
}

}  // namespace

result<recover_report> publish_row_reel(const file_path& reel, const file_path& output,
                                        const recover_options& options) {
  convert_options converting;
  converting.to = target_of(output);
  if (!converting.to) return only_a_reel();
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  auto made = convert(reel, output, converting);
  if (!made) return fail(made.error());
  recover_report report;
  report.ticks = made->ticks;
  report.lost_ticks = made->losses.lost_ticks;
  report.bytes = made->bytes;
  const bool closed = !std::exchange(made->losses.cut_short, false);
  report.lost = losses_of_input(*made);
  report.left_out = left_out_of_output(*made);
  if (!closed) report.lost.emplace_back(unsealed_ticks);
  return report;
}

result<publish_report> write_file_of_rows(reel::reader source, const file_path& output,
                                          const publish_options& options, const monitor& watch) {
  convert_options converting;
  converting.to = target_of(output);
  if (!converting.to) return fail(only_a_reel().error());
  const std::span<const codec_id> codecs = find_format(name(*converting.to))->as_echo_output.codecs;
  if (std::find(codecs.begin(), codecs.end(), options.codec.codec) != codecs.end()) {
    converting.codec = options.codec;
  }
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

result<recover_report> publish_match_reel(const file_path& reel, const file_path& output,
                                          const recover_options& options) {
  conversion_options converting;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  const auto made = convert_reel_to_icrep(reel, output, converting);
  if (!made) return fail(made.error());
  recover_report report;
  report.ticks = made->ticks;
  report.lost_ticks = made->lost_ticks;
  report.bytes = made->bytes;
  report.lost = made->lost;
  return report;
}

namespace {

// Copies every readable tick into a closed reel, with a gap for each loss.
result<recover_report> recover_as_reel(const file_path& input, const file_path& output,
                                       const recover_options& options) {
  const byte_span yes = as_bytes("yes");
  reel::copy_options copying;
  copying.overwrite = options.overwrite;
  copying.metadata.push_back({recovered_key, {yes.begin(), yes.end()}});
  copying.progress = [&](std::uint64_t done, std::uint64_t total) {
    options.watch.report(done, total);
    return !options.watch.stop();
  };
  const auto done = reel::recover_into(input, output, copying);
  if (!done) return fail(done.error());
  recover_report report;
  report.ticks = done->ticks;
  report.bytes = done->bytes;
  report.lost_ticks = done->totals.missing_ticks();
  report.lost = sentences_of_copy(*done);
  const auto unrecorded = unrecorded_in(output);
  if (!unrecorded) return fail(unrecorded.error());
  append_unrecorded(*unrecorded, report.lost);
  return report;
}

}  // namespace

result<recovery_target> find_recovery_target_of_reel(const file_path& input) {
  const auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const reel_encoder* const known = known_reel_encoder(source->head());
  if (known != nullptr) return known->recovery;
  return recovery_target{.extension = ".recovered.reel",
                         .format = reel_format.name,
                         .wrong_name = reel_format.wrong_recovered_name};
}

result<recover_report> recover_reel(const file_path& input, const file_path& output,
                                    const recover_options& options) {
  // A running recorder locks its reel and publishes to the name that the output would have here. This lock is
  // released immediately: the functions below take it themselves.
  if (const auto lock = file::open_for_appending(input); !lock && lock.error().code == error_code::in_use) {
    return fail(lock.error());
  }
  if (target_of(output) == target::reel) return recover_as_reel(input, output, options);
  const auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const auto encoder = reel_encoder_of(source->head());
  if (!encoder) return fail(encoder.error());
  if ((*encoder)->recover == nullptr) return only_a_reel();
  return (*encoder)->recover(input, output, options);
}

}  // namespace tickreel::files
