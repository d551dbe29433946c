#include <algorithm>

#include "formats.hpp"
#include "reel_facts.hpp"
#include "reel_losses.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

namespace tickreel::files {

result<edit_report> compact_reel(const file_path& input, const file_path& output,
                                 const edit_options& options) {
  // Looked through, to know whether the output lacks something.
  auto source = reel::reader::open(input, {}, true);
  if (!source) return fail(source.error());
  const reel::header& head = source->head();
  if (head.encoder_name != tracks::rows_name) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only reels of described structs become compact; this one holds another format's frames");
  }
  if (!tracks::row_decoder::reads_version(head.encoder_version)) {
    return fail(error_code::unsupported_version, error::no_offset,
                "tracks of version {}, this program reads {}", head.encoder_version, tracks::rows_version);
  }
  auto rows = tracks::row_rewriter::create(head.schema);
  if (!rows) return fail(rows.error());
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
    // Its blocks were longer before than those of ten seconds are.
    copying.overwrite = true;
    copying.rewriter = nullptr;
    done = reel::recover_into(input, output, copying);
    if (!done) return fail(done.error());
  }
  edit_report report;
  report.bytes = done->bytes;
  report.changes = smaller ? 1 : 0;
  if (whole && !smaller) report.notes.emplace_back("it is as small as it gets already: copied");
  report.facts.push_back({"ticks", static_cast<std::int64_t>(done->ticks)});
  report.facts.push_back({"bytes_before", static_cast<std::int64_t>(done->found.file_bytes)});
  reel_losses losses;
  for (const reel::loss& each : done->losses) losses.add(each);
  report.lost = losses.sentences();
  if (done->found.end != reel::reel_end::closed) report.lost.emplace_back(unsealed_ticks);
  return report;
}

}  // namespace tickreel::files
