// Recovers the reel of a killed recorder: writes the file of its format, or a closed reel.
#include <utility>

#include "echo/missing_lines.hpp"
#include "reel_format.hpp"
#include "reels/reel_facts.hpp"
#include "reels/reel_losses.hpp"
#include "reels/unrecorded.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::files {

namespace {

struct examined_source {
  copy_check check;
  bool may_lack_lines = false;
};

// Closes the file: not every system can replace one that is open.
result<examined_source> examine(const file_path& input) {
  auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  auto check = check_for_copy(*source);
  if (!check) return fail(check.error());
  const auto lacks = may_lack_lines(*source);
  if (!lacks) return fail(lacks.error());
  return examined_source{std::move(*check), *lacks};
}

// Copies every readable tick into a closed reel, with a gap for each loss.
result<recover_report> recover_as_reel(const file_path& input, const file_path& output,
                                       const recover_options& options) {
  auto source = examine(input);
  if (!source) return fail(source.error());
  const byte_span yes = as_bytes("yes");
  reel::copy_options copying;
  copying.overwrite = options.overwrite;
  copying.accepts = std::move(source->check.accepts);
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
  report.lost.insert(report.lost.end(), source->check.lost.begin(), source->check.lost.end());
  if (source->may_lack_lines) {
    if (auto reported = append_missing_lines(output, report.lost); !reported) return fail(reported.error());
  }
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
  if (is_reel_name(output)) return recover_as_reel(input, output, options);
  const auto source = reel::reader::open(input);
  if (!source) return fail(source.error());
  const auto encoder = reel_encoder_of(source->head());
  if (!encoder) return fail(encoder.error());
  if ((*encoder)->recover == nullptr) {
    return fail(error_code::unsupported_operation, error::no_offset, only_a_reel);
  }
  return (*encoder)->recover(input, output, options);
}

}  // namespace tickreel::files
